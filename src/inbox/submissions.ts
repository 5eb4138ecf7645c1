// Submissions: the changes under one reference and one token, each as its newest one stands.
import * as v from 'valibot';
import type { ChangeState } from '../domain/change.ts';
import {
  type StoredSubmission,
  type Submission,
  type SubmissionAsk,
  SubmissionRecordSchema,
  type SubmissionState,
} from '../domain/submission/submission.ts';
import {
  type Change,
  type ChangeQuery,
  continueChange,
  getCurrent,
  insertChange,
  listChanges,
  type NewChange,
  updateChange,
} from './changes.ts';
import { noteErased } from './compact.ts';
import { inTurn } from './in-turn.ts';
import type { Inbox } from './open.ts';

/** Most that a list shows; the rest comes up as these are decided. */
export const MAX_LISTED = 200;

const STATES: Readonly<Record<ChangeState, SubmissionState>> = {
  waiting: 'pending',
  asked: 'changes_requested',
  applied: 'approved',
  refused: 'rejected',
  taken_back: 'withdrawn',
  replaced: 'withdrawn',
  undone: 'withdrawn',
};
const ASKS: Readonly<Partial<Record<Change['asks'], SubmissionAsk>>> = {
  publish: 'publish',
  edit: 'change',
  cancel: 'cancel',
  postpone: 'postpone',
};

/** The change as the submission that it stands for; null of anything else. */
async function toSubmission(inbox: Inbox, change: Change | null): Promise<StoredSubmission | null> {
  const asks = change && ASKS[change.asks];
  if (change === null || !asks || change.reference === null) return null;
  const { reference, door, state, text } = change;
  const is_published = await isPublished(inbox, reference);
  return {
    reference,
    channel: door === 'agent' ? 'agent' : 'form',
    // What was taken back of what is published leaves that as it is.
    state: state === 'taken_back' && is_published ? 'approved' : STATES[state],
    asks,
    reason: change.reason,
    message: change.message,
    dates: state === 'taken_back' ? null : change.dates,
    received_at: change.at,
    revision: change.revision,
    submission: v.parse(SubmissionRecordSchema, text),
    draft: change.draft,
    is_published,
  };
}

/** What is applied and tells the agenda of an event. */
const isPublication = (query: ChangeQuery): ChangeQuery =>
  query
    .where('state', '=', 'applied')
    .where('asks', 'in', ['publish', 'edit'])
    .where('record', 'is not', null);

/** The newest that tells the agenda of an event under a reference. */
const findPublication = async (inbox: Inbox, reference: string): Promise<Change | undefined> =>
  (await listChanges(inbox, (all) => isPublication(all).where('reference', '=', reference)))[0];

const isPublished = async (inbox: Inbox, reference: string): Promise<boolean> =>
  (await findPublication(inbox, reference)) !== undefined;

/** By its reference, in any case; null where there is none. */
export const getSubmission = async (
  inbox: Inbox,
  reference: string,
): Promise<StoredSubmission | null> => toSubmission(inbox, await getCurrent(inbox, reference));

async function getBy(inbox: Inbox, column: 'token_hash' | 'digest', value: string) {
  const found = await inbox.db
    .selectFrom('changes')
    .select('reference')
    .where(column, '=', value)
    .where('reference', 'is not', null)
    .executeTakeFirst();
  return found?.reference ? getSubmission(inbox, found.reference) : null;
}

/** By the hash of the token in its status address. */
export const getSubmissionByTokenHash = (
  inbox: Inbox,
  hash: string,
): Promise<StoredSubmission | null> => getBy(inbox, 'token_hash', hash);

/** By the digest of its first text. */
export const getSubmissionByDigest = (
  inbox: Inbox,
  digest: string,
): Promise<StoredSubmission | null> => getBy(inbox, 'digest', digest);

/** The digest of its first text, until it is forgotten, and the hash of its token. Throws where there is none. */
export const getDigest = (inbox: Inbox, reference: string) =>
  inbox.db
    .selectFrom('changes')
    .select(['digest', 'token_hash'])
    .where('reference', '=', reference)
    .where('token_hash', 'is not', null)
    .executeTakeFirstOrThrow();

/** By anything that was sent in: one reference names one thing. */
export async function isReferenceTaken(inbox: Inbox, reference: string): Promise<boolean> {
  const find = (table: 'changes' | 'batches') =>
    inbox.db
      .selectFrom(table)
      .select('reference')
      .where('reference', '=', reference)
      .executeTakeFirst();
  return ((await find('changes')) ?? (await find('batches'))) !== undefined;
}

/** The text on which the desk decided last; null where it has not decided yet. */
export async function getDecidedText(inbox: Inbox, reference: string): Promise<Submission | null> {
  const [decided] = await listChanges(inbox, (query) =>
    query
      .where('reference', '=', reference)
      .where('state', 'in', ['applied', 'asked', 'refused'])
      .orderBy('id', 'desc')
      .limit(1),
  );
  return decided === undefined ? null : v.parse(SubmissionRecordSchema, decided.text);
}

const Form = v.object({ form: v.record(v.string(), v.string()) });

/** What stood in the controls when it was approved; null where nothing is published or nobody noted it. */
export async function getApprovedForm(
  inbox: Inbox,
  reference: string,
): Promise<Record<string, string> | null> {
  const published = await findPublication(inbox, reference);
  return v.is(Form, published?.record) ? published.record.form : null;
}

export interface Published {
  readonly reference: string;
  readonly record: unknown;
}

/** What the desk has let into the agenda, as plain records for sources. */
export async function listPublications(inbox: Inbox): Promise<readonly Published[]> {
  const all = await listChanges(inbox, (query) => isPublication(query).orderBy('reference'));
  return all.flatMap(({ reference, record }) =>
    reference === null ? [] : [{ reference, record }],
  );
}

/** What waits for a decision, oldest first; at most MAX_LISTED. */
export async function listPending(inbox: Inbox): Promise<readonly StoredSubmission[]> {
  const waiting = await listChanges(inbox, (query) =>
    query
      .where('state', '=', 'waiting')
      .where('asks', '<>', 'check')
      .orderBy('at')
      .orderBy('reference')
      .limit(MAX_LISTED),
  );
  const found = await inTurn(waiting, (change) => toSubmission(inbox, change));
  return found.filter((one) => one !== null);
}

/** What it asks is not asked any more: its words to the desk go. */
export async function endWaiting(
  inbox: Inbox,
  change: Change,
  state: 'replaced' | 'taken_back',
): Promise<void> {
  await updateChange(inbox, change.id, { state, message: null });
  if (change.message !== null) await noteErased(inbox);
}

/** Its sender asks something else under the same reference, in the place of what waits. */
export async function askNext(
  inbox: Inbox,
  reference: string,
  changed: Partial<NewChange> & Pick<NewChange, 'at' | 'asks'>,
): Promise<void> {
  const before = await getCurrent(inbox, reference);
  if (before === null) throw new Error(`${reference} is not there`);
  const revision = before.revision + 1;
  await continueChange(inbox, before, { message: null, dates: null, revision, ...changed });
  if (before.state === 'waiting') await endWaiting(inbox, before, 'replaced');
}

/** A new submission. */
export const insertSubmission = (
  inbox: Inbox,
  {
    submission,
    ...row
  }: Pick<NewChange, 'reference' | 'at' | 'door'> & {
    readonly submission: Submission;
    readonly digest: string;
    readonly token_hash: string;
    readonly is_doubtful: boolean;
  },
): Promise<number> =>
  insertChange(inbox, {
    ...row,
    maker: 'sender',
    kind: 'event',
    asks: 'publish',
    title: submission.title,
    text: submission,
  });

/** A reviewer's edits, by control. */
export async function setDraft(
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

/** How a text of a submission stood in the last letter about it. */
export interface Told {
  readonly reference: string;
  readonly revision: number;
  readonly state: SubmissionState;
}

/** Null where no letter has told anything. */
export async function getTold(inbox: Inbox, reference: string): Promise<Told | null> {
  const found = await inbox.db
    .selectFrom('changes')
    .select(['revision', 'told'])
    .where('reference', '=', reference)
    .where('told', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return found?.told ? { reference, revision: found.revision, state: found.told } : null;
}

export async function putTold(inbox: Inbox, { reference, revision, state }: Told): Promise<void> {
  await inbox.db
    .updateTable('changes')
    .set({ told: state })
    .where('reference', '=', reference)
    .where('revision', '=', revision)
    .execute();
}
