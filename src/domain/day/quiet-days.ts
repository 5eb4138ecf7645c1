// Which days of a rule are left out because the town rests on them (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { isQuietDay } from './holidays.ts';

/** The first day on which rules rest: what came before has been told, and stays as it was told. */
export const QUIET_FROM = Temporal.PlainDate.from('2026-11-21');

/** The part of a `when` that says whether it rests. */
export interface Resting {
  readonly rrule?: string | null | undefined;
  /** `open` where a source says that it takes place on quiet days too. */
  readonly quiet_days?: 'open' | undefined;
}

/**
 * The days without quiet ones, where they come from a rule that returns every day, week or month. A
 * yearly rule, a date and a feast counted from Easter are about their very day, and stay.
 */
export function skipQuietDays(
  when: Resting,
  days: readonly Temporal.PlainDate[],
): readonly Temporal.PlainDate[] {
  if (when.quiet_days === 'open' || !/^FREQ=(DAILY|WEEKLY|MONTHLY)\b/.test(when.rrule ?? ''))
    return days;
  return days.filter((day) => Temporal.PlainDate.compare(day, QUIET_FROM) < 0 || !isQuietDay(day));
}
