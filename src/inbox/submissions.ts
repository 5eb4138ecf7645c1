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
  continueChange,
  getCurrent,
  insertChange,
  listChanges,
  type NewChange,
} from './changes.ts';
import { noteErased } from './compact.ts';
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
function toSubmission(inbox: Inbox, change: Change | null): StoredSubmission | null {
  const asks = change && ASKS[change.asks];
  if (change === null || !asks || change.reference === null) return null;
  const { reference, door, state, text } = change;
  const is_published = isPublished(inbox, reference);
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
const IS_PUBLICATION = "state = 'applied' and asks in ('publish', 'edit') and record is not null";

const isPublished = (inbox: Inbox, reference: string): boolean =>
  inbox
    .prepare(`select 1 from changes where reference = ? and ${IS_PUBLICATION} limit 1`)
    .get(reference) !== undefined;

/** By its reference, in any case; null where there is none. */
export const getSubmission = (inbox: Inbox, reference: string): StoredSubmission | null =>
  toSubmission(inbox, getCurrent(inbox, reference));

function getBy(inbox: Inbox, column: 'token_hash' | 'digest', value: string) {
  const found: unknown = inbox
    .prepare(`select reference from changes where ${column} = ?`)
    .pluck()
    .get(value);
  return typeof found === 'string' ? getSubmission(inbox, found) : null;
}

/** By the hash of the token in its status address. */
export const getSubmissionByTokenHash = (inbox: Inbox, hash: string): StoredSubmission | null =>
  getBy(inbox, 'token_hash', hash);

/** By the digest of its first text. */
export const getSubmissionByDigest = (inbox: Inbox, digest: string): StoredSubmission | null =>
  getBy(inbox, 'digest', digest);

const DigestRow = v.object({ digest: v.nullable(v.string()), token_hash: v.string() });

/** The digest of its first text, until it is forgotten, and the hash of its token. Throws where there is none. */
export const getDigest = (inbox: Inbox, reference: string): v.InferOutput<typeof DigestRow> =>
  v.parse(
    DigestRow,
    inbox
      .prepare(
        'select digest, token_hash from changes where reference = ? and token_hash is not null',
      )
      .get(reference),
  );

/** By anything that was sent in: one reference names one thing. */
export const isReferenceTaken = (inbox: Inbox, reference: string): boolean =>
  inbox
    .prepare(
      'select 1 from changes where reference = ?1 union all select 1 from batches where reference = ?1',
    )
    .get({ 1: reference }) !== undefined;

/** The text on which the desk decided last; null where it has not decided yet. */
export function getDecidedText(inbox: Inbox, reference: string): Submission | null {
  const [decided] = listChanges(
    inbox,
    "reference = ? and state in ('applied', 'asked', 'refused') order by id desc limit 1",
    reference,
  );
  return decided === undefined ? null : v.parse(SubmissionRecordSchema, decided.text);
}

const Form = v.object({ form: v.record(v.string(), v.string()) });

/** What stood in the controls when it was approved; null where nothing is published or nobody noted it. */
export function getApprovedForm(inbox: Inbox, reference: string): Record<string, string> | null {
  const [published] = listChanges(inbox, `reference = ? and ${IS_PUBLICATION}`, reference);
  return v.is(Form, published?.record) ? published.record.form : null;
}

export interface Published {
  readonly reference: string;
  readonly record: unknown;
}

/** What the desk has let into the agenda, as plain records for sources. */
export const listPublications = (inbox: Inbox): readonly Published[] =>
  listChanges(inbox, `${IS_PUBLICATION} and reference is not null order by reference`).flatMap(
    ({ reference, record }) => (reference === null ? [] : [{ reference, record }]),
  );

/** What waits for a decision, oldest first; at most MAX_LISTED. */
export const listPending = (inbox: Inbox): readonly StoredSubmission[] =>
  listChanges(
    inbox,
    `state = 'waiting' and asks <> 'check' order by at, reference limit ${MAX_LISTED}`,
  ).flatMap((change) => toSubmission(inbox, change) ?? []);

/** What it asks is not asked any more: its words to the desk go. */
export function endWaiting(inbox: Inbox, change: Change, state: 'replaced' | 'taken_back'): void {
  inbox.prepare('update changes set state = ?, message = null where id = ?').run(state, change.id);
  if (change.message !== null) noteErased(inbox);
}

/** Its sender asks something else under the same reference, in the place of what waits. */
export function askNext(
  inbox: Inbox,
  reference: string,
  changed: Partial<NewChange> & Pick<NewChange, 'at' | 'asks'>,
): void {
  const before = getCurrent(inbox, reference);
  if (before === null) throw new Error(`${reference} is not there`);
  const revision = before.revision + 1;
  continueChange(inbox, before, { message: null, dates: null, revision, ...changed });
  if (before.state === 'waiting') endWaiting(inbox, before, 'replaced');
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
): number =>
  insertChange(inbox, {
    ...row,
    maker: 'sender',
    kind: 'event',
    asks: 'publish',
    title: submission.title,
    text: submission,
  });

/** A reviewer's edits, by control. */
export function setDraft(
  inbox: Inbox,
  reference: string,
  draft: Readonly<Record<string, string>>,
): void {
  inbox
    .prepare("update changes set draft = ? where reference = ? and state = 'waiting'")
    .run(JSON.stringify(draft), reference);
}

const Told = v.object({
  revision: v.number(),
  state: v.picklist(['pending', 'changes_requested', 'approved', 'rejected', 'withdrawn']),
});
/** How a text of a submission stood in the last letter about it. */
export interface Told extends v.InferOutput<typeof Told> {
  readonly reference: string;
}

/** Null where no letter has told anything. */
export function getTold(inbox: Inbox, reference: string): Told | null {
  const row: unknown = inbox
    .prepare(
      'select revision, told as state from changes where reference = ? and told is not null order by id desc limit 1',
    )
    .get(reference);
  return row === undefined ? null : { reference, ...v.parse(Told, row) };
}

export const putTold = (inbox: Inbox, { reference, revision, state }: Told): void =>
  void inbox
    .prepare('update changes set told = ? where reference = ? and revision = ?')
    .run(state, reference, revision);
