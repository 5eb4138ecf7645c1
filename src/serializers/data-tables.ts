// The tables of the public data: events, their dates, venues, organizers, notices; what their columns hold is taken
// from the wire forms, so that nothing is in them that the API does not say. As CSV (RFC 4180) and JSON lines the same
// rows always give the same bytes (contract 17.2, 17.3).
import type { EventCard } from '../domain/agenda.ts';
import type { DataCell, DataColumn, DataTable, DataType } from '../domain/data-table.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { type ByLang, byLang, LANGS, type Lang } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Key } from '../i18n/translate.ts';
import { toEventFields, toPublicOccurrence } from './wire/event.ts';
import { toPublicNotice } from './wire/day.ts';
import { toListedOrganizer, toListedVenue } from './wire/places.ts';

/** Columns have words that describe them: `data.column.<name>`. */
type ColumnName =
  Extract<Key, `data.column.${string}`> extends `data.column.${infer Name}` ? Name : never;

interface ReadColumn<T> extends DataColumn {
  readonly base: ColumnName;
  readonly read: (thing: T) => DataCell | undefined;
}

/** A column that says the same in every language. */
const column = <T>(
  base: ColumnName,
  type: DataType,
  read: (thing: T) => DataCell | undefined,
): readonly ReadColumn<T>[] => [{ name: base, base, type, read }];

export interface DescribedTable extends DataTable {
  readonly columns: readonly (DataColumn & { readonly base: ColumnName })[];
}

/** A column of texts for each language, from the wire form in that language. */
const inEach = <T extends ByLang<unknown>>(
  base: ColumnName,
  read: (wire: T[Lang]) => DataCell | undefined,
): readonly ReadColumn<T>[] =>
  LANGS.map((lang) => ({
    name: `${base}_${lang}`,
    base,
    type: 'text',
    read: (thing) => read(thing[lang]),
  }));

/** A table of things, in their order; each is let go once it is a row. */
function toTable<T, W>(
  name: DataTable['name'],
  columns: readonly ReadColumn<W>[],
  things: Iterable<T>,
  toWire: (thing: T) => W,
): DescribedTable {
  const toRow = (wire: W): readonly DataCell[] => columns.map(({ read }) => read(wire) ?? null);
  return {
    name,
    columns: columns.map(({ name: own, base, type }) => ({ name: own, base, type })),
    rows: Array.from(things, (thing) => toRow(toWire(thing))),
  };
}

/** An event, with when the first and the last of its dates start; null where it has none. */
interface DataEvent {
  readonly card: Omit<EventCard, 'next' | 'more_dates'>;
  readonly first_start: string | null;
  readonly last_start: string | null;
}

/** Everything public, each kind in order of id; dates by event, in order of time. Read one by one. */
interface PublicRecords {
  readonly taxonomy: Taxonomy;
  readonly events: Iterable<DataEvent>;
  readonly occurrences: Iterable<OccurrenceRecord>;
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly notices: readonly NoticeRecord[];
}

const toOriginalLang = ({ originals }: DataEvent['card']['event']) =>
  originals?.summary ?? originals?.description;

type EventRow = ByLang<ReturnType<typeof toEventFields>> & DataEvent;
const EVENT_COLUMNS: readonly ReadColumn<EventRow>[] = [
  ...column<EventRow>('id', 'text', ({ es }) => es.id),
  ...inEach<EventRow>('url', (wire) => wire.url),
  ...inEach<EventRow>('title', (wire) => wire.title),
  ...inEach<EventRow>('summary', (wire) => wire.summary),
  ...column<EventRow>('written_in', 'text', ({ card: { event } }) => toOriginalLang(event)),
  ...column<EventRow>('status', 'text', ({ es }) => es.status),
  ...column<EventRow>('first_date', 'text', ({ first_start }) => first_start?.slice(0, 10)),
  ...column<EventRow>('last_date', 'text', ({ last_start }) => last_start?.slice(0, 10)),
  ...column<EventRow>('category', 'text', ({ es }) => es.category?.key),
  ...column<EventRow>('tags', 'list', ({ es }) => es.tags),
  ...column<EventRow>('zone', 'text', ({ es }) => es.zone?.key),
  ...column<EventRow>('venue', 'text', ({ card }) => card.venue?.id),
  ...column<EventRow>('venue_name', 'text', ({ es }) => es.venue?.name),
  ...column<EventRow>('address', 'text', ({ es }) => es.venue?.address),
  ...column<EventRow>('lat', 'real', ({ es }) => es.venue?.lat),
  ...column<EventRow>('lng', 'real', ({ es }) => es.venue?.lng),
  ...inEach<EventRow>('location_note', (wire) => wire.location_note),
  ...column<EventRow>('is_free', 'boolean', ({ es }) => es.price.is_free),
  ...column<EventRow>('price_min', 'real', ({ es }) => es.price.min),
  ...column<EventRow>('price_max', 'real', ({ es }) => es.price.max),
  ...column<EventRow>('currency', 'text', ({ es }) => es.price.currency),
  ...inEach<EventRow>('price_text', (wire) => wire.price.text),
  ...column<EventRow>('ticket_url', 'text', ({ es }) => es.ticket_url),
  ...column<EventRow>('registration_url', 'text', ({ es }) => es.registration_url),
  ...inEach<EventRow>('age_restriction', (wire) => wire.age_restriction),
  ...column<EventRow>('languages', 'list', ({ es }) => es.languages),
  ...column<EventRow>('organizer', 'text', ({ card }) => card.organizer?.id),
  ...column<EventRow>('organizer_name', 'text', ({ es }) => es.organizer?.name),
  ...column<EventRow>('image_url', 'text', ({ es }) => es.image?.url),
  ...column<EventRow>('verified', 'boolean', ({ es }) => es.verified),
  ...column<EventRow>('certainty', 'text', ({ es }) => es.certainty),
  ...inEach<EventRow>('confirm', (wire) => wire.confirm),
  ...column<EventRow>('source_url', 'text', ({ es }) => es.source_url),
  ...column<EventRow>('source_published', 'text', ({ es }) => es.source_published),
  ...column<EventRow>('source_checked', 'text', ({ es }) => es.source_checked),
  ...column<EventRow>('updated_at', 'text', ({ es }) => es.updated_at),
];

type DateRow = ByLang<ReturnType<typeof toPublicOccurrence>> & { readonly event: string };
const DATE_COLUMNS: readonly ReadColumn<DateRow>[] = [
  ...column<DateRow>('id', 'text', ({ es }) => es.id),
  ...column<DateRow>('event', 'text', ({ event }) => event),
  ...column<DateRow>('start', 'text', ({ es }) => es.start),
  ...column<DateRow>('end', 'text', ({ es }) => es.end),
  ...column<DateRow>('date', 'text', ({ es }) => es.date),
  ...column<DateRow>('all_day', 'boolean', ({ es }) => es.all_day),
  ...column<DateRow>('time_known', 'boolean', ({ es }) => es.time_known),
  ...column<DateRow>('end_known', 'boolean', ({ es }) => es.end_known),
  ...column<DateRow>('certainty', 'text', ({ es }) => es.certainty),
  ...column<DateRow>('status', 'text', ({ es }) => es.status),
  ...inEach<DateRow>('notes', (wire) => wire.notes),
];

type VenueRow = ByLang<ReturnType<typeof toListedVenue>>;
const VENUE_COLUMNS: readonly ReadColumn<VenueRow>[] = [
  ...column<VenueRow>('id', 'text', ({ es }) => es.id),
  ...inEach<VenueRow>('url', (wire) => wire.url),
  ...column<VenueRow>('name', 'text', ({ es }) => es.name),
  ...inEach<VenueRow>('description', (wire) => wire.description),
  ...column<VenueRow>('address', 'text', ({ es }) => es.address),
  ...column<VenueRow>('locality', 'text', ({ es }) => es.locality),
  ...column<VenueRow>('postal_code', 'text', ({ es }) => es.postal_code),
  ...column<VenueRow>('zone', 'text', ({ es }) => es.zone?.key),
  ...column<VenueRow>('lat', 'real', ({ es }) => es.lat),
  ...column<VenueRow>('lng', 'real', ({ es }) => es.lng),
  ...column<VenueRow>('coordinates', 'text', ({ es }) => es.coordinates),
  ...column<VenueRow>('website', 'text', ({ es }) => es.website),
  ...column<VenueRow>('phone', 'text', ({ es }) => es.phone),
  ...column<VenueRow>('social', 'list', ({ es }) => es.social),
  ...column<VenueRow>('capacity', 'integer', ({ es }) => es.capacity),
  ...inEach<VenueRow>('accessibility', (wire) => wire.accessibility),
  ...column<VenueRow>('open_place', 'boolean', ({ es }) => es.open_place),
  ...column<VenueRow>('source_published', 'text', ({ es }) => es.source_published),
  ...column<VenueRow>('source_checked', 'text', ({ es }) => es.source_checked),
  ...column<VenueRow>('updated_at', 'text', ({ es }) => es.updated_at),
];

type OrganizerRow = ByLang<ReturnType<typeof toListedOrganizer>>;
const ORGANIZER_COLUMNS: readonly ReadColumn<OrganizerRow>[] = [
  ...column<OrganizerRow>('id', 'text', ({ es }) => es.id),
  ...inEach<OrganizerRow>('url', (wire) => wire.url),
  ...column<OrganizerRow>('name', 'text', ({ es }) => es.name),
  ...column<OrganizerRow>('type', 'text', ({ es }) => es.type),
  ...column<OrganizerRow>('verified', 'boolean', ({ es }) => es.verified),
  ...inEach<OrganizerRow>('description', (wire) => wire.description),
  ...column<OrganizerRow>('website', 'text', ({ es }) => es.website),
  ...column<OrganizerRow>('social', 'list', ({ es }) => es.social),
  ...column<OrganizerRow>('source_published', 'text', ({ es }) => es.source_published),
  ...column<OrganizerRow>('source_checked', 'text', ({ es }) => es.source_checked),
  ...column<OrganizerRow>('updated_at', 'text', ({ es }) => es.updated_at),
];

type NoticeRow = ByLang<ReturnType<typeof toPublicNotice>>;
const NOTICE_COLUMNS: readonly ReadColumn<NoticeRow>[] = [
  ...column<NoticeRow>('id', 'text', ({ es }) => es.id),
  ...column<NoticeRow>('type', 'text', ({ es }) => es.type),
  ...column<NoticeRow>('severity', 'text', ({ es }) => es.severity),
  ...column<NoticeRow>('season', 'boolean', ({ es }) => es.season),
  ...column<NoticeRow>('inferred', 'boolean', ({ es }) => es.inferred),
  ...inEach<NoticeRow>('title', (wire) => wire.title),
  ...inEach<NoticeRow>('body', (wire) => wire.body),
  ...column<NoticeRow>('zone', 'text', ({ es }) => es.zone),
  ...column<NoticeRow>('starts_at', 'text', ({ es }) => es.starts_at),
  ...column<NoticeRow>('ends_at', 'text', ({ es }) => es.ends_at),
  ...column<NoticeRow>('source', 'text', ({ es }) => es.source),
  ...column<NoticeRow>('source_url', 'text', ({ es }) => es.source_url),
  ...column<NoticeRow>('source_published', 'text', ({ es }) => es.source_published),
  ...column<NoticeRow>('source_checked', 'text', ({ es }) => es.source_checked),
];

/** All tables. Nothing in them depends on the instant, so the same content gives the same rows. */
export function toDataTables(records: PublicRecords, site: Site): readonly DescribedTable[] {
  const { taxonomy, events, occurrences, venues, organizers, notices } = records;
  return [
    toTable('events', EVENT_COLUMNS, events, (event) => ({
      ...event,
      ...byLang((lang) => toEventFields({ ...event.card, next: null, more_dates: 0 }, lang, site)),
    })),
    toTable('occurrences', DATE_COLUMNS, occurrences, (occurrence) => ({
      event: occurrence.event,
      ...byLang((lang) => toPublicOccurrence(occurrence, lang)),
    })),
    toTable('venues', VENUE_COLUMNS, venues, (record) =>
      byLang((lang) =>
        toListedVenue({ record, upcoming_count: 0, distance_km: null }, null, taxonomy, lang, site),
      ),
    ),
    toTable('organizers', ORGANIZER_COLUMNS, organizers, (record) =>
      byLang((lang) => toListedOrganizer(record, 0, lang, site)),
    ),
    toTable('notices', NOTICE_COLUMNS, notices, (record) =>
      byLang((lang) => toPublicNotice(record, lang)),
    ),
  ];
}

/**
 * A text that a spreadsheet would run has an apostrophe before it, for strangers wrote some of them
 * (contract 14.8).
 */
const toHarmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function toField(cell: DataCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = toHarmless(typeof cell === 'string' ? cell : cell.join(';'));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line for each row after that of the names; lists are joined by `;`, what is not known is empty. */
export const toCsv = ({ columns, rows }: DataTable): string =>
  [columns.map(({ name }) => name), ...rows]
    .map((row) => `${row.map(toField).join(',')}\r\n`)
    .join('');

export function toJsonLines({ columns, rows }: DataTable): string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const toLine = (row: readonly DataCell[]): string =>
    `{${names.map((name, at) => name + JSON.stringify(row[at] ?? null)).join(',')}}\n`;
  return rows.map(toLine).join('');
}
