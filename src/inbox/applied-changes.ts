// What the agenda is told beside its content: the changes that are applied, as plain records for sources.
import { sql } from 'kysely';
import * as v from 'valibot';
import { ChangeRowSchema, isStatusAction } from '../domain/change.ts';
import { definesContent, listChanges } from './changes.ts';
import type { Inbox } from './open.ts';

const AppliedRow = v.pick(ChangeRowSchema, [
  'id',
  'maker',
  'kind',
  'thing',
  'reference',
  'asks',
  'dates',
  'record',
  'source',
  'state',
]);
type AppliedRow = v.InferOutput<typeof AppliedRow>;

/** What is over the status of an event says one. */
const StatusRecord = v.looseObject({ status: v.string() });

/** An entry for each of its days; for the whole event one whose `date` is empty. */
const toOverrides = ({ thing, dates, record }: AppliedRow) =>
  thing !== null && v.is(StatusRecord, record)
    ? (dates ?? ['']).map((date) => ({ event: thing, date, record }))
    : [];

const toSaid = ({ id: row, reference: id, kind, record, state, asks }: AppliedRow) =>
  id !== null && kind === 'event' && definesContent({ asks }) ? [{ row, id, record, state }] : [];

const ThingRecord = v.record(v.string(), v.unknown());
const EditRow = v.object({
  kind: ChangeRowSchema.entries.kind,
  thing: v.string(),
  record: ThingRecord,
  source: ThingRecord,
});

const isEdit = ({ asks, source }: AppliedRow): boolean => asks === 'edit' && source !== null;

/** All of it, or what is said of one thing: publications, notices and edits by id, of each status the newest. */
export async function loadAppliedChanges(inbox: Inbox, thing: string | null = null) {
  const rows = await inbox.db
    .selectFrom('changes')
    .select(Object.keys(AppliedRow.entries) as (keyof typeof AppliedRow.entries)[])
    .where('record', 'is not', null)
    .$if(thing !== null, (query) => query.where('thing', '=', thing ?? ''))
    .orderBy((is) => is('state', 'in', ['applied', 'replaced']))
    .orderBy('decided', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .execute();
  // Read or refused as a whole: without a row, what was withdrawn would be back.
  const all = v.parse(v.array(AppliedRow), rows);
  const applied = all.filter(({ state }) => state === 'applied');
  const said = all.flatMap(toSaid);
  const stood = said.filter(({ state }) => state === 'applied' || state === 'replaced');
  const own = applied.filter(({ maker }) => maker === 'editor');
  const overrides = applied
    .filter(({ asks }) => isStatusAction(asks) || asks === 'check')
    .flatMap(toOverrides)
    // That its organizer has confirmed a day takes no status from it.
    .map((row) => [`${row.event} ${row.date} ${row.record.status === 'confirmed'}`, row] as const);
  return {
    /** In the order in which the desk first let them in. */
    publications: [...Map.groupBy(stood, ({ id }) => id).values()].flatMap((one) =>
      one.filter(({ state }) => state === 'applied'),
    ),
    /** What else senders ever said in the agenda: others may be at a place that they brought and name no more. */
    told: said.filter(({ state }) => state !== 'applied'),
    overrides: [...new Map(overrides)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    notices: own
      .filter(({ kind, asks }) => kind === 'notice' && asks === 'publish')
      .map(({ thing: id, record }) => ({ id: id ?? '', record }))
      .sort(byId),
    edits: v
      .parse(v.array(EditRow), own.filter(isEdit))
      .sort((a, b) => (a.thing < b.thing ? -1 : 1)),
  };
}

/** Venues that texts name which wait for a decision. */
export async function listVenuesNamedByPendingChanges(inbox: Inbox): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly venue: string | null }>`
    select distinct text ->> 'venue' as venue from changes
      where state = 'waiting' and maker = 'sender'`.execute(inbox.db);
  return rows.flatMap(({ venue }) => venue ?? []);
}

/** Whether the desk has withdrawn an event for legal reasons, in a release or not yet. */
export const isEventWithdrawn = async (inbox: Inbox, event: string): Promise<boolean> =>
  (await loadAppliedChanges(inbox, event)).overrides.some(
    ({ date, record }) => date === '' && record.status === 'withdrawn',
  );

/** Every edit that was ever made of a thing, with the number of its change. */
export async function listAllOverrides(inbox: Inbox, thing: string) {
  const edits = await listChanges(inbox, (query) =>
    query
      .where('maker', '=', 'editor')
      .where('asks', '=', 'edit')
      .where('source', 'is not', null)
      .where('thing', '=', thing)
      .orderBy('id'),
  );
  return v.parse(v.array(v.object({ ...EditRow.entries, id: v.number() })), edits);
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
