// The table of status overrides: what the desk decided over an event, or over one of its days.
import * as v from 'valibot';
import type { Inbox } from './open.ts';
import { JsonColumn } from './publications.ts';

export interface OverrideRow {
  /** The event's id. */
  readonly event: string;
  /** The day of one occurrence, or empty for the whole event. */
  readonly date: string;
  readonly record: unknown;
}
const Rows = v.array(v.object({ event: v.string(), date: v.string(), record: JsonColumn }));

export function listOverrides(inbox: Inbox): readonly OverrideRow[] {
  return v.parse(
    Rows,
    inbox.prepare('select event, date, record from overrides order by event, date').all(),
  );
}

/** Stores the record of an event or of one of its days, over the one that is there. */
export function putOverride(inbox: Inbox, event: string, date: string, record: object): void {
  inbox
    .prepare(
      'insert into overrides values (?, ?, ?) on conflict do update set record = excluded.record',
    )
    .run(event, date, JSON.stringify(record));
}

/** Whether the desk has withdrawn an event for legal reasons, in a release or not yet. */
export function isWithdrawn(inbox: Inbox, event: string): boolean {
  const status: unknown = inbox
    .prepare("select json_extract(record, '$.status') from overrides where event = ? and date = ''")
    .pluck()
    .get(event);
  return status === 'withdrawn';
}
