// Source import: turns a fetched followed source (a calendar, feed or page in content/sources) into
// changes in the review queue, under one reference, and approves those that the source is trusted
// with; editors can undo that. An event that disappears from its source is reported to an editor,
// never cancelled for that (contract 14.36). In stored names, `batch` is the import that all events
// of a source belong to, `standing` the status of a row, `asks` the action of a change.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  IMPORT_ROW_STATUSES,
  type ImportDraft,
  type ImportRow,
  isPreselected,
  isOngoingOrUpcoming,
  parseImportRow,
  type CalendarImport,
  placeControlId,
  rowControlName,
} from '../domain/calendar-import.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import { type Actor, isStatusRequest, type SubmissionChange } from '../domain/change.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import {
  type ImportedEvent,
  type ImportProblem,
  type ImportWarning,
  type ImportedCalendar,
  isWhollyCancelled,
} from '../domain/imported-events.ts';
import { titleSimilarity, suggestVenue } from '../domain/submission/duplicate-detection.ts';
import { listChangedControls, submissionToForm } from '../domain/submission/form-values.ts';
import { isEventWithdrawn, loadAppliedChanges } from '../inbox/applied-changes.ts';
import {
  getImportById,
  insertImport,
  listImportedSubmissions,
  linkSubmissionToImport,
  updateImport,
} from '../inbox/calendar-imports.ts';
import {
  getApprovedControlValues,
  getSubmission,
  insertChange,
  listChanges,
  updateChange,
} from '../inbox/changes.ts';
import {
  assignSenders,
  getSourceState,
  saveSourceState,
  type SourceState,
} from '../inbox/followed-sources.ts';
import { enqueueEmail } from '../inbox/outbox.ts';
import type { Inbox } from '../inbox/open.ts';
import { deriveImportToken, sha256Hex } from '../inbox/secrets.ts';
import { getEvent, getVenue } from '../snapshot/get-record.ts';
import { listVenues } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import type { ParseResult } from '../sources/external/parse-ics.ts';
import { parseInWorker } from '../sources/external/parse-in-worker.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';
import {
  type SelectedRow,
  isActive,
  renameImport,
  createChangesFromRows,
  compareWithAgenda,
} from './calendar-imports.ts';
import { applyEditorChange, recordDecision } from './decisions.ts';
import { type DeskContext, eventIdOfSubmission, createReferenceData } from './reference-data.ts';
import { allocateReference } from './submissions.ts';
import { evaluateAlerts, importAlerts, listSenders } from './import-alerts.ts';
import { suggestSummary } from './publication.ts';
import {
  approveSubmissions,
  mergeControlValues,
  type ControlValues,
  grantStatusRequest,
  type ReviewedRevision,
} from './review.ts';

const HOUR_MS = 3_600_000;
/** Pause after a failed fetch: half an hour, doubled each time, at most a day. */
const RETRY_PAUSE_MS = { first: HOUR_MS / 2, max: 24 * HOUR_MS } as const;
/** Editors are notified once when a source has failed for this long. */
export const SOURCE_DEAD_AFTER_MS = 48 * HOUR_MS;
/**
 * An event is reported as missing after `reads` complete readings (fetches) without it. If more
 * than `max` events, or this share of the source's events, would be reported at once, none is: the
 * source gets the problem `stopped` instead.
 */
const MISSING_LIMITS = { reads: 2, max: 5, share: 1 / 5 } as const;
/** Stored in `missing` instead of the number of readings once the event was reported. */
const REPORTED = 0;

/** Messages to the editors, stored with a change. */
const DESK_MESSAGES = {
  cancelled: 'Cancelado o pospuesto en su calendario.',
  gone: 'Ya no aparece en su calendario. ¿Sigue en pie?',
  unread: 'No entendimos del todo cuándo, dónde o si tiene lugar: compáralo con su calendario.',
} as const;
/** Messages about the doubts of an event that waits; `unread` stands for the others. */
const DOUBT_MESSAGES: Partial<Record<ImportWarning['rule'], string>> = {
  called_off: 'Su nombre o su texto dice que se canceló o se pospuso.',
  letters_unread: 'Algunas letras llegaron dañadas.',
  join_link: 'Trae el enlace de una videollamada.',
  tentative: 'En su calendario está por confirmar.',
  private: 'En su calendario es privado.',
};

/** Result of a fetch. */
export type FetchOutcome =
  /** `bytes`: null if the server answered that the source is unchanged. */
  | Pick<SourceState, 'bytes' | 'etag' | 'last_modified'>
  /** `retry_ms`: pause that the server asks for, in ms; null if it names none. */
  | { readonly problem: ImportProblem; readonly retry_ms: number | null };

const NO_EVENTS = { problem: 'no_events' } as const;
const XML_TYPES = 'application/xml, application/*+xml, text/xml, */*;q=0.1';
/** Parser of the events and Accept header of each kind of source. */
export const SOURCE_PARSERS = {
  icalendar: { parser: 'parseCalendar', accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1' },
  'json-ld': { parser: 'parseJsonLd', accept: 'text/html, application/xhtml+xml, */*;q=0.1' },
  feed: { parser: 'parseFeedEntries', accept: XML_TYPES },
  // Alerts are imported by import-alerts.ts.
  cap: { parser: null, accept: XML_TYPES },
} as const satisfies Readonly<Record<FollowedSource['kind'], object>>;
const EMPTY_CALENDAR: ImportedCalendar = {
  name: '',
  events: [],
  failures: [],
  over: 0,
  is_whole: true,
};

/** Parses the events of a source and removes the source's `drop` phrases from their texts. */
export async function parseSource(
  { kind, time_zone, drop }: FollowedSource,
  bytes: Buffer,
  now_ms: number,
): Promise<ParseResult> {
  const { parser } = SOURCE_PARSERS[kind];
  const result =
    parser === null ? NO_EVENTS : await parseInWorker(parser, bytes, now_ms, time_zone);
  if ('problem' in result && result.problem !== 'no_events') return result;
  const reading = 'problem' in result ? EMPTY_CALENDAR : result.reading;
  // A truncated file lacks events that still take place.
  if (!reading.is_whole) return { problem: 'cut_off' };
  const dropPhrases = (text: string): string =>
    drop.reduce((shortened, phrase) => shortened.replaceAll(phrase, ''), text).trim();
  const events = reading.events.map((event) => ({
    ...event,
    title: dropPhrases(event.title) || event.title,
    description: dropPhrases(event.description),
  }));
  return { reading: { ...reading, events } };
}

/** Builds the answers of the import form that apply to all events of a source or of a place. */
function buildAnswers(source: FollowedSource, { places }: ImportDraft, snapshot: Snapshot) {
  const { venue_id, organizer_id, name } = source;
  const venues = listVenues(snapshot);
  const source_venue = venue_id && getVenue(snapshot, venue_id);
  const organizer = organizer_id && createReferenceData(snapshot).getOrganizer(organizer_id);
  const place_answers = places.flatMap((location, index) => {
    const suggested = suggestVenue(location, venues, snapshot.taxonomy.zones);
    const is_known_venue = suggested.venue !== null;
    const default_venue = !is_known_venue && source_venue ? source_venue : null;
    const { name: venue_name, address } = default_venue
      ? { name: default_venue.name, address: '' }
      : suggested;
    // A venue that the agenda lacks gets the zone of the source.
    const zone = is_known_venue || default_venue ? '' : suggested.zone || source.zone;
    // An event without a location takes place at the source, under its name.
    const answers = { venue_name: venue_name || name, venue_address: address, zone };
    return Object.entries(answers).map(
      ([control, value]) => [rowControlName(control, placeControlId(index)), value] as const,
    );
  });
  return {
    category: source.category,
    price_kind: source.price,
    description: source.description ?? `Viene del calendario de ${name}.`,
    organizer_name: organizer ? organizer.name : '',
    ...Object.fromEntries(place_answers),
  };
}

/** Computes the rows that a reading would import into `batch`, without storing anything. */
export async function previewImport(
  { inbox, snapshot, now_ms }: DeskContext,
  source: FollowedSource,
  reading: ImportedCalendar,
  batch: Awaited<ReturnType<typeof getImportById>>,
) {
  const draft = await compareWithAgenda(inbox, snapshot, reading, batch, now_ms, source);
  const answers = buildAnswers(source, draft, snapshot);
  const reference_data = createReferenceData(snapshot);
  const rows = draft.rows.map((row, index) => {
    const parsed = row.event.is_cancelled
      ? null
      : parseImportRow(row, String(index), answers, source.lang, reference_data, now_ms);
    return { row, submission: parsed?.submission ?? null, issues: parsed?.issues ?? [] };
  });
  return { rows, failures: draft.failures, over: draft.over };
}
type PreviewRows = Awaited<ReturnType<typeof previewImport>>['rows'];

/**
 * Imports a fetched source and returns its stored state.
 * @param with_gone An editor confirmed that all missing events may be reported, however many.
 */
export async function importReading(
  desk: DeskContext,
  source: FollowedSource,
  outcome: FetchOutcome,
  with_gone = false,
): Promise<SourceState> {
  const { inbox, now_ms } = desk;
  const before = await loadSourceState(desk, source);
  if ('problem' in outcome) return saveFailure(desk, before, outcome.problem, outcome.retry_ms);
  const { bytes: fresh_bytes, etag, last_modified } = outcome;
  const bytes = fresh_bytes ?? before.bytes ?? Buffer.alloc(0);
  // inbox/tables.ts documents the columns: `told_ms` is the time of the email about failures.
  const success = {
    ...{ ...before, etag, last_modified, bytes, problem: null, read_ms: now_ms },
    ...{ failing_ms: null, failures: 0, told_ms: null },
    next_ms: now_ms + source.every_hours * HOUR_MS,
    bytes_before: before.bytes?.equals(bytes) ? before.bytes_before : before.bytes,
  };
  if (source.kind === 'cap') {
    const evaluated = await evaluateAlerts(desk, source, bytes);
    if ('problem' in evaluated) return saveFailure(desk, before, evaluated.problem);
    return inbox.transaction(async () =>
      saveSourceState(inbox, {
        ...success,
        senders: await assignSenders(inbox, before, listSenders(evaluated), now_ms),
        brought: await importAlerts(desk, source, evaluated),
      }),
    );
  }
  const parsed = await parseSource(source, bytes, now_ms);
  if ('problem' in parsed) return saveFailure(desk, before, parsed.problem);
  return importEvents(desk, source, parsed.reading, { before, success, with_gone });
}

interface EventImport {
  readonly before: SourceState;
  /** The new state, still without the results of the import. */
  readonly success: SourceState;
  /** An editor confirmed that all missing events may be reported. */
  readonly with_gone: boolean;
}

/** Imports the events of a reading and stores the new state of the source. */
async function importEvents(
  desk: DeskContext,
  source: FollowedSource,
  reading: ImportedCalendar,
  { before, success, with_gone }: EventImport,
): Promise<SourceState> {
  const { inbox, now_ms } = desk;
  const batch = before.batch === null ? null : await getImportById(inbox, before.batch);
  const submissions =
    batch === null ? [] : (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  const active_count = submissions.filter(
    (stored) => isActive(stored) && isOngoingOrUpcoming(stored.text, now_ms),
  ).length;
  if (reading.events.length === 0 && active_count > 0 && !with_gone)
    return saveFailure(desk, before, 'emptied');
  const { rows, failures } = await previewImport(desk, source, reading, batch);
  const missing = reviewMissingEvents(rows, before, active_count, with_gone);
  const counts = countRows(rows, reading.events.length, failures.length);
  // One transaction: later readings recognize events by the import that is stored here.
  return inbox.transaction(async () => {
    const submitted = await submitRows(desk, source, batch, rows, submissions);
    for (const stored of submissions) {
      const { reference } = stored;
      if (missing.to_report.includes(reference)) await reportMissing(desk, source, stored);
      else if (missing.back.includes(reference)) await dismissMissingReports(desk, source, stored);
    }
    return saveSourceState(inbox, {
      ...{ ...success, batch: submitted.batch, missing: missing.counts },
      problem: missing.is_stopped ? 'stopped' : null,
      brought: { ...counts, published: submitted.published_count },
    });
  });
}

/**
 * Decides which missing events to report to an editor. Events are identified by reference.
 * @returns Events `to_report`; earlier missing events that are `back` or over; `is_stopped` if too
 * many are missing to report any; `counts` to store: readings without each event, or REPORTED.
 */
function reviewMissingEvents(
  rows: PreviewRows,
  before: SourceState,
  active_count: number,
  with_gone: boolean,
) {
  const missing = rows.flatMap(({ row }) => (row.standing === 'gone' ? (row.reference ?? []) : []));
  const unreported = missing.filter((reference) => before.missing[reference] !== REPORTED);
  const max_reports = Math.min(
    MISSING_LIMITS.max,
    Math.max(1, Math.floor(active_count * MISSING_LIMITS.share)),
  );
  const is_stopped = unreported.length > max_reports && !with_gone;
  const countReadings = (reference: string): number => (before.missing[reference] ?? 0) + 1;
  const min_readings = with_gone ? 1 : MISSING_LIMITS.reads;
  const to_report = is_stopped
    ? []
    : unreported.filter((reference) => countReadings(reference) >= min_readings);
  const counts = missing.map((reference) => {
    const is_reported = to_report.includes(reference) || !unreported.includes(reference);
    return [reference, is_reported ? REPORTED : countReadings(reference)] as const;
  });
  const back = Object.keys(before.missing).filter((reference) => !missing.includes(reference));
  return { to_report, back, is_stopped, counts: Object.fromEntries(counts) };
}

/**
 * Counts the rows for the desk, by status.
 * @param unread Number of events that could not be parsed; `incomplete` ones lack required fields.
 */
function countRows(rows: PreviewRows, events: number, unread: number) {
  const count = (matches: (row: PreviewRows[number]) => boolean) => rows.filter(matches).length;
  const status_counts = IMPORT_ROW_STATUSES.map((status) => [
    status,
    count(({ row }) => row.standing === status),
  ]);
  return {
    ...{ events, ...Object.fromEntries(status_counts) },
    incomplete: count(({ row, submission }) => isPreselected(row) && submission === null),
    unread,
  };
}

/** State of a source that was never fetched. */
const NEW_STATE = {
  ...{ etag: null, last_modified: null, bytes: null, bytes_before: null, brought: {}, missing: {} },
  senders: {},
  ...{ read_ms: null, next_ms: 0, failing_ms: null, failures: 0, problem: null, told_ms: null },
} as const;

/**
 * Loads the state of a source, tried now; a new state with the same import if its address changed.
 */
async function loadSourceState(
  { inbox, now_ms }: DeskContext,
  { key, url }: FollowedSource,
): Promise<SourceState> {
  const stored = await getSourceState(inbox, key);
  const { batch = null } = stored ?? {};
  const before = stored?.url === url ? stored : { ...NEW_STATE, batch };
  return { ...before, key, url, tried_ms: now_ms };
}

/**
 * Stores a failure and the time of the next try; notifies editors if the source has failed for
 * long.
 */
async function saveFailure(
  { inbox, now_ms }: DeskContext,
  before: SourceState,
  problem: ImportProblem,
  retry_ms: number | null = null,
): Promise<SourceState> {
  const failing_ms = before.failing_ms ?? now_ms;
  const backoff_ms = RETRY_PAUSE_MS.first * 2 ** Math.min(before.failures, 10);
  const pause_ms = Math.min(RETRY_PAUSE_MS.max, Math.max(backoff_ms, retry_ms ?? 0));
  const must_notify = before.told_ms === null && now_ms - failing_ms >= SOURCE_DEAD_AFTER_MS;
  const told_ms = must_notify ? now_ms : before.told_ms;
  const failure = { failing_ms, problem, told_ms, failures: before.failures + 1 };
  return inbox.transaction(async () => {
    if (must_notify) await enqueueEmail(inbox, 'source', before.key, now_ms);
    return saveSourceState(inbox, { ...before, ...failure, next_ms: now_ms + pause_ms });
  });
}

/** Creates the author of a source's own decisions in the log. */
const sourceActor = ({ key }: FollowedSource, now_ms: number): Actor => ({
  editor: `source:${key}`,
  now_ms,
});

/**
 * Submits new, changed and cancelled events, and approves those that the source is trusted with.
 * @returns The id of the import, and the number of changes published without review.
 */
async function submitRows(
  desk: DeskContext,
  source: FollowedSource,
  existing_batch: CalendarImport | null,
  rows: PreviewRows,
  submissions: readonly SubmissionChange[],
) {
  const { inbox, now_ms } = desk;
  const submitted = new Map(submissions.map((stored) => [stored.reference, stored]));
  const { cancellations, texts } = await selectRows(inbox, rows, submitted);
  const actor = sourceActor(source, now_ms);
  for (const { row } of rows) await addSourceUrl(desk, actor, source, row, submitted);
  const takeovers = await listTakeovers(inbox, source, rows);
  if (cancellations.length + texts.length + takeovers.length === 0)
    return { batch: existing_batch?.id ?? null, published_count: 0 };

  const at = formatTimestamp(now_ms);
  const batch = existing_batch ?? (await createSourceBatch(desk, source));
  // Without a digest, the next reading treats the event as changed and updates it.
  for (const [reference, uid] of takeovers)
    await linkSubmissionToImport(inbox, reference, { batch: batch.id, uid, uid_digest: null });
  const reference = await renameImport(inbox, batch, at);
  const choices = { venue: source.venue_id ?? '' };
  await updateImport(inbox, batch.id, { reference, at, at_ms: now_ms, name: source.name, choices });
  // Cancellations come before the changed texts of the same events, and need no trust.
  const requests = await createPendingChanges(desk, batch.id, cancellations);
  const granted_count = await grantRequests(inbox, actor, requests);
  const pending = await createPendingChanges(desk, batch.id, texts);
  await noteDoubts(inbox, pending, texts);
  const trusted = await selectTrusted(inbox, source, pending, texts, submitted);
  if (trusted.length === 0) return { batch: batch.id, published_count: granted_count };
  const failed = await approveSubmissions(
    inbox,
    createReferenceData(desk.snapshot),
    actor,
    reference,
    trusted,
  );
  const approved_count = trusted.length - failed.size;
  return { batch: batch.id, published_count: granted_count + approved_count };
}

/** Selects the rows to cancel, and those with a new or changed text; stores changed UIDs. */
async function selectRows(
  inbox: Inbox,
  rows: PreviewRows,
  submitted: ReadonlyMap<string, SubmissionChange>,
) {
  const cancellations: SelectedRow[] = [];
  const texts: SelectedRow[] = [];
  for (const { row, submission } of rows) {
    const before = submitted.get(row.reference ?? '');
    if (before !== undefined && row.standing !== 'gone') {
      const { event } = row;
      const { batch, uid, uid_digest } = before;
      // The event was matched by its content and has a new UID.
      if (uid !== event.uid)
        await linkSubmissionToImport(inbox, before.reference, {
          batch,
          uid_digest,
          uid: event.uid,
        });
      // `off`: the cancelled days of the event.
      const off = await listNewlyCancelledDays(inbox, before, event.off);
      const must_cancel = isWhollyCancelled(event)
        ? needsCancellation(before, event)
        : off.length > 0;
      if (must_cancel)
        cancellations.push({ row: { ...row, event: { ...event, off } }, submission: null });
    }
    if (isPreselected(row) && submission !== null) texts.push({ row, submission });
  }
  return { cancellations, texts };
}

/** Stores the doubts about pending events as the message to the editors. */
async function noteDoubts(
  inbox: Inbox,
  pending: readonly SubmissionChange[],
  texts: readonly SelectedRow[],
): Promise<void> {
  const doubts_by_uid = new Map(texts.map(({ row: { event } }) => [event.uid, event.doubts]));
  for (const { id, uid } of pending) {
    const doubts = listSeriousDoubts(doubts_by_uid.get(uid ?? '') ?? []);
    const sentences = doubts.map(({ rule, text }) => {
      const sentence = DOUBT_MESSAGES[rule] ?? DESK_MESSAGES.unread;
      return text === '' ? sentence : `${sentence} («${text}»)`;
    });
    const message = [...new Set(sentences)].join(' ');
    if (message !== '') await updateChange(inbox, id, { message });
  }
}

/** Creates changes from rows and returns those that are pending (`waiting`). */
async function createPendingChanges(
  { inbox, now_ms }: DeskContext,
  batch: number,
  rows: readonly SelectedRow[],
): Promise<readonly SubmissionChange[]> {
  const references = await createChangesFromRows(inbox, batch, rows, {
    cancelled_message: DESK_MESSAGES.cancelled,
    now_ms,
    door: 'source',
    is_doubtful: false,
  });
  const changes = await Array.fromAsync(references, (reference) => getSubmission(inbox, reference));
  return changes.flatMap((change) => (change?.state === 'waiting' ? change : []));
}

/**
 * Grants requests to cancel or postpone, except for withdrawn events. Returns the number granted.
 */
async function grantRequests(
  inbox: Inbox,
  actor: Actor,
  requests: readonly SubmissionChange[],
): Promise<number> {
  let count = 0;
  for (const stored of requests) {
    if (!isStatusRequest(stored)) continue;
    if (await isEventWithdrawn(inbox, eventIdOfSubmission(stored.reference))) continue;
    await grantStatusRequest(inbox, actor, stored);
    count += 1;
  }
  return count;
}

/**
 * Selects the pending changes that the source may publish without review, with the form values to
 * approve.
 */
async function selectTrusted(
  inbox: Inbox,
  source: FollowedSource,
  pending: readonly SubmissionChange[],
  texts: readonly SelectedRow[],
  submitted: ReadonlyMap<string, SubmissionChange>,
) {
  const rows_by_uid = new Map(texts.map(({ row }) => [row.event.uid, row]));
  const trusted: (ReviewedRevision & { readonly edits: ControlValues })[] = [];
  for (const stored of pending) {
    const row = rows_by_uid.get(stored.uid ?? '');
    const before = submitted.get(stored.reference);
    if (row === undefined || !(await isTrusted(inbox, source, stored, row, before))) continue;
    const { summary = '' } = mergeControlValues(stored, {});
    // Replace a summary that was generated from the previous description.
    const is_generated =
      summary === '' || summary === suggestSummary(before?.text.description ?? '');
    const edits = is_generated ? { summary: suggestSummary(stored.text.description) } : {};
    trusted.push({ ...stored, edits: mergeControlValues(stored, edits) });
  }
  return trusted;
}

/** `record` of a change that adds a source's URL to an event. */
const SourceUrlSchema = v.object({ url: v.string() });

/** Adds the URL of this source, once, to the similar agenda event (`like`) from another source. */
async function addSourceUrl(
  { inbox, snapshot, now_ms }: DeskContext,
  actor: Actor,
  { trust, venue_id }: FollowedSource,
  { event: { url }, like: similar_event }: ImportRow,
  submitted: ReadonlyMap<string, SubmissionChange>,
): Promise<void> {
  if (trust === 'ask' || similar_event === null || url === null) return;
  // Id of the event, as in the column.
  const thing = similar_event.id;
  const detail = getEvent(snapshot, thing, now_ms);
  if (detail === null || detail === 'gone' || detail.event.source_url === url) return;
  if ([...submitted.keys()].some((reference) => eventIdOfSubmission(reference) === thing)) return;
  const earlier = await listChanges(inbox, (query) =>
    query.where('thing', '=', thing).where('asks', '=', 'check').where('maker', '=', 'editor'),
  );
  if (earlier.some(({ record }) => v.is(SourceUrlSchema, record) && record.url === url)) return;
  // The source is that venue's own.
  const is_venues = venue_id !== null && detail.event.venue === venue_id;
  await applyEditorChange(
    inbox,
    { ...actor, action: 'edit' },
    {
      kind: 'event',
      asks: 'check',
      door: 'source',
      thing,
      dates: null,
      source: null,
      record: { url, is_venues },
    },
  );
}

/**
 * Lists the events at this source's venue that other sources imported: the venue's own calendar
 * takes them over. Returns pairs of their reference and their UID in this source.
 */
async function listTakeovers(inbox: Inbox, { venue_id }: FollowedSource, rows: PreviewRows) {
  const uids = new Map<string, string>();
  for (const { row } of venue_id === null ? [] : rows) {
    const { reference, like, event } = row;
    if (reference === null || like === null || uids.has(reference)) continue;
    const { batch, door, text } = (await getSubmission(inbox, reference)) ?? {};
    if (door !== 'source' || !batch || text?.venue !== venue_id) continue;
    const { choices } = (await getImportById(inbox, batch)) ?? {};
    if (choices?.venue !== venue_id) uids.set(reference, event.uid);
  }
  return [...uids];
}

/** Creates the import of a source's events. It has no sender, and its token is never issued. */
async function createSourceBatch(
  { inbox, now_ms }: DeskContext,
  { name, url, lang }: FollowedSource,
) {
  const seed = randomBytes(18).toString('base64url');
  const columns = { name, url, lang, seed, sender: '', draft: null, at_ms: now_ms };
  const token_hash = sha256Hex(deriveImportToken(inbox, seed));
  const at = formatTimestamp(now_ms);
  const id = await insertImport(inbox, { ...columns, token_hash, at });
  return { ...columns, id, reference: null, choices: {}, at };
}

/** Lists the pending reports that an event (`thing`: its id) disappeared from its source. */
const listMissingReports = (inbox: Inbox, thing: string) =>
  listChanges(inbox, (query) =>
    query
      .where('thing', '=', thing)
      .where('door', '=', 'source')
      .where('asks', '=', 'check')
      .where('state', '=', 'waiting'),
  );

/**
 * Asks an editor to check a published event that disappeared; adds a message to a pending
 * submission.
 */
async function reportMissing(
  { inbox, now_ms }: DeskContext,
  source: FollowedSource,
  { id, reference, title, batch, is_published }: SubmissionChange,
) {
  if (!is_published) return updateChange(inbox, id, { message: DESK_MESSAGES.gone });
  const thing = eventIdOfSubmission(reference);
  const { overrides } = await loadAppliedChanges(inbox, thing);
  // An override without a date sets the status of the whole event.
  const has_status_override = overrides.some(({ date }) => date === '');
  if (has_status_override || (await listMissingReports(inbox, thing)).length > 0) return;
  const at = formatTimestamp(now_ms);
  const report_reference = await allocateReference(inbox, sha256Hex(`gone ${thing} ${at}`));
  await recordDecision(
    inbox,
    { ...sourceActor(source, now_ms), action: 'reopen', subject: report_reference },
    async () => {
      const change = await insertChange(inbox, {
        ...{ maker: 'reader', door: 'source', kind: 'event', asks: 'check' },
        ...{ thing, title, batch, at, reference: report_reference, revision: 1 },
        text: {
          change: DESK_MESSAGES.gone,
          source_url: source.url,
          contact_email: null,
          lang: DEFAULT_LANG,
        },
        // `undone` until the decision makes it pending, so that the decision can be undone.
        state: 'undone',
      });
      return [{ change, state: 'waiting' }];
    },
  );
}

/** Dismisses the reports about an event that is listed again or over. */
async function dismissMissingReports(
  { inbox, now_ms }: DeskContext,
  source: FollowedSource,
  { id, reference, message }: SubmissionChange,
) {
  if (message === DESK_MESSAGES.gone) await updateChange(inbox, id, { message: null });
  for (const change of await listMissingReports(inbox, eventIdOfSubmission(reference))) {
    const decision = {
      ...sourceActor(source, now_ms),
      action: 'dismiss',
      subject: change.reference ?? '',
    } as const;
    await recordDecision(inbox, decision, async () => [{ change, state: 'taken_back' }]);
  }
}

/** Checks if an event must be cancelled or postponed; not again, even if an editor undid it. */
const needsCancellation = (before: SubmissionChange, { is_postponed }: ImportedEvent): boolean =>
  is_postponed
    ? before.is_published && !(isStatusRequest(before) && before.dates === null)
    : isActive(before) || before.asks === 'postpone';

/** Lists the cancelled days of a published event that have no status override or request yet. */
async function listNewlyCancelledDays(
  inbox: Inbox,
  before: SubmissionChange,
  cancelled_days: readonly string[],
) {
  if (!before.is_published || cancelled_days.length === 0) return [];
  const { overrides } = await loadAppliedChanges(inbox, eventIdOfSubmission(before.reference));
  const handled = new Set([...overrides.map(({ date }) => date), ...(before.dates ?? [])]);
  const days = [before.text.start.slice(0, 10), ...before.text.dates];
  return cancelled_days.filter((day) => days.includes(day) && !handled.has(day));
}

/** Warnings about an imported event (`doubts`) that require no review: about shortened values. */
const HARMLESS_DOUBTS: readonly string[] = ['text_cut', 'dates_cut', 'call_cut'];
const listSeriousDoubts = (doubts: ImportedEvent['doubts']): ImportedEvent['doubts'] =>
  doubts.filter(({ rule }) => !HARMLESS_DOUBTS.includes(rule));

/** Checks if the source may publish a change without review. */
async function isTrusted(
  inbox: Inbox,
  { trust, venue_id }: FollowedSource,
  { asks, text }: SubmissionChange,
  { event: { title, location, doubts }, like }: ImportRow,
  before: SubmissionChange | undefined,
): Promise<boolean> {
  if (trust === 'ask' || listSeriousDoubts(doubts).length > 0) return false;
  if (asks === 'publish' && text.venue === null) return false;
  if (before === undefined)
    return trust === 'publish' && like === null && (location !== '' || venue_id !== null);
  // The title has no word in common with the earlier one: an editor decides if it is the same
  // event.
  if (isStatusRequest(before) || titleSimilarity(before.text.title, title) === 0) return false;
  return !(await isEditedAtDesk(inbox, before));
}

/** Checks if an editor changed the event after it was imported. */
async function isEditedAtDesk(
  inbox: Inbox,
  { text, reference }: SubmissionChange,
): Promise<boolean> {
  if ((await loadAppliedChanges(inbox, eventIdOfSubmission(reference))).edits.length > 0)
    return true;
  const approved = (await getApprovedControlValues(inbox, reference)) ?? {};
  return listChangedControls(approved, submissionToForm(text)).some(
    (name) => name !== 'contact_email',
  );
}
