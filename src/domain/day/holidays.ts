// Holidays: computes the dates of holidays and festivities from yearly rules, and finds the
// customary rest days, on which events without an announced date are assumed to pause.
import * as v from 'valibot';
import { Temporal } from 'temporal-polyfill';
import type { DayRange } from '../local-time.ts';
import { LocalTextSchema } from '../lang.ts';

/** Computes Easter Sunday of a Gregorian year (Meeus, Jones and Butcher). */
export function computeEaster(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return new Temporal.PlainDate(year, Math.floor(f / 31), (f % 31) + 1);
}

/**
 * `statutory`: a day off by law; `bank`: banks close; `local`: in one town; `observance`: a feast,
 * nothing closes.
 */
export const HOLIDAY_KINDS = ['statutory', 'bank', 'local', 'observance'] as const;

/** Kinds of places that close on a holiday. */
export const HOLIDAY_CLOSES = ['banks', 'offices', 'schools'] as const;

/**
 * Rule for the date in a year: a day of a month; the `nth` weekday of a month, 1 (Monday) to 7
 * (Sunday); or an offset in days from Easter Sunday.
 */
const RuleSchema = v.union([
  v.strictObject({ month: v.number(), day: v.number() }),
  v.strictObject({ month: v.number(), weekday: v.number(), nth: v.number() }),
  v.strictObject({ easter: v.number() }),
]);

export const HolidayRecordSchema = v.object({
  key: v.string(),
  name: LocalTextSchema,
  kind: v.picklist(HOLIDAY_KINDS),
  closes: v.pipe(v.array(v.picklist(HOLIDAY_CLOSES)), v.readonly()),
  /** True if the site shows a countdown to it. */
  feast: v.boolean(),
  rule: RuleSchema,
  /** Interval in years, counted from the year `from`; null for every year. */
  every: v.nullable(v.object({ years: v.number(), from: v.number() })),
});
export type HolidayRecord = Readonly<v.InferOutput<typeof HolidayRecordSchema>>;

/** A festivity: a festive period, such as carnival, with a page of its own. */
export const FestivityRecordSchema = v.object({
  key: v.string(),
  slug: LocalTextSchema,
  name: LocalTextSchema,
  first: RuleSchema,
  /** Last day, inclusive; in the following year if it would otherwise be before `first`. */
  last: RuleSchema,
});
export type FestivityRecord = Readonly<v.InferOutput<typeof FestivityRecordSchema>>;

function computeRuleDay(rule: v.InferOutput<typeof RuleSchema>, year: number): Temporal.PlainDate {
  if ('easter' in rule) return computeEaster(year).add({ days: rule.easter });
  if ('day' in rule) return new Temporal.PlainDate(year, rule.month, rule.day);
  const first = new Temporal.PlainDate(year, rule.month, 1);
  const days_to_weekday = (rule.weekday - first.dayOfWeek + 7) % 7;
  return first.add({ days: days_to_weekday + 7 * (rule.nth - 1) });
}

/** Finds the range of a festivity that includes today, or else its next one. */
export function findFestivityRange(
  { first, last }: FestivityRecord,
  today: Temporal.PlainDate,
): DayRange {
  const computeRange = (year: number): DayRange => {
    const from = computeRuleDay(first, year);
    const to = computeRuleDay(last, year);
    const is_in_order = Temporal.PlainDate.compare(from, to) <= 0;
    return { from, to: is_in_order ? to : computeRuleDay(last, year + 1) };
  };
  const years = [today.year - 1, today.year].map(computeRange);
  const current = years.find(({ to }) => Temporal.PlainDate.compare(to, today) >= 0);
  return current ?? computeRange(today.year + 1);
}

/**
 * Computes the date of a holiday in a year; null if it does not take place in that year (`every`).
 */
export function computeHolidayDate(
  { rule, every }: HolidayRecord,
  year: number,
): Temporal.PlainDate | null {
  if (every !== null && (year < every.from || (year - every.from) % every.years !== 0)) return null;
  return computeRuleDay(rule, year);
}

/** Computes a key of month and day: 1225 for December 25. */
const monthDayKey = ({ month, day }: Temporal.PlainDate): number => month * 100 + day;

type HolidaysByDay = ReadonlyMap<number, readonly HolidayRecord[]>;
/** Cached per list and year, because every venue and every rule looks up every day. */
const CACHE = new WeakMap<readonly HolidayRecord[], Map<number, HolidaysByDay>>();

function getHolidaysByDay(holidays: readonly HolidayRecord[], year: number): HolidaysByDay {
  const years = CACHE.get(holidays) ?? new Map<number, HolidaysByDay>();
  CACHE.set(holidays, years);
  const cached = years.get(year);
  if (cached) return cached;
  const dated = holidays.flatMap((holiday) => {
    const day = computeHolidayDate(holiday, year);
    return day === null ? [] : [{ holiday, key: monthDayKey(day) }];
  });
  const by_day = new Map(
    [...Map.groupBy(dated, ({ key }) => key)].map(([key, group]) => [
      key,
      group.map(({ holiday }) => holiday),
    ]),
  );
  years.set(year, by_day);
  return by_day;
}

export const listHolidaysOn = (
  holidays: readonly HolidayRecord[],
  day: Temporal.PlainDate,
): readonly HolidayRecord[] => getHolidaysByDay(holidays, day.year).get(monthDayKey(day)) ?? [];

/** Finds the first holiday after a day, in its year or the next one; null if there is none. */
export function findNextHoliday(
  holidays: readonly HolidayRecord[],
  after: Temporal.PlainDate,
): { readonly holiday: HolidayRecord; readonly day: Temporal.PlainDate } | null {
  const upcoming = holidays.flatMap((holiday) =>
    [after.year, after.year + 1].flatMap((year) => {
      const day = computeHolidayDate(holiday, year);
      return day && Temporal.PlainDate.compare(day, after) > 0 ? [{ holiday, day }] : [];
    }),
  );
  return upcoming.sort((a, b) => Temporal.PlainDate.compare(a.day, b.day))[0] ?? null;
}

/**
 * Tests for the days on which an event with an inferred, not announced, date is assumed not to take
 * place: Christmas Eve and Day, New Year's Eve and Day, Good Friday. Only a source for that exact
 * date overrides this.
 */
export function isCustomaryRestDay(day: Temporal.PlainDate): boolean {
  const { month, day: number } = day;
  if (month === 12) return number === 24 || number === 25 || number === 31;
  if (month === 1) return number === 1;
  // Easter falls between March 22 and April 25.
  if (month !== 3 && month !== 4) return false;
  return day.equals(computeEaster(day.year).subtract({ days: 2 }));
}
