// The days of a repetition: those after the first, by a rule with its last day or an open end, without
// those that are left out (contract 14.1).
import { Temporal } from 'temporal-polyfill';
import { parseDay } from '../cancun-time.ts';
import { WEEKDAYS } from '../edit/rule-fields.ts';
import { splitDays, toIsoDay } from './date-rows.ts';
import { REPEATS } from './fields.ts';
import { issue, type SubmissionIssue } from './read-submission.ts';
import { SUBMISSION_LIMITS } from './rules.ts';

/** How far dates are taken where nobody knows the last one: then its sender is to look again. */
const OPEN_WEEKS = 12;

/** What says that it repeats, on the form and in a tool; `exceptions` are the days that are left out. */
type RepeatName = 'repeat' | 'weekdays' | 'repeat_until' | 'open_end' | 'exceptions';
type RepeatValues = Readonly<Partial<Record<RepeatName, string | undefined>>>;
type Issues = Pick<SubmissionIssue[], 'push'>;

/** How often, and for a rule of weeks on which weekdays, 1 to 7. */
interface Rule {
  readonly repeat: (typeof REPEATS)[number];
  readonly weekdays: readonly number[];
}

/**
 * The days after the first: those that were named and those of a repetition, without those that are
 * left out. What is wrong with it is pushed.
 */
export function listFurtherDays(
  named: readonly string[],
  values: RepeatValues,
  start_day: string,
  issues: Issues,
): string[] {
  const left_out = new Set(splitDays(values.exceptions ?? ''));
  if ([...left_out].some((day) => parseDay(day) === null))
    issues.push(issue('exceptions', 'not_dates'));
  if (left_out.has(start_day)) issues.push(issue('exceptions', 'first_left_out'));
  const until_text = (values.repeat_until ?? '').trim();
  const is_open = !['', '0', 'false'].includes(values.open_end ?? '');
  if (is_open && until_text !== '') issues.push(issue('open_end', 'until_and_open'));
  const first = parseDay(start_day);
  const rule = readRule(values, first, issues);
  const is_alone = (left_out.size > 0 || is_open) && named.length === 0;
  if (!rule && (until_text !== '' || is_alone)) issues.push(issue('repeat', 'missing'));
  const until = is_open ? first?.add({ weeks: OPEN_WEEKS }) : parseDay(toIsoDay(until_text));
  if (rule && !until && !is_open)
    issues.push(issue('repeat_until', until_text === '' ? 'missing' : 'not_dates'));
  const repeated = rule && first && until ? listRepeatDays(first, rule, until, left_out) : [];
  const is_long = !is_open && repeated.length > SUBMISSION_LIMITS.dates;
  if (is_long) issues.push(issue('repeat_until', 'too_many', SUBMISSION_LIMITS.dates));
  return [
    ...named.filter((day) => !left_out.has(day)),
    ...(is_long ? [] : repeated.slice(0, SUBMISSION_LIMITS.dates)),
  ];
}

/** Null where it does not repeat. The first day must be one of the rule. */
function readRule(
  values: RepeatValues,
  first: Temporal.PlainDate | null,
  issues: Issues,
): Rule | null {
  const repeat = REPEATS.find((known) => known === (values.repeat ?? '').trim());
  const names = splitDays((values.weekdays ?? '').toLowerCase());
  if (!names.every((name) => WEEKDAYS.some((known) => known === name)))
    issues.push(issue('weekdays', 'not_weekdays', null, WEEKDAYS));
  const is_weekly = repeat === 'weekly' || repeat === 'biweekly';
  if (names.length > 0 && !is_weekly) issues.push(issue('weekdays', 'not_weekly'));
  if (!repeat) return null;
  const own = WEEKDAYS.flatMap((name, at) => (names.includes(name) ? [at + 1] : []));
  const rule = { repeat, weekdays: own.length > 0 ? own : [first?.dayOfWeek ?? 1] };
  if (first && repeat === 'monthly_weekday' && first.day > 28)
    issues.push(issue('repeat', 'fifth_weekday'));
  else if (first && !listPeriod(rule, first, 0).some((day) => day.equals(first)))
    issues.push(issue(is_weekly ? 'weekdays' : 'repeat', 'first_left_out'));
  return rule;
}

/** The days of the rule in one day, week or month, counted from that of the first: so the 31st stays the 31st. */
function listPeriod(
  { repeat, weekdays }: Rule,
  first: Temporal.PlainDate,
  count: number,
): Temporal.PlainDate[] {
  if (repeat === 'daily') return [first.add({ days: count })];
  if (repeat === 'monthly')
    return [first.add({ months: count })].filter(({ day }) => day === first.day);
  if (repeat === 'weekly' || repeat === 'biweekly') {
    const monday = first.subtract({ days: first.dayOfWeek - 1 });
    const weeks = repeat === 'weekly' ? count : 2 * count;
    return weekdays.map((weekday) => monday.add({ weeks, days: weekday - 1 }));
  }
  const month = first.with({ day: 1 }).add({ months: count });
  const earliest = month.add({ days: (first.dayOfWeek - month.dayOfWeek + 7) % 7 });
  const last = Math.floor((month.daysInMonth - earliest.day) / 7);
  const weeks = repeat === 'monthly_weekday' ? Math.ceil(first.day / 7) - 1 : last;
  return [earliest.add({ weeks })];
}

/**
 * The days after `first` up to `until`, inclusive, in order, without those left out; hardly more than
 * are accepted, so that too many are seen.
 */
function listRepeatDays(
  first: Temporal.PlainDate,
  rule: Rule,
  until: Temporal.PlainDate,
  left_out: ReadonlySet<string>,
): string[] {
  const { compare } = Temporal.PlainDate;
  const days: string[] = [];
  for (let count = 0; days.length <= SUBMISSION_LIMITS.dates; count += 1) {
    const period = listPeriod(rule, first, count);
    const ahead = period.filter((day) => compare(day, first) > 0 && compare(day, until) <= 0);
    days.push(...ahead.map(String).filter((day) => !left_out.has(day)));
    if (period.some((day) => compare(day, until) > 0)) break;
  }
  return days;
}
