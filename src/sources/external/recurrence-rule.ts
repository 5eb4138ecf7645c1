// The days of a recurrence rule of a stranger (RFC 5545, 3.3.10): found by asking of each day ahead
// whether the rule has it. The iterator of ical.js never ends on some rules that have no day.
import * as v from 'valibot';
import { parseWeekday } from '../../domain/event/occurrences.ts';

const listOf = <T>(read: v.GenericSchema<string, T>) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => (text === '' ? [] : text.split(','))),
      v.array(read),
    ),
    '',
  );
const toInteger = (min: number, max: number) =>
  v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(min), v.maxValue(max));
/** Weekdays are counted as Temporal counts them, Monday is 1; `nth`: the second, the last (-1) of the month. */
const WeekdaySchema = v.pipe(
  v.string(),
  v.regex(/^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/),
  v.transform((text) => ({
    weekday: parseWeekday(text.slice(-2)),
    nth: Number(text.slice(0, -2)),
  })),
);

/** Of a rule that says more than days nothing is understood. An empty list leaves the choice open. */
const RuleSchema = v.strictObject({
  FREQ: v.picklist(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']),
  INTERVAL: v.optional(toInteger(1, 10_000), '1'),
  COUNT: v.optional(toInteger(1, Number.MAX_SAFE_INTEGER)),
  UNTIL: v.optional(v.string()),
  BYDAY: listOf(WeekdaySchema),
  BYMONTHDAY: listOf(toInteger(-31, 31)),
  BYMONTH: listOf(toInteger(1, 12)),
  BYSETPOS: listOf(toInteger(-31, 31)),
  WKST: v.optional(v.pipe(v.string(), v.transform(parseWeekday), v.minValue(1)), 'MO'),
});
export type RecurrenceRule = Readonly<v.InferOutput<typeof RuleSchema>>;

/** Null where it is none, or says more than days. */
export function parseRecurrenceRule(text: string): RecurrenceRule | null {
  const parts = text.trim().toUpperCase().replace(/;$/, '').split(';');
  const { output, success } = v.safeParse(
    RuleSchema,
    Object.fromEntries(parts.map((part) => part.split('=', 2))),
  );
  if (!success) return null;
  // A weekday of the year is more than we count.
  const is_of_year = output.FREQ === 'YEARLY' && output.BYMONTH.length === 0;
  return is_of_year && output.BYDAY.length > 0 ? null : output;
}

/** Days that may still be looked at, for all rules of a file together. */
export interface DayBudget {
  left: number;
}

/** Days of one rule: more than a submission holds, for what is left out of them. */
const MAX_FOUND = 150;
/** What a day that is found costs beside one that is looked at. */
const FOUND_COST = 20;

/**
 * The numbers of the days of a rule that begins on `first`, from `from` to `last`, both inclusive;
 * `first` itself always counts. Null where the budget ends before.
 */
export function expandRuleDays(
  rule: RecurrenceRule,
  first: number,
  from: number,
  last: number,
  budget: DayBudget,
): readonly number[] | null {
  const begin = toCivil(first);
  const whole = completeRule(rule, begin);
  const { COUNT: most = Number.POSITIVE_INFINITY } = rule;
  const found: number[] = [];
  let count = 0;
  // Only what is counted must be counted from its beginning.
  const start = rule.COUNT === undefined ? Math.max(first, from) : first;
  for (let number = start; number <= last && count < most; number++) {
    budget.left -= 1;
    if (budget.left < 0) return null;
    if (number !== first && !hasDay(whole, begin, toCivil(number))) continue;
    count += 1;
    if (number < from) continue;
    found.push(number);
    budget.left -= FOUND_COST;
    if (found.length >= MAX_FOUND) break;
  }
  return found;
}

/** A day by its number, taken apart by the machine's own calendar: half a million are asked for at worst. */
function toCivil(number: number) {
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
type Civil = ReturnType<typeof toCivil>;

/** What a rule leaves open is as on its first day. */
function completeRule(rule: RecurrenceRule, { day, weekday, month }: Civil): RecurrenceRule {
  const { FREQ, BYDAY, BYMONTHDAY, BYMONTH } = rule;
  if (FREQ === 'DAILY' || BYDAY.length + BYMONTHDAY.length > 0) return rule;
  if (FREQ === 'WEEKLY') return { ...rule, BYDAY: [{ weekday, nth: 0 }] };
  const is_of_year = FREQ === 'YEARLY' && BYMONTH.length === 0;
  return { ...rule, BYMONTHDAY: [day], BYMONTH: is_of_year ? [month] : BYMONTH };
}

const hasDay = (rule: RecurrenceRule, first: Civil, on: Civil): boolean =>
  countPeriods(rule, first, on) % rule.INTERVAL === 0 &&
  (rule.BYMONTH.length === 0 || rule.BYMONTH.includes(on.month)) &&
  isChosen(rule, on) &&
  (rule.BYSETPOS.length === 0 || isAtPosition(rule, on));

/** Days, weeks, months or years since the first. */
function countPeriods({ FREQ, WKST }: RecurrenceRule, first: Civil, on: Civil): number {
  if (FREQ === 'DAILY') return on.number - first.number;
  if (FREQ === 'YEARLY') return on.year - first.year;
  if (FREQ === 'MONTHLY') return (on.year - first.year) * 12 + on.month - first.month;
  const toWeek = ({ number, weekday }: Civil) => number - ((weekday - WKST + 7) % 7);
  return (toWeek(on) - toWeek(first)) / 7;
}

/** By its weekday and its day of the month. */
function isChosen({ FREQ, BYDAY, BYMONTHDAY }: RecurrenceRule, on: Civil): boolean {
  const from_end = on.day - on.month_length - 1;
  // In a rule of weeks a place in the month says nothing.
  const is_of_month = FREQ === 'MONTHLY' || FREQ === 'YEARLY';
  const places = [0, Math.ceil(on.day / 7), Math.floor(from_end / 7)];
  return (
    (BYMONTHDAY.length === 0 || [on.day, from_end].some((day) => BYMONTHDAY.includes(day))) &&
    (BYDAY.length === 0 ||
      BYDAY.some((one) => one.weekday === on.weekday && (!is_of_month || places.includes(one.nth))))
  );
}

/** Whether it is one of the positions that the rule takes of its days in the month. */
function isAtPosition(rule: RecurrenceRule, on: Civil): boolean {
  const all = Array.from({ length: on.month_length }, (_, at) => on.number - on.day + at + 1);
  const chosen = all.filter((number) => isChosen(rule, toCivil(number)));
  const at = chosen.indexOf(on.number);
  return rule.BYSETPOS.includes(at + 1) || rule.BYSETPOS.includes(at - chosen.length);
}
