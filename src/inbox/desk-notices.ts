// The table of notices written at the desk, as plain records for sources.
import * as v from 'valibot';
import type { Inbox } from './open.ts';
import { JsonColumn } from './publications.ts';

export interface NoticeRow {
  readonly id: string;
  readonly record: unknown;
}
const Rows = v.array(v.object({ id: v.string(), record: JsonColumn }));

export function listDeskNotices(inbox: Inbox): readonly NoticeRow[] {
  return v.parse(Rows, inbox.prepare('select id, record from desk_notices order by id').all());
}

/** Stores the record of a notice, over the one that is there; null deletes it. */
export function putDeskNotice(inbox: Inbox, id: string, record: object | null): void {
  if (record === null) inbox.prepare('delete from desk_notices where id = ?').run(id);
  else
    inbox
      .prepare(
        'insert into desk_notices values (?, ?) on conflict do update set record = excluded.record',
      )
      .run(id, JSON.stringify(record));
}
