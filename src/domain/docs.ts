// The pages of the docs that people write, as Markdown files (content/docs): their names, and what their
// text leaves to be filled in.
import * as v from 'valibot';
import { ERROR_CODES, type ErrorCode } from './app-error.ts';
import { LocalTextSchema } from './lang.ts';

/** The chapters of the reference, and the guides beside it: a file each in every language. */
export const DOCS_NAMES = ['api', 'agents', 'calendars', 'errors'] as const;
export type DocsName = (typeof DOCS_NAMES)[number];

/** What such a file says. */
export const DocsRecordSchema = v.object({ name: v.picklist(DOCS_NAMES), text: LocalTextSchema });
export interface DocsRecord extends Readonly<v.InferOutput<typeof DocsRecordSchema>> {}

/** What stands between double braces: addresses, examples that exist, and lists of the snapshot. */
const NAMES = [
  'site',
  'url',
  'event_slug',
  'venue_slug',
  'organizer_slug',
  'next_day',
  'categories',
  'zones',
  'tool_names',
  'terms',
  'key_request',
] as const;
/** Of each error its meaning, and what is sent. */
export type Placeholder = (typeof NAMES)[number] | `${'error' | 'example'}.${ErrorCode}`;
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...NAMES,
  ...ERROR_CODES.flatMap((code) => [`error.${code}`, `example.${code}`] as const),
];

const PATTERN = /\{\{([^{}]*)\}\}/g;

/** The names that a text has between double braces. */
export const listPlaceholders = (text: string): readonly string[] =>
  [...text.matchAll(PATTERN)].map(([, name = '']) => name);

/** The text with each of them filled in. */
export const fillPlaceholders = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(PATTERN, (_, name: string) => values.get(name) ?? '');
