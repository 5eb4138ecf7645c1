// Docs pages: names of the Markdown documents in content/docs, and fills in their placeholders.
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import type { EventCard } from './agenda.ts';
import { ERROR_CODES, type ErrorCode } from './app-error.ts';
import { LocalTextSchema } from './lang.ts';

/** The API reference and the guides: one file each per language. */
export const DOCS_NAMES = ['api', 'agents', 'calendars', 'errors', 'changelog', 'status'] as const;
export type DocsName = (typeof DOCS_NAMES)[number];

export const DocsRecordSchema = v.object({ name: v.picklist(DOCS_NAMES), text: LocalTextSchema });
export interface DocsRecord extends Readonly<v.InferOutput<typeof DocsRecordSchema>> {}

/**
 * Placeholder names, between double braces in the text: URLs, existing examples, lists of the
 * snapshot.
 */
const PLACEHOLDER_NAMES = [
  'site',
  'url',
  'key',
  'town',
  'time_zone',
  'utc',
  'utc_rule',
  'picture_mb',
  'timestamp',
  'category',
  'zone',
  'zone_in',
  'event_slug',
  'venue_slug',
  'organizer_slug',
  'next_day',
  'categories',
  'zones',
  'tool_names',
  'terms',
  'key_request',
  'health',
] as const;
/** Also each error's meaning and example response. */
export type Placeholder =
  | (typeof PLACEHOLDER_NAMES)[number]
  | `${'error' | 'example'}.${ErrorCode}`;
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...PLACEHOLDER_NAMES,
  ...ERROR_CODES.flatMap((code) => [`error.${code}`, `example.${code}`] as const),
];

const PLACEHOLDER_PATTERN = /\{\{([^{}]*)\}\}/g;
const EMPTY_PLACEHOLDER_LINE = /^.*\{\{\}\}.*\n?/gm;

export const listPlaceholders = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER_PATTERN)].map(([, name = '']) => name);

/** Fills in the placeholders and drops lines with a placeholder that has no value in this town. */
export const fillPlaceholders = (text: string, values: ReadonlyMap<string, string>): string =>
  text
    .replace(PLACEHOLDER_PATTERN, (_, name: string) => values.get(name) || '{{}}')
    .replace(EMPTY_PLACEHOLDER_LINE, '');

/**
 * Real records for the examples: slugs of an event, a venue and an organizer, the event's card, and
 * counts.
 */
export interface ApiExamples {
  readonly event: string | undefined;
  readonly venue: string | undefined;
  readonly organizer: string | undefined;
  /** Id of a notice. */
  readonly notice: string | undefined;
  readonly card: EventCard | null;
  readonly total: number;
  readonly generated_at: string;
}

/** A chapter of a document, as Markdown syntax tree. */
export interface DocsSection {
  readonly id: string;
  readonly title: string;
  readonly body: readonly RootContent[];
}
