// kill -9 of whoever changes what serves, at random moments: releases of what changed, whole ones, ones that
// build the code too, rollbacks; an event is called off and put on again among them. What serves stays one
// whole release, and the next build leaves nothing half.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { changeStatus } from '../../src/desk/override.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { inspectRelease } from '../../src/releases/check-release.ts';
import {
  isReleaseId,
  type Layout,
  readCurrent,
  toLayout,
  toReleasePaths,
} from '../../src/releases/layout.ts';
import { isLocked } from '../../src/releases/lock.ts';
import { findServing, toBuiltId, writeReleaseFacts } from '../../src/releases/release-facts.ts';
import { isReleaseRequested } from '../../src/releases/request-release.ts';
import { listReleases } from '../../src/releases/prune.ts';
import { beginCommand, type BuiltServer, type ServerSettings } from '../fixtures/built-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { findProcesses, isStandBy } from '../fixtures/left-processes.ts';
import {
  CALLED_OFF,
  QUESTIONS,
  readReply,
  send,
  toEditionTime,
  toRollbackTime,
} from '../fixtures/release-load.ts';
import { countOne, type Finding, type Say, toCounts } from './finding.ts';

/** A service of one process on the town of changing-content.ts, which says `edition` now. */
export interface KilledTown {
  readonly settings: ServerSettings;
  readonly server: BuiltServer;
  readonly setEdition: (edition: number) => void;
  edition: number;
}

type Deed = 'what changed' | 'all anew' | 'code too' | 'rollback';
const DEEDS = ['what changed', 'rollback', 'all anew'] as const;
/** One in so many builds the code of the pages too. */
const CODE_EVERY = 20;
const TOLD_EVERY = 10;
/** One in so many times, the event is called off, or put on again, before. */
const DECIDE_EVERY = 5;
/** What a deed takes until one has been seen to its end. */
const FIRST_MS: Readonly<Record<Deed, number>> = {
  'what changed': 4_000,
  'all anew': 10_000,
  'code too': 25_000,
  rollback: 3_000,
};
/** How much later than that a kill may come, and how much longer it is taken to be after each that was not seen to its end. */
const [LATER, SLOWER] = [1.1, 1.1] as const;
/** Whoever lost its parent has ended; what the service builds by itself, last of all on a busy machine, is done. */
const GONE_MS = 30_000;
const SETTLED_MS = 240_000;
const DESK = { editor: 'ana', now_ms: FRIDAY_NOON_MS } as const;

/** Until `isSo`; false where it is not in time. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  most_ms = SETTLED_MS,
): Promise<boolean> {
  const begun_ms = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun_ms > most_ms) return false;
    await sleep(50);
  }
  return true;
}

const HealthSchema = v.object({ release: v.string() });
const readServed = async (server: BuiltServer): Promise<string> =>
  v.parse(HealthSchema, await (await server.get('/healthz')).json()).release;

/** What every surface says: its editions, whether the event is off, and what is wrong. */
async function ask(server: BuiltServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [editions, off, issues] = [new Set<number>(), new Set<boolean>(), new Set<string>()];
  for (const question of QUESTIONS) {
    const { edition, is_off, issue } = readReply(question, await send(agent, server, question));
    if (edition !== null) editions.add(edition);
    if (is_off !== null) off.add(is_off);
    if (issue !== null) issues.add(issue);
  }
  agent.destroy();
  return { editions: [...editions], off: [...off], issues: [...issues] };
}

/** What is known while they are killed. */
interface Run {
  readonly town: KilledTown;
  readonly layout: Layout;
  readonly inbox: Inbox;
  /** Of CALLED_OFF. */
  readonly event: string;
  is_off: boolean;
  /** The edition that serves, and those of the releases that were seen to. */
  served: number;
  readonly editions: Map<string, number>;
  /** What each was seen to take. */
  readonly took_ms: Record<Deed, number>;
  readonly counts: Map<string, number>;
  done: number;
  /** Of the last that was begun, and how many rollbacks were. */
  clock: string;
  number: number;
  readonly issues: string[];
}

/** Kills `kills` of them; the town is left with its last edition served. */
export async function tryReleaseKills(town: KilledTown, kills: number, say: Say): Promise<Finding> {
  const { settings, server } = town;
  const detail = await (await server.get(`/api/v1/events/${CALLED_OFF}`)).text();
  const run: Run = {
    town,
    layout: toLayout(settings.data_dir),
    inbox: openInbox(join(settings.data_dir, 'inbox.db')),
    event: /"id":"(ev_\w+)"/.exec(detail)?.[1] ?? '',
    is_off: false,
    served: town.edition,
    editions: new Map(),
    took_ms: { ...FIRST_MS },
    counts: new Map(),
    done: 0,
    clock: toEditionTime(town.edition),
    number: 0,
    issues: [],
  };
  const { issues } = run;
  await look(run, [town.edition], 'the start');
  for (let at = 0; at < kills; at++) {
    if (at % DECIDE_EVERY === DECIDE_EVERY - 1) await decide(run);
    await killOne(run, toDeed(at));
    if (at % TOLD_EVERY === TOLD_EVERY - 1)
      say(`  ${at + 1} of ${kills} kills, ${issues.length} amiss`);
  }
  await findLeft(run);
  run.inbox.close();
  return {
    what: `${kills} × kill -9 of releases and rollbacks`,
    figures: `${toCounts(run.counts)}; ${run.done} were done before; ${issues.length} times what served was not one whole release${issues.slice(0, 5).map((issue) => `\n    ${issue}`)}`,
    is_held: issues.length === 0 && run.done < kills,
  };
}

/** Calls the event off, or puts it on again, and waits until all say so. */
async function decide(run: Run): Promise<void> {
  const { inbox, event, town } = run;
  run.is_off = !run.is_off;
  changeStatus(inbox, DESK, event, run.is_off ? 'cancel' : 'restore', 'Llueve.');
  const isSaid = async () => (await ask(town.server)).off.join() === String(run.is_off);
  if (!(await until(isSaid))) run.issues.push(`it is not ${run.is_off ? 'off' : 'on'} everywhere`);
  await look(run, [run.served, town.edition], 'a decision');
}

async function killOne(run: Run, deed: Deed): Promise<void> {
  const { town, took_ms, issues } = run;
  const { command, expected } = prepare(run, deed);
  const begun_ms = performance.now();
  const [name, ...args] = command;
  run.clock = name === 'rollback' ? toRollbackTime(++run.number) : toEditionTime(town.edition);
  const { child, ended, output } = beginCommand(name, args, toSettings(run, deed));
  await Promise.race([ended, sleep(Math.random() * took_ms[deed] * LATER)]);
  if (child.exitCode === null) child.kill('SIGKILL');
  const code = await ended;
  if (code === 0) {
    run.done++;
    took_ms[deed] = performance.now() - begun_ms;
  } else took_ms[deed] *= SLOWER;
  if (code !== null && code !== 0)
    issues.push(`${deed} ended with ${code}: ${output().slice(-300)}`);
  countOne(run.counts, deed);
  await look(run, [run.served, ...expected], `a kill of ${command.join(' ')}`);
}

const toDeed = (at: number): Deed =>
  at % CODE_EVERY === CODE_EVERY - 2 ? 'code too' : (DEEDS[at % DEEDS.length] ?? 'what changed');

const toBundles = ({ settings }: KilledTown): string => join(settings.data_dir, 'own-bundles');

/** Where the code is built too, its bundles lie by themselves; one that was finished is not there any more. */
function toSettings({ town, clock }: Run, deed: Deed): ServerSettings {
  const settings = { ...town.settings, clock_start: clock };
  if (deed !== 'code too') return settings;
  const bundles_dir = toBundles(town);
  if (existsSync(bundles_dir))
    for (const name of readdirSync(bundles_dir))
      if (!name.startsWith('.')) rmSync(join(bundles_dir, name), { recursive: true });
  return { ...settings, env: { ...settings.env, BUNDLES_DIR: bundles_dir } };
}

/** The command of a deed, and the editions that may serve after it beside the one before. */
function prepare(
  { town, layout, editions }: Run,
  deed: Deed,
): { readonly command: readonly [string, ...string[]]; readonly expected: readonly number[] } {
  const serving = findServing(layout);
  const others = listReleases(layout).filter(
    (id) => editions.has(id) && serving !== null && id !== toBuiltId(serving),
  );
  const id = others[Math.floor(Math.random() * others.length)];
  if (deed === 'rollback' && id !== undefined)
    return { command: ['rollback', '--to', id], expected: [editions.get(id) ?? -1] };
  town.setEdition(++town.edition);
  // As if other code had made what serves: nothing of it can be taken over.
  if (deed !== 'what changed' && serving !== null)
    writeReleaseFacts(toReleasePaths(join(layout.releases_dir, serving.id)).facts, {
      ...serving,
      made_with: 'other code',
    });
  return { command: ['release'], expected: [town.edition] };
}

/** Notes what is wrong with what serves, and which edition does; first all is done that must follow. */
async function look(run: Run, expected: readonly number[], after: string): Promise<void> {
  const { town, layout, is_off } = run;
  const { settings, server } = town;
  const note = (issue: string): void => void run.issues.push(`after ${after}: ${issue}`);
  const others = () => findProcesses(settings.data_dir).filter((pid) => pid !== server.pid);
  // Of the edition that was built: what the service builds has the service's clock.
  const orphans = () =>
    findProcesses(`CLOCK_START=${run.clock}`).filter((pid) => others().includes(pid));
  if (!(await until(() => orphans().length === 0, GONE_MS)))
    note('somebody builds on for a parent that is gone');
  // One that stands by holds the lock once it builds, and until then the wish for it is there.
  const isQuiet = () =>
    others().every(isStandBy) && !isLocked(layout.lock_file) && !isReleaseRequested(layout);
  if (!(await until(isQuiet))) note(`processes ${others().join(', ')} go on`);
  const current = readCurrent(layout) ?? '';
  const { issue } = await inspectRelease(layout, current);
  if (issue !== null) note(`${current}: ${issue}`);
  if (!(await until(async () => (await readServed(server)) === current)))
    note(`${current} is not served`);
  const said = await ask(server);
  said.issues.forEach(note);
  const [edition = -1] = said.editions;
  if (said.editions.length !== 1 || !expected.includes(edition))
    note(`editions ${said.editions.join(', ')}, where ${expected.join(' or ')} may serve`);
  if (said.off.join() !== String(is_off)) note(`called off: ${said.off.join()}, not ${is_off}`);
  run.served = edition;
  const serving = findServing(layout);
  if (serving !== null) run.editions.set(toBuiltId(serving), edition);
}

/** A release that nobody kills, and what is left of the others after it. */
async function findLeft(run: Run): Promise<void> {
  const { town, layout, issues } = run;
  town.setEdition(++town.edition);
  run.clock = toEditionTime(town.edition);
  const { ended, output } = beginCommand('release', [], toSettings(run, 'what changed'));
  if ((await ended) !== 0) issues.push(`the release after them was not built: ${output()}`);
  await look(run, [town.edition], 'a release that nobody killed');
  const left = [
    ...readdirSync(layout.releases_dir).filter(
      (name) => !isReleaseId(name) && name !== 'node_modules',
    ),
    ...readdirSync(layout.data_dir).filter(
      (name) => name.endsWith('.tmp') || name === 'release-requested',
    ),
  ];
  issues.push(...left.map((name) => `${name} is left`));
}
