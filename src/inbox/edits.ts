// The table of edits: what an editor says in place of a thing's source, whole records.
import * as v from 'valibot';
import type { Edit } from '../domain/edit/edit.ts';
import { HISTORY_KINDS } from '../domain/history.ts';
import type { Inbox } from './open.ts';
import { JsonColumn } from './publications.ts';

const JsonRecord = v.pipe(JsonColumn, v.record(v.string(), v.unknown()));
/** A row, as a decision keeps it too. */
export const EditRow = v.object({
  kind: v.picklist(HISTORY_KINDS),
  thing: v.string(),
  record: JsonRecord,
  source: JsonRecord,
});

/** All of them, or that of one thing. */
export const listEdits = (inbox: Inbox, thing: string | null = null): readonly Edit[] =>
  v.parse(
    v.array(EditRow),
    inbox
      .prepare(
        'select kind, thing, record, source from edits where ?1 is null or thing = ?1 order by thing',
      )
      .all({ 1: thing }),
  );

/** Stores an edit over the one that is there. */
export function putEdit(inbox: Inbox, { kind, thing, record, source }: Edit): void {
  inbox
    .prepare('insert or replace into edits (thing, kind, record, source) values (?, ?, ?, ?)')
    .run(thing, kind, JSON.stringify(record), JSON.stringify(source));
}

export const deleteEdit = (inbox: Inbox, thing: string): void =>
  void inbox.prepare('delete from edits where thing = ?').run(thing);
