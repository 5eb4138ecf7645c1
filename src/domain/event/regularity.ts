// The rule that the dates ahead of an event keep to, as far as these very dates bear it out, and the
// days on which it rests. For words; a rule that no date supports is not told.
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, parseDay, toLocalTime, toLocalDay, toDayNumber } from '../local-time.ts';
import { filterNotEnded, type OccurrenceRecord } from './event.ts';
import { HORIZON_MONTHS, type Recurrence } from './occurrences.ts';

export interface Regularity {
  readonly patterns: readonly [Recurrence, ...Recurrence[]];
  /** Days of the rule without a date, or on which it was called off; the next few, in order. */
  readonly exceptions: readonly Temporal.PlainDate[];
  /** Whether some dates ahead follow no rule. */
  readonly has_others: boolean;
  /** The rule's first day where it is weeks ahead, and its last one; else null. */
  readonly since: Temporal.PlainDate | null;
  readonly until: Temporal.PlainDate | null;
  /** The last date, where nobody knows whether the rule goes on after it; else null. */
  readonly last: Temporal.PlainDate | null;
}

/** So many dates ahead are held against the rule. */
const MAX_DATES = 60;
/** Days ahead within which an exception is news, and most of them in a sentence. */
const EXCEPTION_DAYS = 92;
const MAX_EXCEPTIONS = 8;
/** Dates that a rule needs ahead before it is called one. */
const MIN_DATES = 2;
/** Weeks of dates after which a weekday without one is no exception but the rule. */
const MIN_WEEKS = 3;
/** Writing out ends with the horizon, a month less for the days since the last release. */
const SURE_MONTHS = HORIZON_MONTHS - 1;

function isPosition(day: Temporal.PlainDate, position: number | null): boolean {
  if (position === -1) return day.day + 7 > day.daysInMonth;
  return Math.ceil(day.day / 7) === position;
}

/** Whether a pattern falls on a day. A feast counted from Easter is said by no sentence. */
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

const toClock = (epoch_ms: number): string =>
  toLocalTime(epoch_ms).toString({ smallestUnit: 'minute' });

function bearsOut(occurrence: OccurrenceRecord, pattern: Recurrence): boolean {
  const { first_day, last_day, all_day, start_ms, end_ms, end_known } = occurrence;
  if (first_day !== last_day || !fallsOn(pattern, fromDayNumber(first_day))) return false;
  if (all_day || pattern.start === null) return all_day && pattern.start === null;
  if (toClock(start_ms) !== pattern.start) return false;
  return pattern.end === null ? !end_known : toClock(end_ms) === pattern.end;
}

/** A day that all patterns name, or null. */
function readShared(
  patterns: readonly Recurrence[],
  name: 'since' | 'until',
): Temporal.PlainDate | null {
  const [day = null, ...others] = patterns.map((pattern) => pattern[name]);
  return day === null || others.some((other) => other !== day) ? null : parseDay(day);
}

/** A beginning that comes sooner is the next date, which is told anyway. */
const isWeeksAhead = (day: Temporal.PlainDate | null, today: Temporal.PlainDate): boolean =>
  day !== null && Temporal.PlainDate.compare(day, today.add({ weeks: 2 })) > 0;

const isOften = ({ kind }: Recurrence): boolean => kind === 'daily' || kind === 'weekly';

/** The days from `from` to `to`, day numbers, on which one of the patterns falls. */
function listRuleDays(patterns: readonly Recurrence[], from: number, to: number): number[] {
  const days: number[] = [];
  for (let day = from; day <= to; day += 1) {
    const date = fromDayNumber(day);
    if (patterns.some((pattern) => fallsOn(pattern, date))) days.push(day);
  }
  return days;
}

/** The last date, where the rule would have more before the horizon than are known. */
function findOpenEnd(
  patterns: readonly Recurrence[],
  last_day: number,
  today: Temporal.PlainDate,
): Temporal.PlainDate | null {
  const horizon = toDayNumber(today.add({ months: SURE_MONTHS }));
  // A month without a date is a rest; what returns each year has had its say.
  const next = listRuleDays(patterns, last_day + 1, Math.min(horizon, last_day + 31));
  return next.length > 0 ? fromDayNumber(last_day) : null;
}

/**
 * The patterns that dates bear out, each with two at least that no other one has, in their order; of
 * every day only the weekdays on which something takes place.
 */
function pickPatterns(
  habit: readonly Recurrence[],
  told: readonly OccurrenceRecord[],
): readonly Recurrence[] {
  const datesOf = (pattern: Recurrence) => told.filter((one) => bearsOut(one, pattern));
  const by_size = habit
    .map((pattern, position) => ({ pattern, position, dates: datesOf(pattern) }))
    .sort((a, b) => b.dates.length - a.dates.length);
  const taken = new Set<OccurrenceRecord>();
  return by_size
    .filter(({ dates }) => {
      const fresh = dates.filter((one) => !taken.has(one));
      for (const one of fresh) taken.add(one);
      return fresh.length >= MIN_DATES;
    })
    .sort((a, b) => a.position - b.position)
    .map(({ pattern, dates }) => keepWeekdays(pattern, dates));
}

/** A pattern of every day or of weekdays without those on which it never falls for weeks. */
function keepWeekdays(pattern: Recurrence, dates: readonly OccurrenceRecord[]): Recurrence {
  if (!isOften(pattern) || dates.length < MIN_WEEKS * 7) return pattern;
  const held = new Set(dates.map((one) => fromDayNumber(one.first_day).dayOfWeek));
  if (pattern.kind === 'daily' && held.size === 7) return pattern;
  return { ...pattern, kind: 'weekly', weekdays: [...held].sort() };
}

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
 * What the dates that have not ended at `now_ms` keep to. Null where they keep to no rule: less than
 * two dates of it, as many of its days left out as held, or more dates beside it than of it.
 */
export function detectRegularity(
  habit: readonly Recurrence[],
  occurrences: readonly OccurrenceRecord[],
  now_ms: number,
): Regularity | null {
  const ahead = filterNotEnded(occurrences, now_ms);
  const told = ahead.slice(0, MAX_DATES);
  const [first, ...rest] = mergeWeekdays(pickPatterns(habit, told));
  const last_told = told.at(-1);
  if (first === undefined || last_told === undefined) return null;
  const patterns = [first, ...rest] as const;
  const isOfRule = (one: OccurrenceRecord): boolean =>
    patterns.some((pattern) => bearsOut(one, pattern));
  const today = toLocalDay(now_ms);
  const held = new Set(
    occurrences
      .filter((one) => one.status === 'scheduled' && isOfRule(one))
      .map((one) => one.first_day),
  );
  const days = listRuleDays(patterns, toDayNumber(today), last_told.first_day);
  const left_out = days.filter((day) => !held.has(day));
  if (left_out.length * 2 >= days.length) return null;
  const others = told.filter((one) => !isOfRule(one)).length;
  if (others * 2 > told.length) return null;
  const since = readShared(patterns, 'since');
  const news = toDayNumber(today) + EXCEPTION_DAYS;
  return {
    patterns,
    exceptions: left_out
      .filter((day) => day <= news)
      .slice(0, MAX_EXCEPTIONS)
      .map(fromDayNumber),
    since: isWeeksAhead(since, today) && isOften(first) ? since : null,
    until: readShared(patterns, 'until'),
    has_others: others > 0,
    last: ahead.length > told.length ? null : findOpenEnd(patterns, last_told.first_day, today),
  };
}
