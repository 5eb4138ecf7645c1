// What the desk can edit: the sources of the last release, and what was let in since.
import type { HistoryKind } from '../domain/history.ts';
import type { SourceRecord } from '../domain/patch.ts';
import { readSlugs } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSource, listSources } from '../inbox/patches.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';
import { readUnreleased } from '../sources/inbox/unreleased.ts';

/** Finds them for one request. */
export interface Sources {
  /** Null where nothing has this id. */
  readonly get: (id: string) => SourceRecord | null;
  readonly list: (kind: HistoryKind) => readonly SourceRecord[];
}

export function openSources(inbox: Inbox): Sources {
  let read: readonly SourceRecord[] | null = null;
  const readNew = (): readonly SourceRecord[] => {
    const places = [...listSources(inbox, 'venue'), ...listSources(inbox, 'organizer')];
    read ??= readUnreleased(readInboxRecords(inbox), places, readSlugs(inbox)).filter(
      ({ id }) => getSource(inbox, id) === null,
    );
    return read;
  };
  return {
    get: (id) => getSource(inbox, id) ?? readNew().find((source) => source.id === id) ?? null,
    list: (kind) => [
      ...listSources(inbox, kind),
      ...readNew().filter((source) => source.kind === kind),
    ],
  };
}
