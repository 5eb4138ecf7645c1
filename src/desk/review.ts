// A person's decision on what was sent in: a submission is approved, granted, asked to be changed, or rejected;
// events of a calendar together, undone as one (contract 14.35); a reader's correction is done or dismissed (14.11).
// Before it, the text that it is made on, with the edits made to it.
import type { StoredBatch } from '../domain/batch.ts';
import { refusal } from '../domain/app-error.ts';
import type { Actor, Change, SenderChange } from '../domain/change.ts';
import { isSentOnline } from '../domain/event/event.ts';
import type { LocalText } from '../domain/lang.ts';
import {
  type Additions,
  pickAdditions,
  type PublicationIssue,
} from '../domain/submission/additions.ts';
import { type FormValues, pickFormValues } from '../domain/submission/controls.ts';
import { toFormValues, toSubmissionInput } from '../domain/submission/form.ts';
import {
  type KnownPlaces,
  readSubmission,
  type SubmissionIssue,
} from '../domain/submission/read-submission.ts';
import type { Submission } from '../domain/submission/submission.ts';
import { isWithdrawn } from '../inbox/applied.ts';
import { listSent } from '../inbox/batches.ts';
import { getCurrent, getCorrection, getSubmission, setDraft } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { decide, type Settlement } from './decide.ts';
import type { Known } from './known.ts';
import { toPublication } from './publication.ts';
import { needReason, toReason } from './refusal.ts';
import { toNote } from './status.ts';
import { toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';

/** Who decides on what, when. `revision` is the text that was looked at. */
export interface Review extends Actor {
  readonly reference: string;
  readonly revision: number;
}

/** What stands in the controls of the review page, by name. */
export type Edits = Readonly<Record<string, string>>;

export interface ReviewedText {
  readonly values: FormValues;
  readonly additions: Additions;
  /** Null where there are issues. */
  readonly submission: Submission | null;
  readonly issues: readonly SubmissionIssue[];
}

/** `edits`, or null for those that were saved; what nobody edited is what was sent. */
function toControls({ draft, text }: SenderChange, edits: Edits | null) {
  const edited = pickFormValues(edits ?? draft);
  // After a correction only the additions are left of a draft.
  const is_as_sent = edits === null && Object.keys(edited).length === 0;
  return {
    values: is_as_sent ? toFormValues(text) : edited,
    additions: pickAdditions(edits ?? draft),
  };
}

/** The text that a reviewer looks at, understood like any submission. */
export function readReviewedText(
  stored: SenderChange,
  edits: Edits | null,
  places: KnownPlaces,
  now_ms: number,
): ReviewedText {
  const controls = toControls(stored, edits);
  const { input, issues } = toSubmissionInput(controls.values);
  const reading = readSubmission(input, places, now_ms, true);
  const all = [...issues, ...reading.issues];
  return { ...controls, submission: all.length > 0 ? null : reading.submission, issues: all };
}

/** What is worth saving of a sent review form. */
export const toDraft = (fields: Edits): Record<string, string> => ({
  ...pickFormValues(fields),
  ...pickAdditions(fields),
});

/** What stands on the review page with `changed` over it: for whoever sees no page. */
export function changeEdits(stored: SenderChange, changed: Edits): Edits {
  const { values, additions } = toControls(stored, null);
  return toDraft({ ...values, ...additions, ...changed });
}

/** The submission, where it waits with the text that was looked at. Throws AppError where it does not. */
function checkPending(stored: SenderChange | undefined, revision: number): SenderChange {
  if (stored?.state !== 'waiting') throw refusal('not_pending');
  if (stored.revision !== revision) throw refusal('text_changed');
  return stored;
}

async function readPending(inbox: Inbox, { reference, revision }: Review) {
  const stored = await getSubmission(inbox, reference);
  if (stored === null) throw refusal('no_such_submission');
  return checkPending(stored, revision);
}

async function getStanding(inbox: Inbox, reference: string): Promise<Change> {
  const change = await getCurrent(inbox, reference);
  if (change === null) throw new Error(`${reference} is not there`);
  return change;
}

/** The change that waits. Throws AppError where none does, or its text has changed. */
const takeWaiting = async (inbox: Inbox, review: Review): Promise<Change> =>
  getStanding(inbox, (await readPending(inbox, review)).reference);

/** Saves a reviewer's edits. Throws AppError where they are not of the text that waits. */
export const saveDraft = (inbox: Inbox, review: Review, draft: Edits): Promise<void> =>
  inbox.transaction(async () => {
    await readPending(inbox, review);
    await setDraft(inbox, review.reference, draft);
  });

/** A text with what an editor added to it, and what keeps that from being published. */
export interface Prepared {
  readonly text: ReviewedText;
  /** Null where there are issues, of the text or of these. */
  readonly publication: object | null;
  readonly issues: readonly PublicationIssue[];
}

const NO_ZONE: PublicationIssue = { field: 'zone', rule: 'missing', message: 'missing' };

/** What an approval of a text with a reviewer's edits would let into the agenda. */
function prepare(known: Known, stored: SenderChange, edits: Edits, now_ms: number): Prepared {
  const text = readReviewedText(stored, edits, known, now_ms);
  const { submission } = text;
  if (submission === null) return { text, publication: null, issues: [] };
  const made = toPublication(submission, text.additions, { ...stored, now_ms }, known);
  const { venue, venue_name, zone } = submission;
  // A place that nobody knows yet stands in no zone, on no map and in no filter without it.
  const is_nowhere =
    venue === null && venue_name !== null && zone === null && !isSentOnline(submission);
  const issues = [...(is_nowhere ? [NO_ZONE] : []), ...made.issues];
  if (issues.length > 0 || made.publication === null) return { text, publication: null, issues };
  // What is private stands in no publication.
  const { contact_email: _, ...form } = text.values;
  return { text, publication: { ...made.publication, form }, issues };
}

/** Approves the text with a reviewer's edits, where it makes a publication that passes the schemas of content/. */
export async function approve(
  inbox: Inbox,
  known: Known,
  review: Review,
  edits: Edits,
): Promise<Prepared & { readonly is_approved: boolean }> {
  const stored = await readPending(inbox, review);
  const prepared = prepare(known, stored, edits, review.now_ms);
  const { publication } = prepared;
  if (publication !== null) await approveText(inbox, review, publication);
  return { is_approved: publication !== null, ...prepared };
}

/** Lets a publication into the agenda; it has passed its schema. */
export const approveText = (inbox: Inbox, review: Review, record: object): Promise<void> =>
  decide(inbox, { ...review, action: 'approve', subject: review.reference }, async () => [
    { change: await takeWaiting(inbox, review), state: 'applied', record },
  ]);

/**
 * Grants a request to cancel or postpone: the event, or each day that it names, gets the status, with `note` as what
 * readers are told. Throws AppError where it asks for nothing of the kind, or the event was withdrawn for legal reasons.
 */
export async function grant(inbox: Inbox, review: Review, note: Partial<LocalText> = {}) {
  const { reference } = review;
  const thing = toSubmittedEventId(reference);
  await decide(inbox, { ...review, action: 'grant', subject: reference }, async () => {
    const change = await takeWaiting(inbox, review);
    if (change.asks !== 'cancel' && change.asks !== 'postpone') throw refusal('not_asked_for');
    if (await isWithdrawn(inbox, thing)) throw refusal('event_withdrawn');
    const status = change.asks === 'cancel' ? 'cancelled' : 'postponed';
    return [{ change, state: 'applied', thing, record: { status, ...toNote(note) } }];
  });
}

/** How a change stands that is sent back to its sender, to be changed or for good. */
const REFUSED = { ask: 'asked', reject: 'refused' } as const;
type RefuseAction = keyof typeof REFUSED;

/** Sends it back, with a reason. Throws AppError without one, or with one that is too long. */
export async function refuse(inbox: Inbox, review: Review, action: RefuseAction, words: string) {
  const reason = needReason(words, 'no_words');
  await decide(inbox, { ...review, action, subject: review.reference, reason }, async () => [
    { change: await takeWaiting(inbox, review), state: REFUSED[action] },
  ]);
}

/** One event of a batch as it was looked at, with what an editor adds. */
export interface ChosenItem extends Pick<Review, 'reference' | 'revision'> {
  readonly edits: Edits;
}

export interface BatchApproval {
  readonly approved: readonly string[];
  /** What was not, by reference, with why. */
  readonly left: ReadonlyMap<string, Prepared>;
}

/** What waits of a batch to be published, in the order in which it was sent. */
export const listWaiting = async (inbox: Inbox, batch: StoredBatch) =>
  (await listSent(inbox, batch))
    .map(({ stored }) => stored)
    .filter(({ state, asks }) => state === 'waiting' && asks === 'publish');

/** Those that still wait as they were looked at. Throws AppError where one does not. */
async function readChosen(inbox: Inbox, batch: StoredBatch, chosen: readonly ChosenItem[]) {
  if (chosen.length === 0) throw refusal('nothing_chosen');
  const waiting = new Map((await listWaiting(inbox, batch)).map((one) => [one.reference, one]));
  return chosen.map((item) => ({
    ...item,
    stored: checkPending(waiting.get(item.reference), item.revision),
  }));
}

/** Approves the chosen ones that make a publication, and says of the others why they do not. */
export const approveBatch = (
  inbox: Inbox,
  known: Known,
  actor: Actor,
  batch: StoredBatch,
  chosen: readonly ChosenItem[],
): Promise<BatchApproval> =>
  inbox.transaction(async () => {
    const items = (await readChosen(inbox, batch, chosen)).map(({ stored, reference, edits }) => {
      const draft = changeEdits(stored, edits);
      return { reference, draft, ...prepare(known, stored, draft, actor.now_ms) };
    });
    const ready = items.flatMap(({ reference, draft, publication }) =>
      publication === null ? [] : [{ reference, draft, record: publication }],
    );
    const left = items.filter(({ publication }) => publication === null);
    const decision = { ...actor, action: 'approve', subject: batch.reference ?? '' } as const;
    if (ready.length > 0)
      await decide(inbox, decision, () =>
        Array.fromAsync(ready, async ({ reference, draft, record }): Promise<Settlement> => {
          await setDraft(inbox, reference, draft);
          return { change: await getStanding(inbox, reference), state: 'applied', record };
        }),
      );
    return {
      approved: ready.map(({ reference }) => reference),
      left: new Map(left.map((item) => [item.reference, item])),
    };
  });

/** Sends the chosen ones back with one reason, to be changed or for good. Throws AppError as above. */
export async function refuseBatch(
  inbox: Inbox,
  actor: Actor,
  batch: StoredBatch,
  chosen: readonly ChosenItem[],
  action: RefuseAction,
  words: string,
): Promise<void> {
  const reason = needReason(words, 'no_words');
  await decide(inbox, { ...actor, action, subject: batch.reference ?? '', reason }, async () =>
    Array.fromAsync(await readChosen(inbox, batch, chosen), async ({ reference }) => ({
      change: await getStanding(inbox, reference),
      state: REFUSED[action],
    })),
  );
}

/** What an editor may do with a correction, and how the change stands then. */
const SETTLED = { done: 'applied', dismiss: 'refused' } as const;

/** Marks a correction done, or dismisses it with a reason. */
export async function settleCorrection(
  inbox: Inbox,
  actor: Actor,
  reference: string,
  action: keyof typeof SETTLED,
  words: string,
): Promise<void> {
  const reason = toReason(words);
  if (action === 'dismiss' && reason === null) throw refusal('no_reason');
  const subject = (await getCorrection(inbox, reference))?.reference;
  if (subject === undefined) throw refusal('no_such_submission');
  await decide(inbox, { ...actor, action, subject, reason }, async () => {
    const change = await getStanding(inbox, subject);
    if (change.state !== 'waiting') throw refusal('not_pending');
    return [{ change, state: SETTLED[action] }];
  });
}
