// All records that one release is built from, validated, revised and in a fixed order; and the tables
// of the public data (contract 17).
import type { CalendarRecord } from './day/day-facts.ts';
import type { DocsRecord } from './docs-pages.ts';
import type { EventRecord, OccurrenceRecord } from './event/event.ts';
import type { FactDue } from './fact-freshness.ts';
import type { Ledger, PublishedSlug } from './ledger.ts';
import type { NoticeRecord } from './notice.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { MotifWithDrawing } from './pictures.ts';
import type { SearchSynonyms } from './search-documents.ts';
import type { Taxonomy } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** An event with its dates, and what of it is due one day. */
export interface BuiltEvent {
  readonly record: EventRecord;
  readonly occurrences: readonly OccurrenceRecord[];
  readonly due: readonly FactDue[];
}

export interface Dataset {
  readonly taxonomy: Taxonomy;
  readonly motifs: readonly MotifWithDrawing[];
  /** What the search knows beside the words of events. */
  readonly search_words: SearchSynonyms;
  /** Each name once. */
  readonly docs: readonly DocsRecord[];
  readonly calendar: CalendarRecord;
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly events: readonly EventRecord[];
  /** By event id: a digest of all that it is made of, whatever the ledger says. */
  readonly made_of: ReadonlyMap<string, string>;
  /** By (start, event id). */
  readonly occurrences: readonly OccurrenceRecord[];
  readonly notices: readonly NoticeRecord[];
  readonly slugs: readonly PublishedSlug[];
  /** Slugs and ids that answer 410. */
  readonly withdrawn: readonly PublishedSlug[];
  /** What will be due to be looked at again, for the desk. */
  readonly due: readonly FactDue[];
  /** What of the inbox could not be taken, and why: `ID FIELD: REASON`. */
  readonly left_out: readonly string[];
  readonly ledger: Ledger;
}

/** What a value may be; a list is of texts. */
export type DataCell = string | number | boolean | null | readonly string[];
export type DataType = 'text' | 'integer' | 'real' | 'boolean' | 'list';

export interface DataColumn {
  readonly name: string;
  /** `title`: what it is described by, whatever its language. */
  readonly base: string;
  readonly type: DataType;
}

export const DATA_TABLES = ['events', 'occurrences', 'venues', 'organizers', 'notices'] as const;
export type DataTableName = (typeof DATA_TABLES)[number];

/** Rows hold their values in the order of the columns. */
export interface DataTable {
  readonly name: DataTableName;
  readonly columns: readonly DataColumn[];
  readonly rows: readonly (readonly DataCell[])[];
}
