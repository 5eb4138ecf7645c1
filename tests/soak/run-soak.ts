// The soak: the service with two workers for as long as is wanted, under everything that happens to it in
// a day: readers, programs, senders, decisions, cancellations, releases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClock } from '../../src/clock.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { toLayout } from '../../src/releases/layout.ts';
import { type BuiltServer, FRIDAY_NOON, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { decideOn, type Deeds } from './editors.ts';
import { type Look, lookAt } from './processes.ts';
import type { SoakReport } from './report.ts';
import { comeBy, type Visits } from './visitors.ts';

const LOOK_MS = 3_000;
/** The service goes on with what it has begun before it is looked at for the last time. */
const REST_MS = 3_000;

type Say = (line: string) => void;

/** Soaks for `minutes`; throws only where it could not begin. */
export async function runSoak(minutes: number, say: Say): Promise<SoakReport> {
  const data_dir = mkdtempSync(join(tmpdir(), 'hoy-soak-'));
  say('Building a small release and starting the service, some 30 s');
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    const server = await startServer({
      data_dir,
      content_dir: FIXTURE_DIR,
      env: { WORKERS: '2', TRUST_PROXY: '1', LOG_LEVEL: 'error' },
    });
    const begun_ms = performance.now();
    const until_ms = begun_ms + minutes * 60_000;
    const isOver = (): boolean => performance.now() >= until_ms;
    const visits: Visits = { counts: new Map(), faults: [] };
    const deeds: Deeds = { approved: 0, rejected: 0, cancelled: 0, restored: 0, releases: 0 };
    const looks: Look[] = [];
    try {
      const clock = startClock(FRIDAY_NOON);
      const desk = { inbox, layout: toLayout(data_dir) };
      const events = await listEvents(server);
      await Promise.all([
        comeBy(server, visits, isOver),
        decideOn(desk, events, clock, deeds, isOver),
        watch(server.pid ?? 0, looks, isOver, say, visits),
      ]);
      await sleep(REST_MS);
    } finally {
      await server.stop();
    }
    const errors = server
      .output()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    return { minutes, visits, deeds, looks, errors };
  } finally {
    inbox.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

const listEvents = async (server: BuiltServer): Promise<readonly string[]> => [
  ...new Set(
    [
      ...(await (await server.get('/api/v1/events?limit=50')).text()).matchAll(/"id":"(ev_\w+)"/g),
    ].map(([, id = '']) => id),
  ),
];

async function watch(
  pid: number,
  looks: Look[],
  isOver: () => boolean,
  say: Say,
  visits: Visits,
): Promise<void> {
  let told_ms = performance.now();
  while (!isOver()) {
    await sleep(LOOK_MS);
    looks.push(...lookAt(pid));
    if (performance.now() - told_ms < 60_000) continue;
    told_ms = performance.now();
    const asked = [...visits.counts.values()].reduce((a, b) => a + b, 0);
    say(`  … ${asked} requests, ${visits.faults.length} of them wrong`);
  }
}
