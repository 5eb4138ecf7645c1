// What the desk can edit: the content of the snapshot that serves, and what was let in, shown yet or not.
import { setImmediate } from 'node:timers/promises';
import type { SourceRecord } from '../domain/edit/edit.ts';
import type { HistoryKind } from '../domain/history.ts';
import { readSlugs } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { listContent } from '../snapshot/meta.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { listSources, toContent } from '../sources/inbox/list-sources.ts';
import type { Content } from '../sources/read-content.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';

/** Finds them for one request. */
export interface Sources {
  /** Null where nothing has this id. */
  readonly get: (id: string) => Promise<SourceRecord | null>;
  readonly list: (kind: HistoryKind) => Promise<readonly SourceRecord[]>;
}

/** A release's content is parsed once, not in one go with what is made of it. */
const parsed = new WeakMap<Snapshot, Content>();

async function parseContent(snapshot: Snapshot): Promise<Content> {
  const known = parsed.get(snapshot);
  if (known) return known;
  const files = listContent(snapshot).map(
    ({ file, value, ...rest }) => [file, { ...rest, value: JSON.parse(value) }] as const,
  );
  await setImmediate();
  const content = toContent(new Map(files));
  parsed.set(snapshot, content);
  await setImmediate();
  return content;
}

/** They are read when the first is asked for. */
export function openSources(inbox: Inbox, snapshot: Snapshot): Sources {
  let known: ReadonlyMap<string, SourceRecord> | null = null;
  const read = async (): Promise<ReadonlyMap<string, SourceRecord>> => {
    const files = await parseContent(snapshot);
    const all = listSources(files, await readInboxRecords(inbox), await readSlugs(inbox));
    known = new Map(all.map((source) => [source.id, source]));
    return known;
  };
  return {
    get: async (id) => (known ?? (await read())).get(id) ?? null,
    list: async (kind) =>
      [...(known ?? (await read())).values()].filter((source) => source.kind === kind),
  };
}
