// Recurrence rules: expands an untrusted RRULE (RFC 5545, 3.3.10) by testing each day. The iterator
// of ical.js never ends on some rules without any day.
import * as v from 'valibot';
import { parseWeekday } from '../../domain/event/occurrences.ts';

const listSchema = <T>(item: v.GenericSchema<string, T>) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => (text === '' ? [] : text.split(','))),
      v.array(item),
    ),
    '',
  );
const integerSchema = (min: number, max: number) =>
  v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(min), v.maxValue(max));
/**
 * A weekday as in Temporal (Monday is 1); `nth` is 2 for the second of the month, -1 for the last,
 * and 0 for every one.
 */
const WeekdaySchema = v.pipe(
  v.string(),
  v.regex(/^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/),
  v.transform((text) => ({
    weekday: parseWeekday(text.slice(-2)),
    nth: Number(text.slice(0, -2)),
  })),
);

/**
 * A rule for days. Rules with parts for hours or weeks are rejected. An empty list does not
 * restrict the days.
 */
const RuleSchema = v.strictObject({
  FREQ: v.picklist(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']),
  INTERVAL: v.optional(integerSchema(1, 10_000), '1'),
  COUNT: v.optional(integerSchema(1, Number.MAX_SAFE_INTEGER)),
  UNTIL: v.optional(v.string()),
  BYDAY: listSchema(WeekdaySchema),
  BYMONTHDAY: listSchema(integerSchema(-31, 31)),
  BYMONTH: listSchema(integerSchema(1, 12)),
  BYSETPOS: listSchema(integerSchema(-31, 31)),
  WKST: v.optional(v.pipe(v.string(), v.transform(parseWeekday), v.minValue(1)), 'MO'),
});
export type RecurrenceRule = Readonly<v.InferOutput<typeof RuleSchema>>;

/** Parses a rule. @returns null if it is invalid, or restricts more than days. */
export function parseRecurrenceRule(text: string): RecurrenceRule | null {
  const parts = text.trim().toUpperCase().replace(/;$/, '').split(';');
  const { output, success } = v.safeParse(
    RuleSchema,
    Object.fromEntries(parts.map((part) => part.split('=', 2))),
  );
  if (!success) return null;
  // The nth weekday of a year is not supported.
  const is_yearly_without_month = output.FREQ === 'YEARLY' && output.BYMONTH.length === 0;
  return is_yearly_without_month && output.BYDAY.length > 0 ? null : output;
}

/** Number of days that may still be tested, shared by all rules of a file. */
export interface DayBudget {
  remaining: number;
}

/** Maximum days of a rule: more than in a submission, because some may be excluded later. */
const MAX_RULE_DAYS = 150;
/** Budget cost of a matching day, in addition to testing it. */
const MATCH_COST = 20;

/**
 * Expands a rule that begins on `first` to the numbers of its days from `from` to `last`, both
 * inclusive; `first` always counts.
 * @returns null if the budget is exhausted.
 */
export function expandRuleDays(
  rule: RecurrenceRule,
  first: number,
  from: number,
  last: number,
  budget: DayBudget,
): readonly number[] | null {
  const first_day = toCivilDay(first);
  const complete_rule = completeRule(rule, first_day);
  const { COUNT: max_count = Number.POSITIVE_INFINITY } = rule;
  const days: number[] = [];
  let count = 0;
  // Only a rule with COUNT needs the days before `from`, to count them.
  const start = rule.COUNT === undefined ? Math.max(first, from) : first;
  for (let number = start; number <= last && count < max_count; number++) {
    budget.remaining -= 1;
    if (budget.remaining < 0) return null;
    if (number !== first && !matchesRule(complete_rule, first_day, toCivilDay(number))) continue;
    count += 1;
    if (number < from) continue;
    days.push(number);
    budget.remaining -= MATCH_COST;
    if (days.length >= MAX_RULE_DAYS) break;
  }
  return days;
}

/**
 * Converts a day number (days since 1970) to its calendar fields. Uses Date for speed: up to half a
 * million calls per file.
 */
function toCivilDay(number: number) {
  const date = new Date(number * 86_400_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  return {
    number,
    year,
    month,
    day: date.getUTCDate(),
    weekday: date.getUTCDay() || 7,
    month_length: new Date(Date.UTC(year, month, 0)).getUTCDate(),
  };
}
type CivilDay = ReturnType<typeof toCivilDay>;

/** Completes a rule with the weekday, day and month of its first day (RFC 5545). */
function completeRule(rule: RecurrenceRule, { day, weekday, month }: CivilDay): RecurrenceRule {
  const { FREQ, BYDAY, BYMONTHDAY, BYMONTH } = rule;
  if (FREQ === 'DAILY' || BYDAY.length + BYMONTHDAY.length > 0) return rule;
  if (FREQ === 'WEEKLY') return { ...rule, BYDAY: [{ weekday, nth: 0 }] };
  const is_yearly_without_month = FREQ === 'YEARLY' && BYMONTH.length === 0;
  return { ...rule, BYMONTHDAY: [day], BYMONTH: is_yearly_without_month ? [month] : BYMONTH };
}

const matchesRule = (rule: RecurrenceRule, first: CivilDay, day: CivilDay): boolean =>
  countPeriods(rule, first, day) % rule.INTERVAL === 0 &&
  (rule.BYMONTH.length === 0 || rule.BYMONTH.includes(day.month)) &&
  matchesDay(rule, day) &&
  (rule.BYSETPOS.length === 0 || matchesPosition(rule, day));

/** Counts the days, weeks, months or years since the first day. */
function countPeriods({ FREQ, WKST }: RecurrenceRule, first: CivilDay, day: CivilDay): number {
  if (FREQ === 'DAILY') return day.number - first.number;
  if (FREQ === 'YEARLY') return day.year - first.year;
  if (FREQ === 'MONTHLY') return (day.year - first.year) * 12 + day.month - first.month;
  const getWeekStart = ({ number, weekday }: CivilDay) => number - ((weekday - WKST + 7) % 7);
  return (getWeekStart(day) - getWeekStart(first)) / 7;
}

/** Returns true if a day matches BYDAY and BYMONTHDAY. */
function matchesDay({ FREQ, BYDAY, BYMONTHDAY }: RecurrenceRule, day: CivilDay): boolean {
  const day_from_end = day.day - day.month_length - 1;
  // In a weekly rule the position within the month has no meaning.
  const uses_nth = FREQ === 'MONTHLY' || FREQ === 'YEARLY';
  const nths = [0, Math.ceil(day.day / 7), Math.floor(day_from_end / 7)];
  const matches_monthday =
    BYMONTHDAY.length === 0 || BYMONTHDAY.includes(day.day) || BYMONTHDAY.includes(day_from_end);
  if (!matches_monthday) return false;
  return (
    BYDAY.length === 0 ||
    BYDAY.some(({ weekday, nth }) => weekday === day.weekday && (!uses_nth || nths.includes(nth)))
  );
}

/** Returns true if a day is at a BYSETPOS position among the matching days of its month. */
function matchesPosition(rule: RecurrenceRule, day: CivilDay): boolean {
  const month_days = Array.from(
    { length: day.month_length },
    (_, index) => day.number - day.day + index + 1,
  );
  const matching = month_days.filter((number) => matchesDay(rule, toCivilDay(number)));
  const index = matching.indexOf(day.number);
  return rule.BYSETPOS.includes(index + 1) || rule.BYSETPOS.includes(index - matching.length);
}
