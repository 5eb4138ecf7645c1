// The tables of what the desk says over sources: patches of fields and, from the last release,
// the sources themselves with what could not be taken.
import * as v from 'valibot';
import { HISTORY_KINDS } from '../domain/history.ts';
import type { DeskBook, Patch, SourceRecord } from '../domain/patch.ts';
import { putRow, readRow } from './decided-rows.ts';
import { insertDecision } from './decisions.ts';
import type { Inbox } from './open.ts';
import { JsonColumn } from './publications.ts';

const Values = v.object({ value: v.optional(v.unknown()), source: v.optional(v.unknown()) });
const PatchRow = v.object({
  kind: v.picklist(HISTORY_KINDS),
  thing: v.string(),
  field: v.string(),
  record: v.pipe(JsonColumn, Values),
});
const SourceRow = v.object({
  id: v.string(),
  kind: v.picklist(HISTORY_KINDS),
  file: v.string(),
  record: v.pipe(JsonColumn, v.record(v.string(), v.unknown())),
});

/** All patches, or those of one thing. */
export function listPatches(inbox: Inbox, thing?: string): readonly Patch[] {
  const rows = inbox
    .prepare(
      'select kind, thing, field, record from patches where ? is null or thing = ? order by thing, field',
    )
    .all(thing ?? null, thing ?? null);
  return v
    .parse(v.array(PatchRow), rows)
    .map(({ record, ...name }) => ({ ...name, value: record.value, source: record.source }));
}

/** Stores a patch over the one that is there. */
export function putPatch(inbox: Inbox, { kind, thing, field, value, source }: Patch): void {
  inbox
    .prepare(
      'insert into patches (kind, thing, field, record) values (?, ?, ?, ?) on conflict do update set record = excluded.record',
    )
    .run(kind, thing, field, JSON.stringify({ value, source }));
}

export function deletePatch(inbox: Inbox, thing: string, field: string): void {
  inbox.prepare('delete from patches where thing = ? and field = ?').run(thing, field);
}

/** The source of one thing, as the last release read it; null where it has none with this id. */
export function getSource(inbox: Inbox, id: string): SourceRecord | null {
  const row = inbox.prepare('select id, kind, file, record from sources where id = ?').get(id);
  return row === undefined ? null : v.parse(SourceRow, row);
}

/** Those of a kind, by id. */
export const listSources = (inbox: Inbox, kind: SourceRecord['kind']): readonly SourceRecord[] =>
  v.parse(
    v.array(SourceRow),
    inbox
      .prepare('select id, kind, file, record from sources where kind = ? order by id')
      .all(kind),
  );

/** What the last release could not take of the inbox, and why. */
export const listLeftOut = (inbox: Inbox): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox.prepare('select line from left_out order by line').pluck().all(),
  );

const SourceTexts = v.array(v.tuple([v.string(), v.string()]));
/** By id, each with its file. */
const readSourceTexts = (inbox: Inbox): v.InferOutput<typeof SourceTexts> =>
  v.parse(SourceTexts, inbox.prepare("select id, file || ' ' || record from sources").raw().all());

/** Writes what some things say by their sources, inside the transaction of the caller. */
function writeSources(inbox: Inbox, sources: readonly SourceRecord[]): void {
  const put = inbox.prepare(`
    insert into sources (id, kind, file, record) values (?, ?, ?, ?)
    on conflict (id) do update set kind = excluded.kind, file = excluded.file, record = excluded.record`);
  for (const { id, kind, file, record } of sources) put.run(id, kind, file, JSON.stringify(record));
}

/** Writes what a release tells the desk, inside the transaction of the caller. */
export function writeDeskBook(inbox: Inbox, book: DeskBook): void {
  const gone = new Map(readSourceTexts(inbox));
  writeSources(
    inbox,
    book.sources.filter(({ id, file, record }) => {
      const before = gone.get(id);
      gone.delete(id);
      return before !== `${file} ${JSON.stringify(record)}`;
    }),
  );
  const remove = inbox.prepare('delete from sources where id = ?');
  for (const id of gone.keys()) remove.run(id);
  inbox.prepare('delete from left_out').run();
  const leave = inbox.prepare('insert into left_out (line) values (?) on conflict do nothing');
  for (const line of book.left_out) leave.run(line);
  for (const patch of book.ended) endPatch(inbox, patch, book.at);
}

/** Who ends what the source says by itself. */
const RELEASE = 'content';

function endPatch(inbox: Inbox, { thing, field }: Patch, at: string): void {
  const name = { table: 'patches', key: [thing, field] } as const;
  const row = readRow(inbox, name);
  if (row === null) return;
  putRow(inbox, name, null);
  const decision = {
    at,
    editor: RELEASE,
    action: 'end_edit',
    subject: thing,
    reason: field,
    undoes: null,
  } as const;
  insertDecision(inbox, decision, [{ ...name, row, after: null }]);
}
