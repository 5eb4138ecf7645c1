// The table of changes: what anybody asks of the agenda, and how it stands. Rows are added; of what is there
// only its standing changes, and private words go (contract 14.26).
import { type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import {
  type Change,
  ChangeRowSchema,
  StoredChangeSchema,
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

const { is_published: _, ...STORED } = ChangeRowSchema.entries;
const COLUMNS = Object.keys(STORED) as (keyof typeof STORED)[];

/** A question for changes, to be narrowed and put in order. */
export type ChangeQuery = SelectQueryBuilder<
  Tables,
  'changes',
  v.InferInput<typeof ChangeRowSchema>
>;

/** Whether one under the same reference is applied, and says what an event is. */
const IS_PUBLISHED = sql<number>`case when exists (
  select 1 from changes as published where published.reference = changes.reference
    and published.state = 'applied' and published.asks in ('publish', 'edit') and published.record is not null
  ) then 1 else 0 end`.as('is_published');

const askAll = ({ db }: Inbox) => db.selectFrom('changes').select(COLUMNS).select(IS_PUBLISHED);

/** Those that a question finds and that can be read. */
export const listChanges = async (
  inbox: Inbox,
  ask: (query: ChangeQuery) => ChangeQuery,
): Promise<readonly Change[]> => {
  return inbox.parseRows('changes', StoredChangeSchema, await ask(askAll(inbox)).execute());
};

/** What was sent in and holds its words still, though it can be opened nowhere: it is erased all the same. */
export async function listUnparsableChanges(inbox: Inbox) {
  const all = askAll(inbox).where('reference', 'is not', null);
  const rows = await all.where('is_forgotten', '=', 0).execute();
  return rows.flatMap((row) =>
    row.reference === null || v.is(StoredChangeSchema, row)
      ? []
      : [{ reference: row.reference, at: row.at, state: row.state }],
  );
}

const getChange = async (
  inbox: Inbox,
  ask: (query: ChangeQuery) => ChangeQuery,
): Promise<Change | null> => (await listChanges(inbox, (query) => ask(query).limit(1)))[0] ?? null;

/** The one that stands for a reference, in any case: the newest that is neither replaced nor undone. */
export const getCurrentChange = (inbox: Inbox, reference: string): Promise<Change | null> =>
  getChange(inbox, (query) =>
    query
      .where('reference', '=', reference.toUpperCase())
      .where('state', 'not in', ['replaced', 'undone'])
      .orderBy('id', 'desc'),
  );

export async function getSubmission(
  inbox: Inbox,
  reference: string,
): Promise<SubmissionChange | null> {
  const change = await getCurrentChange(inbox, reference);
  return change?.maker === 'sender' ? change : null;
}

export async function getCorrection(
  inbox: Inbox,
  reference: string,
): Promise<CorrectionChange | null> {
  const change = await getCurrentChange(inbox, reference);
  return change?.maker === 'reader' ? change : null;
}

async function getBy(inbox: Inbox, column: 'token_hash' | 'digest', value: string) {
  const changes = inbox.db.selectFrom('changes').select('reference').where(column, '=', value);
  const found = await changes.where('reference', 'is not', null).executeTakeFirst();
  return found?.reference ? getSubmission(inbox, found.reference) : null;
}

/** By the secret token of its status address; null for every token that is nobody's. */
export const getSubmissionByToken = (inbox: Inbox, token: string) =>
  getBy(inbox, 'token_hash', sha256Hex(token));

export const getSubmissionByDigest = (inbox: Inbox, digest: string) =>
  getBy(inbox, 'digest', digest);

/** Whether a report with this digest waits; its reference, else null. */
export async function findPendingCorrection(inbox: Inbox, digest: string): Promise<string | null> {
  const changes = inbox.db.selectFrom('changes').select('reference').where('digest', '=', digest);
  const found = await changes.where('state', '=', 'waiting').executeTakeFirst();
  return found?.reference ?? null;
}

/**
 * The token by whose digest a submission is known, which is stored nowhere; null of one that an older version took
 * in, once it was forgotten: that made it of the digest of its text, which goes then.
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

export async function getStatusToken(inbox: Inbox, reference: string): Promise<string | null> {
  const row = await inbox.db
    .selectFrom('changes')
    .select(['digest', 'token_hash'])
    .where('reference', '=', reference)
    .where('token_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  return recoverStatusToken(inbox, { reference, ...row });
}

/** By anything that was sent in: one reference names one thing. */
export async function isReferenceTaken(inbox: Inbox, reference: string): Promise<boolean> {
  const { rows } = await sql`select 1 from changes where reference = ${reference}
    union all select 1 from batches where reference = ${reference}`.execute(inbox.db);
  return rows.length > 0;
}

/** The text on which the desk decided last; null where it has not decided yet. */
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

export type NewChange = Pick<Change, 'at' | 'maker' | 'door' | 'kind' | 'asks' | 'title'> &
  Partial<Omit<v.InferOutput<typeof ChangeRowSchema>, 'id' | 'dates' | 'is_published'>> & {
    readonly dates?: readonly string[] | null;
    /** Of its first text, and of the token of its address. */
    readonly digest?: string;
    readonly token_hash?: string;
  };

const toJson = (value: unknown): string | null | undefined =>
  value === null || value === undefined ? value : JSON.stringify(value);

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
  if (inserted === undefined) throw new Error(`change ${id} is not there`);
  return inserted;
}

export async function updateChange(
  inbox: Inbox,
  id: number,
  changed: Updateable<Tables['changes']>,
): Promise<void> {
  await inbox.db.updateTable('changes').set(changed).where('id', '=', id).execute();
}

/** The same asked otherwise: what is not said anew stays as it was. It waits. */
export function insertFollowUpChange(
  inbox: Inbox,
  { id: _id, is_published: _is, ...before }: Change,
  changed: Partial<NewChange>,
): Promise<Change> {
  const open = { state: 'waiting', decided: null, reason: null, record: null } as const;
  return insertChange(inbox, { ...before, ...open, ...changed });
}

export async function saveDraft(
  inbox: Inbox,
  reference: string,
  draft: Readonly<Record<string, string>>,
): Promise<void> {
  await inbox.db
    .updateTable('changes')
    .set({ draft: JSON.stringify(draft) })
    .where('reference', '=', reference)
    .where('state', '=', 'waiting')
    .execute();
}

/** How which text of a submission stood in the last letter about it; undefined where none has told anything. */
export const getLastNotified = (inbox: Inbox, reference: string) =>
  inbox.db
    .selectFrom('changes')
    .select(['id', 'revision', 'told'])
    .where('reference', '=', reference)
    .where('told', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();

export async function setLastNotified(inbox: Inbox, change: SubmissionChange): Promise<void> {
  await inbox.db
    .updateTable('changes')
    .set({ told: getSubmissionState(change) })
    .where('reference', '=', change.reference)
    .where('revision', '=', change.revision)
    .execute();
}

/** Whether it says what a thing is: a status says when it is off. */
export const definesContent = ({ asks }: Pick<Change, 'asks'>): boolean =>
  asks === 'publish' || asks === 'edit';
const isSame = (one: string | null, other: string | null): boolean => one !== null && one === other;

type Matter = Pick<Change, 'id' | 'maker' | 'reference' | 'thing' | 'asks' | 'dates'>;

/**
 * Whether one stands in the place of the other: both say what a thing is, or its status on the same days. What a
 * sender and an editor say of a thing stands side by side.
 */
const isInPlace = (one: Matter, other: Matter): boolean =>
  definesContent(one)
    ? definesContent(other) &&
      (isSame(one.reference, other.reference) ||
        (one.maker === other.maker && isSame(one.thing, other.thing)))
    : isStatusAction(one.asks) &&
      isStatusAction(other.asks) &&
      isSame(one.thing, other.thing) &&
      String(one.dates) === String(other.dates);

/** The others under the same reference, and those about the same. */
export async function listRelatedChanges(inbox: Inbox, change: Matter): Promise<readonly Change[]> {
  const { id, reference, thing } = change;
  const others = await listChanges(inbox, (query) =>
    query
      .where((is) => is.or([is('reference', '=', reference ?? ''), is('thing', '=', thing ?? '')]))
      .where('id', '<>', id)
      .orderBy('id'),
  );
  return others.filter((other) => isSame(reference, other.reference) || isInPlace(change, other));
}

/** The applied ones in whose place a change stands once it is applied. */
export const listSupersededChanges = async (
  inbox: Inbox,
  change: Matter,
): Promise<readonly Change[]> =>
  (await listRelatedChanges(inbox, change)).filter(
    (other) => other.state === 'applied' && other.record !== null && isInPlace(change, other),
  );

const Form = v.object({ form: v.record(v.string(), v.string()) });

/** What stood in the controls when it was approved; null where nothing is published or nobody noted it. */
export async function getApprovedControlValues(inbox: Inbox, reference: string) {
  const published = await getChange(inbox, (query) =>
    query
      .where('reference', '=', reference)
      .where('state', '=', 'applied')
      .where('asks', 'in', ['publish', 'edit'])
      .where('record', 'is not', null),
  );
  return v.is(Form, published?.record) ? published.record.form : null;
}

/** Most that a list shows; the rest comes up as these are decided. */
const MAX_LISTED = 200;

/** What waits for a decision, oldest first; at most 200. */
export async function listPendingSubmissions(inbox: Inbox): Promise<readonly SubmissionChange[]> {
  const waiting = await listChanges(inbox, (query) =>
    query
      .where('state', '=', 'waiting')
      .where('maker', '=', 'sender')
      .orderBy('at')
      .orderBy('reference')
      .limit(MAX_LISTED),
  );
  return waiting.filter((change) => change.maker === 'sender');
}

/** Every text of all that was sent in, as it stands and as it stood, the newest first. */
export async function listSubmissionTexts(inbox: Inbox): Promise<readonly SubmissionChange[]> {
  const all = await listChanges(inbox, (query) =>
    query.where('maker', '=', 'sender').where('is_forgotten', '=', 0).orderBy('id', 'desc'),
  );
  return all.filter((change) => change.maker === 'sender');
}

/** An item of the queue, with what a reader's report is about. */
export interface QueueRow extends PendingItem {
  readonly about: { readonly kind: Change['kind']; readonly id: string } | null;
}

const KINDS = { publish: 'new', edit: 'change', cancel: 'request', postpone: 'request' } as const;

function toItem(change: Change): QueueRow {
  const { reference, title, at, is_doubtful, kind, batch } = change;
  const item = { reference: reference ?? '', title, received_at: at, is_doubtful, batch };
  const bare = { words: [], venue: null, place: null, starts: [], end: null, about: null };
  if (change.maker === 'editor') return { ...item, ...bare, kind: 'notice', channel: 'source' };
  if (change.maker === 'reader') {
    const { thing, text } = change;
    return {
      ...item,
      ...bare,
      kind: 'report',
      words: [text.contact_email, text.change].filter((word) => word !== null),
      venue: kind === 'venue' ? thing : null,
      channel: change.door === 'source' ? 'source' : 'report',
      about: { kind, id: thing },
    };
  }
  const { start, end, dates, venue, venue_name, organizer, contact_email, category } = change.text;
  const days = dates.map((day) => (day.length > 10 ? day : `${day}${start.slice(10)}`));
  return {
    ...item,
    kind: KINDS[change.asks],
    words: [organizer.name, contact_email, category].filter((word) => word !== null),
    venue,
    place: venue_name,
    starts: [start, ...days],
    end,
    channel: change.door,
    about: null,
  };
}

/** All that waits; what came with a calendar and is to be published is one item. */
export async function listQueueRows(inbox: Inbox): Promise<readonly QueueRow[]> {
  const waiting = await listChanges(inbox, (query) =>
    query.where('state', '=', 'waiting').orderBy('at').orderBy('id'),
  );
  const by_batch = Map.groupBy(waiting, ({ asks, batch }) => (asks === 'publish' ? batch : null));
  const ids = [...by_batch.keys()].filter((id) => id !== null);
  const kept = inbox.db.selectFrom('batches').select(['id', 'reference', 'name']);
  const batches = await kept.where('id', 'in', ids).execute();
  const items = batches.flatMap(({ id, reference, name }): QueueRow[] => {
    const own = (by_batch.get(id) ?? []).map(toItem);
    by_batch.delete(id);
    const [first] = own;
    if (first === undefined) return [];
    return [
      {
        ...first,
        kind: 'batch',
        reference: reference ?? '',
        title: name,
        words: own.map(({ title }) => title),
        venue: null,
        place: null,
        starts: own.flatMap(({ starts }) => starts.slice(0, 1)),
        end: null,
        is_doubtful: own.some(({ is_doubtful }) => is_doubtful),
      },
    ];
  });
  // What has no calendar, or none that is kept any more, waits by itself.
  return [...[...by_batch.values()].flat().map(toItem), ...items];
}

const IS_URGENT = sql`asks in ('cancel', 'postpone')`;
const IN_BATCH = sql`asks = 'publish' and batch is not null`;

/**
 * How much waits, a calendar counted once; how many of that are requests to cancel or postpone, and since
 * when the oldest of those (timestamp; null where there is none).
 */
export const countPending = (inbox: Inbox) =>
  // In one pass over the index of those that wait: an alarm asks for this again and again.
  inbox.db
    .selectFrom('changes')
    .select([
      sql<number>`count(*) filter (where not (${IN_BATCH})) + count(distinct batch) filter (where ${IN_BATCH})`.as(
        'waiting',
      ),
      sql<number>`count(*) filter (where ${IS_URGENT})`.as('urgent'),
      sql<string | null>`min(at) filter (where ${IS_URGENT})`.as('oldest_urgent_at'),
    ])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
