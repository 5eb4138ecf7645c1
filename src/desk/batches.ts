// A calendar that somebody brings in: read, compared with what is there, kept while they choose; what they send of it
// stands under one reference and one token, all at once and counted once (contract 14.34, 14.35).
import { randomBytes } from 'node:crypto';
import { refusal } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import {
  BATCH_LIMITS,
  type BatchAnswers,
  type BatchDraft,
  type BatchRow,
  isStillOn,
  type StoredBatch,
} from '../domain/batch.ts';
import type { SenderChange } from '../domain/change.ts';
import type { FeedEvent, FeedProblem, FeedReading } from '../domain/feed.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import {
  findLikelyPlace,
  isLikelyDuplicate,
  type Likeable,
} from '../domain/submission/likeness.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  getBatchById,
  insertBatch,
  listKnownUids,
  listSent,
  pruneDrafts,
  putBatchItem,
  readBatchEmail,
  updateBatch,
} from '../inbox/batches.ts';
import { getSubmission, getSubmissionByDigest, listPending } from '../inbox/changes.ts';
import { queueReceipt, queueUrgent } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { toBatchToken, toCounted, toDigest } from '../inbox/secret.ts';
import { listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readFeed } from '../sources/feed/read-feed.ts';
import { admit, countChange } from './allowances.ts';
import { createAlikeSearch, toLikeable } from './known.ts';
import {
  askNext,
  askText,
  findFreeReference,
  insertSubmission,
  mayTakeBack,
  takeBack,
  toTextDigest,
} from './propose.ts';

const SEED_BYTES = 18;

/** A calendar as it arrives. */
export interface ArrivedCalendar {
  readonly bytes: Uint8Array;
  /** Where it was fetched; null for a file. */
  readonly url: string | null;
  /** The language of its texts. */
  readonly lang: Lang;
  /** As what the client's address is counted. */
  readonly sender: string;
  readonly now_ms: number;
}

/** Keeps what was read for somebody to choose from, under a new token or that of a batch that it renews. */
export async function openBatch(
  inbox: Inbox,
  snapshot: Snapshot,
  { bytes, url, lang, sender, now_ms }: ArrivedCalendar,
  renewed: { readonly batch: StoredBatch; readonly token: string } | null = null,
): Promise<{ readonly token: string } | { readonly problem: FeedProblem }> {
  const read = readFeed(bytes, now_ms);
  if ('problem' in read) return read;
  const { batch, token } = renewed ?? { batch: null, token: null };
  const draft = await toDraft(inbox, snapshot, read.reading, batch, now_ms);
  const row = { name: read.reading.name, at_ms: now_ms, draft };
  const seed = randomBytes(SEED_BYTES).toString('base64url');
  const own = token ?? toBatchToken(inbox, seed);
  await inbox.transaction(async () => {
    if (batch !== null) await updateBatch(inbox, batch.id, { ...row, ...(url && { url }) });
    else {
      const by = { token_hash: toDigest(own), sender: toCounted(inbox, 'batch', sender) };
      await insertBatch(inbox, { ...row, ...by, url, lang, seed, at: formatTimestamp(now_ms) });
    }
    await pruneDrafts(inbox, now_ms);
  });
  return { token: own };
}

/** What an event says, by which a later reading is told from it. */
function toEventDigest(event: FeedEvent): string {
  const { title, description, start, end, dates, location, url, is_cancelled } = event;
  const said = [title, description, start, end, dates, location, url, is_cancelled];
  return toDigest(JSON.stringify(said));
}

async function toDraft(
  inbox: Inbox,
  snapshot: Snapshot,
  { events, failures, over }: FeedReading,
  batch: StoredBatch | null,
  now_ms: number,
): Promise<BatchDraft> {
  const all_places = [...new Set(events.map(({ location }) => location))];
  const places = all_places.slice(0, BATCH_LIMITS.places);
  const sent = batch === null ? [] : (await listSent(inbox, batch)).map(({ stored }) => stored);
  const own = new Map(sent.map((stored) => [stored.uid, stored]));
  const compare = await createComparison(inbox, snapshot, events, now_ms);
  const rows = events.map((event): BatchRow => {
    // Where there are more places than are asked for, the last stands for the rest.
    const place = Math.min(all_places.indexOf(event.location), places.length - 1);
    const before = own.get(event.uid);
    const base = { event, place, like: null, reference: before?.reference ?? null };
    if (event.is_cancelled) return { ...base, standing: 'cancelled' };
    if (before === undefined) return { ...base, ...compare(event) };
    return { ...base, standing: before.uid_digest === toEventDigest(event) ? 'same' : 'changed' };
  });
  // What cannot be read this time has not vanished.
  const here = new Set([...events.map(({ uid }) => uid), ...failures.map(({ title }) => title)]);
  const gone = sent.filter(
    (stored) =>
      !here.has(stored.uid ?? '') &&
      !here.has(stored.text.title) &&
      isStanding(stored) &&
      isStillOn(stored.text, now_ms),
  );
  return { rows: [...rows, ...gone.map(toGoneRow)], places, failures: [...failures], over };
}

/** Whether it is in the agenda or waits for that, and nobody has asked to call it off. */
export const isStanding = (stored: SenderChange): boolean =>
  stored.asks !== 'cancel' && (stored.is_published || mayTakeBack(stored));

/** What its calendar does not have any more is offered to be called off. */
const toGoneRow = ({ text, reference, uid }: SenderChange): BatchRow => ({
  event: {
    uid: uid ?? '',
    line: 0,
    title: text.title,
    description: text.description,
    start: text.start,
    end: text.end,
    all_day: text.all_day,
    dates: [...text.dates],
    location: text.venue_name ?? '',
    url: null,
    categories: [],
    is_cancelled: true,
    doubts: [],
  },
  standing: 'gone',
  like: null,
  reference,
  place: 0,
});

/** Compares an event with the agenda, with what waits, and with what came with other calendars. */
async function createComparison(
  inbox: Inbox,
  snapshot: Snapshot,
  events: readonly FeedEvent[],
  now_ms: number,
): Promise<(event: FeedEvent) => Pick<BatchRow, 'standing' | 'like'>> {
  const findAlike = createAlikeSearch({ snapshot, now_ms });
  const venues = listVenues(snapshot);
  const waiting = (await listPending(inbox)).map(({ text }) => toLikeable(text));
  const uids = await listKnownUids(
    inbox,
    events.map(({ uid }) => uid),
  );
  return (event) => {
    const place = findLikelyPlace(event.location, venues, snapshot.taxonomy.zones);
    const own: Likeable = {
      titles: [event.title],
      days: [event.start.slice(0, 10), ...event.dates],
      venue: place.venue,
      venue_name: place.name || null,
    };
    const [alike] = findAlike(own);
    if (alike) {
      const { id, title } = alike.card.event;
      return { standing: 'known', like: { id, title: title[DEFAULT_LANG] } };
    }
    const is_known = uids.has(event.uid) || waiting.some((one) => isLikelyDuplicate(own, one));
    return { standing: is_known ? 'known' : 'new', like: null };
  };
}

/** An event that was chosen, as a submission. */
export interface ChosenRow {
  readonly row: BatchRow;
  /** Null of one that is called off. */
  readonly submission: Submission | null;
}

export interface BatchSending {
  readonly batch: StoredBatch;
  readonly chosen: readonly ChosenRow[];
  /** What was answered, kept for the next time. */
  readonly choices: BatchAnswers;
  /** Said to the desk where an event was called off in its calendar. */
  readonly cancelled_message: string;
  readonly sender: string;
  readonly now_ms: number;
}

/**
 * Takes in what was chosen, all or nothing; gives the reference of the batch. New events are
 * submissions; what changed is a correction of its own; what was called off is asked to be. It is on
 * disk when this returns. Throws AppError rate_limited, or where nothing is chosen.
 */
export async function sendBatch(inbox: Inbox, sending: BatchSending): Promise<string> {
  const { chosen, choices, sender, now_ms } = sending;
  if (chosen.length === 0) throw refusal('nothing_chosen');
  return inbox.transaction(async () => {
    const batch = await getBatchById(inbox, sending.batch.id);
    if (batch === null) throw refusal('no_such_submission', 'calendar: it is not kept any more');
    // Pressed twice: the first has sent it.
    if (batch.draft === null && batch.reference !== null) return batch.reference;
    const { id } = batch;
    const at = formatTimestamp(now_ms);
    const reference =
      batch.reference ?? (await findFreeReference(inbox, toDigest(`batch ${id} ${at}`)));
    let is_doubtful = false;
    if (batch.reference === null)
      is_doubtful = await admit(inbox, { sender, channel: 'form', reference, now_ms });
    else await countChange(inbox, reference, now_ms);
    const email = await readBatchEmail(inbox, batch);
    for (const { row, submission } of chosen) {
      const { event } = row;
      const sent =
        event.is_cancelled && row.reference !== null
          ? await callOff(inbox, row.reference, sending, at)
          : submission && (await takeIn(inbox, row.reference, submission, { at, is_doubtful }));
      const item = { batch: id, uid: event.uid, uid_digest: toEventDigest(event) };
      if (sent !== null) await putBatchItem(inbox, sent, item);
    }
    await updateBatch(inbox, id, { reference, choices, at, draft: null, sender: '' });
    await queueReceipt(inbox, reference, now_ms, email);
    return reference;
  });
}

/** A new submission, or another text of one; gives its reference. */
async function takeIn(
  inbox: Inbox,
  known: string | null,
  submission: Submission,
  { at, is_doubtful }: { readonly at: string; readonly is_doubtful: boolean },
): Promise<string | null> {
  const before = known === null ? null : await getSubmission(inbox, known);
  if (before !== null) {
    // What a calendar does not say stays as it is.
    const { image, contact_email } = before.text;
    const email = submission.contact_email ?? contact_email;
    await askText(inbox, before, { ...submission, image, contact_email: email }, at);
    return before.reference;
  }
  const digest = toTextDigest(submission);
  // The same text came another way before: it stays its sender's.
  if ((await getSubmissionByDigest(inbox, digest)) !== null) return null;
  const reference = await findFreeReference(inbox, digest);
  await insertSubmission(inbox, submission, { reference, digest, door: 'form', at, is_doubtful });
  return reference;
}

/** What is published is asked to be cancelled, what waits is taken back. */
async function callOff(
  inbox: Inbox,
  reference: string,
  { cancelled_message: message, now_ms }: BatchSending,
  at: string,
): Promise<string | null> {
  const before = await getSubmission(inbox, reference);
  if (before?.is_published) {
    await askNext(inbox, before, { at, asks: 'cancel', message });
    await queueUrgent(inbox, reference, now_ms);
  } else if (before !== null && mayTakeBack(before)) await takeBack(inbox, reference);
  return before && reference;
}

/** Chooses nothing: what was read is forgotten. */
export const dropDraft = (inbox: Inbox, { id }: StoredBatch, now_ms: number): Promise<void> =>
  inbox.transaction(async () => {
    await updateBatch(inbox, id, { draft: null });
    await pruneDrafts(inbox, now_ms);
  });

/** Takes back everything of a batch that waits; what is published stays so. Gives how much it was. */
export const takeBackBatch = (inbox: Inbox, batch: StoredBatch): Promise<number> =>
  inbox.transaction(async () => {
    const waiting = (await listSent(inbox, batch)).filter(({ stored }) => mayTakeBack(stored));
    for (const { stored } of waiting) await takeBack(inbox, stored.reference);
    return waiting.length;
  });
