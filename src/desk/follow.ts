// A source that is followed: what came of it becomes changes in the one queue, under one reference; what it is trusted
// with is decided at once, in its own name and undoable. What is not there any more is asked of a person, never called
// off by that (contract 14.36).
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  BATCH_STANDINGS,
  type BatchDraft,
  type BatchRow,
  isPicked,
  isStillOn,
  readBatchRow,
  type StoredBatch,
  toPlaceId,
  toRowControl,
} from '../domain/batch.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import { type Actor, isRequest, type SenderChange } from '../domain/change.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import type { FeedEvent, FeedProblem, FeedReading } from '../domain/feed.ts';
import { compareTitles, findLikelyPlace } from '../domain/submission/likeness.ts';
import { listChangedFields, toFormValues } from '../domain/submission/form.ts';
import { isWithdrawn, readApplied } from '../inbox/applied.ts';
import {
  getBatchById,
  insertBatch,
  listSent,
  putBatchItem,
  updateBatch,
} from '../inbox/batches.ts';
import {
  getApprovedForm,
  getSubmission,
  insertChange,
  listChanges,
  updateChange,
} from '../inbox/changes.ts';
import { getSource, putSource, type StoredSource } from '../inbox/followed.ts';
import { queueLetter } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { toBatchToken, toDigest } from '../inbox/secret.ts';
import { getEvent, getVenue } from '../snapshot/get-thing.ts';
import { listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readEntries } from '../sources/feed/read-entries.ts';
import { readFeed } from '../sources/feed/read-feed.ts';
import { readJsonLd } from '../sources/feed/read-json-ld.ts';
import type { FollowedSource } from '../sources/followed.ts';
import { type ChosenRow, isStanding, nameBatch, takeInRows, toDraft } from './batches.ts';
import { applyOwn, decide } from './decide.ts';
import { type Desk, toEventId, toKnown } from './known.ts';
import { findFreeReference } from './propose.ts';
import { judgeAlerts, takeAlerts } from './follow-alerts.ts';
import { suggestSummary } from './publication.ts';
import { approve, changeEdits, type Edits, grant, type Looked } from './review.ts';

const HOUR_MS = 3_600_000;
/** One that fails is asked again after half an hour, each time after twice as long, at most a day. */
const PAUSE_MS = { first: HOUR_MS / 2, most: 24 * HOUR_MS } as const;
/** One that fails for so long is told of, once. */
export const DEAD_MS = 48 * HOUR_MS;
/** Complete reads without it before anybody is asked; how many may be asked at once. */
const GONE = { reads: 2, most: 5, share: 1 / 5 } as const;
/** Instead of how often it was missing: a person was asked. */
const ASKED = 0;

/** Said to the desk. */
const SAID = {
  cancelled: 'Cancelado o pospuesto en su calendario.',
  gone: 'Ya no aparece en su calendario. ¿Sigue en pie?',
} as const;

/** What came of asking its server. */
export type Outcome =
  | Pick<StoredSource, 'bytes' | 'etag' | 'last_modified'>
  | { readonly problem: FeedProblem; readonly retry_ms: number | null };

const NO_EVENTS = { problem: 'no_events' } as const;
const XML = 'application/xml, application/*+xml, text/xml, */*;q=0.1';
/** How each kind is read, and what its server is asked for. */
export const READERS = {
  icalendar: { read: readFeed, accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1' },
  'json-ld': { read: readJsonLd, accept: 'text/html, application/xhtml+xml, */*;q=0.1' },
  feed: { read: readEntries, accept: XML },
  // Its alerts are no events.
  cap: { read: () => NO_EVENTS, accept: XML },
} as const satisfies Readonly<Record<FollowedSource['kind'], object>>;
const NOTHING: FeedReading = { name: '', events: [], failures: [], over: 0 };

/** What a source says in these bytes, without the words that are to be dropped. */
export function readSource(
  { kind, time_zone, drop }: FollowedSource,
  bytes: Buffer,
  now_ms: number,
): { readonly problem: FeedProblem } | { readonly reading: FeedReading } {
  const read = READERS[kind].read(bytes, now_ms, time_zone);
  if ('problem' in read && read.problem !== 'no_events') return read;
  // Whatever was cut off may lack events that are still on.
  if (kind === 'icalendar' && !/END:VCALENDAR\s*$/i.test(bytes.toString('latin1')))
    return { problem: 'cut_off' };
  const reading = 'problem' in read ? NOTHING : read.reading;
  const without = (text: string): string =>
    drop.reduce((left, words) => left.replaceAll(words, ''), text).trim();
  const events = reading.events.map((event) => ({
    ...event,
    title: without(event.title) || event.title,
    description: without(event.description),
  }));
  return { reading: { ...reading, events } };
}

/** What stands in the controls of the form for all that a source brings. */
function toAnswers(source: FollowedSource, { places }: BatchDraft, snapshot: Snapshot) {
  const { venue_id, organizer_id, name } = source;
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
    price_kind: source.price,
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
  const draft = await toDraft(inbox, snapshot, reading, batch, now_ms, source);
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

/** `with_gone`: a person has said that what is gone may be asked about, however much it is. */
export async function takeRead(
  desk: Desk,
  source: FollowedSource,
  outcome: Outcome,
  with_gone = false,
): Promise<StoredSource> {
  const { inbox, now_ms } = desk;
  const before = await readState(desk, source);
  if ('problem' in outcome) return putFailure(desk, before, outcome.problem, outcome.retry_ms);
  const { bytes: fresh, etag, last_modified } = outcome;
  const bytes = fresh ?? before.bytes ?? Buffer.alloc(0);
  const whole = {
    ...{ ...before, etag, last_modified, bytes, problem: null, read_ms: now_ms },
    ...{ failing_ms: null, failures: 0, told_ms: null },
    next_ms: now_ms + source.every_hours * HOUR_MS,
    bytes_before: before.bytes?.equals(bytes) ? before.bytes_before : before.bytes,
  };
  if (source.kind === 'cap') {
    const judged = judgeAlerts(desk, source, bytes);
    if ('problem' in judged) return putFailure(desk, before, judged.problem);
    return inbox.transaction(async () =>
      putSource(inbox, { ...whole, brought: await takeAlerts(desk, source, judged) }),
    );
  }
  const read = readSource(source, bytes, now_ms);
  if ('problem' in read) return putFailure(desk, before, read.problem);
  const { reading } = read;
  const batch = before.batch === null ? null : await getBatchById(inbox, before.batch);
  const sent = batch === null ? [] : (await listSent(inbox, batch)).map(({ stored }) => stored);
  const standing = sent.filter((one) => isStanding(one) && isStillOn(one.text, now_ms));
  if (reading.events.length === 0 && standing.length > 0 && !with_gone)
    return putFailure(desk, before, 'emptied');
  const { rows, failures } = await prepareRead(desk, source, reading, batch);
  const gone = rows.flatMap(({ row }) => (row.standing === 'gone' ? (row.reference ?? []) : []));
  const unasked = gone.filter((one) => before.missing[one] !== ASKED);
  const most = Math.min(GONE.most, Math.max(1, Math.floor(standing.length * GONE.share)));
  const is_stopped = unasked.length > most && !with_gone;
  const countMissing = (one: string): number => (before.missing[one] ?? 0) + 1;
  const reads = with_gone ? 1 : GONE.reads;
  const asked = is_stopped ? [] : unasked.filter((one) => countMissing(one) >= reads);
  const missing = gone.map((one) => {
    const is_asked = asked.includes(one) || !unasked.includes(one);
    return [one, is_asked ? ASKED : countMissing(one)] as const;
  });
  const back = Object.keys(before.missing).filter((one) => !gone.includes(one));
  const count = (isIn: (one: (typeof rows)[number]) => boolean) => rows.filter(isIn).length;
  const standings = BATCH_STANDINGS.map((name) => [
    name,
    count(({ row }) => row.standing === name),
  ]);
  const brought = {
    ...{ events: reading.events.length, ...Object.fromEntries(standings) },
    incomplete: count(({ row, submission }) => isPicked(row) && submission === null),
    unread: failures.length,
  };
  // All of it or nothing: what was sent is known by its calendar.
  return inbox.transaction(async () => {
    const done = await bring(desk, source, batch, rows, sent);
    for (const one of sent) {
      if (asked.includes(one.reference)) await askGone(desk, source, one);
      else if (back.includes(one.reference)) await welcomeBack(desk, source, one);
    }
    return putSource(inbox, {
      ...{ ...whole, batch: done.batch, missing: Object.fromEntries(missing) },
      problem: is_stopped ? 'stopped' : null,
      brought: { ...brought, published: done.count },
    });
  });
}

const UNREAD = {
  ...{ etag: null, last_modified: null, bytes: null, bytes_before: null, brought: {}, missing: {} },
  ...{ read_ms: null, next_ms: 0, failing_ms: null, failures: 0, problem: null, told_ms: null },
} as const;

/** As it stands, tried now. Of another address nothing is known. */
async function readState(
  { inbox, now_ms }: Desk,
  { key, url }: FollowedSource,
): Promise<StoredSource> {
  const known = await getSource(inbox, key);
  const { batch = null } = known ?? {};
  const before = known?.url === url ? known : { ...UNREAD, batch };
  return { ...before, key, url, tried_ms: now_ms };
}

async function putFailure(
  { inbox, now_ms }: Desk,
  before: StoredSource,
  problem: FeedProblem,
  retry_ms: number | null = null,
): Promise<StoredSource> {
  const failing_ms = before.failing_ms ?? now_ms;
  const own_ms = PAUSE_MS.first * 2 ** Math.min(before.failures, 10);
  const pause_ms = Math.min(PAUSE_MS.most, Math.max(own_ms, retry_ms ?? 0));
  const is_told = before.told_ms === null && now_ms - failing_ms >= DEAD_MS;
  const told_ms = is_told ? now_ms : before.told_ms;
  const failed = { failing_ms, problem, told_ms, failures: before.failures + 1 };
  return inbox.transaction(async () => {
    if (is_told) await queueLetter(inbox, 'source', before.key, now_ms);
    return putSource(inbox, { ...before, ...failed, next_ms: now_ms + pause_ms });
  });
}

const toActor = ({ key }: FollowedSource, now_ms: number): Actor => ({
  editor: `source:${key}`,
  now_ms,
});

/** Sends what is new, changed or called off, and decides what the source is trusted with. */
async function bring(
  desk: Desk,
  source: FollowedSource,
  known_batch: StoredBatch | null,
  rows: Awaited<ReturnType<typeof prepareRead>>['rows'],
  sent: readonly SenderChange[],
) {
  const { inbox, now_ms } = desk;
  const own = new Map(sent.map((stored) => [stored.reference, stored]));
  const off: ChosenRow[] = [];
  const texts: ChosenRow[] = [];
  for (const { row, submission } of rows) {
    const before = own.get(row.reference ?? '');
    if (before !== undefined && row.standing !== 'gone') {
      const { event } = row;
      const { batch, uid, uid_digest } = before;
      // Found by what it says, it is known by its new name from now on.
      if (uid !== event.uid)
        await putBatchItem(inbox, before.reference, { batch, uid_digest, uid: event.uid });
      const days = await listOff(inbox, before, event.off);
      if (event.is_cancelled ? isToCallOff(before, event) : days.length > 0)
        off.push({ row: { ...row, event: { ...event, off: days } }, submission: null });
    }
    if (isPicked(row) && submission !== null) texts.push({ row, submission });
  }
  const actor = toActor(source, now_ms);
  for (const { row } of rows) await addSource(desk, actor, source, row, own);
  const others = await listOfOthers(inbox, source, rows);
  if (off.length + texts.length + others.length === 0)
    return { batch: known_batch?.id ?? null, count: 0 };
  const at = formatTimestamp(now_ms);
  const batch = known_batch ?? (await openOwnBatch(desk, source));
  // What its calendar says of it is taken up when it is read next.
  for (const [reference, uid] of others)
    await putBatchItem(inbox, reference, { batch: batch.id, uid, uid_digest: null });
  const reference = await nameBatch(inbox, batch, at);
  const choices = { venue: source.venue_id ?? '' };
  await updateBatch(inbox, batch.id, { reference, at, at_ms: now_ms, name: source.name, choices });
  const way = { cancelled_message: SAID.cancelled, now_ms, door: 'source' } as const;
  const send = async (those: readonly ChosenRow[]) => {
    const references = await takeInRows(inbox, batch.id, those, { ...way, is_doubtful: false });
    const all = await Array.fromAsync(references, (one) => getSubmission(inbox, one));
    return all.flatMap((one) => (one?.state === 'waiting' ? one : []));
  };
  let count = 0;
  // What is called off passes whatever the trust, and before the text of the same is changed.
  for (const stored of await send(off)) {
    if (!isRequest(stored) || (await isWithdrawn(inbox, toEventId(stored.reference)))) continue;
    await grant(inbox, actor, stored);
    count += 1;
  }
  const brought = new Map(texts.map(({ row }) => [row.event.uid, row]));
  const ready: (Looked & { readonly edits: Edits })[] = [];
  for (const stored of await send(texts)) {
    const [row, before] = [brought.get(stored.uid ?? ''), own.get(stored.reference)];
    if (row === undefined || !(await isTrusted(inbox, source, stored, row, before))) continue;
    const { summary = '' } = changeEdits(stored, {});
    // A summary that is the text's own beginning goes on being that.
    const is_own = summary === '' || summary === suggestSummary(before?.text.description ?? '');
    const added = is_own ? { summary: suggestSummary(stored.text.description) } : {};
    ready.push({ ...stored, edits: changeEdits(stored, added) });
  }
  if (ready.length > 0) {
    const left = await approve(inbox, toKnown(desk.snapshot), actor, reference, ready);
    count += ready.length - left.size;
  }
  return { batch: batch.id, count };
}

const SourceRecord = v.object({ url: v.string() });

/** An event of the agenda that another source brought is this one's, too: its address stands beside that, once. */
async function addSource(
  { inbox, snapshot, now_ms }: Desk,
  actor: Actor,
  { trust, venue_id }: FollowedSource,
  { event: { url }, like }: BatchRow,
  own: ReadonlyMap<string, SenderChange>,
): Promise<void> {
  if (trust === 'ask' || like === null || url === null) return;
  const { id: thing } = like;
  const found = getEvent(snapshot, thing, now_ms);
  if (found === null || found === 'gone' || found.event.source_url === url) return;
  if ([...own.keys()].some((reference) => toEventId(reference) === thing)) return;
  const before = await listChanges(inbox, (query) =>
    query.where('thing', '=', thing).where('asks', '=', 'check').where('maker', '=', 'editor'),
  );
  if (before.some(({ record }) => v.is(SourceRecord, record) && record.url === url)) return;
  const is_venues = venue_id !== null && found.event.venue === venue_id;
  const said = { kind: 'event', asks: 'check', door: 'source', thing, dates: null } as const;
  const record = { url, is_venues };
  await applyOwn(inbox, { ...actor, action: 'edit' }, { ...said, source: null, record });
}

/** What others brought of a place whose own calendar this is: from now on it is that which says how it stands. */
async function listOfOthers(
  inbox: Inbox,
  { venue_id }: FollowedSource,
  rows: Awaited<ReturnType<typeof prepareRead>>['rows'],
) {
  const found = new Map<string, string>();
  for (const { row } of venue_id === null ? [] : rows) {
    const { reference, like, event } = row;
    if (reference === null || like === null || found.has(reference)) continue;
    const { batch, door, text } = (await getSubmission(inbox, reference)) ?? {};
    if (door !== 'source' || !batch || text?.venue !== venue_id) continue;
    const { choices } = (await getBatchById(inbox, batch)) ?? {};
    if (choices?.venue !== venue_id) found.set(reference, event.uid);
  }
  return [...found];
}

/** The calendar whose events those of a source are; it keeps no address and tells nobody its token. */
async function openOwnBatch({ inbox, now_ms }: Desk, { name, url, lang }: FollowedSource) {
  const seed = randomBytes(18).toString('base64url');
  const own = { name, url, lang, seed, sender: '', draft: null, at_ms: now_ms };
  const token_hash = toDigest(toBatchToken(inbox, seed));
  const id = await insertBatch(inbox, { ...own, token_hash, at: formatTimestamp(now_ms) });
  return { ...own, id, reference: null, choices: {}, at: formatTimestamp(now_ms) };
}

/** That somebody was asked to look at an event because it had vanished, and nobody has decided. */
const listAsked = (inbox: Inbox, thing: string) =>
  listChanges(inbox, (query) =>
    query
      .where('thing', '=', thing)
      .where('door', '=', 'source')
      .where('asks', '=', 'check')
      .where('state', '=', 'waiting'),
  );

/** A person is asked to look at what is published; of what waits it is said to whoever decides. */
async function askGone({ inbox, now_ms }: Desk, source: FollowedSource, one: SenderChange) {
  const { id, reference, title, batch, is_published } = one;
  if (!is_published) return updateChange(inbox, id, { message: SAID.gone });
  const thing = toEventId(reference);
  const is_off = (await readApplied(inbox, thing)).overrides.some(({ date }) => date === '');
  if (is_off || (await listAsked(inbox, thing)).length > 0) return;
  const at = formatTimestamp(now_ms);
  const by = { maker: 'reader', door: 'source', kind: 'event', asks: 'check' } as const;
  const text = {
    change: SAID.gone,
    source_url: source.url,
    contact_email: null,
    lang: DEFAULT_LANG,
  };
  const own = await findFreeReference(inbox, toDigest(`gone ${thing} ${at}`));
  await decide(inbox, { ...toActor(source, now_ms), action: 'reopen', subject: own }, async () => {
    const said = { ...by, thing, title, batch, text, at, reference: own, revision: 1 };
    const change = await insertChange(inbox, { ...said, state: 'undone' });
    return [{ change, state: 'waiting' }];
  });
}

/** It is there again, or over: nobody need look. */
async function welcomeBack({ inbox, now_ms }: Desk, source: FollowedSource, one: SenderChange) {
  if (one.message === SAID.gone) await updateChange(inbox, one.id, { message: null });
  for (const change of await listAsked(inbox, toEventId(one.reference))) {
    const done = {
      ...toActor(source, now_ms),
      action: 'dismiss',
      subject: change.reference ?? '',
    } as const;
    await decide(inbox, done, async () => [{ change, state: 'taken_back' }]);
  }
}

/** Once: what was undone by a person is not asked again. */
const isToCallOff = (before: SenderChange, { is_postponed }: FeedEvent): boolean =>
  is_postponed
    ? before.is_published && !(isRequest(before) && before.dates === null)
    : isStanding(before) || before.asks === 'postpone';

/** Days that are called off in its calendar, and of which nothing was said here yet. */
async function listOff(inbox: Inbox, before: SenderChange, off: readonly string[]) {
  if (!before.is_published || off.length === 0) return [];
  const { overrides } = await readApplied(inbox, toEventId(before.reference));
  const said = new Set([...overrides.map(({ date }) => date), ...(before.dates ?? [])]);
  const days = [before.text.start.slice(0, 10), ...before.text.dates];
  return off.filter((day) => days.includes(day) && !said.has(day));
}

/** Doubts that nobody need look at before something is published. */
const HARMLESS: readonly string[] = ['text_cut', 'dates_cut', 'call_cut'];

/** Whether what came of an event may be published before anybody looks at it. */
async function isTrusted(
  inbox: Inbox,
  { trust, venue_id }: FollowedSource,
  { asks, text }: SenderChange,
  { event: { title, location, doubts }, like }: BatchRow,
  before: SenderChange | undefined,
): Promise<boolean> {
  if (trust === 'ask' || doubts.some(({ rule }) => !HARMLESS.includes(rule))) return false;
  if (asks === 'publish' && text.venue === null) return false;
  if (before === undefined)
    return trust === 'publish' && like === null && (location !== '' || venue_id !== null);
  // Of a place's hour that has another name a person says whether it is the same event.
  if (isRequest(before) || compareTitles(before.text.title, title) === 0) return false;
  return !(await isEditedAtDesk(inbox, before));
}

/** Whether a person has made it another than what came. */
async function isEditedAtDesk(inbox: Inbox, { text, reference }: SenderChange): Promise<boolean> {
  if ((await readApplied(inbox, toEventId(reference))).edits.length > 0) return true;
  const approved = (await getApprovedForm(inbox, reference)) ?? {};
  return listChangedFields(approved, toFormValues(text)).some((name) => name !== 'contact_email');
}
