// Event: defines the fields of events and occurrences in one table, from which record, snapshot and
// API form derive (contract 4.5), and selects the occurrence that represents an event in a list
// (contract 7.19).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { type DayRange, toDayNumber } from '../local-time.ts';
import {
  describe,
  UrlSchema,
  mapUrlFields,
  CountSchema,
  internalField,
  serializedField,
  nullableOptional,
  type RecordOf,
  sameField,
  SOURCE_DATE_FIELDS,
  localTextField,
  nullableLocalTextField,
  TimestampSchema,
  wireEntries,
} from '../fields.ts';
import { foldText } from '../text-folding.ts';
import { CERTAINTIES } from '../fact-freshness.ts';
import { type Lang, LANGS, type LocalText, LocalTextSchema } from '../lang.ts';
import {
  AdmissionSchema,
  listFreeVisitors,
  StoredAdmissionSchema,
  type Visitor,
  VisitorSchema,
} from '../opening-hours.ts';
import { StoredPictureSchema } from '../pictures.ts';
import { TaxonSchema } from '../taxon.ts';
import { COORDINATES_FIELDS } from '../venue.ts';
import { RecurrenceSchema } from './occurrences.ts';

/** Status of a whole event. `postponed`: without a new date so far. */
export const EVENT_STATUSES = ['published', 'cancelled', 'postponed'] as const;
export const OCCURRENCE_STATUSES = ['scheduled', 'cancelled', 'postponed'] as const;
const EVENT_SOURCES = ['organizer', 'agent', 'editor'] as const;

const string = v.string();
const stringOrNull = v.nullable(string);
const numberOrNull = v.nullable(v.number());
const langOrNull = v.nullable(v.picklist(LANGS));
const link = sameField(stringOrNull, nullableOptional(UrlSchema));

/** A price, with amounts in units of `currency`. An unknown price is never free (contract 4.7). */
const PriceSchema = v.object({
  is_free: v.boolean(),
  min: numberOrNull,
  max: numberOrNull,
  currency: string,
  /** Text by an editor, if the phrase formatted from the amounts is not enough. */
  note: v.nullable(LocalTextSchema),
  /** Prices by group of visitors; empty if everyone pays the same. */
  visitors: v.array(StoredAdmissionSchema),
  certainty: v.nullable(v.picklist(CERTAINTIES)),
  /** Day of the source, if the price is no longer confirmed. */
  as_of: v.nullable(string),
});

const PriceWire = v.strictObject({
  is_free: describe(
    v.boolean(),
    'True only if nobody pays. False if the price is unknown; then min and max are null.',
  ),
  free_for: describe(
    v.exactOptional(v.array(VisitorSchema)),
    'Kinds of visitor who enter free; everyone if is_free.',
  ),
  min: nullableOptional(v.number()),
  max: nullableOptional(v.number()),
  currency: describe(string, 'ISO 4217 code.'),
  text: string,
  visitors: describe(
    v.exactOptional(v.array(AdmissionSchema)),
    'Price by kind of visitor; 0 is free. min and max leave out free ones. Empty if everyone pays the same.',
  ),
  certainty: describe(
    nullableOptional(v.picklist(CERTAINTIES)),
    'By the age of its source. Null if unknown.',
  ),
  confirm: describe(nullableOptional(string), 'Age of an old price.'),
});

const VenueWire = v.strictObject({
  name: v.exactOptional(string),
  address: nullableOptional(string),
  lat: nullableOptional(v.number()),
  lng: nullableOptional(v.number()),
  ...wireEntries(COORDINATES_FIELDS),
  url: v.exactOptional(UrlSchema),
  directions_url: nullableOptional(UrlSchema),
});

const OrganizerWire = v.strictObject({ name: string, verified: v.boolean(), url: UrlSchema });

const OriginalsSchema = v.object({
  title: langOrNull,
  summary: langOrNull,
  description: langOrNull,
});

/**
 * An event's own picture. The build adds `held`, the stored copy, which does not count as a change
 * of the event.
 */
const ImageSchema = v.object({
  url: string,
  alt: LocalTextSchema,
  held: v.exactOptional(StoredPictureSchema),
});
const ImageWire = v.strictObject({
  /** `own` is the event's own picture, a JPEG; `drawing` is the motif of its category, a PNG. */
  kind: v.picklist(['own', 'drawing']),
  url: UrlSchema,
  alt: string,
  width: CountSchema,
  height: CountSchema,
});

export const OccurrenceSchema = v.object({
  /** The event's id and the local start as first published (see assignOccurrenceIds). */
  id: string,
  /** Id of the event. */
  event: string,
  /** Timestamps with offset; `end` is exclusive. Whole days start and end at midnight. */
  start: string,
  end: string,
  /** Sort key: the start, or the day's last minute if the hour is unknown. */
  start_ms: v.number(),
  /** Exclusive: start + 3 hours if unknown, midnight after the last day if all day. */
  end_ms: v.number(),
  /** Day numbers (see toDayNumber), both inclusive. */
  first_day: v.number(),
  last_day: v.number(),
  all_day: v.boolean(),
  /** False if the hour is unknown; the API then returns `all_day` (contract 2.8). */
  time_known: v.boolean(),
  /** False if the end is the default of three hours. */
  end_known: v.boolean(),
  /** Certainty of this date alone (contract 6.2). */
  certainty: v.picklist(CERTAINTIES),
  /** Day on which the organizer last confirmed this date. Absent in older snapshots. */
  confirmed_on: v.optional(stringOrNull, null),
  /** Exclusive end of admission; null if unknown. Absent in older snapshots. */
  last_entry_ms: v.optional(numberOrNull, null),
  status: v.picklist(OCCURRENCE_STATUSES),
  notes: v.nullable(LocalTextSchema),
  /**
   * Last change of this occurrence, timestamp with offset: DTSTAMP and LAST-MODIFIED of iCalendar.
   */
  updated_at: string,
  /** Grows with each change: SEQUENCE of iCalendar. */
  sequence: v.number(),
});

export const EVENT_FIELDS = {
  /** `ev_` and ten characters, independent of the title (contract 5.6). */
  id: sameField(string),
  slug: internalField(LocalTextSchema),
  url: serializedField(null, describe(UrlSchema, 'Canonical address; must be cited.')),
  ...mapUrlFields(() => serializedField(null, UrlSchema)),
  title: localTextField(string),
  /** One or two sentences, plain text. */
  summary: localTextField(string),
  /** Further paragraphs, plain text, separated by blank lines. */
  description: internalField(v.nullable(LocalTextSchema)),
  /** By text, its only original language; null if every text was written in all languages. */
  originals: internalField(v.nullable(OriginalsSchema)),
  status: sameField(v.picklist(EVENT_STATUSES)),
  category: serializedField(stringOrNull, nullableOptional(TaxonSchema)),
  tags: sameField(v.array(string)),
  zone: serializedField(stringOrNull, nullableOptional(TaxonSchema)),
  venue: serializedField(stringOrNull, nullableOptional(VenueWire)),
  location_note: nullableLocalTextField(),
  price: serializedField(PriceSchema, PriceWire),
  ticket_url: link,
  registration_url: link,
  age_restriction: nullableLocalTextField(),
  languages: sameField(v.array(string), v.exactOptional(v.array(string))),
  /** From the event, or else from its venue. Absent in older snapshots. */
  indoor: sameField(
    v.optional(v.nullable(v.boolean()), null),
    describe(nullableOptional(v.boolean()), 'Under a roof; null if unknown.'),
  ),
  organizer: serializedField(stringOrNull, nullableOptional(OrganizerWire)),
  image: serializedField(v.nullable(ImageSchema), nullableOptional(ImageWire)),
  /** Key of its motif; null for the motif of its category. */
  motif: internalField(stringOrNull),
  /** Featured by an editor on `dates`, or on each of its days if there are no `dates`. */
  featured: internalField(v.nullable(v.object({ why: LocalTextSchema, dates: v.array(string) }))),
  /**
   * Days of its rule, YYYY-MM-DD, on which it is assumed to rest though no source says so. Absent in
   * older snapshots.
   */
  rest_days: internalField(v.optional(v.array(string), [])),
  verified: sameField(v.boolean(), v.exactOptional(v.boolean())),
  /** Shown to visitors if a fact is uncertain: the fact to confirm with the organizer. */
  confirm_note: internalField(v.nullable(LocalTextSchema)),
  /**
   * True if the event may continue after its last date, with an unknown end. Absent in older
   * snapshots.
   */
  open_end: internalField(v.optional(v.nullable(v.literal(true)), null)),
  /** Name of the calendar that no longer lists the event, while an editor reviews that. */
  gone_from: internalField(v.optional(v.nullable(v.string()), null)),
  /** Certainty of the next upcoming date; last_known if there is only an old rule. */
  certainty: sameField(
    v.picklist(CERTAINTIES),
    describe(
      v.exactOptional(v.picklist(CERTAINTIES)),
      'confirmed: a source names this date. usual: a rule with a current source. last_known: an old rule, no upcoming dates.',
    ),
  ),
  /** `confirm`: advice for visitors, formatted from certainty, habit and confirm_note. */
  confirm: serializedField(
    null,
    describe(nullableOptional(string), 'What to confirm before going.'),
  ),
  /** `habit`: recurrence patterns of the rules that have not ended. */
  habit: internalField(v.array(RecurrenceSchema)),
  ...SOURCE_DATE_FIELDS,
  source: sameField(
    v.picklist(EVENT_SOURCES),
    describe(v.exactOptional(v.picklist(EVENT_SOURCES)), 'Who submitted the event.'),
  ),
  source_url: link,
  /** Addresses of the event in other calendars. */
  other_source_urls: internalField(v.optional(v.array(string), [])),
  /** Timestamp with offset; changes if and only if a published field changes. */
  updated_at: sameField(
    string,
    describe(
      v.exactOptional(TimestampSchema),
      'Changes only when the content of the event changes.',
    ),
  ),
} as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];
export type OccurrenceStatus = OccurrenceRecord['status'];

export interface EventRecord extends RecordOf<typeof EVENT_FIELDS> {}
export type Price = EventRecord['price'];

/** Lists the kinds of visitor who enter free: only `everyone` if all do (contract 4.7). */
export const listFreeVisitorsOf = ({
  is_free,
  visitors,
}: Pick<Price, 'is_free' | 'visitors'>): readonly Visitor[] =>
  is_free ? ['everyone'] : listFreeVisitors(visitors);

export interface OccurrenceRecord extends Readonly<v.InferOutput<typeof OccurrenceSchema>> {}

/**
 * Returns, for each text that is not translated to `lang`, the only language it exists in; else
 * undefined.
 */
export function findUntranslatedTexts({ originals }: Pick<EventRecord, 'originals'>, lang: Lang) {
  const getIfOther = (original: Lang | null | undefined): Lang | undefined =>
    original === lang ? undefined : (original ?? undefined);
  return {
    title: getIfOther(originals?.title),
    summary: getIfOther(originals?.summary),
    description: getIfOther(originals?.description),
  };
}

/** Key of the category of family events. */
export const FAMILY_CATEGORY = 'family';

/** Tag of family events in other categories. */
export const FAMILY_TAG = 'familia';

/** Tests for a family event, by category or tag (contract 7.12). */
export function isFamily(event: Pick<EventRecord, 'category' | 'tags'>): boolean {
  return event.category === FAMILY_CATEGORY || event.tags.includes(FAMILY_TAG);
}

/** Tests whether an occurrence still admits newcomers: before its last entry or its end. */
export const admitsNewcomers = (
  { end_ms, last_entry_ms }: Pick<OccurrenceRecord, 'end_ms' | 'last_entry_ms'>,
  now_ms: number,
): boolean => (last_entry_ms ?? end_ms) > now_ms;

/** Newcomers want at least this much time. */
const MIN_VISIT_MS = 90 * 60_000;

/** Tests whether something that has begun leaves newcomers little time. */
export const closesSoon = (
  start_ms: number,
  entry_end_ms: number | null,
  now_ms: number,
): boolean => start_ms <= now_ms && entry_end_ms !== null && entry_end_ms - now_ms < MIN_VISIT_MS;

/** Tests whether the occurrence is scheduled and has not ended. */
export const isUpcoming = ({ status, end_ms }: OccurrenceRecord, now_ms: number): boolean =>
  status === 'scheduled' && end_ms > now_ms;

/** Tests whether the occurrence is cancelled or postponed. */
export const isCalledOff = ({ status }: OccurrenceRecord): boolean => status !== 'scheduled';

/**
 * The dates of an event in a list: the one that represents it, which is the first upcoming one of
 * the range or else the first; the number of further ones; and those that are called off, in order
 * of time (contract 7.19).
 */
export interface DateSummary<T> {
  next: T;
  /** True if `next` is upcoming: scheduled and not ended. */
  is_ahead: boolean;
  more_dates: number;
  readonly called_off: T[];
}

/**
 * Adds a date, in order of time, to the summary of the earlier ones; undefined for the first one.
 * @param is_over The range is over: all dates after the first count as further ones.
 */
export function addDate<T>(
  summary: DateSummary<T> | undefined,
  date: T,
  occurrence: OccurrenceRecord,
  now_ms: number,
  is_over: boolean,
): DateSummary<T> {
  const is_ahead = isUpcoming(occurrence, now_ms);
  const called_off = isCalledOff(occurrence) ? [date] : [];
  if (summary === undefined) return { next: date, is_ahead, more_dates: 0, called_off };
  summary.called_off.push(...called_off);
  if (is_ahead && !summary.is_ahead) {
    summary.next = date;
    summary.is_ahead = true;
    // Further dates count from the first upcoming one.
    summary.more_dates = 0;
  } else if (is_ahead || (is_over && !summary.is_ahead)) summary.more_dates += 1;
  return summary;
}

/** Summarizes dates in a range that is not over; `next` is null if there are none. */
export function summarizeDates(dates: readonly OccurrenceRecord[], now_ms: number) {
  let summary: DateSummary<OccurrenceRecord> | undefined;
  for (const date of dates) summary = addDate(summary, date, date, now_ms, false);
  const { next = null, more_dates = 0, called_off = [] } = summary ?? {};
  return { next, more_dates, called_off };
}

/** Selects the occurrences that have not ended, including ongoing ones (contract 2.5). */
export function filterNotEnded(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}

/**
 * Finds the last date of an event that is over: the last that was not called off, or else the last.
 */
export const findLastDate = (occurrences: readonly OccurrenceRecord[]): OccurrenceRecord | null =>
  occurrences.findLast(({ status }) => status === 'scheduled') ?? occurrences.at(-1) ?? null;

/**
 * Window of a subscribed calendar: a week back, so that cancelled dates stay for a while, and 60
 * dates ahead.
 */
export const SUBSCRIPTION_WINDOW = { days_back: 7, dates_ahead: 60 } as const;

/** Selects the dates that touch a range of days (contract 2.3); all dates if the range is null. */
export function filterDates(
  occurrences: readonly OccurrenceRecord[],
  range: DayRange | null,
): readonly OccurrenceRecord[] {
  if (range === null) return occurrences;
  const [from, to] = [toDayNumber(range.from), toDayNumber(range.to)];
  return occurrences.filter(({ first_day, last_day }) => first_day <= to && last_day >= from);
}

/** Lists the dates of a subscribed calendar, within SUBSCRIPTION_WINDOW. */
export function listSubscriptionDates(
  occurrences: readonly OccurrenceRecord[],
  today: Temporal.PlainDate,
): { readonly dates: readonly OccurrenceRecord[]; readonly is_truncated: boolean } {
  const from = toDayNumber(today);
  const recent = occurrences.filter(
    ({ last_day }) => last_day < from && last_day >= from - SUBSCRIPTION_WINDOW.days_back,
  );
  const upcoming = occurrences.filter(({ last_day }) => last_day >= from);
  return {
    dates: [...recent, ...upcoming.slice(0, SUBSCRIPTION_WINDOW.dates_ahead)],
    is_truncated: upcoming.length > SUBSCRIPTION_WINDOW.dates_ahead,
  };
}

/** Tag that an editor gives to parties at nightclubs. */
const NIGHTCLUB_TAG = 'antro';

/** Tests for a party at a nightclub. */
export const isNightclub = ({ category, tags }: Pick<EventRecord, 'category' | 'tags'>): boolean =>
  category === 'party' && tags.includes(NIGHTCLUB_TAG);

/** Category of nature, whose events of several weeks are seasons. */
const NATURE_CATEGORY = 'environment';
/** A date of more whole days is not one to plan a day around. */
export const MAX_RUN_DAYS = 14;

/** Tests for a season, such as the sea turtles' season: an event of nature that lasts weeks. */
export const isSeason = ({
  event,
  next,
}: {
  readonly event: Pick<EventRecord, 'category'>;
  readonly next: OccurrenceRecord | null;
}): boolean =>
  event.category === NATURE_CATEGORY &&
  next?.all_day === true &&
  next.last_day - next.first_day >= MAX_RUN_DAYS;

/** Separates seasons, which lists show apart and do not count, from other events. */
export const separateSeasons = <
  T extends { readonly event: EventRecord; readonly next: OccurrenceRecord | null },
>(
  cards: readonly T[],
) => ({
  others: cards.filter((card) => !isSeason(card)),
  seasons: cards.filter(isSeason),
});

/**
 * Separates nightclubs, which a list shows last (contract 1.11), from other events. Keeps the order
 * of both.
 */
export const separateNightclubs = <T extends { readonly event: EventRecord }>(
  cards: readonly T[],
) => ({
  others: cards.filter(({ event }) => !isNightclub(event)),
  nightclubs: cards.filter(({ event }) => isNightclub(event)),
});

/** Location note of an online event, and the venue name that a sender enters for one. */
export const ONLINE_LABEL: LocalText = { es: 'En línea', en: 'Online' };

export const isOnline = ({
  venue,
  zone,
  location_note: note,
}: Pick<EventRecord, 'venue' | 'zone' | 'location_note'>): boolean =>
  venue === null && zone === null && LANGS.every((lang) => note?.[lang] === ONLINE_LABEL[lang]);

type LocationField = 'venue' | 'venue_name' | 'venue_address' | 'zone';
type SubmittedLocation = { readonly [Name in LocationField]?: string | null | undefined };

/**
 * Tests whether a submitted location means an online event. With an address or a zone it is a venue
 * of that name.
 */
export const isSubmittedAsOnline = ({
  venue,
  venue_name,
  venue_address,
  zone,
}: SubmittedLocation): boolean =>
  !venue &&
  !venue_address &&
  !zone &&
  LANGS.some((lang) => foldText(ONLINE_LABEL[lang]) === foldText(venue_name?.trim() ?? ''));
