// Imported calendars: compares a calendar with the agenda, stores it as a draft while its sender
// selects events, and submits the selection under one reference and one token, counted once
// (contract 14.34, 14.35). In stored names, `batch` is an import and `standing` the status of a
// row.
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
import {
  type ImportedEvent,
  type ImportProblem,
  type ImportedCalendar,
  isWhollyCancelled,
} from '../domain/imported-events.ts';
import { splitCalledOff } from '../domain/called-off.ts';
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
import { isGarbled, isGarbledCopy } from '../sources/external/decode-text.ts';
import { parseInWorker } from '../sources/external/parse-in-worker.ts';
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

/** Random bytes from which the token of an import is derived. */
const SEED_BYTES = 18;

interface ReceivedCalendar {
  readonly bytes: Uint8Array;
  /** Address it was fetched from; null for an uploaded file. */
  readonly url: string | null;
  /** Language of its texts. */
  readonly lang: Lang;
  /** The client's address as used for rate limits. */
  readonly sender: string;
  readonly now_ms: number;
}

/** Stores a calendar as a draft to select from, under a new token or the `existing` import's. */
export async function createImportDraft(
  inbox: Inbox,
  snapshot: Snapshot,
  { bytes, url, lang, sender, now_ms }: ReceivedCalendar,
  existing: { readonly batch: CalendarImport; readonly token: string } | null = null,
): Promise<{ readonly token: string } | { readonly problem: ImportProblem }> {
  const result = await parseInWorker('parseCalendar', bytes, now_ms);
  if ('problem' in result) return result;
  const { batch, token: existing_token } = existing ?? { batch: null, token: null };
  const draft = await compareWithAgenda(inbox, snapshot, result.reading, batch, now_ms);
  const columns = { name: result.reading.name, at_ms: now_ms, draft };
  const seed = randomBytes(SEED_BYTES).toString('base64url');
  const token = existing_token ?? deriveImportToken(inbox, seed);
  await inbox.transaction(async () => {
    if (batch !== null) await updateImport(inbox, batch.id, { ...columns, ...(url && { url }) });
    else
      await insertImport(inbox, {
        ...columns,
        token_hash: sha256Hex(token),
        sender: rateLimitDigest(inbox, 'batch', sender),
        url,
        lang,
        seed,
        at: formatTimestamp(now_ms),
      });
    await pruneImportDrafts(inbox, now_ms);
  });
  return { token };
}

/** Lists the days of an event, YYYY-MM-DD, in order. */
const listEventDays = ({
  start,
  dates,
}: Pick<ImportedEvent, 'start' | 'dates'>): readonly string[] =>
  [...new Set([start.slice(0, 10), ...dates])].sort();

/**
 * Computes the digest that shows the next import if an event changed: hash of its facts, then days.
 */
function computeEventDigest(event: ImportedEvent): string {
  const { title, description, start, end, location, url, is_cancelled } = event;
  const nights = end && parseDay(start.slice(0, 10))?.until(end.slice(0, 10)).days;
  const facts = [title, description, start.slice(10), nights, end?.slice(10), location, url];
  const facts_hash = sha256Hex(JSON.stringify([...facts, is_cancelled])).slice(0, 32);
  return [facts_hash, ...listEventDays(event)].join(' ');
}

// Calendars list a series without an end only up to some horizon, which each import moves forward:
// the days added there are no change.
/** Days from today: if the days imported before end sooner, added days count as a change. */
const MIN_REMAINING_DAYS = 28;
/** Days from today: later days are expected to come from such a horizon. */
const FAR_FUTURE_DAYS = 300;

/**
 * Returns true if an event is the same as at its last import. Past days are ignored, and so are the
 * days by which a series without an end continues.
 */
function isUnchanged(last_digest: string | null, event: ImportedEvent, now_ms: number): boolean {
  const [last_facts, ...last_days] = last_digest?.split(' ') ?? [];
  const [facts, ...days] = computeEventDigest(event).split(' ');
  const today = toLocalDay(now_ms);
  const dayAfter = (count: number): string => today.add({ days: count }).toString();
  const last_day = last_days.at(-1) ?? '';
  const has_omitted_dates = event.doubts.some(({ rule }) => rule === 'dates_cut');
  const isContinuation = (day: string): boolean =>
    last_day > dayAfter(MIN_REMAINING_DAYS) &&
    day > last_day &&
    (has_omitted_dates || day > dayAfter(FAR_FUTURE_DAYS));
  return (
    last_facts === facts &&
    last_days.every((day) => day <= dayAfter(0) || days.includes(day)) &&
    days.every((day) => day < dayAfter(0) || last_days.includes(day) || isContinuation(day))
  );
}

type MatchFacts = Pick<ImportedEvent, 'title' | 'start' | 'dates' | 'all_day' | 'url'>;

/**
 * Lists the keys that identify an event, the most reliable first; lacking keys are empty or null.
 */
function listMatchKeys(
  uid: string | null,
  facts: MatchFacts,
  venue_name: string,
  today: string,
): readonly (string | null)[] {
  const next_day = listEventDays(facts).find((day) => day >= today) ?? '';
  const title = foldText(facts.title);
  const next_start = `${next_day}${facts.start.slice(10)}`;
  const venue_key =
    facts.all_day || venue_name === '' ? null : `${foldText(venue_name)} ${next_start}`;
  const url_keys = [title, next_start].map((detail) => facts.url && `${facts.url} ${detail}`);
  const title_keys = [`${title} ${next_start}`, next_day && `${title} ${next_day}`];
  return [uid, ...url_keys, ...title_keys, venue_key, next_day && title];
}

/**
 * Matches imported events with the submissions of an earlier import, by UID or, for calendars whose
 * UIDs change, by content. Tries one key after another; a key counts only if it is unique on both
 * sides.
 */
function matchSubmissions(
  events: readonly ImportedEvent[],
  submissions: readonly SubmissionChange[],
  snapshot: Snapshot,
  now_ms: number,
): ReadonlyMap<ImportedEvent, SubmissionChange> {
  const today = toLocalDay(now_ms).toString();
  const venues = listVenues(snapshot);
  const keyed_events = events.map((event) => {
    const { name } = suggestVenue(event.location, venues, snapshot.taxonomy.zones);
    return { event, keys: listMatchKeys(event.uid, event, name, today) };
  });
  const keyed_submissions = submissions.map((submission) => {
    const { venue, venue_name, source_url: url, ...facts } = submission.text;
    const name = venue_name ?? venues.find(({ id }) => id === venue)?.name ?? '';
    return { submission, keys: listMatchKeys(submission.uid, { ...facts, url }, name, today) };
  });

  const matches = new Map<ImportedEvent, SubmissionChange>();
  const matched_submissions = new Set<SubmissionChange>();
  for (const key_index of keyed_events[0]?.keys.keys() ?? []) {
    const submissions_by_key = Map.groupBy(
      keyed_submissions.filter(({ submission }) => !matched_submissions.has(submission)),
      ({ keys }) => keys[key_index],
    );
    const events_by_key = Map.groupBy(
      keyed_events.filter(({ event }) => !matches.has(event)),
      ({ keys }) => keys[key_index],
    );
    for (const [key, [keyed_event, ...other_events]] of events_by_key) {
      const [keyed_submission, ...other_submissions] = submissions_by_key.get(key) ?? [];
      const is_unique = other_events.length + other_submissions.length === 0;
      if (!key || !keyed_event || !keyed_submission || !is_unique) continue;
      matches.set(keyed_event.event, keyed_submission.submission);
      matched_submissions.add(keyed_submission.submission);
    }
  }
  return matches;
}

/** Adds the cancelled days of an event (`off`) to its dates if they are published. */
function keepPublishedCancelledDays(
  event: ImportedEvent,
  before: SubmissionChange | undefined,
): ImportedEvent {
  const published_days = before?.is_published ? listEventDays(before.text) : [];
  const off = event.off.filter((day) => published_days.includes(day));
  return off.length === 0 ? event : { ...event, dates: [...event.dates, ...off].sort(), off };
}

/** Keeps the published texts that the calendar now has only with wrongly decoded letters. */
function restoreLetters(event: ImportedEvent, before: SubmissionChange | undefined): ImportedEvent {
  if (before === undefined) return event;
  const restore = (text: string, original: string): string =>
    isGarbledCopy(text, original) ? original : text;
  const title = restore(event.title, before.text.title);
  const description = restore(event.description, before.text.description);
  const is_readable = ![title, description, event.location].some(isGarbled);
  const doubts = event.doubts.filter(({ rule }) => rule !== 'letters_unread' || !is_readable);
  return { ...event, title, description, doubts };
}

/** Cancels or postpones a published event to whose title its calendar has added that it is off. */
function applyCalledOffTitle(
  event: ImportedEvent,
  before: SubmissionChange | undefined,
): ImportedEvent {
  const { rest, called_off } = splitCalledOff(event.title);
  const title = before?.text.title ?? '';
  const is_added = before?.is_published && foldText(rest) === foldText(title);
  if (!is_added || called_off === null || called_off === 'moved') return event;
  const is_postponed = called_off === 'postponed';
  return { ...event, title, off: [], is_cancelled: true, is_postponed };
}

/** The venue that a followed source belongs to, if any. */
type SourceVenue = Pick<FollowedSource, 'venue_id'>;

/**
 * Compares a parsed calendar with the agenda and with an earlier import of it (`batch`): each
 * event, and each earlier one that disappeared, becomes a row with a status.
 * @param followed Null if a sender imports the calendar. For a followed source, cancelled days of
 * published events stay among the dates.
 */
export async function compareWithAgenda(
  inbox: Inbox,
  snapshot: Snapshot,
  { events, failures, over }: ImportedCalendar,
  batch: CalendarImport | null,
  now_ms: number,
  followed: SourceVenue | null = null,
): Promise<ImportDraft> {
  const submissions =
    batch === null ? [] : (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  const matches = matchSubmissions(events, submissions, snapshot, now_ms);
  // `before`: the submission of the event from an earlier import.
  const pairs = events.map((event) => {
    const before = matches.get(event);
    const readable = applyCalledOffTitle(restoreLetters(event, before), before);
    return { before, event: followed ? keepPublishedCancelledDays(readable, before) : readable };
  });
  const all_locations = [...new Set(pairs.map(({ event }) => event.location))];
  const places = all_locations.slice(0, IMPORT_DRAFT_LIMITS.places);
  const agenda = { inbox, snapshot, now_ms };
  const new_events = pairs.flatMap(({ event, before }) => (before === undefined ? event : []));
  const compareNewEvent = await createEventComparer(agenda, new_events, submissions, followed);
  const rows = pairs.map(({ event, before }): ImportRow => {
    // Beyond the limit, the remaining locations share the questions of the last one.
    const place = Math.min(all_locations.indexOf(event.location), places.length - 1);
    const unmatched = { event, place, like: null, reference: before?.reference ?? null };
    if (before !== undefined)
      return { ...unmatched, standing: compareWithSubmission(event, before, now_ms) };
    const cancelled = event.is_cancelled && { standing: 'cancelled' as const };
    return { ...unmatched, ...compareNewEvent(event), ...cancelled };
  });

  const matched_references = new Set([...matches.values()].map(({ reference }) => reference));
  // An event that could not be parsed this time has not disappeared.
  const failed_titles = new Set(failures.map(({ title }) => title));
  const gone = submissions.filter(
    (stored) =>
      !matched_references.has(stored.reference) &&
      !failed_titles.has(stored.text.title) &&
      isActive(stored) &&
      isOngoingOrUpcoming(stored.text, now_ms),
  );
  return { rows: [...rows, ...gone.map(createGoneRow)], places, failures: [...failures], over };
}

/** Returns the status of an event that was imported before. */
function compareWithSubmission(
  event: ImportedEvent,
  before: SubmissionChange,
  now_ms: number,
): ImportRow['standing'] {
  if (event.is_cancelled) return 'cancelled';
  // An event that was cancelled because it had disappeared, and is listed again, has changed.
  const was_cancelled =
    before.asks === 'cancel' && before.dates === null && before.state === 'applied';
  const is_same = !was_cancelled && isUnchanged(before.uid_digest, event, now_ms);
  return is_same ? 'same' : 'changed';
}

/** Returns true if a submission is published or pending, and is not to be cancelled as a whole. */
export const isActive = (stored: SubmissionChange): boolean =>
  (stored.asks !== 'cancel' || stored.dates !== null || stored.state === 'taken_back') &&
  (stored.is_published || canWithdraw(stored));

/** Creates the row of an event that disappeared from its calendar, which its sender may cancel. */
const createGoneRow = ({ text, reference, uid }: SubmissionChange): ImportRow => ({
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

/** Status of a new event and the similar event that the agenda has, if any (`like`). */
type NewEventComparison = Pick<ImportRow, 'standing' | 'like'> & Partial<ImportRow>;

/**
 * Creates a function that compares a new event with the agenda, with the submissions of others and
 * with other imported calendars. A similar event makes it `known` to a sender, who may still select
 * it. For a followed source, which no person reviews, only certain duplicates are `known`, compared
 * with each version of a submission, and get its reference; other similar events are `new`, with a
 * hint.
 */
async function createEventComparer(
  { inbox, snapshot, now_ms }: DeskContext,
  events: readonly ImportedEvent[],
  submissions: readonly SubmissionChange[],
  followed: SourceVenue | null,
): Promise<(event: ImportedEvent) => NewEventComparison> {
  const findDuplicates = createDuplicateFinder({ snapshot, now_ms });
  const venues = listVenues(snapshot);
  const imported_references = new Set(submissions.map(({ reference }) => reference));
  const imported_ids = new Set([...imported_references].map(eventIdOfSubmission));
  const listVersions = followed === null ? listPendingSubmissions : listSubmissionTexts;
  const versions = events.length > 0 ? await listVersions(inbox) : [];
  const others = versions
    .filter(({ reference }) => !imported_references.has(reference))
    .map(createOtherSubmission);
  const imported_uids = await listImportedUids(
    inbox,
    events.map(({ uid }) => uid),
  );
  return (event) => {
    const suggested = suggestVenue(event.location, venues, snapshot.taxonomy.zones);
    const source_venue = suggested.venue === null ? followed?.venue_id : null;
    const candidate: DuplicateCandidate = {
      titles: [event.title],
      days: [event.start.slice(0, 10), ...event.dates],
      venue: source_venue ?? suggested.venue,
      venue_name: source_venue ? null : suggested.name || null,
    };
    const certain = followed ? findCertainDuplicate(candidate, event.start, others) : undefined;
    if (certain)
      return { standing: 'known', reference: certain.reference, like: createHint(certain) };
    const [similar] = findDuplicates(candidate).filter(
      ({ card }) => !imported_ids.has(card.event.id),
    );
    if (similar) {
      const { event: agenda_event, venue } = similar.card;
      const like = { id: agenda_event.id, title: agenda_event.title[DEFAULT_LANG] };
      const agenda_candidate = {
        ...candidate,
        titles: Object.values(agenda_event.title),
        venue: venue?.id ?? null,
      };
      const is_known = followed === null || isLikelyDuplicate(candidate, agenda_candidate, true);
      return { standing: is_known ? 'known' : 'new', like };
    }
    if (followed === null && imported_uids.has(event.uid)) return { standing: 'known', like: null };
    // An equal UID is only a hint, because some programs number their events from 1. The same event
    // on another day may be a date that the other calendar does not list yet.
    const isOnOtherDay = (other: DuplicateCandidate) =>
      isLikelyDuplicate(candidate, { ...other, days: candidate.days }, true);
    const similar_submission = others.find(
      (other) =>
        isLikelyDuplicate(candidate, other.candidate) ||
        (followed !== null && (other.uid === event.uid || isOnOtherDay(other.candidate))),
    );
    if (!similar_submission) return { standing: 'new', like: null };
    return followed === null
      ? { standing: 'known', like: null }
      : { standing: 'new', like: createHint(similar_submission) };
  };
}

/** A version of a submission that did not come from the compared calendar. */
type OtherSubmission = ReturnType<typeof createOtherSubmission>;
const createOtherSubmission = ({ reference, title, text, uid }: SubmissionChange) => ({
  reference,
  title,
  uid,
  candidate: toDuplicateCandidate(text),
  start_time: text.start.slice(10),
});

const createHint = ({ reference, title }: OtherSubmission): ImportRow['like'] => ({
  id: eventIdOfSubmission(reference),
  title,
});

/** Finds the submission of the same event, preferably at the same hour. */
function findCertainDuplicate(
  candidate: DuplicateCandidate,
  start: string,
  others: readonly OtherSubmission[],
): OtherSubmission | undefined {
  const certain = others.filter((other) => isLikelyDuplicate(candidate, other.candidate, true));
  return certain.find(({ start_time }) => start_time === start.slice(10)) ?? certain[0];
}

/** A selected event, parsed as a submission. */
export interface SelectedRow {
  readonly row: ImportRow;
  /** Null for a cancelled event. */
  readonly submission: Submission | null;
}

export interface ImportSubmission {
  readonly batch: CalendarImport;
  /** The selected events. */
  readonly chosen: readonly SelectedRow[];
  /** Answers of the form, stored for the next import. */
  readonly choices: ImportAnswers;
  /** Message to the desk for events that are cancelled in their calendar. */
  readonly cancelled_message: string;
  /** The client's address as used for rate limits. */
  readonly sender: string;
  readonly now_ms: number;
}

/**
 * Submits the selected events, all or nothing; the promise resolves after the commit. New events
 * become submissions, changed ones amendments, cancelled ones requests to cancel.
 * @returns The reference of the import.
 * @throws AppError rate_limited, or if nothing is selected.
 */
export async function submitImport(inbox: Inbox, request: ImportSubmission): Promise<string> {
  const { chosen, choices, sender, now_ms } = request;
  if (chosen.length === 0) throw refusal('nothing_chosen');
  return inbox.transaction(async () => {
    const batch = await getImportById(inbox, request.batch.id);
    if (batch === null) throw refusal('no_such_submission', 'calendar: expired. Import it again');
    // The form was sent twice.
    if (batch.draft === null && batch.reference !== null) return batch.reference;
    const { id } = batch;
    const at = formatTimestamp(now_ms);
    const reference = await renameImport(inbox, batch, at);
    const counted = { sender, channel: 'form', reference, now_ms } as const;
    const is_first_time = batch.reference === null;
    // `is_doubtful`: flagged for the editors.
    const is_doubtful = is_first_time && (await checkSubmissionLimits(inbox, counted));
    if (!is_first_time) await consumeTokenAllowance(inbox, reference, now_ms);
    const email = await getImportEmail(inbox, batch);
    await createChangesFromRows(inbox, id, chosen, { ...request, door: 'form', is_doubtful });
    await updateImport(inbox, id, { reference, choices, at, draft: null, sender: '' });
    await enqueueReceipt(inbox, reference, now_ms, email);
    return reference;
  });
}

/** Returns the reference of an import; allocates it at the first submission. */
export const renameImport = async (inbox: Inbox, { id, reference }: CalendarImport, at: string) =>
  reference ?? (await allocateReference(inbox, sha256Hex(`batch ${id} ${at}`)));

interface RowOptions extends Pick<ImportSubmission, 'cancelled_message' | 'now_ms'> {
  /** Channel of the changes. */
  readonly door: SubmissionChange['door'];
  /** Flags the changes for the editors. */
  readonly is_doubtful: boolean;
}

/**
 * Turns selected rows into changes, within a transaction.
 * @returns The references of the rows that became changes.
 */
export async function createChangesFromRows(
  inbox: Inbox,
  batch: number,
  rows: readonly SelectedRow[],
  options: RowOptions,
): Promise<readonly string[]> {
  const references = await Array.fromAsync(rows, async ({ row, submission }) => {
    const { event } = row;
    const reference =
      submission === null
        ? row.reference && (await cancelSubmission(inbox, row.reference, event, options))
        : await createOrAmendSubmission(inbox, row.reference, submission, options);
    // An event that disappeared keeps the digest of its last reading.
    if (reference !== null && row.standing !== 'gone')
      await linkSubmissionToImport(inbox, reference, {
        batch,
        uid: event.uid,
        uid_digest: computeEventDigest(event),
      });
    return reference;
  });
  return references.filter((reference) => reference !== null);
}

/** Returns the reference of the submission; null if the same text was already submitted. */
async function createOrAmendSubmission(
  inbox: Inbox,
  existing_reference: string | null,
  submission: Submission,
  { now_ms, door, is_doubtful }: RowOptions,
): Promise<string | null> {
  const at = formatTimestamp(now_ms);
  const before =
    existing_reference === null ? null : await getSubmission(inbox, existing_reference);
  if (before !== null) {
    // Calendars lack these fields.
    const { image, contact_email } = before.text;
    const email = submission.contact_email ?? contact_email;
    await requestTextChange(inbox, before, { ...submission, image, contact_email: email }, at);
    return before.reference;
  }
  const digest = digestSubmission(submission);
  // The same text came through another channel; it stays with that sender.
  if ((await getSubmissionByDigest(inbox, digest)) !== null) return null;
  const reference = await allocateReference(inbox, digest);
  await insertSubmission(inbox, submission, { reference, digest, door, at, is_doubtful });
  return reference;
}

/**
 * Requests to cancel or postpone a published event, or its cancelled days (`off`); withdraws a
 * pending one.
 * @returns null if there is no such submission.
 */
async function cancelSubmission(
  inbox: Inbox,
  reference: string,
  event: ImportedEvent,
  { cancelled_message: message, now_ms }: RowOptions,
): Promise<string | null> {
  const before = await getSubmission(inbox, reference);
  if (before === null) return null;
  const days = listEventDays(before.text);
  const dates = isWhollyCancelled(event) ? null : event.off.filter((day) => days.includes(day));
  if (dates?.length === 0) return null;
  if (before.is_published) {
    const asks = event.is_postponed ? 'postpone' : 'cancel';
    await supersedeChange(inbox, before, { at: formatTimestamp(now_ms), asks, dates, message });
    await enqueueEmail(inbox, 'urgent', reference, now_ms);
  } else if (dates === null && canWithdraw(before)) await withdrawSubmission(inbox, reference);
  return reference;
}

/** Deletes the draft of an import without submitting anything. */
export const discardImportDraft = (
  inbox: Inbox,
  { id }: CalendarImport,
  now_ms: number,
): Promise<void> =>
  inbox.transaction(async () => {
    await updateImport(inbox, id, { draft: null });
    await pruneImportDrafts(inbox, now_ms);
  });

/**
 * Withdraws the pending submissions of an import and returns their number. Published events stay.
 */
export const withdrawImport = (inbox: Inbox, batch: CalendarImport): Promise<number> =>
  inbox.transaction(async () => {
    const pending = (await listImportedSubmissions(inbox, batch)).filter(({ stored }) =>
      canWithdraw(stored),
    );
    for (const { stored } of pending) await withdrawSubmission(inbox, stored.reference);
    return pending.length;
  });
