// Changes table: stores proposals to alter the agenda (submissions, corrections, editors' overrides) and their status.
// Content is append-only: an existing row only changes its status, and loses its private data when that is erased
// (contract 14.26). domain/change.ts explains the columns: `thing` is the id of the record, `asks` the requested
// action, `maker` the role of the author (`reader`: visitor), `door` the channel, `decided` the id of the decision,
// `batch` the imported calendar.
import { type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import {
  type Change,
  ChangeRowSchema,
  StoredChangeSchema,
  isNoticeEnd,
  isStatusAction,
  type CorrectionChange,
  type SubmissionChange,
  getSubmissionState,
} from '../domain/change.ts';
import type { PendingItem } from '../domain/review-queue.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { Inbox } from './open.ts';
import { sha256Hex, deriveStatusToken } from './secrets.ts';
import type { Tables } from './tables.ts';

const { is_published: _, ...STORED_COLUMNS } = ChangeRowSchema.entries;
const COLUMNS = Object.keys(STORED_COLUMNS) as (keyof typeof STORED_COLUMNS)[];

/** Select query on `changes`, to which callers add conditions and an order. */
export type ChangeQuery = SelectQueryBuilder<
  Tables,
  'changes',
  v.InferInput<typeof ChangeRowSchema>
>;

/** SQL flag: 1 if an applied change with the same reference defines the event's content. */
const IS_PUBLISHED = sql<number>`case when exists (
  select 1 from changes as published where published.reference = changes.reference
    and published.state = 'applied' and published.asks in ('publish', 'edit') and published.record is not null
  ) then 1 else 0 end`.as('is_published');

const selectChanges = ({ db }: Inbox) =>
  db.selectFrom('changes').select(COLUMNS).select(IS_PUBLISHED);

/**
 * Lists changes. Rows that do not parse are skipped with a warning.
 * @param refine Adds conditions, an order or a limit to the query.
 */
export const listChanges = async (
  inbox: Inbox,
  refine: (query: ChangeQuery) => ChangeQuery,
): Promise<readonly Change[]> => {
  return inbox.parseRows(
    'changes',
    StoredChangeSchema,
    await refine(selectChanges(inbox)).execute(),
  );
};

/** Lists unerased changes that do not parse. No screen can show them, but retention still erases their data. */
export async function listUnparsableChanges(inbox: Inbox) {
  const changes = selectChanges(inbox).where('reference', 'is not', null);
  const rows = await changes.where('is_forgotten', '=', 0).execute();
  return rows.flatMap((row) =>
    row.reference === null || v.is(StoredChangeSchema, row)
      ? []
      : [{ reference: row.reference, at: row.at, state: row.state }],
  );
}

/** Returns the first change that a query selects. */
const getChange = async (
  inbox: Inbox,
  refine: (query: ChangeQuery) => ChangeQuery,
): Promise<Change | null> =>
  (await listChanges(inbox, (query) => refine(query).limit(1)))[0] ?? null;

/** Returns the current change of a reference (case-insensitive): the newest one neither superseded nor undone. */
export const getCurrentChange = (inbox: Inbox, reference: string): Promise<Change | null> =>
  getChange(inbox, (query) =>
    query
      .where('reference', '=', reference.toUpperCase())
      .where('state', 'not in', ['replaced', 'undone'])
      .orderBy('id', 'desc'),
  );

/** Returns the current change of a submission. @returns null if the reference has none, or of another author. */
export async function getSubmission(
  inbox: Inbox,
  reference: string,
): Promise<SubmissionChange | null> {
  const change = await getCurrentChange(inbox, reference);
  return change?.maker === 'sender' ? change : null;
}

/** Returns a correction. @returns null if the reference is unknown or belongs to another kind of change. */
export async function getCorrection(
  inbox: Inbox,
  reference: string,
): Promise<CorrectionChange | null> {
  const change = await getCurrentChange(inbox, reference);
  return change?.maker === 'reader' ? change : null;
}

async function getSubmissionBy(inbox: Inbox, column: 'token_hash' | 'digest', value: string) {
  const changes = inbox.db.selectFrom('changes').select('reference').where(column, '=', value);
  const row = await changes.where('reference', 'is not', null).executeTakeFirst();
  return row?.reference ? getSubmission(inbox, row.reference) : null;
}

/** Returns the submission with the secret token of a status address. @returns null if the token is unknown. */
export const getSubmissionByToken = (inbox: Inbox, token: string) =>
  getSubmissionBy(inbox, 'token_hash', sha256Hex(token));

/** Returns the submission whose first text has this digest, which detects a repeated submission. */
export const getSubmissionByDigest = (inbox: Inbox, digest: string) =>
  getSubmissionBy(inbox, 'digest', digest);

/** Returns the reference of the pending correction with a digest. @returns null if none is pending. */
export async function findPendingCorrection(inbox: Inbox, digest: string): Promise<string | null> {
  const changes = inbox.db.selectFrom('changes').select('reference').where('digest', '=', digest);
  const row = await changes.where('state', '=', 'waiting').executeTakeFirst();
  return row?.reference ?? null;
}

/**
 * Derives the status token of a submission again; only its hash is stored. Older versions derived it from the digest
 * of the text instead of the reference.
 * @returns null if such an older submission was erased, because the digest is gone too.
 */
export const recoverStatusToken = (
  inbox: Inbox,
  {
    reference,
    digest,
    token_hash,
  }: Pick<Tables['changes'], 'digest' | 'token_hash'> & {
    readonly reference: string;
  },
): string | null =>
  [reference, digest ?? reference]
    .map((seed) => deriveStatusToken(inbox, seed))
    .find((token) => sha256Hex(token) === token_hash) ?? null;

/** Returns the status token of a submission. @returns null as recoverStatusToken does. */
export async function getStatusToken(inbox: Inbox, reference: string): Promise<string | null> {
  const row = await inbox.db
    .selectFrom('changes')
    .select(['digest', 'token_hash'])
    .where('reference', '=', reference)
    .where('token_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  return recoverStatusToken(inbox, { reference, ...row });
}

/** Tells if a change or an imported calendar has this reference. */
export async function isReferenceTaken(inbox: Inbox, reference: string): Promise<boolean> {
  const { rows } = await sql`select 1 from changes where reference = ${reference}
    union all select 1 from batches where reference = ${reference}`.execute(inbox.db);
  return rows.length > 0;
}

/** Returns the submission text that the desk decided on last. @returns null before the first decision. */
export async function getLastDecidedText(
  inbox: Inbox,
  reference: string,
): Promise<Submission | null> {
  const decided = await getChange(inbox, (query) =>
    query
      .where('reference', '=', reference)
      .where('state', 'in', ['applied', 'asked', 'refused'])
      .orderBy('id', 'desc'),
  );
  return decided?.maker === 'sender' ? decided.text : null;
}

/** A change to insert; omitted columns are null or have their default. */
export type NewChange = Pick<Change, 'at' | 'maker' | 'door' | 'kind' | 'asks' | 'title'> &
  Partial<Omit<v.InferOutput<typeof ChangeRowSchema>, 'id' | 'dates' | 'is_published'>> & {
    readonly dates?: readonly string[] | null;
    /** Digest of the text as first submitted. */
    readonly digest?: string;
    /** SHA-256 of the status token. */
    readonly token_hash?: string;
  };

/** Serializes a JSON column; undefined stays undefined, so that its default applies. */
const toJson = (value: unknown): string | null | undefined =>
  value === null || value === undefined ? value : JSON.stringify(value);

/** Inserts a change and returns it as stored. */
export async function insertChange(inbox: Inbox, change: NewChange): Promise<Change> {
  const { id } = await inbox.db
    .insertInto('changes')
    .values({
      ...change,
      dates: toJson(change.dates),
      text: toJson(change.text),
      draft: toJson(change.draft),
      record: toJson(change.record),
      source: toJson(change.source),
      is_doubtful: Number(change.is_doubtful ?? false),
      is_forgotten: Number(change.is_forgotten ?? false),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [inserted] = await listChanges(inbox, (query) => query.where('id', '=', id));
  if (inserted === undefined) throw new Error(`Change ${id} is missing after insert`);
  return inserted;
}

export async function updateChange(
  inbox: Inbox,
  id: number,
  changed: Updateable<Tables['changes']>,
): Promise<void> {
  await inbox.db.updateTable('changes').set(changed).where('id', '=', id).execute();
}

/** Inserts an undecided copy of a change, except for the fields in `changed`. Its state is `waiting` by default. */
export function insertFollowUpChange(
  inbox: Inbox,
  { id: _id, is_published: _is_published, ...before }: Change,
  changed: Partial<NewChange>,
): Promise<Change> {
  const undecided = { state: 'waiting', decided: null, reason: null, record: null } as const;
  return insertChange(inbox, { ...before, ...undecided, ...changed });
}

/** Saves the values of the review form of a pending or published submission, by control name. */
export async function saveDraft(
  inbox: Inbox,
  reference: string,
  draft: Readonly<Record<string, string>>,
): Promise<void> {
  await inbox.db
    .updateTable('changes')
    .set({ draft: JSON.stringify(draft) })
    .where('reference', '=', reference)
    .where('state', 'in', ['waiting', 'applied'])
    .execute();
}

/**
 * Returns the change that an email reported last to the sender of a submission: `told` is the reported status.
 * @returns undefined before the first email.
 */
export const getLastNotified = (inbox: Inbox, reference: string) =>
  inbox.db
    .selectFrom('changes')
    .select(['id', 'revision', 'told'])
    .where('reference', '=', reference)
    .where('told', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** Records that an email reported the current status of a submission to its sender. */
export async function setLastNotified(inbox: Inbox, change: SubmissionChange): Promise<void> {
  await inbox.db
    .updateTable('changes')
    .set({ told: getSubmissionState(change) })
    .where('reference', '=', change.reference)
    .where('revision', '=', change.revision)
    .execute();
}

/** Tells if a change defines the content of a record, unlike a status change. */
export const definesContent = ({ asks }: Pick<Change, 'asks'>): boolean =>
  asks === 'publish' || asks === 'edit';
/** Tells if two ids are equal; null equals nothing. */
const isSameId = (a: string | null, b: string | null): boolean => a !== null && a === b;

type ChangeTarget = Pick<Change, 'id' | 'maker' | 'reference' | 'thing' | 'asks' | 'dates'>;

/**
 * Tells if one change can supersede the other: both define the content of the same record, or its status on the same
 * dates. Content from a sender and an editor's override of it coexist.
 */
const hasSameTarget = (a: ChangeTarget, b: ChangeTarget): boolean =>
  haveSameContentTarget(a, b) || haveSameStatusTarget(a, b);

const haveSameContentTarget = (a: ChangeTarget, b: ChangeTarget): boolean =>
  definesContent(a) &&
  definesContent(b) &&
  (isSameId(a.reference, b.reference) || (a.maker === b.maker && isSameId(a.thing, b.thing)));

const haveSameStatusTarget = (a: ChangeTarget, b: ChangeTarget): boolean =>
  isStatusAction(a.asks) &&
  isStatusAction(b.asks) &&
  isSameId(a.thing, b.thing) &&
  String(a.dates) === String(b.dates);

/** Lists the other changes with the same reference or the same target. */
export async function listRelatedChanges(
  inbox: Inbox,
  change: ChangeTarget,
): Promise<readonly Change[]> {
  const { id, reference, thing } = change;
  const others = await listChanges(inbox, (query) =>
    query
      .where((is) => is.or([is('reference', '=', reference ?? ''), is('thing', '=', thing ?? '')]))
      .where('id', '<>', id)
      .orderBy('id'),
  );
  return others.filter(
    (other) => isSameId(reference, other.reference) || hasSameTarget(change, other),
  );
}

/** Lists the applied changes that a change supersedes once it is applied. */
export const listSupersededChanges = async (
  inbox: Inbox,
  change: ChangeTarget,
): Promise<readonly Change[]> =>
  (await listRelatedChanges(inbox, change)).filter(
    (other) => other.state === 'applied' && other.record !== null && hasSameTarget(change, other),
  );

const RecordWithForm = v.object({ form: v.record(v.string(), v.string()) });

/**
 * Returns the form values of a submission at its approval.
 * @returns null if nothing is published or no form values were stored.
 */
export async function getApprovedControlValues(inbox: Inbox, reference: string) {
  const published = await getChange(inbox, (query) =>
    query
      .where('reference', '=', reference)
      .where('state', '=', 'applied')
      .where('asks', 'in', ['publish', 'edit'])
      .where('record', 'is not', null),
  );
  return v.is(RecordWithForm, published?.record) ? published.record.form : null;
}

/** Limit of the list of pending submissions; further ones appear as these are decided. */
const MAX_PENDING_LISTED = 200;

/** Lists pending submissions, oldest first; at most 200. */
export async function listPendingSubmissions(inbox: Inbox): Promise<readonly SubmissionChange[]> {
  const pending = await listChanges(inbox, (query) =>
    query
      .where('state', '=', 'waiting')
      .where('maker', '=', 'sender')
      .orderBy('at')
      .orderBy('reference')
      .limit(MAX_PENDING_LISTED),
  );
  // The query has filtered them already: this only narrows the type.
  return pending.filter((change) => change.maker === 'sender');
}

/** Lists all versions of all unerased submissions, newest first. */
export async function listSubmissionTexts(inbox: Inbox): Promise<readonly SubmissionChange[]> {
  const versions = await listChanges(inbox, (query) =>
    query.where('maker', '=', 'sender').where('is_forgotten', '=', 0).orderBy('id', 'desc'),
  );
  return versions.filter((change) => change.maker === 'sender');
}

/** Characters of YYYY-MM-DD. */
const DAY_LENGTH = 10;

/** Item of the review queue. */
export interface QueueRow extends PendingItem {
  /** Record that a correction is about; null for other changes. */
  readonly about: { readonly kind: Change['kind']; readonly id: string } | null;
}

/** Kind of queue item by the action of a sender's change. */
const ITEM_KINDS = {
  publish: 'new',
  edit: 'change',
  cancel: 'request',
  postpone: 'request',
} as const;

/** Builds the queue item of one change; `words` are the texts that a search also considers. */
function buildQueueRow(change: Change): QueueRow {
  const { reference, title, at, is_doubtful, kind, batch } = change;
  const item = { reference: reference ?? '', title, received_at: at, is_doubtful, batch };
  const empty = { words: [], venue: null, place: null, starts: [], end: null, about: null };
  // Alerts of followed sources are stored like notices of editors.
  if (change.maker === 'editor') {
    const notice_kind = isNoticeEnd(change) ? 'notice_end' : 'notice';
    return { ...item, ...empty, kind: notice_kind, channel: 'source' };
  }
  if (change.maker === 'reader') {
    const { thing, text } = change;
    return {
      ...item,
      ...empty,
      kind: 'report',
      words: [text.contact_email, text.change].filter((word) => word !== null),
      venue: kind === 'venue' ? thing : null,
      channel: change.door === 'source' ? 'source' : 'report',
      about: { kind, id: thing },
    };
  }
  const { start, end, dates, venue, venue_name, organizer, contact_email, category } = change.text;
  // Further dates are days (YYYY-MM-DD), which have the time of the first, or local times.
  const further_starts = dates.map((date) =>
    date.length > DAY_LENGTH ? date : `${date}${start.slice(DAY_LENGTH)}`,
  );
  return {
    ...item,
    kind: ITEM_KINDS[change.asks],
    words: [organizer.name, contact_email, category].filter((word) => word !== null),
    venue,
    place: venue_name,
    starts: [start, ...further_starts],
    end,
    channel: change.door,
    about: null,
  };
}

/** Lists all pending changes; publications from one imported calendar are one item. */
export async function listQueueRows(inbox: Inbox): Promise<readonly QueueRow[]> {
  const pending = await listChanges(inbox, (query) =>
    query.where('state', '=', 'waiting').orderBy('at').orderBy('id'),
  );
  // The key is the id of the imported calendar; null for other changes.
  const changes_by_import = Map.groupBy(pending, ({ asks, batch }) =>
    asks === 'publish' ? batch : null,
  );
  const import_ids = [...changes_by_import.keys()].filter((id) => id !== null);
  const imports = inbox.db.selectFrom('batches').select(['id', 'reference', 'name']);
  const stored_imports = await imports.where('id', 'in', import_ids).execute();
  const import_items = stored_imports.flatMap(({ id, reference, name }) => {
    const rows = (changes_by_import.get(id) ?? []).map(buildQueueRow);
    changes_by_import.delete(id);
    return combineQueueRows(rows, reference, name);
  });
  // Changes without a calendar, or with a deleted one, are separate items.
  const single_items = [...changes_by_import.values()].flat().map(buildQueueRow);
  return [...single_items, ...import_items];
}

/** Combines the publications of an imported calendar into one item, or none if the list is empty. */
function combineQueueRows(
  rows: readonly QueueRow[],
  reference: string | null,
  calendar_name: string,
): QueueRow[] {
  const [oldest] = rows;
  if (oldest === undefined) return [];
  return [
    {
      ...oldest,
      kind: 'batch',
      reference: reference ?? '',
      title: calendar_name,
      words: rows.map(({ title }) => title),
      venue: null,
      place: null,
      starts: rows.flatMap(({ starts }) => starts.slice(0, 1)),
      end: null,
      is_doubtful: rows.some(({ is_doubtful }) => is_doubtful),
    },
  ];
}

const IS_URGENT = sql`asks in ('cancel', 'postpone')`;
const IS_FROM_IMPORT = sql`asks = 'publish' and batch is not null`;

/**
 * Counts pending items as `waiting` (an imported calendar counts once), and those that ask to cancel or postpone as
 * `urgent`. `oldest_urgent_at` is a timestamp, or null if no item is urgent.
 */
export const countPending = (inbox: Inbox) =>
  // One pass over the index of pending changes, because monitoring calls this often.
  inbox.db
    .selectFrom('changes')
    .select([
      sql<number>`count(*) filter (where not (${IS_FROM_IMPORT})) + count(distinct batch) filter (where ${IS_FROM_IMPORT})`.as(
        'waiting',
      ),
      sql<number>`count(*) filter (where ${IS_URGENT})`.as('urgent'),
      sql<string | null>`min(at) filter (where ${IS_URGENT})`.as('oldest_urgent_at'),
    ])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
