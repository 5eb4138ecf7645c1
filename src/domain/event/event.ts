// What an event is: its fields, each once (record, snapshot and wire form come from the table, contract
// 4.5), the times it takes place, and which of them speaks for it (contract 7.19).
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
import { AdmissionSchema, StoredAdmissionSchema } from '../opening-hours.ts';
import { StoredPictureSchema } from '../pictures.ts';
import { TaxonSchema } from '../taxon.ts';
import { COORDINATES_FIELDS } from '../venue.ts';
import { RecurrenceSchema } from './occurrences.ts';

export const EVENT_STATUSES = ['published', 'cancelled', 'postponed'] as const;
const EVENT_SOURCES = ['organizer', 'agent', 'editor'] as const;

const string = v.string();
const stringOrNull = v.nullable(string);
const numberOrNull = v.nullable(v.number());
const langOrNull = v.nullable(v.picklist(LANGS));
const link = sameField(stringOrNull, nullableOptional(UrlSchema));

/** A price; an unknown one is never free (contract 4.7). Amounts in `currency` units. */
const PriceSchema = v.object({
  is_free: v.boolean(),
  min: numberOrNull,
  max: numberOrNull,
  currency: string,
  /** An editor's own words, where the phrase made from the numbers does not do. */
  note: v.nullable(LocalTextSchema),
  visitors: v.array(StoredAdmissionSchema),
  certainty: v.nullable(v.picklist(CERTAINTIES)),
  /** The day of the source, where the price is not confirmed any more. */
  as_of: v.nullable(string),
});

const PriceWire = v.strictObject({
  is_free: describe(
    v.boolean(),
    'False also where the price is not known; then min and max are null.',
  ),
  min: nullableOptional(v.number()),
  max: nullableOptional(v.number()),
  currency: describe(string, 'ISO 4217 code.'),
  text: describe(string, 'A readable phrase in the requested language.'),
  visitors: describe(
    v.exactOptional(v.array(AdmissionSchema)),
    'What each kind of visitor pays; 0 is free. min and max are those of who pays. Empty where one price is for all.',
  ),
  certainty: describe(
    nullableOptional(v.picklist(CERTAINTIES)),
    'confirmed while its source is young; then usual, then last_known. Null where the price is not known.',
  ),
  confirm: describe(
    nullableOptional(string),
    'Of when an older price is and that it should be checked, in the requested language.',
  ),
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

/** `held` is added when a release is built, and says nothing new of the event. */
const ImageSchema = v.object({
  url: string,
  alt: LocalTextSchema,
  held: v.exactOptional(StoredPictureSchema),
});
const ImageWire = v.strictObject({
  /** What came with the event, a JPEG; or our drawing of its kind, a PNG. */
  kind: v.picklist(['own', 'drawing']),
  url: UrlSchema,
  alt: string,
  width: CountSchema,
  height: CountSchema,
});

export const OccurrenceSchema = v.object({
  /** The event's id and the local start as first published (occurrence-ids.ts). */
  id: string,
  event: string,
  /** Timestamps with offset: of its first and after its last minute, of whole days midnight. */
  start: string,
  end: string,
  /** Where it stands among the others: its start, or the day's last minute where nobody knows it. */
  start_ms: v.number(),
  /** Exclusive; start + 3 hours where unknown; midnight after the last day where all day. */
  end_ms: v.number(),
  first_day: v.number(),
  last_day: v.number(),
  all_day: v.boolean(),
  /** False where nobody knows the hour; then it is all_day on the wire (contract 2.8). */
  time_known: v.boolean(),
  /** False where the end is our three-hour assumption. */
  end_known: v.boolean(),
  /** How well this very date is known (contract 6.2). */
  certainty: v.picklist(CERTAINTIES),
  /** The day on which its organizer last said that it is on. Absent in older snapshots. */
  confirmed_on: v.optional(stringOrNull, null),
  status: v.picklist(['scheduled', 'cancelled', 'postponed']),
  notes: v.nullable(LocalTextSchema),
  /** When this occurrence last changed, timestamp with offset: DTSTAMP and LAST-MODIFIED. */
  updated_at: string,
  /** Rises with each change, never falls: SEQUENCE. */
  sequence: v.number(),
});

export const EVENT_FIELDS = {
  /** `ev_` and ten characters; does not depend on the title (contract 5.6). */
  id: sameField(string),
  slug: internalField(LocalTextSchema),
  url: serializedField(
    null,
    describe(UrlSchema, 'Canonical address in the requested language. Must be cited.'),
  ),
  ...mapUrlFields(() => serializedField(null, UrlSchema)),
  title: localTextField(describe(string, 'In the requested language.')),
  /** One or two sentences, plain text. */
  summary: localTextField(describe(string, 'In the requested language.')),
  /** Further paragraphs, plain text, a blank line between them. */
  description: internalField(v.nullable(LocalTextSchema)),
  /** By text, the language that alone it was written in; null where each was in all. */
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
  /** Of its file, or of its venue. Absent in older snapshots. */
  indoor: sameField(
    v.optional(v.nullable(v.boolean()), null),
    describe(
      nullableOptional(v.boolean()),
      'Whether it is under a roof; null where nothing says so.',
    ),
  ),
  organizer: serializedField(stringOrNull, nullableOptional(OrganizerWire)),
  image: serializedField(v.nullable(ImageSchema), nullableOptional(ImageWire)),
  /** What it is drawn as; null as its category. */
  motif: internalField(stringOrNull),
  /** An editor's choice for its `dates`, or for each of its days where there are none. */
  featured: internalField(v.nullable(v.object({ why: LocalTextSchema, dates: v.array(string) }))),
  verified: sameField(v.boolean(), v.exactOptional(v.boolean())),
  /** Readers see it where a fact is not sure: what to confirm with the organizer. */
  confirm_note: internalField(v.nullable(LocalTextSchema)),
  /** It may go on after its last date: nobody knows until when. Absent in older snapshots. */
  open_end: internalField(v.optional(v.nullable(v.literal(true)), null)),
  /** Name of the calendar that it has vanished from, while a person is asked about that. */
  gone_from: internalField(v.optional(v.nullable(v.string()), null)),
  /** Of the next date that is ahead; last_known where an old rule says only how it was. */
  certainty: sameField(
    v.picklist(CERTAINTIES),
    describe(
      v.exactOptional(v.picklist(CERTAINTIES)),
      'confirmed: a source for this very date. usual: a rule that a source of its time supports. last_known: an old rule, no dates ahead.',
    ),
  ),
  /** The sentence for readers; made of certainty, habit and confirm_note. */
  confirm: serializedField(
    null,
    describe(nullableOptional(string), 'What to confirm before going, in the requested language.'),
  ),
  /** The patterns of the rules that are not over, for words. */
  habit: internalField(v.array(RecurrenceSchema)),
  ...SOURCE_DATE_FIELDS,
  source: sameField(
    v.picklist(EVENT_SOURCES),
    describe(v.exactOptional(v.picklist(EVENT_SOURCES)), 'Who brought the event in.'),
  ),
  source_url: link,
  /** Of other calendars that have it, too. */
  other_source_urls: internalField(v.optional(v.array(string), [])),
  /** Timestamp with offset; changes when, and only when, what the event says changes. */
  updated_at: sameField(
    string,
    describe(
      v.exactOptional(TimestampSchema),
      'Changes when, and only when, what the event says changes.',
    ),
  ),
} as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];
export type OccurrenceStatus = OccurrenceRecord['status'];

export interface EventRecord extends RecordOf<typeof EVENT_FIELDS> {}
/** A price; an unknown one is never free (contract 4.7). Amounts in `currency` units. */
export type Price = EventRecord['price'];

export interface OccurrenceRecord extends Readonly<v.InferOutput<typeof OccurrenceSchema>> {}

/** By text, the language that it is in where nobody has written it in the reader's. */
export function findUntranslatedTexts({ originals }: Pick<EventRecord, 'originals'>, lang: Lang) {
  const find = (written: Lang | null | undefined): Lang | undefined =>
    written === lang ? undefined : (written ?? undefined);
  return {
    title: find(originals?.title),
    summary: find(originals?.summary),
    description: find(originals?.description),
  };
}

/** The key of the category of what is made for families. */
export const FAMILY_CATEGORY = 'family';

/** Of an event of another category that is for families too. */
export const FAMILY_TAG = 'familia';

/** Only family plans: the category, or the tag `familia` (contract 7.12). */
export function isFamily(event: Pick<EventRecord, 'category' | 'tags'>): boolean {
  return event.category === FAMILY_CATEGORY || event.tags.includes(FAMILY_TAG);
}

/** Whether it is still to take place: neither called off nor over. */
export const isUpcoming = ({ status, end_ms }: OccurrenceRecord, now_ms: number): boolean =>
  status === 'scheduled' && end_ms > now_ms;

/**
 * Which of an event's dates in a range speaks for it, the first still to take place, else the first, and
 * how many further ones there are (contract 7.19).
 */
export interface NextDate<T> {
  next: T;
  is_ahead: boolean;
  more_dates: number;
}

/** The same with one more date, in order of time; of a range that is over all after the first are further ones. */
export function countDate<T>(
  told: NextDate<T>,
  date: T,
  is_ahead: boolean,
  is_over: boolean,
): void {
  if (is_ahead && !told.is_ahead) {
    told.next = date;
    told.is_ahead = true;
    told.more_dates = 0;
  } else if (is_ahead || (is_over && !told.is_ahead)) told.more_dates += 1;
}

/** The same of some dates of a range that is not over; `next` null for none at all. */
export function findNextDate(
  [first, ...others]: readonly OccurrenceRecord[],
  now_ms: number,
): { readonly next: OccurrenceRecord | null; readonly more_dates: number } {
  if (first === undefined) return { next: null, more_dates: 0 };
  const told = { next: first, is_ahead: isUpcoming(first, now_ms), more_dates: 0 };
  for (const date of others) countDate(told, date, isUpcoming(date, now_ms), false);
  return { next: told.next, more_dates: told.more_dates };
}

/** Those that have not ended: what is on right now is in (contract 2.5). */
export function filterNotEnded(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}

/** A subscriber sees a week back, so that what was called off stays for a while, and 60 dates on. */
export const SUBSCRIPTION_WINDOW = { days_back: 7, dates_ahead: 60 } as const;

/** The dates that touch these days (contract 2.3); all of them where the range is null. */
export function filterDates(
  occurrences: readonly OccurrenceRecord[],
  range: DayRange | null,
): readonly OccurrenceRecord[] {
  if (range === null) return occurrences;
  const [from, to] = [toDayNumber(range.from), toDayNumber(range.to)];
  return occurrences.filter(({ first_day, last_day }) => first_day <= to && last_day >= from);
}

export function listSubscriptionDates(
  occurrences: readonly OccurrenceRecord[],
  today: Temporal.PlainDate,
): { readonly dates: readonly OccurrenceRecord[]; readonly is_cut: boolean } {
  const from = toDayNumber(today);
  const behind = occurrences.filter(
    (one) => one.last_day < from && one.last_day >= from - SUBSCRIPTION_WINDOW.days_back,
  );
  const ahead = occurrences.filter((one) => one.last_day >= from);
  return {
    dates: [...behind, ...ahead.slice(0, SUBSCRIPTION_WINDOW.dates_ahead)],
    is_cut: ahead.length > SUBSCRIPTION_WINDOW.dates_ahead,
  };
}

/** The tag by which an editor says that a party is a night at a club. */
const TAG = 'antro';

export const isNightclub = ({ category, tags }: Pick<EventRecord, 'category' | 'tags'>): boolean =>
  category === 'party' && tags.includes(TAG);

/** What a list says first, and the nightclubs that it says after it (contract 1.11), both in their order. */
export const separateNightclubs = <T extends { readonly event: EventRecord }>(
  cards: readonly T[],
) => ({
  others: cards.filter(({ event }) => !isNightclub(event)),
  nightclubs: cards.filter(({ event }) => isNightclub(event)),
});

/** The note on the place, and what a sender writes as the place. */
export const ONLINE_LABEL: LocalText = { es: 'En línea', en: 'Online' };

export const isOnline = ({
  venue,
  zone,
  location_note: note,
}: Pick<EventRecord, 'venue' | 'zone' | 'location_note'>): boolean =>
  venue === null && zone === null && LANGS.every((lang) => note?.[lang] === ONLINE_LABEL[lang]);

type PlaceField = 'venue' | 'venue_name' | 'venue_address' | 'zone';
type SentPlace = { readonly [Name in PlaceField]?: string | null | undefined };

/** Whether a sender means no place in town: with an address or a zone it is a place of that name. */
export const isSubmittedAsOnline = ({
  venue,
  venue_name,
  venue_address,
  zone,
}: SentPlace): boolean =>
  !venue &&
  !venue_address &&
  !zone &&
  LANGS.some((lang) => foldText(ONLINE_LABEL[lang]) === foldText(venue_name?.trim() ?? ''));
