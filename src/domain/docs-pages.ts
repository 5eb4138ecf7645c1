// The docs: the pages that people write as Markdown (content/docs), and what their text leaves to be filled in.
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import type { EventCard } from './agenda.ts';
import { ERROR_CODES, type ErrorCode } from './app-error.ts';
import { LocalTextSchema } from './lang.ts';

/** The chapters of the reference, and the guides beside it: a file each in every language. */
export const DOCS_NAMES = ['api', 'agents', 'calendars', 'errors', 'changelog', 'status'] as const;
export type DocsName = (typeof DOCS_NAMES)[number];

export const DocsRecordSchema = v.object({ name: v.picklist(DOCS_NAMES), text: LocalTextSchema });
export interface DocsRecord extends Readonly<v.InferOutput<typeof DocsRecordSchema>> {}

/** What stands between double braces: addresses, examples that exist, and lists of the snapshot. */
const NAMES = [
  'site',
  'url',
  'key',
  'town',
  'time_zone',
  'utc',
  'utc_rule',
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
/** Of each error its meaning, and what is sent. */
export type Placeholder = (typeof NAMES)[number] | `${'error' | 'example'}.${ErrorCode}`;
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...NAMES,
  ...ERROR_CODES.flatMap((code) => [`error.${code}`, `example.${code}`] as const),
];

const PATTERN = /\{\{([^{}]*)\}\}/g;
const LINE_OF_NONE = /^.*\{\{\}\}.*\n?/gm;

export const listPlaceholders = (text: string): readonly string[] =>
  [...text.matchAll(PATTERN)].map(([, name = '']) => name);

/** Without the lines that name what the town has none of. */
export const fillPlaceholders = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(PATTERN, (_, name: string) => values.get(name) || '{{}}').replace(LINE_OF_NONE, '');

export interface ApiExamples {
  readonly event: string | undefined;
  readonly venue: string | undefined;
  readonly organizer: string | undefined;
  readonly card: EventCard | null;
  readonly total: number;
  readonly generated_at: string;
}

export interface DocsSection {
  readonly id: string;
  readonly title: string;
  readonly body: readonly RootContent[];
}
