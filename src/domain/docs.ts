// The docs: the pages that people write as Markdown (content/docs) and what their text leaves to be
// filled in, and what changed for programs.
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import type { EventCard } from './agenda.ts';
import { ERROR_CODES, type ErrorCode } from './app-error.ts';
import { LocalTextSchema } from './lang.ts';

/** The chapters of the reference, and the guides beside it: a file each in every language. */
export const DOCS_NAMES = ['api', 'agents', 'calendars', 'errors'] as const;
export type DocsName = (typeof DOCS_NAMES)[number];

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

export const listPlaceholders = (text: string): readonly string[] =>
  [...text.matchAll(PATTERN)].map(([, name = '']) => name);

export const fillPlaceholders = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(PATTERN, (_, name: string) => values.get(name) ?? '');

export interface ApiExamples {
  readonly event: string;
  readonly venue: string;
  readonly organizer: string;
  readonly card: EventCard | null;
  readonly total: number;
  readonly generated_at: string;
}

export interface DocsSection {
  readonly id: string;
  readonly title: string;
  readonly body: readonly RootContent[];
}

// What changed, newest first, by version; the words of each entry are `changelog.entry.<name>` (contract
// 8.35). CHANGELOG.md has the English ones.
interface ApiVersion {
  readonly version: string;
  readonly day: string | null;
  readonly entries: readonly string[];
}

export const API_CHANGES = [
  {
    version: '1.0.0',
    day: null,
    entries: [
      'more_filters',
      'further_dates',
      'near',
      'indoor',
      'tonight',
      'mcp_tools',
      'mcp_bounds',
      'mcp_resources',
      'withdrawn',
      'short_description',
      'guides',
      'written_in',
      'identity',
      'chat_marks',
      'submissions',
      'changes',
      'place_lists',
      'search',
      'known_names',
      'certainty',
      'prices',
      'opening',
      'days',
      'detail',
      'calendars',
      'markdown',
      'data_files',
      'pictures',
    ],
  },
  { version: '1.0.0', day: '2026-11-21', entries: ['first'] },
] as const satisfies readonly ApiVersion[];
