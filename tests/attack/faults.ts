// Faults of the machine: kill -9 of every kind of process, a locked and a damaged inbox, a full disk: readers go
// on, and whatever was acknowledged is there.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { getCorrection } from '../../src/inbox/corrections.ts';
import type { Inbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { beginCommand, type BuiltServer, type ServerSettings } from '../fixtures/built-server.ts';
import { findProcesses } from '../fixtures/left-processes.ts';
import { countOne, type Finding, inHands, type Say, toCounts } from './finding.ts';
import { startBehindProxy } from './places.ts';
import { askOnce, type Reading, readWhile, toWords } from './reader.ts';

const WRITER = resolve(import.meta.dirname, '../fixtures/busy-inbox.ts');
/** The clock of each start of the service is another: it jumps ahead, and back. */
const CLOCKS = [
  '2026-11-20T12:00:00-05:00',
  '2026-11-23T03:00:00-05:00',
  '2026-11-19T23:59:00-05:00',
];
/** By then a killed process has been replaced, and a start has found its release. */
const BACK_MS = 30_000;

/** Waits until the service answers; how long that took, or null. */
async function untilServed(port: number): Promise<number | null> {
  const begun_ms = performance.now();
  while (performance.now() - begun_ms < BACK_MS) {
    if ((await askOnce(port, '/hoy')) === 200) return Math.round(performance.now() - begun_ms);
    await sleep(100);
  }
  return null;
}

/** A program that writes, and what it said was stored. */
function startWriter(
  path: string,
  number: number,
): { readonly child: ChildProcess; readonly said: string[] } {
  const said: string[] = [];
  const child = spawn(process.execPath, [WRITER, path, String(number)]);
  child.stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) {
      const [what = '', reference = ''] = line.split(' ');
      if (['sent', 'reported'].includes(what) && reference !== '') said.push(reference);
    }
  });
  return { child, said };
}

/** Kills processes of each kind in turn. */
export async function tryKills(
  settings: ServerSettings,
  inbox: Inbox,
  kills: number,
  say: Say,
): Promise<Finding> {
  const said: string[] = [];
  const counts = new Map<string, number>();
  let server = await startBehindProxy(settings, 2);
  let [slowest_ms, lost] = [0, 0];
  for (let at = 0; at < kills; at++) {
    const kind = (['worker', 'writer', 'build', 'primary'] as const)[at % 4] ?? 'worker';
    if (kind === 'primary') {
      await server.kill();
      server = await startBehindProxy({ ...settings, clock_start: CLOCKS[(at >> 2) % 3] ?? '' }, 2);
    } else if (kind === 'worker') killWorker(settings.data_dir, server);
    else if (kind === 'build') await killLater(beginCommand('release', [], settings).child, 1_200);
    else {
      const writer = startWriter(inbox.name, at);
      for (let waited = 0; writer.said.length === 0 && waited < BACK_MS; waited += 50)
        await sleep(50);
      await killLater(writer.child, 500);
      said.push(...writer.said);
    }
    countOne(counts, kind);
    const back_ms = await untilServed(server.port);
    if (back_ms === null) lost++;
    slowest_ms = Math.max(slowest_ms, back_ms ?? BACK_MS);
    if (at % 20 === 19) say(`  ${at + 1} of ${kills} kills`);
  }
  await server.stop();
  const missing = said.filter(
    (one) => getSubmission(inbox, one) === null && getCorrection(inbox, one) === null,
  );
  const is_sound = inbox.pragma('integrity_check', { simple: true }) === 'ok';
  return {
    what: `${kills} × kill -9, the clock jumping at each start`,
    figures: `${toCounts(counts)}; served again within ${slowest_ms} ms; ${said.length} acknowledged, ${missing.length} lost; inbox ${is_sound ? 'sound' : 'DAMAGED'}`,
    is_held: lost === 0 && missing.length === 0 && is_sound && (kills < 2 || said.length > 0),
  };
}

/** One of its serving processes, of which another goes on. */
function killWorker(data_dir: string, server: BuiltServer): void {
  const [pid] = findProcesses(data_dir).filter((one) => one !== server.pid);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

async function killLater(child: ChildProcess, most_ms: number): Promise<void> {
  const ended = new Promise((done) => child.once('close', done));
  await sleep(most_ms / 2 + (Math.random() * most_ms) / 2);
  child.kill('SIGKILL');
  await ended;
}

const FORM = { title: 'Lo que escribí', step: 'send' } as const;

/** Another program has the inbox to itself for `hold_ms`. */
export async function tryLocked(
  server: BuiltServer,
  quiet: Reading,
  path: string,
  hold_ms: number,
): Promise<Finding> {
  const other = new Database(path, { timeout: 5_000 });
  other.exec('begin immediate');
  const counts = new Map<string, number>();
  let kept = 0;
  const writers = inHands(12, 12, async (at) => {
    const answer = await server.post('/publicar', FORM, { 'x-forwarded-for': `10.8.0.${at}` });
    countOne(counts, `${answer.status} ${answer.headers.get('retry-after') ?? ''}`.trim());
    if ((await answer.text()).includes(FORM.title)) kept++;
  });
  const now = await readWhile(server.port, writers, hold_ms);
  other.exec('rollback');
  other.close();
  return {
    what: 'an inbox that another program has to itself, 12 forms meanwhile',
    figures: `${toWords(quiet, now)}; forms ${toCounts(counts)}, ${kept} kept what was typed`,
    is_held: now.failed === 0 && counts.get('503 30') === 12 && kept === 12,
    is_in_time: now.late_ms <= 1_000,
  };
}

/** A damaged inbox: serving processes that cannot begin are tried again, then the service ends. */
export async function tryDamaged(settings: ServerSettings): Promise<Finding> {
  const data_dir = `${settings.data_dir}-damaged`;
  cpSync(settings.data_dir, data_dir, { recursive: true, verbatimSymlinks: true });
  const server = await startBehindProxy({ ...settings, data_dir }, 2);
  const file = openSync(join(data_dir, 'inbox.db'), 'r+');
  writeSync(file, Buffer.alloc(8192, 'x'), 0, 8192, 0);
  closeSync(file);
  for (const journal of ['wal', 'shm'])
    rmSync(join(data_dir, `inbox.db-${journal}`), { force: true });
  for (const pid of findProcesses(data_dir).filter((one) => one !== server.pid))
    process.kill(pid, 'SIGKILL');
  const ended = new Promise<number | null>((done) => {
    const look = setInterval(() => {
      if (findProcesses(data_dir).length > 0) return;
      clearInterval(look);
      done(1);
    }, 200);
  });
  const begun_ms = performance.now();
  const outcome = await Promise.race([ended, sleep(60_000).then(() => null)]);
  const tries = server.output().match(/a serving process could not begin/g)?.length ?? 0;
  const code = await server.kill();
  rmSync(data_dir, { recursive: true });
  return {
    what: 'a damaged inbox, and both serving processes killed',
    figures: `${tries} tries, ended with ${code} after ${Math.round((performance.now() - begun_ms) / 1000)} s`,
    is_held: outcome !== null && code === 1 && tries >= 6 && server.output().includes('is damaged'),
  };
}
