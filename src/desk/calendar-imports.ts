// A calendar that somebody brings in: read, compared with what is there, kept while they choose; what they send of it
// stands under one reference and one token, all at once and counted once (contract 14.34, 14.35).
import { randomBytes } from 'node:crypto';
import { refusal } from '../domain/app-error.ts';
import { formatTimestamp, parseDay, toLocalDay } from '../domain/local-time.ts';
import {
  IMPORT_DRAFT_LIMITS,
  type ImportAnswers,
  type ImportDraft,
  type ImportRow,
  isOngoingOrUpcoming,
  type CalendarImport,
} from '../domain/calendar-import.ts';
import type { SubmissionChange } from '../domain/change.ts';
import type { ImportedEvent, ImportProblem, ImportedCalendar } from '../domain/imported-events.ts';
import { foldText } from '../domain/text-folding.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import {
  suggestVenue,
  isLikelyDuplicate,
  type DuplicateCandidate,
} from '../domain/submission/duplicate-detection.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  getImportById,
  insertImport,
  listImportedUids,
  listImportedSubmissions,
  pruneImportDrafts,
  linkSubmissionToImport,
  getImportEmail,
  updateImport,
} from '../inbox/calendar-imports.ts';
import {
  getSubmission,
  getSubmissionByDigest,
  listPendingSubmissions,
  listSubmissionTexts,
} from '../inbox/changes.ts';
import { enqueueEmail, enqueueReceipt } from '../inbox/outbox.ts';
import type { Inbox } from '../inbox/open.ts';
import { deriveImportToken, rateLimitDigest, sha256Hex } from '../inbox/secrets.ts';
import { listVenues } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { parseCalendar } from '../sources/external/parse-ics.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';
import { checkSubmissionLimits, consumeTokenAllowance } from './submission-limits.ts';
import {
  createDuplicateFinder,
  type DeskContext,
  eventIdOfSubmission,
  toDuplicateCandidate,
} from './reference-data.ts';
import {
  supersedeChange,
  requestTextChange,
  allocateReference,
  insertSubmission,
  canWithdraw,
  withdrawSubmission,
  digestSubmission,
} from './submissions.ts';

const SEED_BYTES = 18;

interface ReceivedCalendar {
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
export async function createImportDraft(
  inbox: Inbox,
  snapshot: Snapshot,
  { bytes, url, lang, sender, now_ms }: ReceivedCalendar,
  renewed: { readonly batch: CalendarImport; readonly token: string } | null = null,
): Promise<{ readonly token: string } | { readonly problem: ImportProblem }> {
  const read = parseCalendar(bytes, now_ms);
  if ('problem' in read) return read;
  const { batch, token } = renewed ?? { batch: null, token: null };
  const draft = await compareWithAgenda(inbox, snapshot, read.reading, batch, now_ms);
  const row = { name: read.reading.name, at_ms: now_ms, draft };
  const seed = randomBytes(SEED_BYTES).toString('base64url');
  const own = token ?? deriveImportToken(inbox, seed);
  await inbox.transaction(async () => {
    if (batch !== null) await updateImport(inbox, batch.id, { ...row, ...(url && { url }) });
    else {
      const by = { token_hash: sha256Hex(own), sender: rateLimitDigest(inbox, 'batch', sender) };
      await insertImport(inbox, { ...row, ...by, url, lang, seed, at: formatTimestamp(now_ms) });
    }
    await pruneImportDrafts(inbox, now_ms);
  });
  return { token: own };
}

const toDays = ({ start, dates }: Pick<ImportedEvent, 'start' | 'dates'>): readonly string[] =>
  [...new Set([start.slice(0, 10), ...dates])].sort();

/** What an event says, by which a later reading is told from it: its facts, then its days. */
function toEventDigest(event: ImportedEvent): string {
  const { title, description, start, end, location, url, is_cancelled } = event;
  const nights = end && parseDay(start.slice(0, 10))?.until(end.slice(0, 10)).days;
  const said = [title, description, start.slice(10), nights, end?.slice(10), location, url];
  const facts = sha256Hex(JSON.stringify([...said, is_cancelled])).slice(0, 32);
  return [facts, ...toDays(event)].join(' ');
}

/** A series without an end is asked for anew when there are so few days left of what is known of it. */
const FEW_DAYS = 28;
const FAR_DAYS = 300;

/** Whether it says what it said. Days that are over are no change, nor those that a series without an end goes on by. */
function isAsBefore(before: string | null, event: ImportedEvent, now_ms: number): boolean {
  const [facts, ...were] = before?.split(' ') ?? [];
  const [own_facts, ...are] = toEventDigest(event).split(' ');
  const today = toLocalDay(now_ms);
  const inDays = (days: number): string => today.add({ days }).toString();
  const last = were.at(-1) ?? '';
  const is_cut = event.doubts.some(({ rule }) => rule === 'dates_cut');
  const isFurther = (day: string): boolean =>
    last > inDays(FEW_DAYS) && day > last && (is_cut || day > inDays(FAR_DAYS));
  return (
    facts === own_facts &&
    were.every((day) => day <= inDays(0) || are.includes(day)) &&
    are.every((day) => day < inDays(0) || were.includes(day) || isFurther(day))
  );
}

/**
 * What was sent of each event: by its name in the calendar; where that is another each time, by what it says. Only
 * where one alone is meant on either side.
 */
function identify(
  events: readonly ImportedEvent[],
  sent: readonly SubmissionChange[],
  snapshot: Snapshot,
  now_ms: number,
): ReadonlyMap<ImportedEvent, SubmissionChange> {
  const today = toLocalDay(now_ms).toString();
  const venues = listVenues(snapshot);
  type Said = Pick<ImportedEvent, 'title' | 'start' | 'dates' | 'all_day' | 'url'>;
  const toKeys = (uid: string | null, said: Said, place: string): readonly (string | null)[] => {
    const day = toDays(said).find((one) => one >= today) ?? '';
    const [title, next] = [foldText(said.title), `${day}${said.start.slice(10)}`];
    const at = said.all_day || place === '' ? null : `${foldText(place)} ${next}`;
    const of_url = [title, next].map((one) => said.url && `${said.url} ${one}`);
    const of_title = [`${title} ${next}`, day && `${title} ${day}`];
    return [uid, ...of_url, ...of_title, at, day && title];
  };
  const those = events.map((event) => {
    const { name } = suggestVenue(event.location, venues, snapshot.taxonomy.zones);
    return { one: event, keys: toKeys(event.uid, event, name) };
  });
  const known = sent.map((stored) => {
    const { venue, venue_name, source_url: url, ...text } = stored.text;
    const place = venue_name ?? venues.find(({ id }) => id === venue)?.name ?? '';
    return { one: stored, keys: toKeys(stored.uid, { ...text, url }, place) };
  });
  const found = new Map<ImportedEvent, SubmissionChange>();
  const taken = new Set<SubmissionChange>();
  for (const nth of those[0]?.keys.keys() ?? []) {
    const before = Map.groupBy(
      known.filter(({ one }) => !taken.has(one)),
      ({ keys }) => keys[nth],
    );
    const now = Map.groupBy(
      those.filter(({ one }) => !found.has(one)),
      ({ keys }) => keys[nth],
    );
    for (const [key, [event, ...others]] of now) {
      const [stored, ...more] = before.get(key) ?? [];
      if (!key || !event || !stored || others.length + more.length > 0) continue;
      found.set(event.one, stored.one);
      taken.add(stored.one);
    }
  }
  return found;
}

/** With the days that are called off among its dates, where they were sent before. */
function keepOff(event: ImportedEvent, before: SubmissionChange | undefined): ImportedEvent {
  const were = before?.is_published ? toDays(before.text) : [];
  const off = event.off.filter((day) => were.includes(day));
  return off.length === 0 ? event : { ...event, dates: [...event.dates, ...off].sort(), off };
}

/** Of a source that is followed: its own place. */
type SourceVenue = Pick<FollowedSource, 'venue_id'>;

/** What was read, compared. Of what is followed, days that are called off stay among the dates of what is published. */
export async function compareWithAgenda(
  inbox: Inbox,
  snapshot: Snapshot,
  { events: read, failures, over }: ImportedCalendar,
  batch: CalendarImport | null,
  now_ms: number,
  followed: SourceVenue | null = null,
): Promise<ImportDraft> {
  const sent =
    batch === null ? [] : (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  const own = identify(read, sent, snapshot, now_ms);
  const pairs = read.map((event) => {
    const before = own.get(event);
    return { before, event: followed ? keepOff(event, before) : event };
  });
  const all_places = [...new Set(pairs.map(({ event }) => event.location))];
  const places = all_places.slice(0, IMPORT_DRAFT_LIMITS.places);
  const agenda = { inbox, snapshot, now_ms };
  const fresh = pairs.flatMap(({ event, before }) => (before === undefined ? event : []));
  const compare = await createComparison(agenda, fresh, sent, followed);
  const rows = pairs.map(({ event, before }): ImportRow => {
    // Where there are more places than are asked for, the last stands for the rest.
    const place = Math.min(all_places.indexOf(event.location), places.length - 1);
    const base = { event, place, like: null, reference: before?.reference ?? null };
    const { is_cancelled } = event;
    if (before === undefined)
      return { ...base, ...compare(event), ...(is_cancelled && { standing: 'cancelled' }) };
    if (is_cancelled) return { ...base, standing: 'cancelled' };
    // What was called off because it had vanished, and is there again, says something new.
    const is_off = before.asks === 'cancel' && before.dates === null && before.state === 'applied';
    const is_same = !is_off && isAsBefore(before.uid_digest, event, now_ms);
    return { ...base, standing: is_same ? 'same' : 'changed' };
  });
  // What cannot be read this time has not vanished.
  const here = new Set([...own.values()].map(({ reference }) => reference));
  const unread = new Set(failures.map(({ title }) => title));
  const gone = sent.filter(
    (stored) =>
      !here.has(stored.reference) &&
      !unread.has(stored.text.title) &&
      isActive(stored) &&
      isOngoingOrUpcoming(stored.text, now_ms),
  );
  return { rows: [...rows, ...gone.map(toGoneRow)], places, failures: [...failures], over };
}

/** Whether it is in the agenda or waits for that, and nobody has asked to call all of it off. */
export const isActive = (stored: SubmissionChange): boolean =>
  (stored.asks !== 'cancel' || stored.dates !== null || stored.state === 'taken_back') &&
  (stored.is_published || canWithdraw(stored));

/** What its calendar does not have any more is offered to be called off. */
const toGoneRow = ({ text, reference, uid }: SubmissionChange): ImportRow => ({
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
    is_postponed: false,
    off: [],
    doubts: [],
  },
  standing: 'gone',
  like: null,
  reference,
  place: 0,
});

/**
 * Compares an event with the agenda, with what waits, and with what came with other calendars. Of one that is followed
 * nobody looks at what is known: it is that for sure, by any text that there ever was of the other, whose reference it
 * has then; what is only like something else is new, and says so.
 */
async function createComparison(
  { inbox, snapshot, now_ms }: DeskContext,
  events: readonly ImportedEvent[],
  sent: readonly SubmissionChange[],
  followed: SourceVenue | null,
): Promise<(event: ImportedEvent) => Pick<ImportRow, 'standing' | 'like'> & Partial<ImportRow>> {
  const findAlike = createDuplicateFinder({ snapshot, now_ms });
  const venues = listVenues(snapshot);
  const references = new Set(sent.map(({ reference }) => reference));
  const ids = new Set(sent.map(({ reference }) => eventIdOfSubmission(reference)));
  const list = followed === null ? listPendingSubmissions : listSubmissionTexts;
  const texts = events.length > 0 ? await list(inbox) : [];
  const others = texts
    .filter(({ reference }) => !references.has(reference))
    .map(({ reference, title, text }) => {
      return { reference, title, text: toDuplicateCandidate(text), hour: text.start.slice(10) };
    });
  const uids = await listImportedUids(
    inbox,
    events.map(({ uid }) => uid),
  );
  return (event) => {
    const place = suggestVenue(event.location, venues, snapshot.taxonomy.zones);
    const at_own = place.venue === null ? followed?.venue_id : null;
    const own: DuplicateCandidate = {
      titles: [event.title],
      days: [event.start.slice(0, 10), ...event.dates],
      venue: at_own ?? place.venue,
      venue_name: at_own ? null : place.name || null,
    };
    const same = followed ? others.filter(({ text }) => isLikelyDuplicate(own, text, true)) : [];
    const sure = same.find(({ hour }) => hour === event.start.slice(10)) ?? same[0];
    if (sure) {
      const { reference, title } = sure;
      return { standing: 'known', reference, like: { id: eventIdOfSubmission(reference), title } };
    }
    const [alike] = findAlike(own).filter(({ card }) => !ids.has(card.event.id));
    if (alike) {
      const { event: its, venue } = alike.card;
      const like = { id: its.id, title: its.title[DEFAULT_LANG] };
      const at = { ...own, titles: Object.values(its.title), venue: venue?.id ?? null };
      const is_known = followed === null || isLikelyDuplicate(own, at, true);
      return { standing: is_known ? 'known' : 'new', like };
    }
    if (uids.has(event.uid)) return { standing: 'known', like: null };
    // The same on another day may be what the other has not said yet.
    const isMoved = (text: DuplicateCandidate) =>
      isLikelyDuplicate(own, { ...text, days: own.days }, true);
    const isLike = (text: DuplicateCandidate) =>
      isLikelyDuplicate(own, text) || (followed !== null && isMoved(text));
    const other = others.find(({ text }) => isLike(text));
    if (!other) return { standing: 'new', like: null };
    if (followed === null) return { standing: 'known', like: null };
    return {
      standing: 'new',
      like: { id: eventIdOfSubmission(other.reference), title: other.title },
    };
  };
}

/** An event that was chosen, as a submission. */
export interface SelectedRow {
  readonly row: ImportRow;
  /** Null of one that is called off. */
  readonly submission: Submission | null;
}

export interface ImportSubmission {
  readonly batch: CalendarImport;
  readonly chosen: readonly SelectedRow[];
  /** What was answered, kept for the next time. */
  readonly choices: ImportAnswers;
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
export async function submitImport(inbox: Inbox, sending: ImportSubmission): Promise<string> {
  const { chosen, choices, sender, now_ms } = sending;
  if (chosen.length === 0) throw refusal('nothing_chosen');
  return inbox.transaction(async () => {
    const batch = await getImportById(inbox, sending.batch.id);
    if (batch === null) throw refusal('no_such_submission', 'calendar: it is not kept any more');
    // Pressed twice: the first has sent it.
    if (batch.draft === null && batch.reference !== null) return batch.reference;
    const { id } = batch;
    const at = formatTimestamp(now_ms);
    const reference = await renameImport(inbox, batch, at);
    let is_doubtful = false;
    if (batch.reference === null)
      is_doubtful = await checkSubmissionLimits(inbox, {
        sender,
        channel: 'form',
        reference,
        now_ms,
      });
    else await consumeTokenAllowance(inbox, reference, now_ms);
    const email = await getImportEmail(inbox, batch);
    await createChangesFromRows(inbox, id, chosen, { ...sending, door: 'form', is_doubtful });
    await updateImport(inbox, id, { reference, choices, at, draft: null, sender: '' });
    await enqueueReceipt(inbox, reference, now_ms, email);
    return reference;
  });
}

export const renameImport = async (inbox: Inbox, { id, reference }: CalendarImport, at: string) =>
  reference ?? (await allocateReference(inbox, sha256Hex(`batch ${id} ${at}`)));

interface IntakeOptions extends Pick<ImportSubmission, 'cancelled_message' | 'now_ms'> {
  readonly door: SubmissionChange['door'];
  readonly is_doubtful: boolean;
}

/** Within a transaction: what was chosen of a batch becomes changes; gives the references of those that did. */
export async function createChangesFromRows(
  inbox: Inbox,
  batch: number,
  chosen: readonly SelectedRow[],
  way: IntakeOptions,
): Promise<readonly string[]> {
  const all = await Array.fromAsync(chosen, async ({ row, submission }) => {
    const { event, reference } = row;
    const sent =
      submission === null
        ? reference && (await callOff(inbox, reference, event, way))
        : await takeIn(inbox, reference, submission, way);
    const item = { batch, uid: event.uid, uid_digest: toEventDigest(event) };
    // Of what is gone the last that its calendar said stays.
    if (sent !== null && row.standing !== 'gone') await linkSubmissionToImport(inbox, sent, item);
    return sent;
  });
  return all.filter((sent) => sent !== null);
}

/** A new submission, or another text of one; gives its reference. */
async function takeIn(
  inbox: Inbox,
  known: string | null,
  submission: Submission,
  { now_ms, ...way }: IntakeOptions,
): Promise<string | null> {
  const at = formatTimestamp(now_ms);
  const before = known === null ? null : await getSubmission(inbox, known);
  if (before !== null) {
    // What a calendar does not say stays as it is.
    const { image, contact_email } = before.text;
    const email = submission.contact_email ?? contact_email;
    await requestTextChange(inbox, before, { ...submission, image, contact_email: email }, at);
    return before.reference;
  }
  const digest = digestSubmission(submission);
  // The same text came another way before: it stays its sender's.
  if ((await getSubmissionByDigest(inbox, digest)) !== null) return null;
  const reference = await allocateReference(inbox, digest);
  const { door, is_doubtful } = way;
  await insertSubmission(inbox, submission, { reference, digest, door, at, is_doubtful });
  return reference;
}

/** What is published is asked to be cancelled or postponed, all of it or its days that are off; what waits is taken back. */
async function callOff(
  inbox: Inbox,
  reference: string,
  { off, is_postponed, is_cancelled }: ImportedEvent,
  { cancelled_message: message, now_ms }: IntakeOptions,
): Promise<string | null> {
  const before = await getSubmission(inbox, reference);
  if (before?.is_published) {
    const asks = is_postponed ? 'postpone' : 'cancel';
    const dates = is_cancelled ? null : off;
    await supersedeChange(inbox, before, { at: formatTimestamp(now_ms), asks, dates, message });
    await enqueueEmail(inbox, 'urgent', reference, now_ms);
  } else if (before !== null && canWithdraw(before)) await withdrawSubmission(inbox, reference);
  return before && reference;
}

/** Chooses nothing: what was read is forgotten. */
export const discardImportDraft = (
  inbox: Inbox,
  { id }: CalendarImport,
  now_ms: number,
): Promise<void> =>
  inbox.transaction(async () => {
    await updateImport(inbox, id, { draft: null });
    await pruneImportDrafts(inbox, now_ms);
  });

/** Takes back everything of a batch that waits; what is published stays so. Gives how much it was. */
export const withdrawImport = (inbox: Inbox, batch: CalendarImport): Promise<number> =>
  inbox.transaction(async () => {
    const waiting = (await listImportedSubmissions(inbox, batch)).filter(({ stored }) =>
      canWithdraw(stored),
    );
    for (const { stored } of waiting) await withdrawSubmission(inbox, stored.reference);
    return waiting.length;
  });
