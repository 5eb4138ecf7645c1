// A bad day: releases and rollbacks under load, kill -9 amid decisions and builds. What was acknowledged is
// there, and every answer is of one release.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, comeIn, listSurfaces, says, send, toToolCall } from './desk.ts';
import { type Figure, note, toFigure } from './report.ts';
import {
  beginCommand,
  makeTown,
  run,
  type Say,
  startService,
  TODAY,
  type Town,
  until,
} from './service.ts';
import { PROVENANCE } from './town/things.ts';

const EVENTS = 60;
const KILLS = 200;
const SWITCHES = 30;
const RELEASES_A_ROLLBACK = 3;
/** Of five editions, those with which the party is called off, and put on again. */
const [OFF, ON] = [2, 4];
const FIRST_MS = 4_000; // a command, until one has ended by itself
const SETTLED_MS = 60_000;
const PRESS_MS = 200; // that the desk takes to answer
const [CLIENTS, PAUSE_MS] = [5, 40];

const EDITIONS = ['edicion-a', 'edicion-b', 'edicion-c'];
const PARTY = 'fiesta-que-se-cae';

/** Three events of the town say a new edition; a fourth is the party. */
function setEdition({ content_dir }: Town, edition: number): void {
  const write = (slug: string, es: string, en: string, category: string): void => {
    const words = { title: { es, en }, summary: { es, en }, slug: { es: slug, en: `${slug}-en` } };
    const when = [{ dates: [TODAY], start: '20:00', end: '22:00' }];
    const rest = { category, tags: ['prueba'], when, price: 'free', zone: 'downtown' };
    const file = join(content_dir, 'events', `${slug}.yml`);
    writeFileSync(file, JSON.stringify({ ...PROVENANCE, ...words, ...rest }));
  };
  for (const slug of EDITIONS)
    write(slug, `Edición ${edition} de ${slug}`, `Edition ${edition} of ${slug}`, 'live-music');
  write(PARTY, 'Fiesta que se cae', 'Party that falls through', 'party');
}

/** Every surface: pages, Markdown, JSON, calendar, tools. */
const PATHS = [
  ...['/hoy', '/en/today', '/hoy.md', `/fecha/${TODAY}`, '/eventos/edicion-a'],
  ...['/api/v1/events?date=today', '/api/v1/events/edicion-b', '/api/v1/events.ics?date=today'],
];
const QUESTIONS: readonly (readonly [path: string, init: RequestInit, is_party: boolean])[] = [
  ...PATHS.map((path) => [path, {}, false] as const),
  ['/mcp', toToolCall('eventos_hoy', { lang: 'en' }), false],
  ...listSurfaces(PARTY).map(([path, init = {}]) => [path, init, true] as const),
];
type State = 'there' | 'off' | null;

const EDITION = /(?<=(?:Edici(?:ó|&#xF3;)n|Edition) )\d+/g;
const readEditions = (text: string): readonly string[] => [
  ...new Set(text.replace(/\r\n /g, '').match(EDITION)),
];

/** What is wrong with an answer: it failed, is of two releases, or says something else of the party. */
function findIssue(path: string, answer: Answer, is_party: boolean, party: State): string | null {
  if (answer.status !== 200) return `${path}: ${answer.status}`;
  if (is_party) return party === null || says(party, answer) ? null : `${path}: not ${party}`;
  const editions = readEditions(answer.text);
  return editions.length === 1 ? null : `${path}: editions ${editions.join(' and ') || 'none'}`;
}

/** Asks every surface again and again until it is ended. */
function beginLoad(port: number) {
  const load: { asked: number; party: State } = { asked: 0, party: null };
  const issues: string[] = [];
  const tags = new Map<string, string>();
  let is_asking = true;
  const converse = async (client: number): Promise<void> => {
    for (let at = client * CLIENTS; is_asking; at++, load.asked++) {
      const [path, init, is_party] = QUESTIONS[at % QUESTIONS.length] ?? ['/', {}, false];
      const { party } = load;
      try {
        const answer = await ask(port, path, init);
        const issue = findIssue(path, answer, is_party, party === load.party ? party : null);
        if (issue !== null) issues.push(issue);
        const [tag, said = ''] = [`${path} ${answer.etag}`, ...readEditions(answer.text)];
        if (answer.etag !== null && (tags.get(tag) ?? said) !== said)
          issues.push(`${tag}: stands for editions ${tags.get(tag)} and ${said}`);
        tags.set(tag, said);
      } catch (thrown) {
        issues.push(`${path}: ${String(thrown)}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  const talks = Promise.all(Array.from({ length: CLIENTS }, (_, client) => converse(client)));
  const end = async (): Promise<void> => {
    is_asking = false;
    await talks;
  };
  return { load, issues, end };
}

const isServed = async (port: number, edition: number): Promise<boolean> =>
  (await ask(port, '/api/v1/events/edicion-a')).text.includes(`Edición ${edition} de`);

/** Whether every surface is of one release that says so of the party. */
async function isWhole(port: number, party: State): Promise<boolean> {
  const said = new Set<string>();
  for (const [path, init, is_party] of QUESTIONS) {
    const answer = await ask(port, path, init);
    if (findIssue(path, answer, is_party, party) !== null) return false;
    if (!is_party) said.add(readEditions(answer.text).join());
  }
  return said.size === 1;
}

/** Runs a command; again where another process builds. */
async function runInTurn(town: Town, name: string): Promise<void> {
  const { ended, output } = beginCommand(town, name);
  if ((await ended) === 0) return;
  if (!/is building/.test(output())) throw new Error(`${name} failed:\n${output()}`);
  await sleep(1_000);
  await runInTurn(town, name);
}

/** The desk of a town, open to decide on the party. It stays so where the service is begun again. */
async function openDesk(town: Town) {
  const press = await comeIn(town);
  const { text } = await ask(town.port, `/api/v1/events/${PARTY}`);
  const path = `/revision/editar/${/"id":"(ev_\w+)"/.exec(text)?.[1]}`;
  return (is_off: boolean): Promise<number> =>
    press(path, { does: is_off ? 'cancel' : 'restore', reason: 'Se prueba.' });
}

const toNone = (what: string, issues: readonly string[], details: string): Figure => {
  const told = [details, ...issues.slice(0, 5)].join('; ');
  return toFigure([what, told], issues.length, ['≤', 0], String);
};

/** Releases and rollbacks under load, with two servers. */
export async function trySwitches(town: Town, count: number): Promise<Figure> {
  setEdition(town, 0);
  await run(town, 'release');
  const service = await startService({ ...town, env: { ...town.env, SERVERS: '2' } });
  const press = await openDesk(town);
  const { load, issues, end } = beginLoad(town.port);
  const serve = async (name: 'release' | 'rollback', edition: number): Promise<void> => {
    await runInTurn(town, name);
    if ((await until(() => isServed(town.port, edition))) === null)
      issues.push(`edition ${edition} is never served`);
  };
  const decide = async (is_off: boolean): Promise<void> => {
    load.party = null;
    await press(is_off);
    const party = is_off ? 'off' : 'there';
    if ((await until(() => isWhole(town.port, party))) === null) issues.push(`never ${party}`);
    load.party = party;
  };
  for (let edition = 1; edition <= count; edition++) {
    setEdition(town, edition);
    await serve('release', edition);
    if (edition % 5 === OFF) await decide(true);
    if (edition % 5 === ON) await decide(false);
    if (edition % RELEASES_A_ROLLBACK === 0) await serve('rollback', edition - 1);
  }
  await end();
  await service.stop();
  const rollbacks = Math.floor(count / RELEASES_A_ROLLBACK);
  const what = `${count} releases and ${rollbacks} rollbacks under load: answers failed, mixed, or of a cancelled event alive`;
  return toNone(what, issues, `of ${load.asked} answers`);
}

/** Kills commands and the service at random moments, while events are sent in and the party is decided on. */
export async function tryKills(town: Town, kills: number, say: Say): Promise<Figure> {
  const { port } = town;
  const [issues, receipts]: [string[], string[]] = [[], []];
  const took_ms = new Map<string, number>();
  let is_off = false;
  setEdition(town, 0);
  await run(town, 'release');
  let service = await startService(town);
  const press = await openDesk(town);
  const kill = async (name: 'release' | 'rollback'): Promise<void> => {
    const begun_ms = performance.now();
    const { child, ended } = beginCommand(town, name);
    await Promise.race([ended, sleep(Math.random() * (took_ms.get(name) ?? FIRST_MS))]);
    child.kill('SIGKILL');
    if ((await ended) === 0) took_ms.set(name, performance.now() - begun_ms);
  };
  /** Decides, and kills the service within so many milliseconds; decides again where nobody said it was done. */
  const decide = async (within_ms: number): Promise<void> => {
    is_off = !is_off;
    const pressed = press(is_off).catch(() => null);
    await sleep(Math.random() * within_ms);
    await service.stop('SIGKILL');
    service = await startService(town);
    if ((await pressed) === null) await press(is_off).catch(() => null);
  };
  const deeds = [
    () => kill('release'),
    () => decide(PRESS_MS),
    () => kill('rollback'),
    () => decide(FIRST_MS),
  ];
  for (let at = 0; at < kills; at++) {
    setEdition(town, at + 1);
    const sending = send(port, at).catch(() => null);
    await deeds[at % deeds.length]?.();
    const receipt = await sending;
    if (receipt !== null) receipts.push(receipt.status_path);
    if ((await until(() => isWhole(port, is_off ? 'off' : 'there'), 100, SETTLED_MS)) === null)
      issues.push(`kill ${at}: no whole release with what was decided`);
    if (at % 20 === 19) say(`  ${at + 1} of ${kills} kills, ${issues.length} amiss`);
  }
  await runInTurn(town, 'release');
  if ((await until(() => isServed(port, kills), 100, SETTLED_MS)) === null)
    issues.push('the last edition is not served');
  for (const path of receipts)
    if ((await ask(port, path)).status !== 200) issues.push('what was sent in is lost');
  await service.stop();
  const what = `${kills} × kill -9 amid decisions and builds: acknowledged and lost, or no whole release`;
  return toNone(what, issues, `${receipts.length} events sent in, ${kills / 2} decisions`);
}

export async function measureHostile(folder: string, say: Say, times?: number) {
  const figures: Figure[] = [];
  say('Switching releases under load, then killing whatever runs');
  const town = await makeTown(join(folder, 'switches'), EVENTS);
  note(figures, say, await trySwitches(town, times ?? SWITCHES));
  const other = await makeTown(join(folder, 'kills'), EVENTS);
  note(figures, say, await tryKills(other, times ?? KILLS, say));
  return figures;
}
