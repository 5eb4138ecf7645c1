// Opening hours: defines hours and admission, stored and public (contract 4.10), and computes the
// hours of one day, with the holidays on which a venue closes.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { MINUTES_PER_DAY, parseMinutesOfDay, TIME_ZONE } from './local-time.ts';
import { type HolidayRecord, isCustomaryRestDay, listHolidaysOn } from './day/holidays.ts';
import { describe, DaySchema, type DeepReadonly, TimestampSchema } from './fields.ts';
import { type LocalText, LocalTextSchema } from './lang.ts';

/** Monday first, as in ISO 8601. */
export const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Groups of visitors that an entry price can apply to. */
export const VISITORS = [
  'everyone',
  'national',
  'resident',
  'foreign',
  'adult',
  'child',
  'student',
  'senior',
] as const;
export type Visitor = (typeof VISITORS)[number];

export const VisitorSchema = v.picklist(VISITORS);
const HourSchema = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
/** Local `HH:MM`; null if unknown. */
export const NullableHourSchema = v.nullable(HourSchema);
const nullableDay = v.nullable(DaySchema);
const days = v.array(v.picklist(WEEKDAYS));
const visitors = v.array(VisitorSchema);

/** Weekly hours: on some weekdays, between two days. Hours are local `HH:MM`, null if unknown. */
const RuleSchema = v.strictObject({
  days,
  open: NullableHourSchema,
  close: NullableHourSchema,
  last_entry: NullableHourSchema,
  since: nullableDay,
  until: nullableDay,
});

/**
 * Creates the schema of opening hours. `note` is in every language in the stored form, in one on
 * the wire. `quiet_days` are the customary rest days (see isCustomaryRestDay); `free`: groups with
 * free entry on some weekdays.
 */
const hoursSchema = <N extends v.GenericSchema>(note: N) =>
  v.strictObject({
    rules: describe(
      v.array(RuleSchema),
      'Local hours by weekday; a close before the opening is on the next day; null is unknown.',
    ),
    exceptions: describe(
      v.array(
        v.strictObject({
          date: DaySchema,
          open: NullableHourSchema,
          close: NullableHourSchema,
          note,
        }),
      ),
      'Days that differ; closed if open is null.',
    ),
    closed_on: describe(v.array(v.string()), 'Keys of holidays it closes on.'),
    quiet_days: describe(
      v.optional(v.picklist(['open'])),
      'Present if the hours also apply on December 24, 25 and 31, January 1 and Good Friday.',
    ),
    free: v.array(v.strictObject({ days, visitors })),
    note,
  });
/** Creates the schema of an entry price of one visitor group; 0 is free. */
const admissionSchema = <N extends v.GenericSchema>(note: N) =>
  v.strictObject({ visitor: VisitorSchema, amount: v.number(), currency: v.string(), note });
export const StoredHoursSchema = hoursSchema(v.nullable(LocalTextSchema));
export const StoredAdmissionSchema = admissionSchema(v.nullable(LocalTextSchema));
export const HoursSchema = hoursSchema(v.nullable(v.string()));
export const AdmissionSchema = admissionSchema(v.nullable(v.string()));

/**
 * Public hours of a venue on one day. `open`: it opens on that day; `spans`: its opening periods.
 */
export const TodayHoursSchema = v.strictObject({
  date: DaySchema,
  open: v.boolean(),
  spans: describe(
    v.array(
      v.strictObject({
        opens: TimestampSchema,
        closes: v.nullable(TimestampSchema),
        last_entry: v.nullable(TimestampSchema),
      }),
    ),
    'Empty if closed, or open at unknown hours.',
  ),
  note: describe(
    v.nullable(v.string()),
    'Why the day differs, or that its hours are unconfirmed for a holiday.',
  ),
  free_for: describe(visitors, 'Who enters free that day.'),
});

export type Hours = v.InferOutput<typeof HoursSchema>;
export type TodayHours = v.InferOutput<typeof TodayHoursSchema>;
export type OpeningHours = DeepReadonly<v.InferOutput<typeof StoredHoursSchema>>;
export type OpeningRule = OpeningHours['rules'][number];
export type Admission = DeepReadonly<v.InferOutput<typeof StoredAdmissionSchema>>;

/** An opening period, epoch ms; it may end after midnight. */
export interface OpenPeriod {
  readonly open_ms: number;
  /** Null if the closing time is unknown. */
  readonly close_ms: number | null;
  readonly last_entry_ms: number | null;
}

/** The hours of a venue on one day. */
export interface OpeningDay {
  readonly is_open: boolean;
  /** A customary rest day without confirmed hours: the venue may be closed. */
  readonly is_unconfirmed: boolean;
  /** `spans`: opening periods by time; empty if closed, or open at unknown hours. */
  readonly spans: readonly OpenPeriod[];
  /** Why the day differs from its weekday, if an exception says so. */
  readonly note: LocalText | null;
  /** The holiday for which the venue is closed on that day. */
  readonly holiday: HolidayRecord | null;
  /** Visitor groups with free entry on that day. */
  readonly free_for: readonly Visitor[];
}

const weekdayOf = (day: Temporal.PlainDate): Weekday => WEEKDAYS[day.dayOfWeek - 1] ?? 'mo';

const localMs = (day: Temporal.PlainDate, hour: string): number =>
  day.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: hour }).epochMilliseconds;

/** Builds an opening period. A closing hour at or before the opening is on the next day. */
function buildPeriod(
  day: Temporal.PlainDate,
  open: string,
  close: string | null,
  last_entry: string | null,
): OpenPeriod {
  const closingDay = (hour: string): Temporal.PlainDate =>
    hour <= open ? day.add({ days: 1 }) : day;
  return {
    open_ms: localMs(day, open),
    close_ms: close === null ? null : localMs(closingDay(close), close),
    last_entry_ms: last_entry === null ? null : localMs(closingDay(last_entry), last_entry),
  };
}

const appliesOn = ({ days, since, until }: OpeningRule, day: Temporal.PlainDate): boolean =>
  days.includes(weekdayOf(day)) &&
  (since === null || since <= day.toString()) &&
  (until === null || day.toString() <= until);

/**
 * Computes the hours of a day. Weekly hours do not apply on customary rest days (contract 4.13).
 */
export function computeOpeningDay(
  hours: OpeningHours,
  day: Temporal.PlainDate,
  holidays: readonly HolidayRecord[],
): OpeningDay {
  // An exception replaces rules and holidays.
  const exception = hours.exceptions.find(({ date }) => date === day.toString());
  const holiday =
    listHolidaysOn(holidays, day).find(({ key }) => hours.closed_on.includes(key)) ?? null;
  const free_for = hours.free
    .filter(({ days }) => days.includes(weekdayOf(day)))
    .flatMap(({ visitors }) => visitors);
  if (exception) {
    const { open, close, note } = exception;
    const spans = open === null ? [] : [buildPeriod(day, open, close, null)];
    const is_open = spans.length > 0;
    const exception_values = { is_unconfirmed: false, note, holiday: null } as const;
    return { ...exception_values, is_open, spans, free_for: is_open ? free_for : [] };
  }
  const regular_values = {
    is_unconfirmed: false,
    spans: [],
    note: null,
    holiday,
    free_for: [],
  } as const;
  const rules = hours.rules.filter((rule) => appliesOn(rule, day));
  const is_open = holiday === null && rules.length > 0;
  if (!is_open) return { ...regular_values, is_open };
  if (isCustomaryRestDay(day) && hours.quiet_days !== 'open')
    return { ...regular_values, is_open, is_unconfirmed: true };
  const spans = rules
    .flatMap(({ open, close, last_entry }) =>
      open === null ? [] : [buildPeriod(day, open, close, last_entry)],
    )
    .sort((a, b) => a.open_ms - b.open_ms);
  return { ...regular_values, is_open, spans, free_for };
}

/** A venue open on at least this many weekdays is expected to be open. */
const MIN_OPEN_WEEKDAYS = 4;

/**
 * Returns true if visitors expect the venue to be open: a museum on its closed Monday, but not a
 * Sunday market.
 */
export const isOpenMostDays = ({ rules }: OpeningHours): boolean =>
  new Set(rules.flatMap(({ days }) => days)).size >= MIN_OPEN_WEEKDAYS;

/** Returns true if two rules have a weekday and an hour in common at some time of the year. */
const overlaps = (a: OpeningRule, b: OpeningRule): boolean => {
  const are_periods_apart =
    (a.until !== null && b.since !== null && a.until < b.since) ||
    (b.until !== null && a.since !== null && b.until < a.since);
  if (are_periods_apart || !a.days.some((day) => b.days.includes(day))) return false;
  // Unknown hours may be the whole day, or the rest of it.
  const toMinutes = ({ open, close }: OpeningRule): readonly [number, number] => [
    open === null ? 0 : parseMinutesOfDay(open),
    open === null || close === null
      ? MINUTES_PER_DAY
      : parseMinutesOfDay(close) + (close <= open ? MINUTES_PER_DAY : 0),
  ];
  const [[a_open, a_close], [b_open, b_close]] = [toMinutes(a), toMinutes(b)];
  return a_open < b_close && b_open < a_close;
};

/** Returns the indexes of the first two rules with overlapping hours, if any. */
export function findOverlappingRules(
  rules: readonly OpeningRule[],
): readonly [number, number] | null {
  for (const [i, rule] of rules.entries())
    for (let j = i + 1; j < rules.length; j += 1) {
      const other = rules[j];
      if (other && overlaps(rule, other)) return [i, j];
    }
  return null;
}

/** The hours of a venue on a day, with the facts that pages show beside them. */
export interface VenueDay {
  readonly day: Temporal.PlainDate;
  readonly opening: OpeningDay;
  /** All holidays of the year on which the venue closes. */
  readonly closed_on: readonly HolidayRecord[];
  /** The only weekday it opens on, if its hours are unknown; otherwise null. */
  readonly only_weekday: Weekday | null;
}

function findOnlyWeekday({ rules, exceptions }: OpeningHours): Weekday | null {
  const [day = null, ...others] = new Set(rules.flatMap(({ days }) => days));
  const is_known = exceptions.length > 0 || rules.some(({ open }) => open !== null);
  return is_known || others.length > 0 ? null : day;
}

/** Computes the hours of a venue on a day; null if its hours are unknown. */
export const computeVenueDay = (
  { hours }: { readonly hours: OpeningHours | null },
  day: Temporal.PlainDate,
  holidays: readonly HolidayRecord[],
): VenueDay | null =>
  hours && {
    day,
    opening: computeOpeningDay(hours, day, holidays),
    closed_on: holidays.filter(({ key }) => hours.closed_on.includes(key)),
    only_weekday: findOnlyWeekday(hours),
  };

/** Days after which a venue that is closed is not said to open again. */
const MAX_DAYS_CLOSED = 14;

/** Finds the first day after `day` on which the venue surely opens; null if none is near. */
export function findNextOpening(
  hours: OpeningHours,
  day: Temporal.PlainDate,
  holidays: readonly HolidayRecord[],
): Temporal.PlainDate | null {
  for (let days = 1; days <= MAX_DAYS_CLOSED; days += 1) {
    const later_day = day.add({ days });
    const { is_open, is_unconfirmed } = computeOpeningDay(hours, later_day, holidays);
    if (is_open && !is_unconfirmed) return later_day;
  }
  return null;
}

/** Visitor groups that together are everyone. */
const COMPLETE_GROUPS: readonly (readonly Visitor[])[] = [
  ['everyone'],
  ['adult'],
  ['national', 'foreign'],
  ['resident', 'foreign'],
];

/**
 * Lists the visitor groups that enter free, by price or by a rule of the day: only `everyone` if
 * all do.
 */
export function listFreeVisitors(
  prices: readonly Pick<Admission, 'visitor' | 'amount'>[],
  free_today: readonly Visitor[] = [],
): readonly Visitor[] {
  const free = VISITORS.filter(
    (visitor) =>
      free_today.includes(visitor) ||
      prices.some((price) => price.visitor === visitor && price.amount === 0),
  );
  const is_paid = prices.some(({ visitor, amount }) => amount > 0 && !free.includes(visitor));
  const is_complete = COMPLETE_GROUPS.some((group) => group.every((each) => free.includes(each)));
  return free.includes('everyone') || (is_complete && !is_paid) ? ['everyone'] : free;
}

/**
 * Computes the range of the entry prices, without free ones, in units of `currency`. Both amounts
 * are 0 if all visitors enter free, and null if there are only free ones.
 * @returns null if there are no prices.
 */
export function computePriceRange(visitors: readonly Admission[]) {
  const [first] = visitors;
  if (!first) return null;
  const { currency } = first;
  const is_free = listFreeVisitors(visitors).includes('everyone');
  if (is_free) return { is_free, min: 0, max: 0, currency };
  const paid = visitors.map(({ amount }) => amount).filter((amount) => amount > 0);
  if (paid.length === 0) return { is_free, min: null, max: null, currency };
  return { is_free, min: Math.min(...paid), max: Math.max(...paid), currency };
}

/** Decides the kind of a price: amounts of 0 are free, and no amount is unknown. */
export function decidePriceKind(price: {
  readonly is_free?: boolean;
  readonly min: number | null;
  readonly max: number | null;
}): 'free' | 'paid' | 'unknown' {
  const { is_free = false, min, max } = price;
  if (is_free || max === 0) return 'free';
  return (max ?? min ?? 0) > 0 ? 'paid' : 'unknown';
}
