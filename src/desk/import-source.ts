// A source that is followed: what came of it becomes changes in the one queue, under one reference; what it is trusted
// with is decided at once, in its own name and undoable. What is not there any more is asked of a person, never called
// off by that (contract 14.36).
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
import type { ImportedEvent, ImportProblem, ImportedCalendar } from '../domain/imported-events.ts';
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
import { getSourceState, saveSourceState, type SourceState } from '../inbox/followed-sources.ts';
import { enqueueEmail } from '../inbox/outbox.ts';
import type { Inbox } from '../inbox/open.ts';
import { deriveImportToken, sha256Hex } from '../inbox/secrets.ts';
import { getEvent, getVenue } from '../snapshot/get-record.ts';
import { listVenues } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { parseFeedEntries } from '../sources/external/parse-entries.ts';
import { parseCalendar } from '../sources/external/parse-ics.ts';
import { parseJsonLd } from '../sources/external/parse-json-ld.ts';
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
import { evaluateAlerts, importAlerts } from './import-alerts.ts';
import { suggestSummary } from './publication.ts';
import {
  approveSubmissions,
  mergeControlValues,
  type ControlValues,
  grantStatusRequest,
  type ReviewedRevision,
} from './review.ts';

const HOUR_MS = 3_600_000;
/** One that fails is asked again after half an hour, each time after twice as long, at most a day. */
const PAUSE_MS = { first: HOUR_MS / 2, most: 24 * HOUR_MS } as const;
/** One that fails for so long is told of, once. */
export const SOURCE_DEAD_AFTER_MS = 48 * HOUR_MS;
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
export type FetchOutcome =
  | Pick<SourceState, 'bytes' | 'etag' | 'last_modified'>
  | { readonly problem: ImportProblem; readonly retry_ms: number | null };

const NO_EVENTS = { problem: 'no_events' } as const;
const XML = 'application/xml, application/*+xml, text/xml, */*;q=0.1';
/** How each kind is read, and what its server is asked for. */
export const SOURCE_PARSERS = {
  icalendar: { read: parseCalendar, accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1' },
  'json-ld': { read: parseJsonLd, accept: 'text/html, application/xhtml+xml, */*;q=0.1' },
  feed: { read: parseFeedEntries, accept: XML },
  // Its alerts are no events.
  cap: { read: () => NO_EVENTS, accept: XML },
} as const satisfies Readonly<Record<FollowedSource['kind'], object>>;
const NOTHING: ImportedCalendar = { name: '', events: [], failures: [], over: 0 };

/** What a source says in these bytes, without the words that are to be dropped. */
export function parseSource(
  { kind, time_zone, drop }: FollowedSource,
  bytes: Buffer,
  now_ms: number,
): { readonly problem: ImportProblem } | { readonly reading: ImportedCalendar } {
  const read = SOURCE_PARSERS[kind].read(bytes, now_ms, time_zone);
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
function toAnswers(source: FollowedSource, { places }: ImportDraft, snapshot: Snapshot) {
  const { venue_id, organizer_id, name } = source;
  const venues = listVenues(snapshot);
  const own = venue_id && getVenue(snapshot, venue_id);
  const by = organizer_id && createReferenceData(snapshot).getOrganizer(organizer_id);
  const of_places = places.flatMap((said, at) => {
    const likely = suggestVenue(said, venues, snapshot.taxonomy.zones);
    const at_own = likely.venue === null && own ? own : null;
    const [venue_name, address] = at_own ? [at_own.name, ''] : [likely.name, likely.address];
    // A place that nobody knows stands in the zone of its source; where none is said, that is asked under its name.
    const zone = at_own || likely.venue !== null ? '' : likely.zone || source.zone;
    const answers = { venue_name: venue_name || name, venue_address: address, zone };
    return Object.entries(answers).map(
      ([control, value]) => [rowControlName(control, placeControlId(at)), value] as const,
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
export async function previewImport(
  { inbox, snapshot, now_ms }: DeskContext,
  source: FollowedSource,
  reading: ImportedCalendar,
  batch: Awaited<ReturnType<typeof getImportById>>,
) {
  const draft = await compareWithAgenda(inbox, snapshot, reading, batch, now_ms, source);
  const answers = toAnswers(source, draft, snapshot);
  const known = createReferenceData(snapshot);
  const rows = draft.rows.map((row, at) => {
    const read = row.event.is_cancelled
      ? null
      : parseImportRow(row, String(at), answers, source.lang, known, now_ms);
    return { row, submission: read?.submission ?? null, issues: read?.issues ?? [] };
  });
  return { rows, failures: draft.failures, over: draft.over };
}

/** `with_gone`: a person has said that what is gone may be asked about, however much it is. */
export async function importReading(
  desk: DeskContext,
  source: FollowedSource,
  outcome: FetchOutcome,
  with_gone = false,
): Promise<SourceState> {
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
    const judged = evaluateAlerts(desk, source, bytes);
    if ('problem' in judged) return putFailure(desk, before, judged.problem);
    return inbox.transaction(async () =>
      saveSourceState(inbox, { ...whole, brought: await importAlerts(desk, source, judged) }),
    );
  }
  const read = parseSource(source, bytes, now_ms);
  if ('problem' in read) return putFailure(desk, before, read.problem);
  const { reading } = read;
  const batch = before.batch === null ? null : await getImportById(inbox, before.batch);
  const sent =
    batch === null ? [] : (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  const standing = sent.filter((one) => isActive(one) && isOngoingOrUpcoming(one.text, now_ms));
  if (reading.events.length === 0 && standing.length > 0 && !with_gone)
    return putFailure(desk, before, 'emptied');
  const { rows, failures } = await previewImport(desk, source, reading, batch);
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
  const standings = IMPORT_ROW_STATUSES.map((name) => [
    name,
    count(({ row }) => row.standing === name),
  ]);
  const brought = {
    ...{ events: reading.events.length, ...Object.fromEntries(standings) },
    incomplete: count(({ row, submission }) => isPreselected(row) && submission === null),
    unread: failures.length,
  };
  // All of it or nothing: what was sent is known by its calendar.
  return inbox.transaction(async () => {
    const done = await bring(desk, source, batch, rows, sent);
    for (const one of sent) {
      if (asked.includes(one.reference)) await askGone(desk, source, one);
      else if (back.includes(one.reference)) await welcomeBack(desk, source, one);
    }
    return saveSourceState(inbox, {
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
  { inbox, now_ms }: DeskContext,
  { key, url }: FollowedSource,
): Promise<SourceState> {
  const known = await getSourceState(inbox, key);
  const { batch = null } = known ?? {};
  const before = known?.url === url ? known : { ...UNREAD, batch };
  return { ...before, key, url, tried_ms: now_ms };
}

async function putFailure(
  { inbox, now_ms }: DeskContext,
  before: SourceState,
  problem: ImportProblem,
  retry_ms: number | null = null,
): Promise<SourceState> {
  const failing_ms = before.failing_ms ?? now_ms;
  const own_ms = PAUSE_MS.first * 2 ** Math.min(before.failures, 10);
  const pause_ms = Math.min(PAUSE_MS.most, Math.max(own_ms, retry_ms ?? 0));
  const is_told = before.told_ms === null && now_ms - failing_ms >= SOURCE_DEAD_AFTER_MS;
  const told_ms = is_told ? now_ms : before.told_ms;
  const failed = { failing_ms, problem, told_ms, failures: before.failures + 1 };
  return inbox.transaction(async () => {
    if (is_told) await enqueueEmail(inbox, 'source', before.key, now_ms);
    return saveSourceState(inbox, { ...before, ...failed, next_ms: now_ms + pause_ms });
  });
}

const toActor = ({ key }: FollowedSource, now_ms: number): Actor => ({
  editor: `source:${key}`,
  now_ms,
});

/** Sends what is new, changed or called off, and decides what the source is trusted with. */
async function bring(
  desk: DeskContext,
  source: FollowedSource,
  known_batch: CalendarImport | null,
  rows: Awaited<ReturnType<typeof previewImport>>['rows'],
  sent: readonly SubmissionChange[],
) {
  const { inbox, now_ms } = desk;
  const own = new Map(sent.map((stored) => [stored.reference, stored]));
  const off: SelectedRow[] = [];
  const texts: SelectedRow[] = [];
  for (const { row, submission } of rows) {
    const before = own.get(row.reference ?? '');
    if (before !== undefined && row.standing !== 'gone') {
      const { event } = row;
      const { batch, uid, uid_digest } = before;
      // Found by what it says, it is known by its new name from now on.
      if (uid !== event.uid)
        await linkSubmissionToImport(inbox, before.reference, {
          batch,
          uid_digest,
          uid: event.uid,
        });
      const days = await listOff(inbox, before, event.off);
      if (event.is_cancelled ? isToCallOff(before, event) : days.length > 0)
        off.push({ row: { ...row, event: { ...event, off: days } }, submission: null });
    }
    if (isPreselected(row) && submission !== null) texts.push({ row, submission });
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
    await linkSubmissionToImport(inbox, reference, { batch: batch.id, uid, uid_digest: null });
  const reference = await renameImport(inbox, batch, at);
  const choices = { venue: source.venue_id ?? '' };
  await updateImport(inbox, batch.id, { reference, at, at_ms: now_ms, name: source.name, choices });
  const way = { cancelled_message: SAID.cancelled, now_ms, door: 'source' } as const;
  const send = async (those: readonly SelectedRow[]) => {
    const references = await createChangesFromRows(inbox, batch.id, those, {
      ...way,
      is_doubtful: false,
    });
    const all = await Array.fromAsync(references, (one) => getSubmission(inbox, one));
    return all.flatMap((one) => (one?.state === 'waiting' ? one : []));
  };
  let count = 0;
  // What is called off passes whatever the trust, and before the text of the same is changed.
  for (const stored of await send(off)) {
    if (
      !isStatusRequest(stored) ||
      (await isEventWithdrawn(inbox, eventIdOfSubmission(stored.reference)))
    )
      continue;
    await grantStatusRequest(inbox, actor, stored);
    count += 1;
  }
  const brought = new Map(texts.map(({ row }) => [row.event.uid, row]));
  const ready: (ReviewedRevision & { readonly edits: ControlValues })[] = [];
  for (const stored of await send(texts)) {
    const [row, before] = [brought.get(stored.uid ?? ''), own.get(stored.reference)];
    if (row === undefined || !(await isTrusted(inbox, source, stored, row, before))) continue;
    const { summary = '' } = mergeControlValues(stored, {});
    // A summary that is the text's own beginning goes on being that.
    const is_own = summary === '' || summary === suggestSummary(before?.text.description ?? '');
    const added = is_own ? { summary: suggestSummary(stored.text.description) } : {};
    ready.push({ ...stored, edits: mergeControlValues(stored, added) });
  }
  if (ready.length > 0) {
    const left = await approveSubmissions(
      inbox,
      createReferenceData(desk.snapshot),
      actor,
      reference,
      ready,
    );
    count += ready.length - left.size;
  }
  return { batch: batch.id, count };
}

const SourceRecord = v.object({ url: v.string() });

/** An event of the agenda that another source brought is this one's, too: its address stands beside that, once. */
async function addSource(
  { inbox, snapshot, now_ms }: DeskContext,
  actor: Actor,
  { trust, venue_id }: FollowedSource,
  { event: { url }, like }: ImportRow,
  own: ReadonlyMap<string, SubmissionChange>,
): Promise<void> {
  if (trust === 'ask' || like === null || url === null) return;
  const { id: thing } = like;
  const found = getEvent(snapshot, thing, now_ms);
  if (found === null || found === 'gone' || found.event.source_url === url) return;
  if ([...own.keys()].some((reference) => eventIdOfSubmission(reference) === thing)) return;
  const before = await listChanges(inbox, (query) =>
    query.where('thing', '=', thing).where('asks', '=', 'check').where('maker', '=', 'editor'),
  );
  if (before.some(({ record }) => v.is(SourceRecord, record) && record.url === url)) return;
  const is_venues = venue_id !== null && found.event.venue === venue_id;
  const said = { kind: 'event', asks: 'check', door: 'source', thing, dates: null } as const;
  const record = { url, is_venues };
  await applyEditorChange(inbox, { ...actor, action: 'edit' }, { ...said, source: null, record });
}

/** What others brought of a place whose own calendar this is: from now on it is that which says how it stands. */
async function listOfOthers(
  inbox: Inbox,
  { venue_id }: FollowedSource,
  rows: Awaited<ReturnType<typeof previewImport>>['rows'],
) {
  const found = new Map<string, string>();
  for (const { row } of venue_id === null ? [] : rows) {
    const { reference, like, event } = row;
    if (reference === null || like === null || found.has(reference)) continue;
    const { batch, door, text } = (await getSubmission(inbox, reference)) ?? {};
    if (door !== 'source' || !batch || text?.venue !== venue_id) continue;
    const { choices } = (await getImportById(inbox, batch)) ?? {};
    if (choices?.venue !== venue_id) found.set(reference, event.uid);
  }
  return [...found];
}

/** The calendar whose events those of a source are; it keeps no address and tells nobody its token. */
async function openOwnBatch({ inbox, now_ms }: DeskContext, { name, url, lang }: FollowedSource) {
  const seed = randomBytes(18).toString('base64url');
  const own = { name, url, lang, seed, sender: '', draft: null, at_ms: now_ms };
  const token_hash = sha256Hex(deriveImportToken(inbox, seed));
  const id = await insertImport(inbox, { ...own, token_hash, at: formatTimestamp(now_ms) });
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
async function askGone(
  { inbox, now_ms }: DeskContext,
  source: FollowedSource,
  one: SubmissionChange,
) {
  const { id, reference, title, batch, is_published } = one;
  if (!is_published) return updateChange(inbox, id, { message: SAID.gone });
  const thing = eventIdOfSubmission(reference);
  const is_off = (await loadAppliedChanges(inbox, thing)).overrides.some(({ date }) => date === '');
  if (is_off || (await listAsked(inbox, thing)).length > 0) return;
  const at = formatTimestamp(now_ms);
  const by = { maker: 'reader', door: 'source', kind: 'event', asks: 'check' } as const;
  const text = {
    change: SAID.gone,
    source_url: source.url,
    contact_email: null,
    lang: DEFAULT_LANG,
  };
  const own = await allocateReference(inbox, sha256Hex(`gone ${thing} ${at}`));
  await recordDecision(
    inbox,
    { ...toActor(source, now_ms), action: 'reopen', subject: own },
    async () => {
      const said = { ...by, thing, title, batch, text, at, reference: own, revision: 1 };
      const change = await insertChange(inbox, { ...said, state: 'undone' });
      return [{ change, state: 'waiting' }];
    },
  );
}

/** It is there again, or over: nobody need look. */
async function welcomeBack(
  { inbox, now_ms }: DeskContext,
  source: FollowedSource,
  one: SubmissionChange,
) {
  if (one.message === SAID.gone) await updateChange(inbox, one.id, { message: null });
  for (const change of await listAsked(inbox, eventIdOfSubmission(one.reference))) {
    const done = {
      ...toActor(source, now_ms),
      action: 'dismiss',
      subject: change.reference ?? '',
    } as const;
    await recordDecision(inbox, done, async () => [{ change, state: 'taken_back' }]);
  }
}

/** Once: what was undone by a person is not asked again. */
const isToCallOff = (before: SubmissionChange, { is_postponed }: ImportedEvent): boolean =>
  is_postponed
    ? before.is_published && !(isStatusRequest(before) && before.dates === null)
    : isActive(before) || before.asks === 'postpone';

/** Days that are called off in its calendar, and of which nothing was said here yet. */
async function listOff(inbox: Inbox, before: SubmissionChange, off: readonly string[]) {
  if (!before.is_published || off.length === 0) return [];
  const { overrides } = await loadAppliedChanges(inbox, eventIdOfSubmission(before.reference));
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
  { asks, text }: SubmissionChange,
  { event: { title, location, doubts }, like }: ImportRow,
  before: SubmissionChange | undefined,
): Promise<boolean> {
  if (trust === 'ask' || doubts.some(({ rule }) => !HARMLESS.includes(rule))) return false;
  if (asks === 'publish' && text.venue === null) return false;
  if (before === undefined)
    return trust === 'publish' && like === null && (location !== '' || venue_id !== null);
  // Of a place's hour that has another name a person says whether it is the same event.
  if (isStatusRequest(before) || titleSimilarity(before.text.title, title) === 0) return false;
  return !(await isEditedAtDesk(inbox, before));
}

/** Whether a person has made it another than what came. */
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
