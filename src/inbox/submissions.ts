// What was sent in, as its changes stand: submissions, the changes under one reference and one token; and
// corrections, what readers say has changed.
import * as v from 'valibot';
import type { ChangeState } from '../domain/change.ts';
import {
  CorrectionLangSchema,
  CorrectionRecordSchema,
  type StoredCorrection,
} from '../domain/correction.ts';
import {
  type StoredSubmission,
  type Submission,
  type SubmissionAsk,
  SubmissionRecordSchema,
  type SubmissionState,
} from '../domain/submission/submission.ts';
import { type Change, type ChangeQuery, getCurrent, listChanges } from './changes.ts';
import type { Inbox } from './open.ts';
import { toDigest, toToken } from './secret.ts';

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
  const is_published = (await findPublication(inbox, reference)) !== undefined;
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

/** The one that tells the agenda of an event under a reference. */
const findPublication = async (inbox: Inbox, reference: string): Promise<Change | undefined> =>
  (await listChanges(inbox, (all) => isPublication(all).where('reference', '=', reference)))[0];

/** By its reference, in any case; null where there is none. */
export const getSubmission = async (
  inbox: Inbox,
  reference: string,
): Promise<StoredSubmission | null> => toSubmission(inbox, await getCurrent(inbox, reference));

async function getBy(inbox: Inbox, column: 'token_hash' | 'digest', value: string) {
  const changes = inbox.db.selectFrom('changes').select('reference').where(column, '=', value);
  const found = await changes.where('reference', 'is not', null).executeTakeFirst();
  return found?.reference ? getSubmission(inbox, found.reference) : null;
}

/** By the secret token of its status address; null for every token that is nobody's. */
export const getSubmissionByToken = (inbox: Inbox, token: string) =>
  getBy(inbox, 'token_hash', toDigest(token));

/** By the digest of its first text. */
export const getSubmissionByDigest = (inbox: Inbox, digest: string) =>
  getBy(inbox, 'digest', digest);

/**
 * The token of a stored submission, which is stored nowhere; null of one that an older version took in,
 * once it was forgotten: that made it of the digest of its text, which goes then.
 */
export async function readToken(inbox: Inbox, reference: string): Promise<string | null> {
  const { digest, token_hash } = await inbox.db
    .selectFrom('changes')
    .select(['digest', 'token_hash'])
    .where('reference', '=', reference)
    .where('token_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  const made = [reference, digest ?? reference].map((seed) => toToken(inbox, seed));
  return made.find((token) => toDigest(token) === token_hash) ?? null;
}

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
export async function getApprovedForm(inbox: Inbox, reference: string) {
  const published = await findPublication(inbox, reference);
  return v.is(Form, published?.record) ? published.record.form : null;
}

/** What the desk has let into the agenda, as plain records for sources. */
export async function listPublications(inbox: Inbox) {
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
  const found = await Array.fromAsync(waiting, (change) => toSubmission(inbox, change));
  return found.filter((one) => one !== null);
}

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
export type Told = Pick<StoredSubmission, 'reference' | 'revision' | 'state'>;

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

const ReportSchema = v.object({ ...CorrectionRecordSchema.entries, lang: CorrectionLangSchema });

function toCorrection(change: Change | null | undefined): StoredCorrection | null {
  if (change?.asks !== 'check' || change.reference === null) return null;
  const { reference, at, kind, thing, title, reason, state } = change;
  return {
    reference,
    received_at: at,
    about: { kind, id: thing ?? '', title },
    state: state === 'applied' ? 'done' : state === 'refused' ? 'dismissed' : 'pending',
    reason,
    ...v.parse(ReportSchema, change.text),
  };
}

/** By its reference, in any case; null where there is none. */
export const getCorrection = async (inbox: Inbox, reference: string) =>
  toCorrection(await getCurrent(inbox, reference));

/** The one with this digest that waits; null where none does. */
export async function getPendingCorrection(inbox: Inbox, digest: string) {
  const [found] = await listChanges(inbox, (query) =>
    query.where('digest', '=', digest).where('state', '=', 'waiting'),
  );
  return toCorrection(found);
}
