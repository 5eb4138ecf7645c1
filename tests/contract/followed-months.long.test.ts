// Followed sources over half a year: ten simulated sources change, break and end. Compares the agenda with the truth
// every six hours, and counts the work of an editor who reviews once a day (contract 14.36).
import { expect, test } from 'vitest';
import { createRandom } from '../../bench/town/random.ts';
import { importReading } from '../../src/desk/import-source.ts';
import type { DeskContext } from '../../src/desk/reference-data.ts';
import { createReferenceData } from '../../src/desk/reference-data.ts';
import { approveSubmissions, mergeControlValues, applyVerdict } from '../../src/desk/review.ts';
import { changeStatus } from '../../src/desk/event-status.ts';
import { toZoned } from '../../src/domain/local-time.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { listPendingSubmissions, listQueueRows } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { loadDatasetWithInbox } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { ANA, inbox, useInbox } from '../fixtures/inbox.ts';
import { createSource } from '../fixtures/source-server.ts';

useInbox();
const HOUR_MS = 3_600_000;
const CANCELLATION = { asks: 'cancel', date: null, reason: 'No se hará.' } as const;
const FETCH_FAILURE = { problem: 'not_fetched', retry_ms: null } as const;
const VENUE = 'Malecón Inventado';
const STEPS = 182 * 4;
const KINDS = 'Ronda Lectura Obra Baile Taller Cine Charla Tertulia Ronda Danza'.split(' ');
/** The first belongs to a venue. The ninth is a listing that copies its events, late and incompletely. */
const [VENUE_SOURCE, SALTED, LISTING, ENDING] = [0, 7, 8, 9];
const TRUSTS = ['publish', 'changes', 'ask', 'publish', 'changes', 'publish', 'ask'] as const;

const { chance, int } = createRandom(33);
const formatLocalTime = (ms: number) => toZoned(ms).toPlainDateTime().toString().slice(0, 16);

/** State of an event; `is_listed`: its calendar contains it. */
type EventState = {
  readonly start_ms: number;
  readonly is_on: boolean;
  readonly is_listed: boolean;
};
type Truth = { readonly name: string; readonly at: number; now: EventState; since_ms: number } & {
  /** State in the listing, null before it copies the event, undefined if it never does. */
  copy?: EventState | null;
};

function write(at: number, salt: string, all: readonly (EventState & { readonly name: string })[]) {
  const rows = all.flatMap(({ name, start_ms, is_on, is_listed }) => {
    const date = new Date(at === 5 ? start_ms : start_ms - 5 * HOUR_MS).toISOString();
    const start = `${date.replaceAll(/[-:]|\..*/g, '')}${at === 5 ? 'Z' : ''}`;
    const title = `${KINDS[at]} ${name}${at === LISTING ? ' en vivo' : ''}`;
    const text = `UID:${salt}${at}-${name}\nSUMMARY:${title}\nDTSTART:${start}\nLOCATION:${VENUE}`;
    const event = `BEGIN:VEVENT\n${text}\n${is_on ? '' : 'STATUS:CANCELLED\n'}END:VEVENT\n`;
    return is_listed ? event : [];
  });
  return `BEGIN:VCALENDAR\n${rows.join('')}END:VCALENDAR\n`;
}
const fetchOutcome = (text: string) => ({
  bytes: Buffer.from(text),
  etag: null,
  last_modified: null,
});
const createFaultyOutcome = (text: string, fault: number) => {
  const other = [text.slice(0, text.length / 2), '<html><form>Contraseña', write(0, '', [])][fault];
  return other === undefined ? FETCH_FAILURE : fetchOutcome(other);
};

/**
 * Counts per month. `late`: the source was not fetched since the change; `waits`: the change is pending; `unread`,
 * `ended`: the source fails, temporarily or for good; `pressed`: the editor fetches a source.
 */
const NO_COUNTS = {
  ...{ looks: 0, right: 0, late: 0, doubt: 0, waits: 0, unread: 0, ended: 0 },
  ...{ missing: 0, wrong: 0, twice: 0, approved: 0, checked: 0, pressed: 0 },
};
type Counts = typeof NO_COUNTS;
type SimulatedSource = ReturnType<typeof createSimulatedSources>[number];
type Agenda = ReturnType<typeof readAgenda>;

test('visitors see the truth or a doubt', { timeout: 900_000 }, async () => {
  const sources = createSimulatedSources();
  const events: Truth[] = [];
  const months = new Map<string, Counts>();
  let town = openFixture();
  let agenda: Agenda = new Map();
  let last_decision_id = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const now_ms = FRIDAY_NOON_MS + step * 6 * HOUR_MS;
    const desk = { inbox, snapshot: town.snapshot, now_ms };
    const month = formatLocalTime(now_ms).slice(0, 7);
    const counts = months.get(month) ?? { ...NO_COUNTS };
    months.set(month, counts);
    const is_reviewed = step % 4 === 3;

    await fetchSources(desk, sources, events, counts, step, is_reviewed);
    if (is_reviewed) await reviewQueue(desk, events, counts, agenda);
    const [decision] = await listDecisions(inbox, 1);
    if (decision && decision.id !== last_decision_id) {
      const dataset = await loadDatasetWithInbox(inbox, EMPTY_LEDGER, now_ms);
      agenda = readAgenda(dataset);
      town.close();
      town = openFixture(dataset, now_ms);
    }
    last_decision_id = decision?.id ?? 0;
    changeEvents(events, sources, now_ms);
    addEvents(events, sources, now_ms, step);
    await countAgenda(agenda, events, sources, now_ms, counts);
  }
  town.close();
  console.table(Object.fromEntries(months));
  const sum = (name: keyof Counts) =>
    [...months.values()].reduce((total, counts) => total + counts[name], 0);
  expect([sum('wrong'), sum('twice'), sum('missing')]).toEqual([0, 0, 0]);
  expect(sum('right') / (sum('looks') - sum('ended'))).toBeGreaterThan(0.93);
});

function createSimulatedSources() {
  return Array.from({ length: 10 }, (_, n) => {
    const venue_id = n === LISTING ? null : deriveId('venue', 'malecon-inventado');
    const address = { key: `s${n}`, name: `Foro ${n}`, url: `https://foro${n}.example/a.ics` };
    const source = createSource({ ...address, trust: TRUSTS[n] ?? 'publish', venue_id });
    return { n, source, until: 0, fault: 0, next_ms: 0, reads: [0], problem: '', is_ended: false };
  });
}

/** Fetches and imports all due sources, some of them broken for a while. The editor also fetches stopped ones. */
async function fetchSources(
  desk: DeskContext,
  sources: readonly SimulatedSource[],
  events: readonly Truth[],
  counts: Counts,
  step: number,
  is_reviewed: boolean,
): Promise<void> {
  const { now_ms } = desk;
  for (const simulated of sources) {
    const { n, source, problem } = simulated;
    const fault = int(0, 3);
    if (chance(1)) Object.assign(simulated, { until: step + int(1, 12), fault });
    simulated.is_ended = n === ENDING && step > 480;
    const is_broken = simulated.until > step || simulated.is_ended;
    const published = events.flatMap(({ name, at, now, copy }) => {
      const state = at === n ? now : n === LISTING ? copy : null;
      return state && state.start_ms > now_ms - 72 * HOUR_MS ? { name, ...state } : [];
    });
    const text = write(n, n === SALTED ? `${step}-` : '', published);
    const is_pressed = is_reviewed && !is_broken && /stopped|emptied/.test(problem);
    if (simulated.next_ms > now_ms && !is_pressed) continue;
    counts.pressed += Number(is_pressed);
    const outcome = is_broken ? createFaultyOutcome(text, simulated.fault) : fetchOutcome(text);
    const read = await importReading(desk, source, outcome, is_pressed);
    Object.assign(simulated, { next_ms: read.next_ms, problem: read.problem ?? '' });
    if (read.problem === null && !is_broken) simulated.reads.push(now_ms);
  }
}

const isUnused = (events: readonly Truth[], at: number, ms: number): boolean =>
  !events.some((event) => event.at === at && event.now.start_ms === ms);

/** Moves, cancels or omits some upcoming events, and copies some to the listing. */
function changeEvents(
  events: readonly Truth[],
  sources: readonly SimulatedSource[],
  now_ms: number,
): void {
  for (const event of events.filter(({ now }) => now.start_ms > now_ms)) {
    if (event.copy !== undefined && chance(8)) event.copy = event.now;
    if (!event.now.is_on || !event.now.is_listed) continue;
    const start_ms = event.now.start_ms + (chance(40) ? 24 : 1) * HOUR_MS;
    const is_moved = chance(0.5) && isUnused(events, event.at, start_ms);
    const is_on = is_moved || !chance(0.3);
    // Only an event that was fetched in its current state can vanish by mistake.
    const is_fetched = (sources[event.at]?.reads.at(-1) ?? 0) > event.since_ms;
    const is_listed = is_moved || !chance(is_on ? Number(is_fetched) / 8 : 33);
    if (is_moved || !is_on) event.since_ms = now_ms;
    event.now = { start_ms: is_moved ? start_ms : event.now.start_ms, is_on, is_listed };
  }
}

/** Adds new events to some sources, and copies some of the venue's events to the listing. */
function addEvents(
  events: Truth[],
  sources: readonly SimulatedSource[],
  now_ms: number,
  step: number,
): void {
  for (const at of sources.keys()) {
    const days = Math.floor(step / 4) + int(8, 37);
    const start_ms = FRIDAY_NOON_MS + days * 24 * HOUR_MS + (6 + at / 2) * HOUR_MS;
    if (at === LISTING || !chance(7) || !isUnused(events, at, start_ms)) continue;
    const now = { start_ms, is_on: true, is_listed: true };
    const copied = at === VENUE_SOURCE && chance(80) ? { copy: chance(30) ? now : null } : {};
    const name = `F${(events.length + 1000).toString(36)}`;
    events.push({ name, at, now, since_ms: now_ms, ...copied });
  }
}

/** Compares each upcoming event with the agenda and counts the result. */
async function countAgenda(
  agenda: Agenda,
  events: readonly Truth[],
  sources: readonly SimulatedSource[],
  now_ms: number,
  counts: Counts,
): Promise<void> {
  const queue = [...(await listPendingSubmissions(inbox)), ...(await listQueueRows(inbox))];
  const pending_names = new Set(queue.map(({ title }) => title.split(' ')[1]));
  for (const { name, at, now, since_ms } of events.filter((event) => event.now.start_ms > now_ms)) {
    const [entry, duplicate] = agenda.get(name) ?? [];
    const { problem = '', reads = [], is_ended = false } = sources[at] ?? {};
    const is_read = reads.filter((ms) => ms > since_ms).length >= (now.is_listed ? 1 : 2);
    const classify = () => {
      if (duplicate) return 'twice';
      if (now.is_on ? entry?.at === formatLocalTime(now.start_ms) : !entry) return 'right';
      if (is_ended) return 'ended';
      if (problem !== '') return 'unread';
      if (!is_read) return 'late';
      if (entry?.is_doubted) return 'doubt';
      return pending_names.has(name) ? 'waits' : entry ? 'wrong' : 'missing';
    };
    counts.looks += 1;
    counts[classify()] += 1;
  }
}

/** Returns the scheduled dates in the agenda by event name. */
function readAgenda({ events, occurrences }: Awaited<ReturnType<typeof loadDatasetWithInbox>>) {
  const dates = new Map(occurrences.map((one) => [one.event, one]));
  const own = events.flatMap(({ id, title, status, gone_from }) => {
    const [date, [, name = '']] = [dates.get(id), title.es.split(' ')];
    if (status !== 'published' || date?.status !== 'scheduled') return [];
    return [{ name, at: date.start.slice(0, 16), is_doubted: gone_from !== null }];
  });
  return Map.groupBy(own, ({ name }) => name);
}

/** Decides all pending changes: rejects duplicates, approves the others, and checks vanished events with the source. */
async function reviewQueue(
  { snapshot, now_ms }: DeskContext,
  events: readonly Truth[],
  counts: Counts,
  agenda: Agenda,
) {
  const actor = { ...ANA, now_ms };
  for (const { kind, reference, title, about } of await listQueueRows(inbox)) {
    if (kind !== 'report') continue;
    const reviewed = [{ reference, revision: 1 }];
    const is_on = events.some(({ name, now }) => title.split(' ')[1] === name && now.is_on);
    const event = { event: { id: about?.id ?? '' }, occurrences: [] };
    if (!is_on) await changeStatus(inbox, actor, event, CANCELLATION);
    await applyVerdict(
      inbox,
      actor,
      is_on ? 'dismiss' : 'done',
      reference,
      reviewed,
      'Se preguntó.',
    );
    counts.checked += 1;
  }
  for (const stored of await listPendingSubmissions(inbox)) {
    counts.approved += 1;
    const { reference, title, asks } = stored;
    const reviewed = [{ reference, revision: stored.revision }];
    if (asks === 'publish' && agenda.has(title.split(' ')[1] ?? '')) {
      await applyVerdict(inbox, actor, 'reject', reference, reviewed, 'Ya está en la agenda.');
      continue;
    }
    const edits = mergeControlValues(stored, { summary: `${stored.title}, para todo público.` });
    await approveSubmissions(inbox, createReferenceData(snapshot), actor, stored.reference, [
      { ...stored, edits },
    ]);
  }
}
