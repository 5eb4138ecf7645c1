// Recurrence rules: parses an RRULE of days (RFC 5545, 3.3.10) and expands it by testing each day,
// within a budget: the iterator of ical.js never ends on some rules without any day.
import * as v from 'valibot';

const RULE_WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Parses a weekday to 1 (Monday) to 7 (Sunday), as Temporal counts; 0 for any other text. */
export const parseWeekday = (name: string): number => RULE_WEEKDAYS.indexOf(name) + 1;

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
  v.regex(/^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/),
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
  BYSETPOS: listSchema(integerSchema(-366, 366)),
  WKST: v.optional(v.pipe(v.string(), v.transform(parseWeekday), v.minValue(1)), 'MO'),
});
export type RecurrenceRule = Readonly<v.InferOutput<typeof RuleSchema>>;

/** Longer rules are rejected: one with every possible value of a part is shorter. */
const MAX_RULE_LENGTH = 500;

/** Time of day at which a rule begins. */
interface RuleTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Parses a rule. Parts such as BYHOUR are understood if they repeat the time at which it begins.
 * @returns null if it is invalid, or restricts more than days.
 */
export function parseRecurrenceRule(
  text: string,
  { hour, minute, second }: Partial<RuleTime> = {},
): RecurrenceRule | null {
  if (text.length > MAX_RULE_LENGTH) return null;
  const repeated = [`BYHOUR=${hour}`, `BYMINUTE=${minute}`, `BYSECOND=${second}`];
  const parts = text.trim().toUpperCase().replace(/;$/, '').split(';');
  const names_and_values = parts
    .filter((part) => !repeated.includes(part.replace(/=0+(?=\d)/, '=')))
    .map((part) => part.split('=', 2));
  // Of a repeated part only one would count.
  if (new Set(names_and_values.map(([name]) => name)).size < names_and_values.length) return null;
  const { output, success } = v.safeParse(RuleSchema, Object.fromEntries(names_and_values));
  return success ? output : null;
}

/**
 * Returns true if all programs agree on the first dates of a rule: it matches the day on which it
 * begins (RFC 5545, 3.8.5.3), and no BYSETPOS counts earlier days of that week.
 */
export function hasClearStart(rule: RecurrenceRule, first: number): boolean {
  const day = toCivilDay(first);
  if (!createDayTest(rule, day)(day)) return false;
  if (rule.FREQ !== 'WEEKLY' || rule.BYSETPOS.length === 0) return true;
  const { begin } = getPeriod(rule, day);
  const earlier = Array.from({ length: first - begin }, (_, index) => begin + index);
  return !earlier.some((number) => matchesDay(completeRule(rule, day), toCivilDay(number)));
}

/** Number of days that may still be tested, shared by all rules of a file. */
export interface DayBudget {
  remaining: number;
}

/** Range of an expansion, as day numbers (days since 1970), all inclusive. */
interface RuleRange {
  /** The day on which the rule begins: intervals and COUNT count from it. */
  readonly first: number;
  /** Earlier days are not yielded. */
  readonly from: number;
  readonly last: number;
  /** True if `first` counts even if the rule does not match it, as DTSTART does. */
  readonly includes_first: boolean;
}

/**
 * Yields the numbers of a rule's days, in order. Ends early if the budget is exhausted; its
 * `remaining` is then negative.
 */
export function* iterateRuleDays(
  rule: RecurrenceRule,
  { first, from, last, includes_first }: RuleRange,
  budget: DayBudget,
): Generator<number> {
  const isRuleDay = createDayTest(rule, toCivilDay(first));
  const { COUNT: max_count = Number.POSITIVE_INFINITY } = rule;
  // Only a rule with COUNT needs the days before `from`, to count them.
  const start = rule.COUNT === undefined ? Math.max(first, from) : first;
  let count = 0;
  for (let number = start; number <= last && count < max_count; number++) {
    budget.remaining -= 1;
    if (budget.remaining < 0) return;
    const is_included = (includes_first && number === first) || isRuleDay(toCivilDay(number));
    if (!is_included) continue;
    count += 1;
    if (number >= from) yield number;
  }
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

/** Creates the test for a day of a rule that begins on `first`. */
function createDayTest(incomplete_rule: RecurrenceRule, first: CivilDay) {
  const rule = completeRule(incomplete_rule, first);
  /** Days at a BYSETPOS position of the period tested last. */
  let period = { begin: Number.NaN, selected: new Set<number>() };
  const isAtPosition = (day: CivilDay): boolean => {
    const { begin, length } = getPeriod(rule, day);
    if (begin !== period.begin) period = { begin, selected: selectPositions(rule, begin, length) };
    return period.selected.has(day.number);
  };
  return (day: CivilDay): boolean =>
    countPeriods(rule, first, day) % rule.INTERVAL === 0 &&
    matchesDay(rule, day) &&
    (rule.BYSETPOS.length === 0 || isAtPosition(day));
}

/** Counts the days, weeks, months or years since the first day. */
function countPeriods(rule: RecurrenceRule, first: CivilDay, day: CivilDay): number {
  if (rule.FREQ === 'YEARLY') return day.year - first.year;
  if (rule.FREQ === 'MONTHLY') return (day.year - first.year) * 12 + day.month - first.month;
  const { begin, length } = getPeriod(rule, day);
  return (begin - getPeriod(rule, first).begin) / length;
}

/** Returns the first day and the length in days of the day, week, month or year of a day. */
function getPeriod({ FREQ, WKST }: RecurrenceRule, { number, year, ...day }: CivilDay) {
  if (FREQ === 'DAILY') return { begin: number, length: 1 };
  if (FREQ === 'WEEKLY') return { begin: number - ((day.weekday - WKST + 7) % 7), length: 7 };
  if (FREQ === 'MONTHLY') return { begin: number - day.day + 1, length: day.month_length };
  return { begin: dayNumberOf(year, 1, 1), length: lengthOfYear(year) };
}

const dayNumberOf = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / 86_400_000;
const lengthOfYear = (year: number): number =>
  dayNumberOf(year + 1, 1, 1) - dayNumberOf(year, 1, 1);

/** Returns true if a day matches BYMONTH, BYMONTHDAY and BYDAY. */
function matchesDay(rule: RecurrenceRule, day: CivilDay): boolean {
  const { BYDAY, BYMONTHDAY, BYMONTH } = rule;
  if (BYMONTH.length > 0 && !BYMONTH.includes(day.month)) return false;
  const day_from_end = day.day - day.month_length - 1;
  const matches_monthday =
    BYMONTHDAY.length === 0 || BYMONTHDAY.includes(day.day) || BYMONTHDAY.includes(day_from_end);
  if (!matches_monthday) return false;
  if (BYDAY.length === 0) return true;
  // In a daily or weekly rule the position has no meaning.
  const uses_nth = rule.FREQ === 'MONTHLY' || rule.FREQ === 'YEARLY';
  const nths = uses_nth ? listWeekdayPositions(rule, day) : [];
  return BYDAY.some(
    ({ weekday, nth }) => weekday === day.weekday && (!uses_nth || nths.includes(nth)),
  );
}

/**
 * Lists the values of `nth` that fit the weekday of a day: 0 for any, its position from the start
 * and from the end of the month, or of the year for a yearly rule without months.
 */
function listWeekdayPositions({ FREQ, BYMONTH }: RecurrenceRule, day: CivilDay): number[] {
  const counts_in_year = FREQ === 'YEARLY' && BYMONTH.length === 0;
  const length = counts_in_year ? lengthOfYear(day.year) : day.month_length;
  const position = counts_in_year ? day.number - dayNumberOf(day.year, 1, 1) + 1 : day.day;
  return [0, Math.ceil(position / 7), Math.floor((position - length - 1) / 7)];
}

/** Selects the days at the BYSETPOS positions among the matching days of a period. */
function selectPositions(rule: RecurrenceRule, begin: number, length: number): Set<number> {
  const numbers = Array.from({ length }, (_, index) => begin + index);
  const matching = numbers.filter((number) => matchesDay(rule, toCivilDay(number)));
  const { BYSETPOS } = rule;
  return new Set(
    matching.filter(
      (_, index) => BYSETPOS.includes(index + 1) || BYSETPOS.includes(index - matching.length),
    ),
  );
}
