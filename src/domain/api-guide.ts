// The shapes in which the API is explained to a reader: what the pages of the docs and their Markdown
// versions are given. Sentences are parsed already.
import type { PhrasingContent, RootContent } from 'mdast';
import type { EventCard } from './agenda.ts';
import type { ErrorCode } from './app-error.ts';

/** What this very service answers, for the examples. */
export interface ApiExamples {
  /** Slugs for the paths. */
  readonly event: string;
  readonly venue: string;
  readonly organizer: string;
  /** The event; null where there are none. */
  readonly card: EventCard | null;
  /** How many events are ahead. */
  readonly total: number;
  readonly generated_at: string;
}

/** A chapter of a page. */
export interface DocsSection {
  /** The anchor. */
  readonly id: string;
  readonly title: string;
  readonly body: readonly RootContent[];
}

export interface GuideParameter {
  readonly name: string;
  readonly required: boolean;
  readonly rule: readonly PhrasingContent[];
  readonly example: string | null;
  /** Whether it stands in the path, else in the query. */
  readonly in_path: boolean;
  /** All that it may be; empty where that is no list. */
  readonly choices: readonly string[];
}

/** How to ask, in one language of programmers; text to copy. */
export interface GuideSample {
  readonly label: 'curl' | 'JavaScript' | 'Python';
  readonly source: string;
}

export interface GuideError {
  readonly status: number;
  readonly code: ErrorCode;
}

export interface GuideOperation {
  /** The operationId; the anchor of its section. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: readonly PhrasingContent[];
  readonly parameters: readonly GuideParameter[];
  readonly address: string;
  readonly samples: readonly GuideSample[];
  /** The media type of a success, and the fields of its data; of a calendar none. */
  readonly type: string;
  readonly fields: readonly string[];
  /** A success as text; null where none is printed. */
  readonly example: string | null;
  readonly errors: readonly GuideError[];
}

/** All that the docs page explains. */
export interface ApiGuide {
  readonly about: string;
  readonly base_url: string;
  /** Where programs read all of it. */
  readonly machine: readonly PhrasingContent[];
  readonly operations: readonly GuideOperation[];
  /** Every code that an answer may carry; then what a person wrote. */
  readonly sections: readonly DocsSection[];
}
