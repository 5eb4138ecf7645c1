// The shapes in which the API is explained to a reader: what the docs page and its Markdown version
// are given.
import type { ErrorCode } from './app-error.ts';
import type { TaxonRecord } from './taxon.ts';

/** Identifiers that this very service answers, for the examples of the paths. */
export interface PathExamples {
  readonly event: string;
  readonly venue: string;
  readonly organizer: string;
}

export interface GuideParameter {
  readonly name: string;
  readonly required: boolean;
  /** Its rule in sentences. */
  readonly rule: string;
  readonly example: string | null;
  /** Whether it stands in the path, else in the query. */
  readonly in_path: boolean;
  /** All that it may be; empty where that is no list. */
  readonly choices: readonly string[];
}

/** How to ask, in one language of programmers; text to copy. */
export interface GuideSample {
  readonly label: string;
  readonly source: string;
}

export interface GuideError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly meaning: string;
}

export interface GuideExample {
  readonly type: string;
  readonly text: string;
  /** The id of an earlier operation that answers the same; null where it is the first. */
  readonly same_as: string | null;
}

export interface GuideOperation {
  /** The operationId; the anchor of its section. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly GuideParameter[];
  readonly address: string;
  readonly samples: readonly GuideSample[];
  readonly answer: GuideExample;
  readonly errors: readonly GuideError[];
}

/** Something to copy whole, with what it is. */
export interface GuideCopy {
  readonly label: string;
  readonly text: string;
}

/** What is told of something, beside its label. Texts as those of a section. */
export interface GuideRow {
  readonly label: string;
  readonly text: string;
}

/** Lines to read or to copy, with what they are. */
export interface GuideBlock {
  readonly label: string;
  readonly language: 'json' | 'sh' | 'text';
  readonly text: string;
}

/**
 * A chapter of the description. Texts are plain words with `code` and <address>
 * (domain/inline-text).
 */
export interface GuideSection {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly items: readonly string[];
  /** A list whose order does not matter. */
  readonly points: readonly string[];
  /** Pairs of a label and what is so. */
  readonly rows: readonly GuideRow[];
  readonly copies: readonly GuideCopy[];
  readonly blocks: readonly GuideBlock[];
  /** A table of keys, slugs and names. */
  readonly taxa: readonly TaxonRecord[] | null;
}

/** A chapter with its texts and nothing else, or with what `more` names. */
export const toSection = (
  id: string,
  title: string,
  paragraphs: readonly string[],
  more: Partial<GuideSection> = {},
): GuideSection => ({
  ...{ id, title, paragraphs },
  ...{ items: [], points: [], rows: [], copies: [], blocks: [], taxa: null },
  ...more,
});

export interface ApiGuide {
  readonly about: string;
  readonly base_url: string;
  readonly operations: readonly GuideOperation[];
  /** Every code that an answer may carry, each once. */
  readonly errors: readonly GuideError[];
  readonly sections: readonly GuideSection[];
}
