// A source that is followed: what came of it becomes changes in the one queue, under one reference; what it is trusted
// with is decided at once, in its own name and undoable. What is not there any more is asked of a person, never called
// off by that (contract 14.36).
import { randomBytes } from 'node:crypto';
import {
  type BatchDraft,
  type BatchRow,
  isPicked,
  isStillOn,
  readBatchRow,
  toPlaceId,
  toRowControl,
} from '../domain/batch.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { SenderChange } from '../domain/change.ts';
import type { FeedProblem, FeedReading } from '../domain/feed.ts';
import { compareTitles, findLikelyPlace } from '../domain/submission/likeness.ts';
import { listChangedFields, toFormValues } from '../domain/submission/form.ts';
import { readApplied } from '../inbox/applied.ts';
import {
  getBatchById,
  insertBatch,
  listSent,
  putBatchItem,
  updateBatch,
} from '../inbox/batches.ts';
import { getApprovedForm, getSubmission, updateChange } from '../inbox/changes.ts';
import { getSource, putSource, type StoredSource } from '../inbox/followed.ts';
import { queueSourceDead } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { toBatchToken, toDigest } from '../inbox/secret.ts';
import { getVenue } from '../snapshot/get-thing.ts';
import { listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readFeed } from '../sources/feed/read-feed.ts';
import { readJsonLd } from '../sources/feed/read-json-ld.ts';
import type { FollowedSource } from '../sources/followed.ts';
import { type ChosenRow, isStanding, nameBatch, takeInRows, toDraft } from './batches.ts';
import { toEventId, toKnown } from './known.ts';
import { takeBack } from './propose.ts';
import { suggestSummary } from './publication.ts';
import { approve, changeEdits, grant } from './review.ts';

const HOUR_MS = 3_600_000;
/** One that fails is asked again after half an hour, each time after twice as long, at most a day. */
const PAUSE_MS = { first: HOUR_MS / 2, most: 24 * HOUR_MS } as const;
/** One that fails for so long is told of, once. */
export const DEAD_MS = 48 * HOUR_MS;
/** In how many complete reads something is not there before anybody is asked; how many may be asked at once. */
const GONE = { reads: 2, most: 5, share: 1 / 5 } as const;

/** What is said to the desk. */
const SAID = {
  cancelled: 'Cancelado o pospuesto en su calendario.',
  gone: 'Ya no aparece en su calendario. ¿Sigue en pie?',
} as const;

/** What came of asking its server. */
export type Outcome =
  | {
      readonly bytes: Buffer | null;
      readonly etag: string | null;
      readonly last_modified: string | null;
    }
  | { readonly problem: FeedProblem; readonly retry_ms: number | null };

export interface Desk {
  readonly inbox: Inbox;
  readonly snapshot: Snapshot;
  readonly now_ms: number;
}

const READERS = { icalendar: readFeed, 'json-ld': readJsonLd } as const;

/** What a source says in these bytes, without the words that are to be dropped. */
export function readSource(
  { kind, time_zone, drop }: FollowedSource,
  bytes: Buffer,
  now_ms: number,
): { readonly problem: FeedProblem } | { readonly reading: FeedReading } {
  // Whatever was cut off may lack events that are still on.
  const is_cut = kind === 'icalendar' && !/END:VCALENDAR\s*$/i.test(bytes.toString('latin1'));
  const read = READERS[kind](bytes, now_ms, time_zone);
  if ('problem' in read) return read;
  if (is_cut) return { problem: 'cut_off' };
  const without = (text: string): string =>
    drop.reduce((left, words) => left.replaceAll(words, ''), text).trim();
  const events = read.reading.events.map((event) => ({
    ...event,
    title: without(event.title) || event.title,
    description: without(event.description),
  }));
  return { reading: { ...read.reading, events } };
}

/** What stands in the controls of the form for all that a source brings. */
function toAnswers(source: FollowedSource, { places }: BatchDraft, snapshot: Snapshot) {
  const { price, venue_id, organizer_id, name } = source;
  const venues = listVenues(snapshot);
  const own = venue_id && getVenue(snapshot, venue_id);
  const by = organizer_id && toKnown(snapshot).getOrganizer(organizer_id);
  const of_places = places.flatMap((said, at) => {
    const likely = findLikelyPlace(said, venues, snapshot.taxonomy.zones);
    const at_own = likely.venue === null && own ? own : null;
    const [venue_name, address] = at_own ? [at_own.name, ''] : [likely.name, likely.address];
    // A place that nobody knows stands in the zone of its source; where none is said, that is asked under its name.
    const zone = at_own || likely.venue !== null ? '' : likely.zone || source.zone;
    const answers = { venue_name: venue_name || name, venue_address: address, zone };
    return Object.entries(answers).map(
      ([control, value]) => [toRowControl(control, toPlaceId(at)), value] as const,
    );
  });
  return {
    category: source.category,
    price_kind: typeof price === 'string' ? price : 'fixed',
    ...(typeof price !== 'string' && {
      price_min: String(price.min),
      price_max: String(price.max ?? ''),
    }),
    description: source.description ?? `Viene del calendario de ${name}.`,
    organizer_name: by ? by.name : '',
    ...Object.fromEntries(of_places),
  };
}

/** What would come of a reading: nothing is kept. */
export async function prepareRead(
  { inbox, snapshot, now_ms }: Desk,
  source: FollowedSource,
  reading: FeedReading,
  batch: Awaited<ReturnType<typeof getBatchById>>,
) {
  const draft = await toDraft(inbox, snapshot, reading, batch, now_ms, true);
  const answers = toAnswers(source, draft, snapshot);
  const known = toKnown(snapshot);
  const rows = draft.rows.map((row, at) => {
    const read = row.event.is_cancelled
      ? null
      : readBatchRow(row, String(at), answers, source.lang, known, now_ms);
    return { row, submission: read?.submission ?? null, issues: read?.issues ?? [] };
  });
  return { rows, failures: draft.failures, over: draft.over };
}

/** What is said of a reading, in a line. */
export interface Pulled {
  readonly problem: FeedProblem | null;
  /** How many events came how; of what was read, `published` at once. */
  readonly brought: Readonly<Record<string, number>>;
  /** So many are gone at once that nobody is asked before a person says so. */
  readonly is_stopped: boolean;
}

/** `with_gone`: somebody has said that what is gone may be asked for, however much it is. */
export async function takeRead(
  desk: Desk,
  source: FollowedSource,
  outcome: Outcome,
  with_gone = false,
): Promise<Pulled> {
  const { inbox, now_ms } = desk;
  const before = await readState(desk, source);
  if ('problem' in outcome) return putFailure(desk, source, before, outcome);
  const { bytes: fresh, etag, last_modified } = outcome;
  const bytes = fresh ?? before.bytes;
  const read = bytes === null ? { problem: 'empty' as const } : readSource(source, bytes, now_ms);
  const batch = before.batch === null ? null : await getBatchById(inbox, before.batch);
  const sent = batch === null ? [] : (await listSent(inbox, batch)).map(({ stored }) => stored);
  const standing = sent.filter((one) => isStanding(one) && isStillOn(one.text, now_ms));
  const is_none =
    'problem' in read ? read.problem === 'no_events' : read.reading.events.length === 0;
  if (is_none && standing.length > 0 && !with_gone)
    return putFailure(desk, source, before, { problem: 'emptied', retry_ms: null });
  if ('problem' in read && !is_none)
    return putFailure(desk, source, before, { ...read, retry_ms: null });
  const nothing: FeedReading = { name: '', events: [], failures: [], over: 0 };
  const reading = 'problem' in read ? nothing : read.reading;
  const prepared = await prepareRead(desk, source, reading, batch);
  const gone = prepared.rows.filter(({ row }) => row.standing === 'gone');
  const missing = Object.fromEntries(
    gone.map(({ row: { reference } }) => [
      reference ?? '',
      (before.missing[reference ?? ''] ?? 0) + 1,
    ]),
  );
  const most = Math.min(GONE.most, Math.max(1, Math.floor(standing.length * GONE.share)));
  const is_stopped = gone.length > most && !with_gone;
  const isAsked = ({ reference }: BatchRow): boolean =>
    !is_stopped && (missing[reference ?? ''] ?? 0) >= (with_gone ? 1 : GONE.reads);
  const count = (name: string) => prepared.rows.filter(({ row }) => row.standing === name).length;
  const isIncomplete = ({ row, submission }: Prepared): boolean =>
    isPicked(row) && submission === null;
  const brought = {
    events: reading.events.length,
    new: count('new'),
    changed: count('changed'),
    cancelled: count('cancelled'),
    gone: gone.length,
    known: count('known'),
    incomplete: prepared.rows.filter(isIncomplete).length,
    unread: prepared.failures.length,
  };
  const kept = {
    ...before,
    url: source.url,
    etag,
    last_modified,
    read_ms: now_ms,
    next_ms: now_ms + source.every_hours * HOUR_MS,
    failing_ms: null,
    failures: 0,
    problem: is_stopped ? 'stopped' : null,
    told_ms: null,
    missing,
    bytes,
    bytes_before:
      fresh === null || before.bytes?.equals(fresh) ? before.bytes_before : before.bytes,
  };
  // All of it or nothing: what was sent is known by its calendar.
  return inbox.transaction(async () => {
    const done = await bring(desk, source, before.batch, prepared.rows, sent, isAsked);
    const told = { ...brought, published: done.count };
    await putSource(inbox, { ...kept, batch: done.batch, brought: told });
    return { problem: null, brought: told, is_stopped };
  });
}

/** As it stands, tried now. Of another address nothing is known. */
async function readState({ inbox, now_ms }: Desk, { key, url }: FollowedSource) {
  const known = await getSource(inbox, key);
  const own = { key, url, tried_ms: now_ms };
  if (known?.url === url) return { ...known, ...own };
  const none = { etag: null, last_modified: null, read_ms: null, failing_ms: null, problem: null };
  const nothing = { failures: 0, told_ms: null, bytes: null, bytes_before: null, next_ms: now_ms };
  return { ...none, ...nothing, ...own, batch: known?.batch ?? null, brought: {}, missing: {} };
}

async function putFailure(
  { inbox, now_ms }: Desk,
  { key }: FollowedSource,
  before: StoredSource,
  { problem, retry_ms }: { readonly problem: FeedProblem; readonly retry_ms: number | null },
): Promise<Pulled> {
  const failing_ms = before.failing_ms ?? now_ms;
  const own_ms = PAUSE_MS.first * 2 ** Math.min(before.failures, 10);
  const pause_ms = Math.min(PAUSE_MS.most, Math.max(own_ms, retry_ms ?? 0));
  const is_told = before.told_ms === null && now_ms - failing_ms >= DEAD_MS;
  const told_ms = is_told ? now_ms : before.told_ms;
  const failed = { failing_ms, problem, told_ms, failures: before.failures + 1 };
  await inbox.transaction(async () => {
    await putSource(inbox, { ...before, ...failed, next_ms: now_ms + pause_ms });
    if (is_told) await queueSourceDead(inbox, key, now_ms);
  });
  return { problem, brought: {}, is_stopped: false };
}

type Prepared = Awaited<ReturnType<typeof prepareRead>>['rows'][number];

/** Sends what is new, changed or called off, and decides what the source is trusted with. */
async function bring(
  desk: Desk,
  source: FollowedSource,
  known_batch: number | null,
  rows: readonly Prepared[],
  sent: readonly SenderChange[],
  isAsked: (row: BatchRow) => boolean,
) {
  const { inbox, now_ms } = desk;
  const own = new Map(sent.map((stored) => [stored.reference, stored]));
  const findOwn = ({ reference }: BatchRow) => own.get(reference ?? '') ?? null;
  const called: ChosenRow[] = [];
  const texts: ChosenRow[] = [];
  const gone: ChosenRow[] = [];
  for (const { row, submission } of rows) {
    const before = findOwn(row);
    if (row.standing === 'gone') {
      if (isAsked(row) && before !== null) gone.push({ row, submission: null });
      continue;
    }
    if (before !== null) await welcomeBack(inbox, before, row);
    if (row.standing === 'cancelled') {
      if (before !== null && isToCallOff(before, row)) called.push({ row, submission: null });
      continue;
    }
    const off = before === null ? [] : await listOff(inbox, before, row);
    if (off.length > 0)
      called.push({ row: { ...row, event: { ...row.event, off } }, submission: null });
    if (isPicked(row) && submission !== null) texts.push({ row, submission });
  }
  const chosen = [...called, ...gone, ...texts];
  if (chosen.length === 0) return { batch: known_batch, count: 0 };
  const at = formatTimestamp(now_ms);
  const batch = await openOwnBatch(desk, source, known_batch);
  const reference = await nameBatch(inbox, batch, at);
  await updateBatch(inbox, batch.id, { reference, at, at_ms: now_ms });
  const actor = { editor: `source:${source.key}`, now_ms };
  const send = (those: readonly ChosenRow[], cancelled_message: string) =>
    takeInRows(inbox, batch.id, those, {
      cancelled_message,
      now_ms,
      door: 'source',
      is_doubtful: false,
    });
  let count = 0;
  // What is called off passes whatever the trust, and before the text of the same is changed.
  for (const one of await send(called, SAID.cancelled)) {
    const stored = await getSubmission(inbox, one);
    if (stored?.state !== 'waiting' || !isRequest(stored)) continue;
    if ((await readApplied(inbox, toEventId(one))).overrides.some(isWithdrawn)) continue;
    await grant(inbox, actor, stored);
    count += 1;
  }
  for (const { row } of gone)
    await askGone(inbox, findOwn(row), () => send([{ row, submission: null }], SAID.gone));
  const known = toKnown(desk.snapshot);
  const trusted = new Set<string>();
  for (const { row } of texts)
    if (await isTrusted(inbox, source, row, findOwn(row))) trusted.add(row.event.uid);
  const references = await send(texts, SAID.cancelled);
  const ready = (await Array.fromAsync(references, (one) => getSubmission(inbox, one))).filter(
    (one) => one !== null && one.state === 'waiting' && trusted.has(one.uid ?? ''),
  );
  const edits = ready.flatMap((one) => {
    if (one === null || (one.asks === 'publish' && one.text.venue === null)) return [];
    const { reference: own_reference, revision, text } = one;
    const was = own.get(own_reference)?.text.description ?? '';
    const { summary = '' } = changeEdits(one, {});
    // A summary that is the text's own beginning goes on being that.
    const is_own = summary === '' || summary === suggestSummary(was);
    const added = is_own ? { summary: suggestSummary(text.description) } : {};
    return [{ reference: own_reference, revision, edits: changeEdits(one, added) }];
  });
  if (edits.length > 0) {
    const left = await approve(inbox, known, actor, reference, edits);
    count += edits.length - left.size;
  }
  return { batch: batch.id, count };
}

const isRequest = ({ asks }: SenderChange): boolean => asks === 'cancel' || asks === 'postpone';
const isWithdrawn = ({ record }: { readonly record: { readonly status: string } }): boolean =>
  record.status === 'withdrawn';

/** The calendar whose events those of a source are; a new one keeps no address and tells nobody its token. */
async function openOwnBatch({ inbox, now_ms }: Desk, source: FollowedSource, id: number | null) {
  const known = id === null ? null : await getBatchById(inbox, id);
  if (known !== null) return known;
  const seed = randomBytes(18).toString('base64url');
  const number = await insertBatch(inbox, {
    ...{ name: source.name, url: source.url, lang: source.lang, seed, sender: '', draft: null },
    token_hash: toDigest(toBatchToken(inbox, seed)),
    at: formatTimestamp(now_ms),
    at_ms: now_ms,
  });
  const batch = await getBatchById(inbox, number);
  if (batch === null) throw new Error(`calendar ${number} is not there`);
  return batch;
}

/** It is there again, or under another name: nobody need be asked, and it is known by that name. */
async function welcomeBack(inbox: Inbox, before: SenderChange, row: BatchRow): Promise<void> {
  const { reference, uid, uid_digest, batch, id, state, message } = before;
  if (uid !== row.event.uid)
    await putBatchItem(inbox, reference, { batch, uid: row.event.uid, uid_digest });
  if (state !== 'waiting' || message !== SAID.gone) return;
  if (isRequest(before)) await takeBack(inbox, reference);
  else await updateChange(inbox, id, { message: null });
}

/** What is published is asked of a person; what waits says it to whoever decides. */
async function askGone(inbox: Inbox, before: SenderChange | null, ask: () => Promise<unknown>) {
  if (before?.is_published) await ask();
  else if (before !== null && before.message !== SAID.gone)
    await updateChange(inbox, before.id, { message: SAID.gone });
}

/** Once: what was undone by a person is not asked again. */
const isToCallOff = (before: SenderChange, { event }: BatchRow): boolean =>
  event.is_postponed
    ? before.is_published && !(isRequest(before) && before.dates === null)
    : isStanding(before) || before.asks === 'postpone';

/** Days that are called off in its calendar, and of which nothing was said here yet. */
async function listOff(inbox: Inbox, before: SenderChange, { event }: BatchRow) {
  if (!before.is_published || event.off.length === 0) return [];
  const { overrides } = await readApplied(inbox, toEventId(before.reference));
  const said = new Set([...overrides.map(({ date }) => date), ...(before.dates ?? [])]);
  const days = [before.text.start.slice(0, 10), ...before.text.dates];
  return event.off.filter((day) => days.includes(day) && !said.has(day));
}

/** Doubts that nobody need look at before something is published. */
const HARMLESS: readonly string[] = ['text_cut', 'dates_cut', 'call_cut'];

/** Whether what came of an event may be published before anybody looks at it. */
async function isTrusted(
  inbox: Inbox,
  { trust, venue_id }: FollowedSource,
  { event, standing }: BatchRow,
  before: SenderChange | null,
): Promise<boolean> {
  if (trust === 'ask' || event.doubts.some(({ rule }) => !HARMLESS.includes(rule))) return false;
  if (before === null)
    return (
      trust === 'publish' && standing === 'new' && (event.location !== '' || venue_id !== null)
    );
  const { text, reference } = before;
  // Of a place's hour that has another name a person says whether it is the same event.
  if (isRequest(before) || compareTitles(text.title, event.title) === 0) return false;
  return !(await isEditedAtDesk(inbox, before, reference));
}

/** Whether a person has made it another than what came. */
async function isEditedAtDesk(inbox: Inbox, { text }: SenderChange, reference: string) {
  if ((await readApplied(inbox, toEventId(reference))).edits.length > 0) return true;
  const approved = (await getApprovedForm(inbox, reference)) ?? {};
  return listChangedFields(approved, toFormValues(text)).some((name) => name !== 'contact_email');
}
