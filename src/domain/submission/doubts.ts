// What is not sure of a form that is right: its sender is asked before it is sent, and nothing is
// assumed (contract 14.19).
import { MINUTES_A_DAY, parseDay, toMinutes } from '../cancun-time.ts';
import { FAMILY_CATEGORY } from '../event/event.ts';
import { fold } from '../folding.ts';
import type { FormValues } from './controls.ts';
import type { Submission } from './submission.ts';

/** An hour more than this is more often a slip than a party. */
const LONG_HOURS = 12;

/** It ends at an hour before that of its start; on `day`, the next one, it would last so many hours. */
export interface NightDoubt {
  readonly kind: 'night';
  readonly key: string;
  readonly day: string;
  readonly start: string;
  readonly end: string;
  readonly hours: number;
}
export interface LongDoubt {
  readonly kind: 'long';
  readonly key: string;
  readonly hours: number;
}
/** Its text speaks of children, and nothing says that it is for families. */
export interface FamilyDoubt {
  readonly kind: 'family';
  readonly key: string;
}
export type Doubt = NightDoubt | LongDoubt | FamilyDoubt;

const SPEAKS_OF_CHILDREN =
  /\b(ni[nñ][oa]s?|infantil(es)?|familias?|familiar(es)?|bebes?|peques|kids?|child(ren)?|famil(y|ies)|toddlers?)\b/;
const ONLY_ADULTS = /\b(solo adultos|adults only|mayores de 18|18 and over|\+ ?18|18 ?\+)/;

/** Hours between two local moments, to one decimal. */
function countHours(start: string, end: string): number {
  const days =
    parseDay(end.slice(0, 10))?.since(parseDay(start.slice(0, 10)) ?? end.slice(0, 10), {
      largestUnit: 'days',
    }).days ?? 0;
  const minutes = days * MINUTES_A_DAY + toMinutes(end.slice(11)) - toMinutes(start.slice(11));
  return Math.round(minutes / 6) / 10;
}

/** The hours of single days that last longest. */
const toLongest = ({ hours = [] }: Submission): number =>
  Math.max(
    0,
    ...hours.map(({ start, end }) => {
      if (end === null) return 0;
      const minutes = toMinutes(end) - toMinutes(start);
      return Math.round((minutes <= 0 ? minutes + MINUTES_A_DAY : minutes) / 6) / 10;
    }),
  );

function findHourDoubt(values: FormValues, submission: Submission): Doubt | null {
  const { start, end } = submission;
  const key = `hours.${start}.${end ?? ''}`;
  const has_hours = start.length > 10 && end !== null && end.length > 10;
  const hours = has_hours ? countHours(start, end) : 0;
  const is_next_day = has_hours && start.slice(0, 10) < end.slice(0, 10);
  if (is_next_day && !values.end_date)
    return {
      ...{ kind: 'night', key: `${key}.${hours}`, hours, day: end.slice(0, 10) },
      ...{ start: start.slice(11), end: end.slice(11) },
    };
  const longest = Math.max(hours, toLongest(submission));
  return longest > LONG_HOURS ? { kind: 'long', key: `${key}.${longest}`, hours: longest } : null;
}

/** What its sender is asked of hours and families. */
export function listDoubts(values: FormValues, submission: Submission): readonly Doubt[] {
  const { title, description, category, family, age_restriction } = submission;
  const text = fold(`${title} ${description}`);
  const hour = findHourDoubt(values, submission);
  const is_family = family === true || category === FAMILY_CATEGORY;
  const asks_family =
    !is_family &&
    age_restriction === null &&
    SPEAKS_OF_CHILDREN.test(text) &&
    !ONLY_ADULTS.test(text);
  return [
    ...(hour === null ? [] : [hour]),
    ...(asks_family ? [{ kind: 'family', key: 'family' } as const] : []),
  ];
}
