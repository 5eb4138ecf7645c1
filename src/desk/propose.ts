// What somebody proposes: a submission, another text of it, a request to cancel or postpone, a reader's correction;
// and how its sender takes it back. Form, status page and tools call the same. Counted, stored once, on disk before
// it is acknowledged (contract 14.2, 14.4, 14.6, 14.11).
import { isDeepStrictEqual } from 'node:util';
import type { EventDetail } from '../domain/agenda.ts';
import { refusal } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import {
  listSenderActs,
  type SenderAct,
  type SenderChange,
  type ShownAs,
  type SubmissionState,
  toSubmissionState,
} from '../domain/change.ts';
import { toCleanText } from '../domain/clean-text.ts';
import type { CorrectedThing, Correction } from '../domain/correction.ts';
import type { Lang } from '../domain/lang.ts';
import { pickAdditions } from '../domain/submission/additions.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  continueChange,
  insertChange,
  type NewChange,
  updateChange,
  findWaitingCorrection,
  getSubmission,
  getSubmissionByDigest,
  getSubmissionByToken,
  isReferenceTaken,
  readToken,
} from '../inbox/changes.ts';
import { noteErased } from '../inbox/erase.ts';
import { queueLetter, queueReceipt } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { toDigest, toReference, toToken } from '../inbox/secret.ts';
import { needUpload } from '../inbox/uploads.ts';
import { admit, countChange, type Entry } from './allowances.ts';
import { toEventId } from './known.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';

const MAX_REFERENCE_ATTEMPTS = 20;
/** Characters of a sender's words with a request. */
const MAX_MESSAGE = 600;
/** How many days are offered, or may be named at once. */
const MAX_DAYS = 60;

/** What a sender is told. */
export interface Receipt {
  readonly reference: string;
  readonly state: SubmissionState;
  /**
   * For the secret status address. Null where the same submission is approved or anything of it is
   * in the agenda, whatever waits beside that: its text is public then, and whoever repeats it need
   * not be who sent it.
   */
  readonly token: string | null;
  /** The same submission was here before. */
  readonly is_repeat: boolean;
}

/** Who is counted (the client's address, stored for a day as a keyed digest), and when. */
type From = Pick<Entry, 'sender' | 'now_ms'>;

export interface Arrival extends From {
  readonly submission: Submission;
  /** Where it came in: the form on the web, or a tool used by somebody's agent. */
  readonly channel: Exclude<SenderChange['door'], 'source'>;
}

/** On disk when this returns. The same content again gives the same receipt and is not counted. */
export function submit(inbox: Inbox, arrival: Arrival): Promise<Receipt> {
  const { submission, channel, now_ms } = arrival;
  const digest = toTextDigest(submission);
  return inbox.transaction(async (): Promise<Receipt> => {
    const stored = await getSubmissionByDigest(inbox, digest);
    if (stored !== null) {
      const { reference, is_published } = stored;
      const state = toSubmissionState(stored);
      const is_public = state === 'approved' || is_published;
      const token = is_public ? null : await readToken(inbox, reference);
      return { reference, state, token, is_repeat: true };
    }
    const row = await takeIn(inbox, arrival, digest);
    const { reference } = row;
    await needPicture(inbox, submission);
    const token = await insertSubmission(inbox, submission, { ...row, door: channel });
    await queueReceipt(inbox, reference, now_ms);
    return { reference, state: 'pending', token, is_repeat: false };
  });
}

/** Counts what comes from outside, under a reference of its own. Within a transaction; throws AppError rate_limited. */
async function takeIn(inbox: Inbox, entry: Omit<Entry, 'reference'>, digest: string) {
  const reference = await findFreeReference(inbox, digest);
  const is_doubtful = await admit(inbox, { ...entry, reference });
  return { reference, digest, is_doubtful, at: formatTimestamp(entry.now_ms) };
}

/** By which the same text is known again. */
export const toTextDigest = (submission: Submission): string =>
  toDigest(JSON.stringify(submission));

/** The reference of a text that is taken in, within a transaction. */
export async function findFreeReference(inbox: Inbox, digest: string): Promise<string> {
  for (let attempt = 0; attempt < MAX_REFERENCE_ATTEMPTS; attempt++) {
    const reference = toReference(inbox, digest, attempt);
    if (!(await isReferenceTaken(inbox, reference))) return reference;
  }
  throw new Error('no reference is free');
}

/** Within a transaction; gives the token of its status address. */
export async function insertSubmission(
  inbox: Inbox,
  text: Submission,
  row: Pick<NewChange, 'at' | 'door' | 'is_doubtful'> & {
    readonly reference: string;
    readonly digest: string;
  },
): Promise<string> {
  const token = toToken(inbox, row.reference);
  const asked = { kind: 'event', asks: 'publish', title: text.title, text } as const;
  const token_hash = toDigest(token);
  await insertChange(inbox, { ...row, ...asked, maker: 'sender', token_hash });
  return token;
}

/** What is sent in needs its picture from now on. Throws AppError where that is not there any more. */
async function needPicture(inbox: Inbox, { image }: Submission): Promise<void> {
  if (image !== null && 'upload' in image) await needUpload(inbox, image.upload);
}

/** Whose submission and when: counted by its token alone. */
interface Own {
  readonly reference: string;
  readonly now_ms: number;
}

/** A new text, to be reviewed like the first; what is published stays until then. */
export const correct = (
  inbox: Inbox,
  { reference, now_ms, submission }: Own & { readonly submission: Submission },
): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await readStored(inbox, reference);
    const is_as_before = JSON.stringify(submission) === JSON.stringify(stored.text);
    if (stored.state === 'waiting' && is_as_before) return;
    await countChange(inbox, reference, now_ms);
    await needPicture(inbox, submission);
    await askText(inbox, stored, submission, formatTimestamp(now_ms));
    await queueReceipt(inbox, reference, now_ms, stored.text.contact_email);
  });

/** Within a transaction: another text of a submission. */
export function askText(
  inbox: Inbox,
  stored: SenderChange,
  text: Submission,
  at: string,
): Promise<void> {
  // What a reviewer wrote beside the text, the other language above all, stays; edits of the text go with it.
  const additions = pickAdditions(stored.draft);
  return askNext(inbox, stored, {
    at,
    asks: stored.is_published ? 'edit' : 'publish',
    title: text.title,
    text,
    draft: Object.keys(additions).length === 0 ? null : additions,
  });
}

/** Its sender asks something else under the same reference, in the place of what waits. */
export async function askNext(
  inbox: Inbox,
  before: SenderChange,
  changed: Partial<NewChange> & Pick<NewChange, 'at' | 'asks'>,
): Promise<void> {
  const revision = before.revision + 1;
  await continueChange(inbox, before, { message: null, dates: null, revision, ...changed });
  if (before.state === 'waiting') await endWaiting(inbox, before, 'replaced');
}

/** What it asks is not asked any more: its words to the desk go. */
async function endWaiting(
  inbox: Inbox,
  { id, message }: SenderChange,
  state: 'replaced' | 'taken_back',
): Promise<void> {
  await updateChange(inbox, id, { state, message: null });
  if (message !== null) await noteErased(inbox);
}

/** Takes back what waits; what is published stays published. Throws AppError where nothing waits. */
export const takeBack = (inbox: Inbox, reference: string): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await readStored(inbox, reference);
    if (!mayTakeBack(stored))
      throw refusal('not_pending', 'state: nothing waits that could be withdrawn');
    await endWaiting(inbox, stored, 'taken_back');
  });

export const mayTakeBack = (stored: SenderChange): boolean =>
  listSenderActs(stored, 'none').includes('withdraw');

/** What a sender asks for beside a text: for the whole of it, or for days on which it takes place. */
interface Request extends Own, Pick<SenderChange, 'dates'> {
  readonly asks: 'cancel' | 'postpone';
  readonly message: string;
}

/** Asks a person to cancel or postpone what is published. Throws AppError where nothing is, or rate_limited. */
export const requestChange = (inbox: Inbox, { reference, now_ms, asks, message, dates }: Request) =>
  inbox.transaction(async () => {
    const stored = await readStored(inbox, reference);
    if (!stored.is_published) throw refusal('not_published');
    const request = { asks, message: message.slice(0, MAX_MESSAGE), dates };
    const { state, ...before } = stored;
    const is_as_before = isDeepStrictEqual({ ...before, ...request }, before);
    if (state === 'waiting' && is_as_before) return;
    await countChange(inbox, reference, now_ms);
    await askNext(inbox, stored, { ...request, at: formatTimestamp(now_ms) });
    await queueLetter(inbox, 'urgent', reference, now_ms);
  });

async function readStored(inbox: Inbox, reference: string): Promise<SenderChange> {
  const stored = await getSubmission(inbox, reference);
  if (stored === null) throw refusal('no_such_submission');
  return stored;
}

/** What a sender asks for; a text of their own is a correction. */
export interface SenderWish extends Own {
  readonly act: Exclude<SenderAct, 'correct'>;
  /** What happened; of no use to a withdrawal. */
  readonly message: string;
  /** The days that are meant, YYYY-MM-DD; null where the whole event is. Of no use to a withdrawal either. */
  readonly dates: readonly string[] | null;
}

/** Does what a sender asks for; a request says something, and names days on which the event takes place. */
export async function actForSender(
  inbox: Inbox,
  snapshot: Snapshot,
  { reference, now_ms, act: asks, ...wish }: SenderWish,
): Promise<void> {
  if (asks === 'withdraw') return takeBack(inbox, reference);
  const message = toCleanText(wish.message);
  if (message === '') throw refusal('no_message');
  const stored = await getSubmission(inbox, reference);
  const ahead = stored === null ? [] : listAhead(findShown(stored, snapshot, now_ms), now_ms);
  const dates = wish.dates && checkDates(wish.dates, ahead);
  await requestChange(inbox, { reference, now_ms, asks, message, dates });
}

/** In order, each once. Throws AppError where there are none, or one is not among those ahead. */
function checkDates(dates: readonly string[], ahead: readonly string[]): readonly string[] {
  if (dates.length === 0) throw refusal('no_dates');
  const unknown = dates.find((date) => !ahead.includes(date));
  if (unknown !== undefined)
    throw refusal(
      'no_such_day',
      `dates: it does not take place on '${unknown.slice(0, 10)}'. Its dates are ${ahead.join(', ') || 'all over or called off'}`,
    );
  return ahead.filter((date) => dates.includes(date));
}

/** How the release shows the event of a submission, with all of it where it does. */
export interface Shown {
  readonly as: ShownAs;
  readonly detail: EventDetail | null;
}

/** Before a release has what is approved, and of all else, it shows nothing. */
export function findShown(
  { reference, is_published }: SenderChange,
  snapshot: Snapshot,
  now_ms: number,
): Shown {
  const found = is_published ? getEvent(snapshot, toEventId(reference), now_ms) : null;
  if (found === null) return { as: 'none', detail: null };
  if (found === 'gone') return { as: 'gone', detail: null };
  const { status } = found.event;
  if (status !== 'published') return { as: status, detail: found };
  return { as: found.is_past ? 'past' : 'published', detail: found };
}

/** The days ahead of what the release shows that are not called off, YYYY-MM-DD; the first sixty. */
export function listAhead({ detail }: Shown, now_ms: number): readonly string[] {
  const on = (detail?.occurrences ?? []).filter(
    ({ end_ms, status }) => end_ms > now_ms && status !== 'cancelled',
  );
  return [...new Set(on.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS);
}

/** All that a sender does with an inbox, for whoever must not hold one. */
export const openSenderDesk = (inbox: Inbox, snapshot: Snapshot) => ({
  submit: (arrival: Arrival) => submit(inbox, arrival),
  find: (token: string) => getSubmissionByToken(inbox, token),
  correct: (change: Own & { readonly submission: Submission }) => correct(inbox, change),
  act: (wish: SenderWish) => actForSender(inbox, snapshot, wish),
});
export type SenderDesk = Readonly<ReturnType<typeof openSenderDesk>>;

export interface CorrectionArrival extends From {
  readonly correction: Correction;
  readonly about: CorrectedThing;
  readonly lang: Lang;
}

/** What a reader says has changed. The same words, while they wait, give the same receipt and are not counted. */
export function sendCorrection(
  inbox: Inbox,
  { correction, about, lang, sender, now_ms }: CorrectionArrival,
): Promise<Pick<Receipt, 'reference' | 'is_repeat'>> {
  const { kind, id, title } = about;
  const digest = toDigest(JSON.stringify({ kind, id, ...correction }));
  return inbox.transaction(async () => {
    const waiting = await findWaitingCorrection(inbox, digest);
    if (waiting !== null) return { reference: waiting, is_repeat: true };
    const row = await takeIn(inbox, { sender, channel: 'report', now_ms }, digest);
    const by = { maker: 'reader', door: 'report' } as const;
    const asked = { asks: 'check', kind, thing: id, title, text: { ...correction, lang } } as const;
    await insertChange(inbox, { ...row, ...by, ...asked });
    return { reference: row.reference, is_repeat: false };
  });
}
