// The shapes in which the API is explained to a reader: what the docs page and its Markdown twin
// are given.
import type { TaxonRecord } from './taxon.ts';

/** Identifiers that this very service answers, for the examples of the paths. */
export interface PathExamples {
  readonly event: string;
  readonly venue: string;
  readonly organizer: string;
}

/** One parameter of an operation. */
export interface GuideParameter {
  readonly name: string;
  readonly required: boolean;
  /** Its rule in sentences. */
  readonly rule: string;
  readonly example: string | null;
}

/** How to ask, in one language of programmers; text to copy. */
export interface GuideSample {
  readonly label: string;
  readonly source: string;
}

/** An answer that is no success. */
export interface GuideError {
  readonly status: number;
  readonly code: string;
  readonly meaning: string;
}

/** An answer that succeeds, as text. */
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
  /** An address that answers. */
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

/**
 * A chapter of the description. Texts are plain words with `code` and <address>
 * (domain/inline-text).
 */
export interface GuideSection {
  /** The anchor. */
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** A numbered list. */
  readonly items: readonly string[];
  /** Addresses and elements to copy. */
  readonly copies: readonly GuideCopy[];
  /** A table of keys, slugs and names; null where there is none. */
  readonly taxa: readonly TaxonRecord[] | null;
}

/** All that the docs page explains. */
export interface ApiGuide {
  /** What the service is, in a paragraph. */
  readonly about: string;
  /** `{base_url}`. */
  readonly base_url: string;
  readonly operations: readonly GuideOperation[];
  /** Every code that an answer may carry, each once. */
  readonly errors: readonly GuideError[];
  readonly sections: readonly GuideSection[];
}
