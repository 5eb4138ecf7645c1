// When a place is open and what it costs: as the snapshot holds it and as it is sent (contract 4.10),
// and on one day, with the holidays on which it closes.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { MINUTES_PER_DAY, parseMinutesOfDay, TIME_ZONE } from './local-time.ts';
import { type HolidayRecord, isCustomaryRestDay, listHolidaysOn } from './day/holidays.ts';
import { describe, DaySchema, type DeepReadonly, TimestampSchema } from './fields.ts';
import { type LocalText, LocalTextSchema } from './lang.ts';

/** Monday first, as ISO 8601 counts. */
export const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Who is charged, or let in free. */
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

const HourSchema = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
const hourOrNull = v.nullable(HourSchema);
const dayOrNull = v.nullable(DaySchema);
const days = v.array(v.picklist(WEEKDAYS));
const visitors = v.array(v.picklist(VISITORS));

const RuleSchema = v.strictObject({
  days,
  open: hourOrNull,
  close: hourOrNull,
  last_entry: hourOrNull,
  since: dayOrNull,
  until: dayOrNull,
});

/** As stored, notes are in every language; as sent, in the one asked for. */
const hoursWith = <N extends v.GenericSchema>(note: N) =>
  v.strictObject({
    rules: describe(
      v.array(RuleSchema),
      'Hours by weekday, local; a close before the opening is on the next day; null is not known.',
    ),
    exceptions: describe(
      v.array(v.strictObject({ date: DaySchema, open: hourOrNull, close: hourOrNull, note })),
      'Days that are not like their weekday; closed where open is null.',
    ),
    closed_on: describe(v.array(v.string()), 'Keys of the holidays on which it closes.'),
    quiet_days: describe(
      v.optional(v.picklist(['open'])),
      'There where its hours count on 24, 25 and 31 December, 1 January and Good Friday too.',
    ),
    free: v.array(v.strictObject({ days, visitors })),
    note,
  });
const admissionWith = <N extends v.GenericSchema>(note: N) =>
  v.strictObject({ visitor: v.picklist(VISITORS), amount: v.number(), currency: v.string(), note });
export const StoredHoursSchema = hoursWith(v.nullable(LocalTextSchema));
export const StoredAdmissionSchema = admissionWith(v.nullable(LocalTextSchema));
export const HoursSchema = hoursWith(v.nullable(v.string()));
export const AdmissionSchema = admissionWith(v.nullable(v.string()));

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
    'None where it is closed, or open at hours that are not known.',
  ),
  note: describe(
    v.nullable(v.string()),
    'Why it is not like its weekday, or that its hours are not confirmed for a holiday.',
  ),
  free_for: visitors,
});

export type Hours = v.InferOutput<typeof HoursSchema>;
export type TodayHours = v.InferOutput<typeof TodayHoursSchema>;
export type OpeningHours = DeepReadonly<v.InferOutput<typeof StoredHoursSchema>>;
export type OpeningRule = OpeningHours['rules'][number];
export type Admission = DeepReadonly<v.InferOutput<typeof StoredAdmissionSchema>>;

export interface OpenPeriod {
  readonly open_ms: number;
  /** Null where the closing hour is not known. */
  readonly close_ms: number | null;
  readonly last_entry_ms: number | null;
}

export interface OpeningDay {
  readonly is_open: boolean;
  /** A quiet day of which its hours say nothing: nobody knows whether it opens, and when. */
  readonly is_unsure: boolean;
  /** In order of time; none where it is closed, or open at hours that are not known. */
  readonly spans: readonly OpenPeriod[];
  /** Why it differs from its weekday: the day's note, or a holiday; null where it does not. */
  readonly note: LocalText | null;
  readonly holiday: HolidayRecord | null;
  readonly free_for: readonly Visitor[];
}

const toWeekday = (day: Temporal.PlainDate): Weekday => WEEKDAYS[day.dayOfWeek - 1] ?? 'mo';

const toMs = (day: Temporal.PlainDate, hour: string): number =>
  day.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: hour }).epochMilliseconds;

function toSpan(
  day: Temporal.PlainDate,
  open: string,
  close: string | null,
  last_entry: string | null,
): OpenPeriod {
  const on_the_day = (hour: string): Temporal.PlainDate =>
    hour <= open ? day.add({ days: 1 }) : day;
  return {
    open_ms: toMs(day, open),
    close_ms: close === null ? null : toMs(on_the_day(close), close),
    last_entry_ms: last_entry === null ? null : toMs(on_the_day(last_entry), last_entry),
  };
}

const countsOn = ({ days, since, until }: OpeningRule, day: Temporal.PlainDate): boolean =>
  days.includes(toWeekday(day)) &&
  (since === null || since <= day.toString()) &&
  (until === null || day.toString() <= until);

/** The hours of a week say nothing of quiet days (contract 4.13). */
export function computeOpeningDay(
  hours: OpeningHours,
  day: Temporal.PlainDate,
  holidays: readonly HolidayRecord[],
): OpeningDay {
  const exception = hours.exceptions.find(({ date }) => date === day.toString());
  const holiday =
    listHolidaysOn(holidays, day).find(({ key }) => hours.closed_on.includes(key)) ?? null;
  const free_for = hours.free
    .filter(({ days }) => days.includes(toWeekday(day)))
    .flatMap(({ visitors }) => visitors);
  if (exception) {
    const { open, close, note } = exception;
    const spans = open === null ? [] : [toSpan(day, open, close, null)];
    const is_open = spans.length > 0;
    const as_said = { is_unsure: false, note, holiday: null } as const;
    return { ...as_said, is_open, spans, free_for: is_open ? free_for : [] };
  }
  const plain = { is_unsure: false, spans: [], note: null, holiday, free_for: [] } as const;
  const rules = hours.rules.filter((rule) => countsOn(rule, day));
  const is_open = holiday === null && rules.length > 0;
  if (!is_open) return { ...plain, is_open };
  if (isCustomaryRestDay(day) && hours.quiet_days !== 'open')
    return { ...plain, is_open, is_unsure: true };
  const spans = rules
    .flatMap(({ open, close, last_entry }) =>
      open === null ? [] : [toSpan(day, open, close, last_entry)],
    )
    .sort((a, b) => a.open_ms - b.open_ms);
  return { ...plain, is_open, spans, free_for };
}

/** The days of the week of a place that opens on most of them; fewer are days it opens on. */
const MOST_DAYS = 4;

/** Whether people expect it to be open: a museum on its closed Monday, not a Sunday market. */
export const isOpenMostDays = ({ rules }: OpeningHours): boolean =>
  new Set(rules.flatMap(({ days }) => days)).size >= MOST_DAYS;

const overlaps = (a: OpeningRule, b: OpeningRule): boolean => {
  const is_apart_in_time =
    (a.until !== null && b.since !== null && a.until < b.since) ||
    (b.until !== null && a.since !== null && b.until < a.since);
  if (is_apart_in_time || !a.days.some((day) => b.days.includes(day))) return false;
  // What is not known may be the whole day, or what is left of it.
  const toRange = ({ open, close }: OpeningRule): readonly [number, number] => [
    open === null ? 0 : parseMinutesOfDay(open),
    open === null || close === null
      ? MINUTES_PER_DAY
      : parseMinutesOfDay(close) + (close <= open ? MINUTES_PER_DAY : 0),
  ];
  const [[a_open, a_close], [b_open, b_close]] = [toRange(a), toRange(b)];
  return a_open < b_close && b_open < a_close;
};

/** The positions of the first two rules whose hours overlap on some day; null where none do. */
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

export interface VenueDay {
  readonly day: Temporal.PlainDate;
  readonly opening: OpeningDay;
  readonly closed_on: readonly HolidayRecord[];
  /** The one day of the week on which it opens, of a place whose hours nobody knows; else null. */
  readonly only_on: Weekday | null;
}

function findOnlyDay({ rules, exceptions }: OpeningHours): Weekday | null {
  const [day = null, ...others] = new Set(rules.flatMap(({ days }) => days));
  const is_known = exceptions.length > 0 || rules.some(({ open }) => open !== null);
  return is_known || others.length > 0 ? null : day;
}

export const computeVenueDay = (
  { hours }: { readonly hours: OpeningHours | null },
  day: Temporal.PlainDate,
  holidays: readonly HolidayRecord[],
): VenueDay | null =>
  hours && {
    day,
    opening: computeOpeningDay(hours, day, holidays),
    closed_on: holidays.filter(({ key }) => hours.closed_on.includes(key)),
    only_on: findOnlyDay(hours),
  };

/** Those whose town it is, as far as a price tells visitors apart. */
const OF_THE_TOWN: readonly Visitor[] = ['everyone', 'national', 'resident'];

/** Whether those of the town get in free, whatever others pay: by a price, or by a rule of the day. */
export const isFreeForLocals = (
  visitors: readonly Pick<Admission, 'visitor' | 'amount'>[],
  is_free: boolean,
  free_for: readonly Visitor[] = [],
): boolean =>
  is_free ||
  visitors.some(({ visitor, amount }) => amount === 0 && OF_THE_TOWN.includes(visitor)) ||
  free_for.some((visitor) => OF_THE_TOWN.includes(visitor));

/** Amounts in `currency` units; both 0 where nobody pays. */
export function computePriceRange(visitors: readonly Admission[]) {
  const [first] = visitors;
  if (!first) return null;
  const paid = visitors.map(({ amount }) => amount).filter((amount) => amount > 0);
  const [min, max] = paid.length === 0 ? [0, 0] : [Math.min(...paid), Math.max(...paid)];
  return { is_free: max === 0, min, max, currency: first.currency };
}
