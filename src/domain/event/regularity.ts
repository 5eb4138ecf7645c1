// Regularity: detects the recurrence patterns that an event's upcoming dates confirm, and the
// exceptions to them, for phrases such as “every Friday, except December 25”. A rule that the dates
// do not confirm is not mentioned.
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, parseDay, toLocalTime, toLocalDay, toDayNumber } from '../local-time.ts';
import { LOW_CONFIDENCE_DAYS } from '../fact-freshness.ts';
import { type EventRecord, filterNotEnded, type OccurrenceRecord } from './event.ts';
import { HORIZON_MONTHS, type Recurrence } from './occurrences.ts';

/** The regularity of an event's upcoming dates. */
export interface Regularity {
  readonly patterns: readonly [Recurrence, ...Recurrence[]];
  /** Days of the rule without a date, or with a cancelled one; the next few, in order. */
  readonly exceptions: readonly Temporal.PlainDate[];
  /** Days of the rule on which it is only assumed to rest; the next few, in order. */
  readonly doubtful: readonly Temporal.PlainDate[];
  /** True if dates are listed for a month only, because its sources are doubtful. */
  readonly is_month_ahead: boolean;
  /** True if some upcoming dates follow no rule. */
  readonly has_other_dates: boolean;
  /** First day of the rule if it is weeks ahead, and its last day; else null. */
  readonly since: Temporal.PlainDate | null;
  readonly until: Temporal.PlainDate | null;
  /** The last date, if it is unknown whether the rule continues after it; else null. */
  readonly last_date: Temporal.PlainDate | null;
}

/** Upcoming dates that are compared with the rule. */
const MAX_DATES = 60;
/** Exceptions are listed this many days ahead, up to MAX_EXCEPTIONS in a sentence. */
const EXCEPTION_DAYS = 92;
const MAX_EXCEPTIONS = 8;
/** A rule needs this many upcoming dates. */
const MIN_DATES = 2;
/**
 * With dates for this many weeks, a weekday without any is removed from the rule instead of listed
 * as exceptions.
 */
const MIN_WEEKS = 3;
/**
 * Months ahead in which a release has every date of a rule: one less than the horizon, as the
 * release may be old.
 */
const COMPLETE_MONTHS = HORIZON_MONTHS - 1;

const MAX_RELEASE_AGE_DAYS = 2;

function isPosition(day: Temporal.PlainDate, position: number | null): boolean {
  if (position === -1) return day.day + 7 > day.daysInMonth;
  return Math.ceil(day.day / 7) === position;
}

/** Tests whether a pattern falls on a day. Never true for `easter`, which no phrase describes. */
function fallsOn(pattern: Recurrence, day: Temporal.PlainDate): boolean {
  const { kind, weekdays, position, months, since, until } = pattern;
  if (months.length > 0 && !months.includes(day.month)) return false;
  const date = day.toString();
  if ((since !== null && date < since) || (until !== null && date > until)) return false;
  switch (kind) {
    case 'daily':
      return true;
    case 'weekly':
      return weekdays.includes(day.dayOfWeek);
    case 'monthly_weekday':
      return weekdays.includes(day.dayOfWeek) && isPosition(day, position);
    case 'monthly_day':
    case 'yearly':
      return day.day === position;
    default:
      return false;
  }
}

const formatClock = (epoch_ms: number): string =>
  toLocalTime(epoch_ms).toString({ smallestUnit: 'minute' });

/** Tests whether a date falls on a day of the pattern and has its hours. */
function confirmsPattern(occurrence: OccurrenceRecord, pattern: Recurrence): boolean {
  const { first_day, last_day, all_day, start_ms, end_ms, end_known } = occurrence;
  if (first_day !== last_day || !fallsOn(pattern, fromDayNumber(first_day))) return false;
  if (all_day || pattern.start === null) return all_day && pattern.start === null;
  if (formatClock(start_ms) !== pattern.start) return false;
  return pattern.end === null ? !end_known : formatClock(end_ms) === pattern.end;
}

/** Returns the day of `name` if all patterns share it, else null. */
function getSharedDay(
  patterns: readonly Recurrence[],
  name: 'since' | 'until',
): Temporal.PlainDate | null {
  const [day = null, ...others] = patterns.map((pattern) => pattern[name]);
  return day === null || others.some((other) => other !== day) ? null : parseDay(day);
}

/**
 * Tests whether a rule starts more than two weeks ahead; an earlier start is the next date, which
 * is shown anyway.
 */
const isWeeksAhead = (day: Temporal.PlainDate | null, today: Temporal.PlainDate): boolean =>
  day !== null && Temporal.PlainDate.compare(day, today.add({ weeks: 2 })) > 0;

/** Tests for a daily or weekly pattern. */
const isFrequent = ({ kind }: Recurrence): boolean => kind === 'daily' || kind === 'weekly';

/** Lists the day numbers from `from` to `to` on which any of the patterns falls. */
function listRuleDays(patterns: readonly Recurrence[], from: number, to: number): number[] {
  const days: number[] = [];
  for (let day = from; day <= to; day += 1) {
    const date = fromDayNumber(day);
    if (patterns.some((pattern) => fallsOn(pattern, date))) days.push(day);
  }
  return days;
}

/**
 * Returns the last date if the rule has further days before the horizon without a date, else null.
 */
function findOpenEnd(
  patterns: readonly Recurrence[],
  last_day: number,
  today: Temporal.PlainDate,
): Temporal.PlainDate | null {
  const horizon = toDayNumber(today.add({ months: COMPLETE_MONTHS }));
  // Within a month: a longer gap is a break, and an annual rule has no open end.
  const days_without_date = listRuleDays(patterns, last_day + 1, Math.min(horizon, last_day + 31));
  return days_without_date.length > 0 ? fromDayNumber(last_day) : null;
}

/** Tests whether the next day of the rule is beyond the limit of low confidence. */
const isMonthAhead = (
  patterns: readonly Recurrence[],
  last_day: number,
  today: Temporal.PlainDate,
): boolean => {
  // The release may be some days old.
  const limit = toDayNumber(today) + LOW_CONFIDENCE_DAYS - MAX_RELEASE_AGE_DAYS;
  return listRuleDays(patterns, last_day + 1, limit).length === 0;
};

/**
 * Selects the patterns with at least MIN_DATES confirming dates that no larger pattern has, in
 * their original order. Daily and weekly ones are reduced to the weekdays that have dates.
 */
function selectPatterns(
  habit: readonly Recurrence[],
  dates: readonly OccurrenceRecord[],
): readonly Recurrence[] {
  const by_size = habit
    .map((pattern, position) => ({
      pattern,
      position,
      confirming: dates.filter((date) => confirmsPattern(date, pattern)),
    }))
    .sort((a, b) => b.confirming.length - a.confirming.length);
  const assigned = new Set<OccurrenceRecord>();
  return by_size
    .filter(({ confirming }) => {
      const unassigned = confirming.filter((date) => !assigned.has(date));
      for (const date of unassigned) assigned.add(date);
      return unassigned.length >= MIN_DATES;
    })
    .sort((a, b) => a.position - b.position)
    .map(({ pattern, confirming }) => removeUnusedWeekdays(pattern, confirming));
}

/**
 * Reduces a daily or weekly pattern to the weekdays that have dates, if there are dates for
 * MIN_WEEKS.
 */
function removeUnusedWeekdays(
  pattern: Recurrence,
  confirming: readonly OccurrenceRecord[],
): Recurrence {
  if (!isFrequent(pattern) || confirming.length < MIN_WEEKS * 7) return pattern;
  const weekdays = new Set(confirming.map((date) => fromDayNumber(date.first_day).dayOfWeek));
  if (pattern.kind === 'daily' && weekdays.size === 7) return pattern;
  return { ...pattern, kind: 'weekly', weekdays: [...weekdays].sort() };
}

/** Merges weekly patterns that differ only in their weekdays. */
function mergeWeekdays(patterns: readonly Recurrence[]): readonly Recurrence[] {
  const merged = new Map<string, Recurrence>();
  for (const pattern of patterns) {
    const { weekdays, ...rest } = pattern;
    const key = JSON.stringify(pattern.kind === 'weekly' ? rest : pattern);
    const known = merged.get(key);
    const all = known ? [...new Set([...known.weekdays, ...weekdays])].sort() : weekdays;
    merged.set(key, { ...pattern, weekdays: all });
  }
  return [...merged.values()];
}

/**
 * Detects the rules that the dates not yet ended at `now_ms` follow.
 * @returns null if they follow no rule: fewer than two dates on its days, half of its days without
 *   a date, or more dates off the rule than on it.
 */
export function detectRegularity(
  { habit, rest_days }: Pick<EventRecord, 'habit' | 'rest_days'>,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number,
): Regularity | null {
  const upcoming = filterNotEnded(occurrences, now_ms);
  const dates = upcoming.slice(0, MAX_DATES);
  const [first, ...rest] = mergeWeekdays(selectPatterns(habit, dates));
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return null;
  const patterns = [first, ...rest] as const;
  const followsRule = (date: OccurrenceRecord): boolean =>
    patterns.some((pattern) => confirmsPattern(date, pattern));
  const today = toLocalDay(now_ms);
  const days_with_date = new Set(
    occurrences
      .filter((date) => date.status === 'scheduled' && followsRule(date))
      .map((date) => date.first_day),
  );
  const rule_days = listRuleDays(patterns, toDayNumber(today), last.first_day);
  const days_without_date = rule_days.filter((day) => !days_with_date.has(day));
  if (days_without_date.length * 2 >= rule_days.length) return null;
  const other_count = dates.filter((date) => !followsRule(date)).length;
  if (other_count * 2 > dates.length) return null;
  const since = getSharedDay(patterns, 'since');
  const last_exception_day = toDayNumber(today) + EXCEPTION_DAYS;
  const selectNext = (days: readonly number[]): readonly Temporal.PlainDate[] =>
    days
      .filter((day) => day <= last_exception_day)
      .slice(0, MAX_EXCEPTIONS)
      .map(fromDayNumber);
  const resting = new Set(rest_days);
  const isDoubtful = (day: number): boolean => resting.has(fromDayNumber(day).toString());
  const last_date =
    upcoming.length > dates.length ? null : findOpenEnd(patterns, last.first_day, today);
  return {
    patterns,
    exceptions: selectNext(days_without_date.filter((day) => !isDoubtful(day))),
    doubtful: selectNext(days_without_date.filter(isDoubtful)),
    is_month_ahead: last_date !== null && isMonthAhead(patterns, last.first_day, today),
    since: isWeeksAhead(since, today) && isFrequent(first) ? since : null,
    until: getSharedDay(patterns, 'until'),
    has_other_dates: other_count > 0,
    last_date,
  };
}
