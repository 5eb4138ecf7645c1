// What the desk let in since the last release, as sources that can be edited: the release to come will
// read the same (contract 14.28).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { EMPTY_LEDGER, type PublishedSlug } from '../../domain/ledger.ts';
import type { SourceRecord } from '../../domain/patch.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { toDeskContent } from './desk-content.ts';
import { EDITABLE } from './editable.ts';
import type { InboxRecords } from './read-inbox.ts';

const NOTHING: Content = {
  categories: [],
  zones: [],
  search_words: { same: [], free: [] },
  calendar: null,
  venues: [],
  organizers: [],
  events: [],
  notices: [],
};
/** No day is asked for where nothing is decided on a day. */
const NO_DAY = Temporal.PlainDate.from('1970-01-01');

/** Those of the inbox among the places `known` to the last release; `slugs` is every address so far. */
export function readUnreleased(
  records: InboxRecords,
  known: readonly SourceRecord[],
  slugs: readonly PublishedSlug[],
): readonly SourceRecord[] {
  const files = known.filter(({ file }) => file.endsWith('.yml'));
  const content: Content = {
    ...NOTHING,
    venues: toFiles(files, 'venue', EDITABLE.venue),
    organizers: toFiles(files, 'organizer', EDITABLE.organizer),
  };
  const bare = { ...records, patches: [], overrides: [] };
  const { sources } = toDeskContent(content, bare, { ...EMPTY_LEDGER, slugs }, NO_DAY);
  return sources.filter(({ file }) => !file.endsWith('.yml'));
}

/** Sources of a kind as the files that they were read from. */
const toFiles = <S extends v.GenericSchema>(
  sources: readonly SourceRecord[],
  kind: SourceRecord['kind'],
  schema: S,
): ContentFile<v.InferOutput<S>>[] =>
  sources.flatMap((source) => {
    const result = source.kind === kind ? v.safeParse(schema, source.record) : null;
    if (!result?.success) return [];
    const { file } = source;
    const stem = /([^/]+)\.yml$/.exec(file)?.[1] ?? file;
    return [{ file, stem, value: result.output, lineOf: () => null }];
  });
