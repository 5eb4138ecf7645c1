// What the agenda is told beside its content: the changes that are applied, as plain records for sources.
import * as v from 'valibot';
import { STATUS_ASKS } from '../domain/change.ts';
import type { Edit } from '../domain/edit/edit.ts';
import { type Change, listChanges } from './changes.ts';
import type { Inbox } from './open.ts';

const IS_STATUS = `asks in (${STATUS_ASKS.map((asks) => `'${asks}'`).join(', ')})`;

export interface OverrideRow {
  /** The event's id. */
  readonly event: string;
  /** The day of one occurrence, or empty for the whole event. */
  readonly date: string;
  readonly record: unknown;
}

const StatusRecord = v.looseObject({ status: v.string() });

/** What a change of a status says over the event, or over each of its days. */
function toOverrides({ thing, dates, record }: Change): readonly OverrideRow[] {
  if (thing === null || !v.is(StatusRecord, record)) return [];
  if (dates === null) return [{ event: thing, date: '', record }];
  return dates.map((date) => ({
    event: thing,
    date,
    record: { change: record.status === 'published' ? null : { date, ...record } },
  }));
}

/** What the desk decided over events, or over one of their days: of each the newest. */
export function listOverrides(inbox: Inbox): readonly OverrideRow[] {
  const rows = listChanges(inbox, `state = 'applied' and ${IS_STATUS} order by decided, id`);
  const newest = new Map(
    rows.flatMap(toOverrides).map((row) => [`${row.event} ${row.date}`, row] as const),
  );
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Whether the desk has withdrawn an event for legal reasons, in a release or not yet. */
export function isWithdrawn(inbox: Inbox, event: string): boolean {
  const [newest] = listChanges(
    inbox,
    `thing = ? and state = 'applied' and dates is null and ${IS_STATUS} order by decided desc limit 1`,
    event,
  );
  return newest?.asks === 'withdraw';
}

export interface NoticeRow {
  readonly id: string;
  readonly record: unknown;
}

const IS_NOTICE = "kind = 'notice' and maker = 'editor' and asks = 'publish'";

/** The notices that were written at the desk. */
export const listDeskNotices = (inbox: Inbox): readonly NoticeRow[] =>
  listChanges(inbox, `state = 'applied' and ${IS_NOTICE} order by thing`).flatMap(
    ({ thing, record }) => (thing === null ? [] : [{ id: thing, record }]),
  );

const ThingRecord = v.record(v.string(), v.unknown());

/** The edits of an editor's hand, in the order in which they were made; `where` of which. */
function toEdit({ kind, thing, record, source }: Change): Edit {
  return {
    kind,
    thing: thing ?? '',
    record: v.parse(ThingRecord, record),
    source: v.parse(ThingRecord, source),
  };
}

const IS_EDIT = "maker = 'editor' and asks = 'edit' and source is not null";

/** What editors say in place of sources: all of it, or of one thing. */
export const listEdits = (inbox: Inbox, thing: string | null = null): readonly Edit[] =>
  (thing === null
    ? listChanges(inbox, `state = 'applied' and ${IS_EDIT} order by thing`)
    : listChanges(inbox, `state = 'applied' and ${IS_EDIT} and thing = ?`, thing)
  ).map(toEdit);

/** Every edit that was ever made of a thing, with the number of its change. */
export const listEditsEver = (
  inbox: Inbox,
  thing: string,
): readonly (Edit & { readonly id: number })[] =>
  listChanges(inbox, `${IS_EDIT} and thing = ?`, thing).map((change) => ({
    ...toEdit(change),
    id: change.id,
  }));
