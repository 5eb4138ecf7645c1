// What the agenda is told beside its content: the changes that are applied, as plain records for sources.
import * as v from 'valibot';
import { STATUS_ASKS } from '../domain/change.ts';
import type { Edit } from '../domain/edit/edit.ts';
import { type Change, type ChangeQuery, listChanges } from './changes.ts';
import type { Inbox } from './open.ts';

const isApplied = (query: ChangeQuery): ChangeQuery => query.where('state', '=', 'applied');
const isStatus = (query: ChangeQuery): ChangeQuery =>
  isApplied(query).where('asks', 'in', STATUS_ASKS);

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
export async function listOverrides(inbox: Inbox): Promise<readonly OverrideRow[]> {
  const rows = await listChanges(inbox, (query) =>
    isStatus(query)
      .orderBy('decided', (order) => order.asc().nullsFirst())
      .orderBy('id'),
  );
  const newest = new Map(
    rows.flatMap(toOverrides).map((row) => [`${row.event} ${row.date}`, row] as const),
  );
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Whether the desk has withdrawn an event for legal reasons, in a release or not yet. */
export async function isWithdrawn(inbox: Inbox, event: string): Promise<boolean> {
  const [newest] = await listChanges(inbox, (query) =>
    isStatus(query)
      .where('thing', '=', event)
      .where('dates', 'is', null)
      .orderBy('decided', (order) => order.desc().nullsLast())
      .limit(1),
  );
  return newest?.asks === 'withdraw';
}

/** The notices that were written at the desk. */
export async function listDeskNotices(inbox: Inbox) {
  const notices = await listChanges(inbox, (query) =>
    isApplied(query)
      .where('kind', '=', 'notice')
      .where('maker', '=', 'editor')
      .where('asks', '=', 'publish')
      .orderBy('thing'),
  );
  return notices.flatMap(({ thing, record }) => (thing === null ? [] : [{ id: thing, record }]));
}

const ThingRecord = v.record(v.string(), v.unknown());

const toEdit = ({ kind, thing, record, source }: Change): Edit => ({
  kind,
  thing: thing ?? '',
  record: v.parse(ThingRecord, record),
  source: v.parse(ThingRecord, source),
});

const isEdit = (query: ChangeQuery): ChangeQuery =>
  query.where('maker', '=', 'editor').where('asks', '=', 'edit').where('source', 'is not', null);

/** What editors say in place of sources: all of it, or of one thing. */
export async function listEdits(inbox: Inbox, thing: string | null = null) {
  const edits = await listChanges(inbox, (query) => {
    const all = isEdit(isApplied(query)).orderBy('thing');
    return thing === null ? all : all.where('thing', '=', thing);
  });
  return edits.map(toEdit);
}

/** Every edit that was ever made of a thing, with the number of its change. */
export async function listEditsEver(inbox: Inbox, thing: string) {
  const edits = await listChanges(inbox, (query) =>
    isEdit(query).where('thing', '=', thing).orderBy('id'),
  );
  return edits.map((change) => ({ ...toEdit(change), id: change.id }));
}
