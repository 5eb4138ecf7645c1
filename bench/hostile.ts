// Hostile benchmark: releases and rollbacks under load, and kill -9 during decisions and builds. Acknowledged data must
// survive, and every response must come from a single release.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ServiceResponse,
  request,
  logIn,
  listSurfaces,
  showsState,
  submitEvent,
  toolCallRequest,
} from './desk.ts';
import { ALL_DATES } from '../src/domain/change.ts';
import { type Figure, addFigure, createFigure } from './report.ts';
import {
  startCommand,
  createTown,
  runCommand,
  type LogLine,
  startService,
  TODAY,
  type Town,
  waitFor,
} from './service.ts';
import { PROVENANCE } from './town/records.ts';

const EVENTS = 60;
const KILLS = 200;
const SWITCHES = 30;
const RELEASES_PER_ROLLBACK = 3;
/** Editions modulo five at which the party is cancelled and restored. */
const [CANCEL_AT, RESTORE_AT] = [2, 4];
/** Assumed duration of a command before one has ended by itself. */
const ASSUMED_COMMAND_MS = 4_000;
const SETTLE_TIMEOUT_MS = 60_000;
/** Duration of a desk response. */
const DESK_RESPONSE_MS = 200;
const [CLIENTS, PAUSE_MS] = [5, 40];

const EDITIONS = ['edicion-a', 'edicion-b', 'edicion-c'];
const PARTY = 'fiesta-que-se-cae';

/** Writes the edition number into three events; a fourth event is the party, which decisions cancel and restore. */
function setEdition({ content_dir }: Town, edition: number): void {
  const write = (slug: string, es: string, en: string, category: string): void => {
    const texts = { title: { es, en }, summary: { es, en }, slug: { es: slug, en: `${slug}-en` } };
    const when = [{ dates: [TODAY], start: '20:00', end: '22:00' }];
    const rest = { category, tags: ['prueba'], when, price: 'free', zone: 'downtown' };
    const file = join(content_dir, 'events', `${slug}.yml`);
    writeFileSync(file, JSON.stringify({ ...PROVENANCE, ...texts, ...rest }));
  };
  for (const slug of EDITIONS)
    write(slug, `Edición ${edition} de ${slug}`, `Edition ${edition} of ${slug}`, 'live-music');
  write(PARTY, 'Fiesta que se cae', 'Party that falls through', 'party');
}

/** Requests to all surfaces: pages, Markdown, JSON, calendar, tools. */
const PATHS = [
  ...['/hoy', '/en/today', '/hoy.md', `/fecha/${TODAY}`, '/eventos/edicion-a'],
  ...['/api/v1/events?date=today', '/api/v1/events/edicion-b', '/api/v1/events.ics?date=today'],
];
const REQUESTS: readonly (readonly [path: string, init: RequestInit, is_party: boolean])[] = [
  ...PATHS.map((path) => [path, {}, false] as const),
  ['/mcp', toolCallRequest('eventos_hoy', { lang: 'en' }), false],
  ...listSurfaces(PARTY).map(([path, init = {}]) => [path, init, true] as const),
];
/** Expected state of the party; null while a decision is being published. */
type PartyState = 'published' | 'cancelled' | null;

const EDITION = /(?<=(?:Edici(?:ó|&#xF3;)n|Edition) )\d+/g;
/** Parses the edition numbers of a response, which has several if it mixes releases. */
const parseEditions = (text: string): readonly string[] => [
  // A folded line of iCalendar continues after CRLF and a space.
  ...new Set(text.replace(/\r\n /g, '').match(EDITION)),
];

/** Finds an issue of a response: a failure, content of two releases, or a wrong state of the party. */
function findIssue(
  path: string,
  response: ServiceResponse,
  is_party: boolean,
  party: PartyState,
): string | null {
  if (response.status !== 200) return `${path}: ${response.status}`;
  if (is_party)
    return party === null || showsState(party, response) ? null : `${path}: not ${party}`;
  const editions = parseEditions(response.text);
  return editions.length === 1 ? null : `${path}: editions ${editions.join(' and ') || 'none'}`;
}

/** Sends requests to all surfaces until `stop` is called. */
function startLoad(port: number) {
  const load: { request_count: number; party: PartyState } = { request_count: 0, party: null };
  const issues: string[] = [];
  const edition_by_etag = new Map<string, string>();
  let is_running = true;
  const runClient = async (client: number): Promise<void> => {
    for (let index = client * CLIENTS; is_running; index++, load.request_count++) {
      const [path, init, is_party] = REQUESTS[index % REQUESTS.length] ?? ['/', {}, false];
      const { party } = load;
      try {
        const response = await request(port, path, init);
        const issue = findIssue(path, response, is_party, party === load.party ? party : null);
        if (issue !== null) issues.push(issue);
        const [tag, edition = ''] = [`${path} ${response.etag}`, ...parseEditions(response.text)];
        const known_edition = edition_by_etag.get(tag) ?? edition;
        if (response.etag !== null && known_edition !== edition)
          issues.push(`${tag}: used for editions ${known_edition} and ${edition}`);
        edition_by_etag.set(tag, edition);
      } catch (thrown) {
        issues.push(`${path}: ${String(thrown)}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
  const stop = async (): Promise<void> => {
    is_running = false;
    await clients;
  };
  return { load, issues, stop };
}

const isServed = async (port: number, edition: number): Promise<boolean> =>
  (await request(port, '/api/v1/events/edicion-a')).text.includes(`Edición ${edition} de`);

/** Tells if all surfaces come from one release with this state of the party. */
async function isConsistent(port: number, party: PartyState): Promise<boolean> {
  const editions = new Set<string>();
  for (const [path, init, is_party] of REQUESTS) {
    const response = await request(port, path, init);
    if (findIssue(path, response, is_party, party) !== null) return false;
    if (!is_party) editions.add(parseEditions(response.text).join());
  }
  return editions.size === 1;
}

/** Runs a command, and retries it while another process is building. */
async function runWithRetry(town: Town, name: string): Promise<void> {
  const { ended, output } = startCommand(town, name);
  if ((await ended) === 0) return;
  if (!/is building/.test(output())) throw new Error(`${name} failed:\n${output()}`);
  await sleep(1_000);
  await runWithRetry(town, name);
}

/** Logs in. @returns a function that cancels or restores the party; it works across restarts of the service. */
async function openDesk(town: Town) {
  const submitForm = await logIn(town);
  const { text } = await request(town.port, `/api/v1/events/${PARTY}`);
  const path = `/revision/editar/${/"id":"(ev_\w+)"/.exec(text)?.[1]}`;
  return (is_cancelled: boolean): Promise<number> =>
    submitForm(path, {
      does: is_cancelled ? 'cancel' : 'restore',
      date: ALL_DATES,
      reason: 'Se prueba.',
    });
}

/** Creates a figure with the number of issues; its target is none. */
const createIssueFigure = (name: string, issues: readonly string[], details: string): Figure => {
  const all_details = [details, ...issues.slice(0, 5)].join('; ');
  return createFigure([name, all_details], issues.length, ['≤', 0], String);
};

/** Tests releases and rollbacks under load, with two server processes. */
export async function testSwitches(town: Town, count: number, log: LogLine): Promise<Figure> {
  setEdition(town, 0);
  await runCommand(town, 'release');
  const service = await startService({ ...town, env: { ...town.env, SERVERS: '2' } });
  const setCancelled = await openDesk(town);
  const { load, issues, stop } = startLoad(town.port);
  const publish = async (name: 'release' | 'rollback', edition: number): Promise<void> => {
    await runWithRetry(town, name);
    if ((await waitFor(() => isServed(town.port, edition))) === null)
      issues.push(`edition ${edition} is not served`);
  };
  const decide = async (is_cancelled: boolean): Promise<void> => {
    load.party = null;
    await setCancelled(is_cancelled);
    const party = is_cancelled ? 'cancelled' : 'published';
    if ((await waitFor(() => isConsistent(town.port, party))) === null)
      issues.push(`the party is not ${party}`);
    load.party = party;
  };
  try {
    for (let edition = 1; edition <= count; edition++) {
      setEdition(town, edition);
      await publish('release', edition);
      if (edition % 5 === CANCEL_AT) await decide(true);
      if (edition % 5 === RESTORE_AT) await decide(false);
      if (edition % RELEASES_PER_ROLLBACK === 0) await publish('rollback', edition - 1);
      if (edition % 10 === 0) log(`  ${edition} of ${count} releases, ${issues.length} issues`);
    }
  } finally {
    await stop();
    await service.stop();
  }
  const rollbacks = Math.floor(count / RELEASES_PER_ROLLBACK);
  const name = `${count} releases and ${rollbacks} rollbacks under load: responses that failed, mixed releases or showed a cancelled event as published`;
  return createIssueFigure(name, issues, `of ${load.request_count} responses`);
}

/** Kills commands and the service at random moments, during submissions and decisions. */
export async function testKills(town: Town, kills: number, log: LogLine): Promise<Figure> {
  const { port } = town;
  const [issues, receipts]: [string[], string[]] = [[], []];
  const took_ms = new Map<string, number>();
  let is_cancelled = false;
  setEdition(town, 0);
  await runCommand(town, 'release');
  let service = await startService(town);
  const setCancelled = await openDesk(town);
  const killCommand = async (name: 'release' | 'rollback'): Promise<void> => {
    const begun_ms = performance.now();
    const { child, ended } = startCommand(town, name);
    await Promise.race([ended, sleep(Math.random() * (took_ms.get(name) ?? ASSUMED_COMMAND_MS))]);
    child.kill('SIGKILL');
    if ((await ended) === 0) took_ms.set(name, performance.now() - begun_ms);
  };
  /** Decides and kills the service within `within_ms`; repeats an unacknowledged decision. */
  const decideAndKill = async (within_ms: number): Promise<void> => {
    is_cancelled = !is_cancelled;
    const decision = setCancelled(is_cancelled).catch(() => null);
    await sleep(Math.random() * within_ms);
    await service.stop('SIGKILL');
    service = await startService(town);
    if ((await decision) === null) await setCancelled(is_cancelled).catch(() => null);
  };
  const actions = [
    () => killCommand('release'),
    () => decideAndKill(DESK_RESPONSE_MS),
    () => killCommand('rollback'),
    () => decideAndKill(ASSUMED_COMMAND_MS),
  ];
  for (let index = 0; index < kills; index++) {
    setEdition(town, index + 1);
    const submission = submitEvent(port, index).catch(() => null);
    await actions[index % actions.length]?.();
    const receipt = await submission;
    if (receipt !== null) receipts.push(receipt.status_path);
    const isSettled = () => isConsistent(port, is_cancelled ? 'cancelled' : 'published');
    if ((await waitFor(isSettled, 100, SETTLE_TIMEOUT_MS)) === null)
      issues.push(`kill ${index}: no consistent release with the decision`);
    if (index % 20 === 19) log(`  ${index + 1} of ${kills} kills, ${issues.length} issues`);
  }
  await runWithRetry(town, 'release');
  if ((await waitFor(() => isServed(port, kills), 100, SETTLE_TIMEOUT_MS)) === null)
    issues.push('the last edition is not served');
  for (const path of receipts)
    if ((await request(port, path)).status !== 200)
      issues.push('an acknowledged submission is lost');
  await service.stop();
  const name = `${kills} × kill -9 during decisions and builds: lost acknowledgements and inconsistent releases`;
  return createIssueFigure(name, issues, `${receipts.length} submissions, ${kills / 2} decisions`);
}

export async function measureHostile(folder: string, log: LogLine, times?: number) {
  const figures: Figure[] = [];
  log('Switching releases under load, then killing processes');
  const town = await createTown(join(folder, 'switches'), EVENTS);
  addFigure(figures, log, await testSwitches(town, Math.min(times ?? SWITCHES, SWITCHES), log));
  const other = await createTown(join(folder, 'kills'), EVENTS);
  addFigure(figures, log, await testKills(other, times ?? KILLS, log));
  return figures;
}
