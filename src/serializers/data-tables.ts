// Data tables: builds the tables of the public dataset (events, occurrences, venues, organizers,
// notices) from their API serialization, so that they contain nothing that the API does not. Writes
// them as CSV (RFC 4180) and JSON lines; the same rows always give the same bytes (contract 17.2,
// 17.1).
import { NO_DATES, type RangelessCard } from '../domain/agenda.ts';
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

/** Name of a column with a description in `data.column.<name>`. */
type ColumnName =
  Extract<MessageKey, `data.column.${string}`> extends `data.column.${infer Name}` ? Name : never;

/** A table with the documented name of each column: `base` is `title` for `title_es`. */
export interface DataTableWithColumns extends DataTable {
  readonly columns: readonly (DataColumn & { readonly base: ColumnName })[];
}

/** A column that reads its cell from a serialized record `T`. */
interface ReadableColumn<T> extends DataColumn {
  readonly base: ColumnName;
  /** Returns the cell; undefined becomes null. */
  readonly read: (row: T) => DataCell | undefined;
}

const column = <T>(
  base: ColumnName,
  type: DataType,
  read: ReadableColumn<T>['read'],
): ReadableColumn<T> => ({ name: base, base, type, read });

/** A record serialized in each language, with cells of these names. */
type SerializedRecord<N extends ColumnName> = ByLang<
  Readonly<Partial<Record<N, DataCell | undefined>>>
>;

/** Creates columns whose cells are the same in every language and have the same name in the API. */
const sharedColumns = <N extends ColumnName>(
  type: DataType,
  ...names: readonly N[]
): readonly ReadableColumn<SerializedRecord<N>>[] =>
  names.map((name) => column(name, type, ({ es }: SerializedRecord<N>) => es[name]));

/** Creates one column per language, such as `title_es` and `title_en`. */
const columnsByLang = <T>(
  base: ColumnName,
  read: (row: T, lang: Lang) => DataCell | undefined,
): readonly ReadableColumn<T>[] =>
  LANGS.map((lang) => ({
    name: `${base}_${lang}`,
    base,
    type: 'text',
    read: (row) => read(row, lang),
  }));

/** Creates columns by language for texts that have the same name in the API. */
const textColumns = <N extends ColumnName>(
  ...names: readonly N[]
): readonly ReadableColumn<SerializedRecord<N>>[] =>
  names.flatMap((name) => columnsByLang(name, (row: SerializedRecord<N>, lang) => row[lang][name]));

/** Days on which the source published the facts, and on which an editor last checked it. */
const SOURCE_DAY_COLUMNS = sharedColumns('text', 'source_published', 'source_checked');

/** An event with the timestamps that its row needs. */
interface EventWithStarts {
  readonly card: RangelessCard;
  /** Starts of the first and last occurrence; null if there are none. */
  readonly first_start: string | null;
  readonly last_start: string | null;
}
type SerializedEvent = ByLang<ReturnType<typeof serializeEventFields>> & EventWithStarts;

const EVENT_COLUMNS: readonly ReadableColumn<SerializedEvent>[] = [
  ...sharedColumns('text', 'id'),
  ...textColumns('url', 'title', 'summary'),
  column('written_in', 'text', ({ card: { event } }) => {
    const { summary, description } = event.originals ?? {};
    return summary ?? description;
  }),
  ...sharedColumns('text', 'status'),
  column('first_date', 'text', ({ first_start }) => first_start?.slice(0, 10)),
  column('last_date', 'text', ({ last_start }) => last_start?.slice(0, 10)),
  column('category', 'text', ({ es }) => es.category?.key),
  ...sharedColumns('list', 'tags'),
  column('zone', 'text', ({ es }) => es.zone?.key),
  column('venue', 'text', ({ card }) => card.venue?.id),
  column('venue_name', 'text', ({ es }) => es.venue?.name),
  column('address', 'text', ({ es }) => es.venue?.address),
  column('lat', 'real', ({ es }) => es.venue?.lat),
  column('lng', 'real', ({ es }) => es.venue?.lng),
  ...textColumns('location_note'),
  column('is_free', 'boolean', ({ es }) => es.price.is_free),
  column('free_for', 'list', ({ es }) => es.price.free_for),
  column('price_min', 'real', ({ es }) => es.price.min),
  column('price_max', 'real', ({ es }) => es.price.max),
  column('currency', 'text', ({ es }) => es.price.currency),
  ...columnsByLang('price_text', (row: SerializedEvent, lang) => row[lang].price.text),
  ...sharedColumns('text', 'ticket_url', 'registration_url'),
  ...textColumns('age_restriction'),
  ...sharedColumns('list', 'languages'),
  column('organizer', 'text', ({ card }) => card.organizer?.id),
  column('organizer_name', 'text', ({ es }) => es.organizer?.name),
  column('image_url', 'text', ({ es }) => es.image?.url),
  ...sharedColumns('boolean', 'verified'),
  ...sharedColumns('text', 'certainty'),
  ...textColumns('confirm'),
  ...sharedColumns('text', 'source_url'),
  ...SOURCE_DAY_COLUMNS,
  ...sharedColumns('text', 'updated_at'),
];

/** `event` is the id of the event. */
type SerializedDate = ByLang<ReturnType<typeof serializeOccurrence>> & { readonly event: string };
const OCCURRENCE_COLUMNS: readonly ReadableColumn<SerializedDate>[] = [
  ...sharedColumns('text', 'id'),
  column('event', 'text', ({ event }) => event),
  ...sharedColumns('text', 'start', 'end', 'date'),
  ...sharedColumns('boolean', 'all_day', 'time_known', 'end_known'),
  ...sharedColumns('text', 'certainty', 'confirmed_on', 'status'),
  ...textColumns('notes'),
];

const VENUE_COLUMNS: readonly ReadableColumn<ByLang<ReturnType<typeof serializeVenue>>>[] = [
  ...sharedColumns('text', 'id'),
  ...textColumns('url'),
  ...sharedColumns('text', 'name'),
  ...textColumns('description'),
  ...sharedColumns('text', 'address', 'locality', 'postal_code'),
  column('zone', 'text', ({ es }) => es.zone?.key),
  ...sharedColumns('real', 'lat', 'lng'),
  ...sharedColumns('text', 'coordinates', 'website', 'phone'),
  ...sharedColumns('list', 'social'),
  ...sharedColumns('integer', 'capacity'),
  ...textColumns('accessibility'),
  ...sharedColumns('list', 'free_for'),
  ...sharedColumns('boolean', 'open_place'),
  ...SOURCE_DAY_COLUMNS,
  ...sharedColumns('text', 'updated_at'),
];

const ORGANIZER_COLUMNS: readonly ReadableColumn<ByLang<ReturnType<typeof serializeOrganizer>>>[] =
  [
    ...sharedColumns('text', 'id'),
    ...textColumns('url'),
    ...sharedColumns('text', 'name', 'type'),
    ...sharedColumns('boolean', 'verified'),
    ...textColumns('description'),
    ...sharedColumns('text', 'website'),
    ...sharedColumns('list', 'social'),
    ...SOURCE_DAY_COLUMNS,
    ...sharedColumns('text', 'updated_at'),
  ];

const NOTICE_COLUMNS: readonly ReadableColumn<ByLang<ReturnType<typeof serializeNotice>>>[] = [
  ...sharedColumns('text', 'id', 'type', 'severity'),
  ...sharedColumns('boolean', 'season', 'inferred'),
  ...textColumns('title', 'body'),
  ...sharedColumns('text', 'zone', 'starts_at', 'ends_at', 'source', 'source_url'),
  ...SOURCE_DAY_COLUMNS,
];

/** Builds a table. Records are converted one by one, so that they need not all be in memory. */
function buildTable<Rec, Serialized>(
  name: DataTable['name'],
  columns: readonly ReadableColumn<Serialized>[],
  records: Iterable<Rec>,
  serialize: (record: Rec) => Serialized,
): DataTableWithColumns {
  const readRow = (serialized: Serialized): readonly DataCell[] =>
    columns.map(({ read }) => read(serialized) ?? null);
  return {
    name,
    columns: columns.map(({ name: column_name, base, type }) => ({
      name: column_name,
      base,
      type,
    })),
    rows: Array.from(records, (record) => readRow(serialize(record))),
  };
}

/** All public records, by kind in order of id; occurrences by event in order of time. */
interface PublicRecords {
  readonly taxonomy: Taxonomy;
  readonly events: Iterable<EventWithStarts>;
  readonly occurrences: Iterable<OccurrenceRecord>;
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly notices: readonly NoticeRecord[];
}

/**
 * Builds all tables. They do not depend on the current time, so the same content gives the same
 * rows.
 */
export function buildDataTables(
  records: PublicRecords,
  site: Site,
): readonly DataTableWithColumns[] {
  const { taxonomy, events, occurrences, venues, organizers, notices } = records;
  return [
    buildTable('events', EVENT_COLUMNS, events, (event) => ({
      ...event,
      ...byLang((lang) => serializeEventFields({ ...event.card, ...NO_DATES }, lang, site)),
    })),
    buildTable('occurrences', OCCURRENCE_COLUMNS, occurrences, (occurrence) => ({
      event: occurrence.event,
      ...byLang((lang) => serializeOccurrence(occurrence, lang)),
    })),
    buildTable('venues', VENUE_COLUMNS, venues, (record) =>
      byLang((lang) => serializeVenue(record, null, taxonomy, lang, site)),
    ),
    buildTable('organizers', ORGANIZER_COLUMNS, organizers, (record) =>
      byLang((lang) => serializeOrganizer(record, lang, site)),
    ),
    buildTable('notices', NOTICE_COLUMNS, notices, (record) =>
      byLang((lang) => serializeNotice(record, lang)),
    ),
  ];
}

/**
 * Prefixes texts that a spreadsheet would run as a formula: some are written by senders (contract
 * 14.8).
 */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function formatCsvField(cell: DataCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = escapeFormula(typeof cell === 'string' ? cell : cell.join(';'));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes CSV with a header line. Lists are joined by `;`, unknown values are empty. */
export const toCsv = ({ columns, rows }: DataTable): string =>
  [columns.map(({ name }) => name), ...rows]
    .map((row) => `${row.map(formatCsvField).join(',')}\r\n`)
    .join('');

/** Writes one JSON object per line; lists are arrays, unknown values are null. */
export function toJsonLines({ columns, rows }: DataTable): string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const formatLine = (row: readonly DataCell[]): string =>
    `{${names.map((name, index) => name + JSON.stringify(row[index] ?? null)).join(',')}}\n`;
  return rows.map(formatLine).join('');
}
