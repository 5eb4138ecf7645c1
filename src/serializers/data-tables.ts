// The tables of the public data: events, their dates, venues, organizers, notices; what their columns hold is taken
// from the wire forms, so that nothing is in them that the API does not say. As CSV (RFC 4180) and JSON lines the same
// rows always give the same bytes (contract 17.2, 17.1).
import type { EventCard } from '../domain/agenda.ts';
import type { DataCell, DataColumn, DataTable, DataType } from '../domain/dataset.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { type ByLang, byLang, LANGS, type Lang } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { MessageKey } from '../i18n/translate.ts';
import { serializeEventFields, serializeOccurrence } from './wire/event.ts';
import { serializeNotice } from './wire/day.ts';
import { serializeOrganizer, serializeVenue } from './wire/venues.ts';

/** Columns have words that describe them: `data.column.<name>`. */
type ColumnName =
  Extract<MessageKey, `data.column.${string}`> extends `data.column.${infer Name}` ? Name : never;

export interface DataTableWithColumns extends DataTable {
  readonly columns: readonly (DataColumn & { readonly base: ColumnName })[];
}

interface ReadColumn<T> extends DataColumn {
  readonly base: ColumnName;
  readonly read: (row: T) => DataCell | undefined;
}

const column = <T>(
  base: ColumnName,
  type: DataType,
  read: ReadColumn<T>['read'],
): ReadColumn<T> => ({ name: base, base, type, read });

/** A thing in the wire form of each language, which has the cells of these names. */
type Wire<N extends ColumnName> = ByLang<Readonly<Partial<Record<N, DataCell | undefined>>>>;

/** What is the same in every language and is called so in the wire form. */
const same = <N extends ColumnName>(
  type: DataType,
  ...names: readonly N[]
): readonly ReadColumn<Wire<N>>[] =>
  names.map((name) => column(name, type, ({ es }: Wire<N>) => es[name]));

const inEach = <T>(
  base: ColumnName,
  read: (row: T, lang: Lang) => DataCell | undefined,
): readonly ReadColumn<T>[] =>
  LANGS.map((lang) => ({
    name: `${base}_${lang}`,
    base,
    type: 'text',
    read: (row) => read(row, lang),
  }));

const texts = <N extends ColumnName>(...names: readonly N[]): readonly ReadColumn<Wire<N>>[] =>
  names.flatMap((name) => inEach(name, (row: Wire<N>, lang) => row[lang][name]));

const SOURCE_DAYS = same('text', 'source_published', 'source_checked');

/** An event, with when the first and the last of its dates start; null where it has none. */
interface DataEvent {
  readonly card: Omit<EventCard, 'next' | 'more_dates'>;
  readonly first_start: string | null;
  readonly last_start: string | null;
}
type EventDataRow = ByLang<ReturnType<typeof serializeEventFields>> & DataEvent;

const EVENT_COLUMNS: readonly ReadColumn<EventDataRow>[] = [
  ...same('text', 'id'),
  ...texts('url', 'title', 'summary'),
  column('written_in', 'text', ({ card: { event } }) => {
    const { summary, description } = event.originals ?? {};
    return summary ?? description;
  }),
  ...same('text', 'status'),
  column('first_date', 'text', ({ first_start }) => first_start?.slice(0, 10)),
  column('last_date', 'text', ({ last_start }) => last_start?.slice(0, 10)),
  column('category', 'text', ({ es }) => es.category?.key),
  ...same('list', 'tags'),
  column('zone', 'text', ({ es }) => es.zone?.key),
  column('venue', 'text', ({ card }) => card.venue?.id),
  column('venue_name', 'text', ({ es }) => es.venue?.name),
  column('address', 'text', ({ es }) => es.venue?.address),
  column('lat', 'real', ({ es }) => es.venue?.lat),
  column('lng', 'real', ({ es }) => es.venue?.lng),
  ...texts('location_note'),
  column('is_free', 'boolean', ({ es }) => es.price.is_free),
  column('price_min', 'real', ({ es }) => es.price.min),
  column('price_max', 'real', ({ es }) => es.price.max),
  column('currency', 'text', ({ es }) => es.price.currency),
  ...inEach('price_text', (row: EventDataRow, lang) => row[lang].price.text),
  ...same('text', 'ticket_url', 'registration_url'),
  ...texts('age_restriction'),
  ...same('list', 'languages'),
  column('organizer', 'text', ({ card }) => card.organizer?.id),
  column('organizer_name', 'text', ({ es }) => es.organizer?.name),
  column('image_url', 'text', ({ es }) => es.image?.url),
  ...same('boolean', 'verified'),
  ...same('text', 'certainty'),
  ...texts('confirm'),
  ...same('text', 'source_url'),
  ...SOURCE_DAYS,
  ...same('text', 'updated_at'),
];

type OccurrenceRow = ByLang<ReturnType<typeof serializeOccurrence>> & { readonly event: string };
const DATE_COLUMNS: readonly ReadColumn<OccurrenceRow>[] = [
  ...same('text', 'id'),
  column('event', 'text', ({ event }) => event),
  ...same('text', 'start', 'end', 'date'),
  ...same('boolean', 'all_day', 'time_known', 'end_known'),
  ...same('text', 'certainty', 'confirmed_on', 'status'),
  ...texts('notes'),
];

const VENUE_COLUMNS: readonly ReadColumn<ByLang<ReturnType<typeof serializeVenue>>>[] = [
  ...same('text', 'id'),
  ...texts('url'),
  ...same('text', 'name'),
  ...texts('description'),
  ...same('text', 'address', 'locality', 'postal_code'),
  column('zone', 'text', ({ es }) => es.zone?.key),
  ...same('real', 'lat', 'lng'),
  ...same('text', 'coordinates', 'website', 'phone'),
  ...same('list', 'social'),
  ...same('integer', 'capacity'),
  ...texts('accessibility'),
  ...same('boolean', 'open_place'),
  ...SOURCE_DAYS,
  ...same('text', 'updated_at'),
];

const ORGANIZER_COLUMNS: readonly ReadColumn<ByLang<ReturnType<typeof serializeOrganizer>>>[] = [
  ...same('text', 'id'),
  ...texts('url'),
  ...same('text', 'name', 'type'),
  ...same('boolean', 'verified'),
  ...texts('description'),
  ...same('text', 'website'),
  ...same('list', 'social'),
  ...SOURCE_DAYS,
  ...same('text', 'updated_at'),
];

const NOTICE_COLUMNS: readonly ReadColumn<ByLang<ReturnType<typeof serializeNotice>>>[] = [
  ...same('text', 'id', 'type', 'severity'),
  ...same('boolean', 'season', 'inferred'),
  ...texts('title', 'body'),
  ...same('text', 'zone', 'starts_at', 'ends_at', 'source', 'source_url'),
  ...SOURCE_DAYS,
];

/** A table of things, in their order; each is let go once it is a row. */
function toTable<T, R>(
  name: DataTable['name'],
  columns: readonly ReadColumn<R>[],
  things: Iterable<T>,
  read: (thing: T) => R,
): DataTableWithColumns {
  const toRow = (row: R): readonly DataCell[] => columns.map((one) => one.read(row) ?? null);
  return {
    name,
    columns: columns.map(({ name: own, base, type }) => ({ name: own, base, type })),
    rows: Array.from(things, (thing) => toRow(read(thing))),
  };
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

/** All tables. Nothing in them depends on the instant, so the same content gives the same rows. */
export function buildDataTables(
  records: PublicRecords,
  site: Site,
): readonly DataTableWithColumns[] {
  const { taxonomy, events, occurrences, venues, organizers, notices } = records;
  return [
    toTable('events', EVENT_COLUMNS, events, (event) => ({
      ...event,
      ...byLang((lang) =>
        serializeEventFields({ ...event.card, next: null, more_dates: 0 }, lang, site),
      ),
    })),
    toTable('occurrences', DATE_COLUMNS, occurrences, (occurrence) => ({
      event: occurrence.event,
      ...byLang((lang) => serializeOccurrence(occurrence, lang)),
    })),
    toTable('venues', VENUE_COLUMNS, venues, (record) =>
      byLang((lang) => serializeVenue(record, null, taxonomy, lang, site)),
    ),
    toTable('organizers', ORGANIZER_COLUMNS, organizers, (record) =>
      byLang((lang) => serializeOrganizer(record, lang, site)),
    ),
    toTable('notices', NOTICE_COLUMNS, notices, (record) =>
      byLang((lang) => serializeNotice(record, lang)),
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
