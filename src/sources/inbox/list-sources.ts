// Every thing that the desk can edit, as its source has it: the content that a snapshot was made of, and what
// the desk let in, as the next release will read them (contract 14.28).
import type { SourceRecord } from '../../domain/edit/edit.ts';
import { HISTORY_KINDS, type HistoryKind } from '../../domain/history.ts';
import { EMPTY_LEDGER, type PublishedSlug } from '../../domain/ledger.ts';
import { idOf } from '../identity.ts';
import type { SourceFile } from '../kept-sources.ts';
import { collectContent, type Content, isValidated, toContentFile } from '../read-content.ts';
import { placeInbox } from './desk-content.ts';
import { toRecord } from './lay-edits.ts';
import type { InboxRecords } from './read-inbox.ts';

/** `slugs`: every address so far. */
export function listSources(
  files: Content,
  records: InboxRecords,
  slugs: readonly PublishedSlug[],
): readonly SourceRecord[] {
  const { content, names } = placeInbox(files, records, { ...EMPTY_LEDGER, slugs });
  const folders: Readonly<Record<HistoryKind, readonly Content[`${HistoryKind}s`][number][]>> = {
    event: content.events,
    venue: content.venues,
    organizer: content.organizers,
    notice: content.notices,
  };
  return HISTORY_KINDS.flatMap((kind) =>
    folders[kind].map((one) => ({
      id: idOf(kind, one),
      kind,
      file: one.file,
      record: toRecord(one.value, names),
    })),
  );
}

/**
 * The files as they last passed, by path from the content folder: what serves was read by this code, or by the one
 * before it for some seconds.
 */
export function toContent(files: ReadonlyMap<string, SourceFile>): Content {
  const names = [...files.keys()].sort();
  return collectContent({
    list: (kind) => names.filter((name) => name.startsWith(`${kind}/`)),
    read: (name, schema) => {
      const file = files.get(name);
      if (file === undefined) return null;
      const known = { ...file, is_of_this_code: true };
      return isValidated(schema, known) ? toContentFile(name, known.value, () => null) : null;
    },
  });
}
