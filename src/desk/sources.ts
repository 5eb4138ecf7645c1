// What the desk can edit: the content of the snapshot that serves, and what was let in, shown yet or not.
import type { SourceRecord } from '../domain/edit/edit.ts';
import type { HistoryKind } from '../domain/history.ts';
import { readSlugs } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { listContent } from '../snapshot/meta.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { listSources } from '../sources/inbox/list-sources.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';

/** Finds them for one request. */
export interface Sources {
  /** Null where nothing has this id. */
  readonly get: (id: string) => Promise<SourceRecord | null>;
  readonly list: (kind: HistoryKind) => Promise<readonly SourceRecord[]>;
}

/** They are read when the first is asked for. */
export function openSources(inbox: Inbox, snapshot: Snapshot): Sources {
  let known: ReadonlyMap<string, SourceRecord> | null = null;
  const read = async (): Promise<ReadonlyMap<string, SourceRecord>> => {
    const files = listContent(snapshot).map(
      ({ file, value, ...rest }) => [file, { ...rest, value: JSON.parse(value) }] as const,
    );
    const all = listSources(new Map(files), await readInboxRecords(inbox), await readSlugs(inbox));
    known = new Map(all.map((source) => [source.id, source]));
    return known;
  };
  return {
    get: async (id) => (known ?? (await read())).get(id) ?? null,
    list: async (kind) =>
      [...(known ?? (await read())).values()].filter((source) => source.kind === kind),
  };
}
