// The days of a recurrence rule of a stranger (RFC 5545, 3.3.10): found by asking of each day ahead
// whether the rule has it, so that no rule, however odd, takes longer than there are days.
import ICAL from 'ical.js';
import { readWeekday } from '../../domain/event/occurrences.ts';

/** Weekdays are counted as Temporal counts them: Monday is 1. */
export interface FeedRule {
  readonly freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly count: number | null;
  /** As it is written: a day, or a moment. */
  readonly until: string | null;
  /** `nth`: the second, the last (-1) of the month; null for every one. */
  readonly days: readonly { readonly weekday: number; readonly nth: number | null }[];
  readonly month_days: readonly number[];
  readonly months: readonly number[];
  readonly positions: readonly number[];
  readonly week_start: number;
}

const FREQS = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const PARTS = new Set(['BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS']);

/** The parts of a rule; null where it is none, or says more than days. */
export function parseRule(text: string): FeedRule | null {
  // ical.js passes over what it does not know, and so changes what the rule says.
  if (!/^[A-Z]+=[A-Z0-9,+-]+(;[A-Z]+=[A-Z0-9,+-]+)*;?$/i.test(text.trim())) return null;
  try {
    const {
      freq: named,
      interval,
      count,
      ...rule
    } = ICAL.Recur.fromString(text.trim().replace(/;$/, ''));
    const freq = FREQS.find((known) => known === named);
    const parts = new Map(Object.entries(rule.parts));
    if (freq === undefined || [...parts.keys()].some((name) => !PARTS.has(name))) return null;
    const list = (name: string): (string | number)[] => [parts.get(name) ?? []].flat();
    const days = list('BYDAY').map((day) => {
      const [, nth, name = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(String(day)) ?? [];
      return { weekday: readWeekday(name), nth: nth === undefined ? null : Number(nth) };
    });
    const months = list('BYMONTH').map(Number);
    const month_days = list('BYMONTHDAY').map(Number);
    const positions = list('BYSETPOS').map(Number);
    const is_sound =
      [interval, ...months, ...month_days, ...positions].every(Number.isInteger) &&
      interval >= 1 &&
      days.every(({ weekday }) => weekday > 0) &&
      // A weekday of the year is more than we count.
      (freq !== 'YEARLY' || months.length > 0 || days.length === 0);
    if (!is_sound) return null;
    return {
      freq,
      interval,
      count: count ?? null,
      until: /(?:^|;)UNTIL=([0-9TZ]+)/i.exec(text)?.[1] ?? null,
      days,
      month_days,
      months,
      positions,
      week_start: readWeekday(/(?:^|;)WKST=(\w\w)/i.exec(text)?.[1] ?? 'MO'),
    };
  } catch {
    return null;
  }
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
export function listRuleDays(
  rule: FeedRule,
  first: number,
  from: number,
  last: number,
  budget: DayBudget,
): readonly number[] | null {
  const begin = toCivil(first);
  const found: number[] = [];
  let count = 0;
  // Only what is counted must be counted from its beginning.
  for (let number = rule.count === null ? Math.max(first, from) : first; number <= last; number++) {
    budget.left -= 1;
    if (budget.left < 0) return null;
    if (number !== first && !hasDay(rule, begin, toCivil(number))) continue;
    count += 1;
    if (rule.count !== null && count > rule.count) break;
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

/** Whether a rule that begins on `first` has a day. */
function hasDay(rule: FeedRule, first: Civil, on: Civil): boolean {
  const { freq, interval, months, month_days, days } = rule;
  if (countPeriods(rule, first, on) % interval !== 0) return false;
  if (months.length > 0 && !months.includes(on.month)) return false;
  if (freq === 'YEARLY' && months.length === 0 && month_days.length === 0)
    return on.month === first.month && on.day === first.day;
  if (freq === 'MONTHLY' || freq === 'YEARLY')
    return isOfMonth(rule, first, on) && isAtPosition(rule, first, on);
  const weekdays = days.map(({ weekday }) => weekday);
  if (freq === 'WEEKLY' && days.length === 0) weekdays.push(first.weekday);
  return (
    (weekdays.length === 0 || weekdays.includes(on.weekday)) &&
    (month_days.length === 0 || month_days.includes(on.day))
  );
}

/** Days, weeks, months or years since the first. */
function countPeriods({ freq, week_start }: FeedRule, first: Civil, on: Civil): number {
  if (freq === 'DAILY') return on.number - first.number;
  if (freq === 'YEARLY') return on.year - first.year;
  if (freq === 'MONTHLY') return (on.year - first.year) * 12 + on.month - first.month;
  const toWeek = ({ number, weekday }: Civil) => number - ((weekday - week_start + 7) % 7);
  return (toWeek(on) - toWeek(first)) / 7;
}

/** Whether the rule's own choice of days in a month has it. */
function isOfMonth({ days, month_days }: FeedRule, first: Civil, on: Civil): boolean {
  if (days.length === 0 && month_days.length === 0) return on.day === first.day;
  const from_end = on.day - on.month_length - 1;
  const places = [null, Math.ceil(on.day / 7), Math.floor(from_end / 7)];
  return (
    (month_days.length === 0 || month_days.includes(on.day) || month_days.includes(from_end)) &&
    (days.length === 0 ||
      days.some(({ weekday, nth }) => weekday === on.weekday && places.includes(nth)))
  );
}

/** Whether it is one of the positions that the rule takes of its days in the month. */
function isAtPosition(rule: FeedRule, first: Civil, on: Civil): boolean {
  if (rule.positions.length === 0) return true;
  const start = on.number - on.day;
  const all = Array.from({ length: on.month_length }, (_, at) => start + at + 1).filter((number) =>
    isOfMonth(rule, first, toCivil(number)),
  );
  const at = all.indexOf(on.number);
  return rule.positions.includes(at + 1) || rule.positions.includes(at - all.length);
}
