// Applied changes: loads the approved changes that the next build merges into the content files: publications of
// submissions, status overrides of events, notices, and editors' overrides of records. Columns (domain/change.ts):
// `thing` is the id of the record, `asks` the requested action, `maker` the role of the author.
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

/** Stored record of a status change. */
const StatusRecord = v.looseObject({ status: v.string() });

/** Builds one status override per date, or one with an empty `date` for the whole event. */
const buildStatusOverrides = ({ thing, dates, record }: AppliedRow) =>
  thing !== null && v.is(StatusRecord, record)
    ? (dates ?? ['']).map((date) => ({ event: thing, date, record }))
    : [];

/** Builds a submission's version: `row` is the id of its change, `id` its reference. Empty for other changes. */
const buildSubmission = ({ id: row, reference: id, kind, record, state, asks }: AppliedRow) =>
  id !== null && kind === 'event' && definesContent({ asks }) ? [{ row, id, record, state }] : [];

const RecordJson = v.record(v.string(), v.unknown());
const EditRow = v.object({
  kind: ChangeRowSchema.entries.kind,
  thing: v.string(),
  record: RecordJson,
  source: RecordJson,
});

/** Tells if an editor's change overrides fields of a record: it stores the values of the source. */
const isOverride = ({ asks, source }: AppliedRow): boolean => asks === 'edit' && source !== null;

/**
 * Loads the applied changes.
 * @param thing Id of a record, to load only its changes; null for all.
 */
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
  // Changes that are neither applied nor superseded come first, then the others by their last decision.
  // One invalid row fails the whole load: skipping it could bring a withdrawn event back.
  const changes = v.parse(v.array(AppliedRow), rows);
  const applied = changes.filter(({ state }) => state === 'applied');
  const submissions = changes.flatMap(buildSubmission);
  const ever_applied = submissions.filter(
    ({ state }) => state === 'applied' || state === 'replaced',
  );
  const editor_changes = applied.filter(({ maker }) => maker === 'editor');
  const overrides_by_target = applied
    .filter(({ asks }) => isStatusAction(asks) || asks === 'check')
    .flatMap(buildStatusOverrides)
    // A confirmation by the organizer does not replace another status of the same date.
    .map((row) => [`${row.event} ${row.date} ${row.record.status === 'confirmed'}`, row] as const);
  const newest_overrides = [...new Map(overrides_by_target)];
  return {
    /** Published submissions, in the order of their first approval. */
    publications: [...Map.groupBy(ever_applied, ({ id }) => id).values()].flatMap((versions) =>
      versions.filter(({ state }) => state === 'applied'),
    ),
    /** Earlier versions and withdrawn submissions: other events may still refer to venues they introduced. */
    inactive_submissions: submissions.filter(({ state }) => state !== 'applied'),
    /** The newest status override of each event and date; an empty `date` is the whole event. */
    overrides: newest_overrides.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    /** Notices of editors and alerts of sources. */
    notices: editor_changes
      .filter(({ kind, asks }) => kind === 'notice' && asks === 'publish')
      .map(({ thing: id, record }) => ({ id: id ?? '', record }))
      .sort(byId),
    /** Editors' overrides of records: `source` has the source's values at that time. */
    edits: v
      .parse(v.array(EditRow), editor_changes.filter(isOverride))
      .sort((a, b) => (a.thing < b.thing ? -1 : 1)),
  };
}

/** The venue of a submission; a text that cannot be read names none. */
const VenueColumn = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ venue: v.nullish(v.string()) })),
  {},
);

/** Lists the venues that pending submissions name. */
export async function listVenuesNamedByPendingChanges(inbox: Inbox): Promise<readonly string[]> {
  const rows = await inbox.db
    .selectFrom('changes')
    .select('text')
    .where('state', '=', 'waiting')
    .where('maker', '=', 'sender')
    .execute();
  return [...new Set(rows.flatMap(({ text }) => v.parse(VenueColumn, text).venue ?? []))];
}

/** Tells if the desk has withdrawn an event for legal reasons, even if no release shows it yet. */
export const isEventWithdrawn = async (inbox: Inbox, event: string): Promise<boolean> =>
  (await loadAppliedChanges(inbox, event)).overrides.some(
    ({ date, record }) => date === '' && record.status === 'withdrawn',
  );

/** Lists all editors' overrides of a record, current and former, with the ids of their changes. */
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
