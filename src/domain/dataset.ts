// Dataset: all validated records of one build, in a fixed order; and the table types of the public
// data files (contract 17).
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

/** An event with its occurrences and the facts to review. */
export interface BuiltEvent {
  readonly record: EventRecord;
  readonly occurrences: readonly OccurrenceRecord[];
  readonly due: readonly FactDue[];
}

export interface Dataset {
  readonly taxonomy: Taxonomy;
  readonly motifs: readonly MotifWithDrawing[];
  /** Search synonyms of the town. */
  readonly search_words: SearchSynonyms;
  /** Unique by name. */
  readonly docs: readonly DocsRecord[];
  readonly calendar: CalendarRecord;
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly events: readonly EventRecord[];
  /** Digest of all inputs of an event, by event id, independent of the ledger. */
  readonly input_digests: ReadonlyMap<string, string>;
  /** Sorted by start, then event id. */
  readonly occurrences: readonly OccurrenceRecord[];
  readonly notices: readonly NoticeRecord[];
  readonly slugs: readonly PublishedSlug[];
  /** Slugs and ids that return 410. */
  readonly withdrawn: readonly PublishedSlug[];
  /** Facts with a review date, for the desk. */
  readonly due: readonly FactDue[];
  /** Inbox records that were not used, and why: `ID FIELD: REASON`. */
  readonly omitted: readonly string[];
  readonly ledger: Ledger;
}

/** Cell value; a list holds texts. */
export type DataCell = string | number | boolean | null | readonly string[];
export type DataType = 'text' | 'integer' | 'real' | 'boolean' | 'list';

export interface DataColumn {
  readonly name: string;
  /** Name without the language suffix: `title` for `title_es`. */
  readonly base: string;
  readonly type: DataType;
}

export const DATA_TABLES = ['events', 'occurrences', 'venues', 'organizers', 'notices'] as const;
export type DataTableName = (typeof DATA_TABLES)[number];

/** A table; rows hold values in column order. */
export interface DataTable {
  readonly name: DataTableName;
  readonly columns: readonly DataColumn[];
  readonly rows: readonly (readonly DataCell[])[];
}
