// How cost grows with the town: one of ten times the size beside it, released twice and then asked, one question
// at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { PROJECT_DIR, toLayout, toReleasePaths } from '../../src/releases/layout.ts';
import { findServing } from '../../src/releases/release-facts.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-things.ts';
import { writeTown } from '../../tools/town/write-town.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { CLOCK_START, NOW_MS, SITE_URL, type TownSize } from './bench-town.ts';
import { toMedian } from './medians.ts';
import { readStatusMb } from './programs.ts';
import { measureDisk, release, type ReleaseCost } from './release-ratios.ts';

type Say = (line: string) => void;

/** How many times as large the second town is. */
const TIMES = 10;
/** Each question so often; the middle one counts. */
const ASKED = 15;

/** What a town of a size costs. */
export interface TownCost {
  readonly events: number;
  readonly occurrences: number;
  readonly first: Pick<ReleaseCost, 'seconds' | 'memory_mb'>;
  readonly again: Pick<ReleaseCost, 'seconds' | 'memory_mb'>;
  readonly files: number;
  readonly disk_bytes: number;
  /** Of its own, of the one process that serves, after the questions. */
  readonly worker_mb: number;
  /** Milliseconds by what was asked, in the same order for each town. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Both towns, the small one first. */
export async function measureGrowth(
  { events, seed }: TownSize,
  say: Say,
): Promise<readonly TownCost[]> {
  const costs: TownCost[] = [];
  for (const size of [events, events * TIMES])
    costs.push(await measureTown({ events: size, seed }, say));
  return costs;
}

async function measureTown({ events, seed }: TownSize, say: Say): Promise<TownCost> {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-bench-growth-'));
  try {
    say(`Making a town of ${events} events and releasing it twice`);
    const anchor = Temporal.PlainDate.from(CLOCK_START.slice(0, 10));
    const content_dir = join(PROJECT_DIR, 'content');
    writeTown({ events, seed, anchor, out: join(folder, 'content'), content_dir }, () => {});
    const first = await release(folder, 0);
    say(`  the first: ${first.seconds.toFixed(1)} s`);
    const disk_bytes = measureDisk(join(folder, 'data'));
    const again = await release(folder, 1);
    say(`  nothing changed: ${again.seconds.toFixed(1)} s`);
    return { first, again, disk_bytes, ...(await serve(folder, say)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Served = Omit<TownCost, 'first' | 'again' | 'disk_bytes'>;

async function serve(folder: string, say: Say): Promise<Served> {
  const data_dir = join(folder, 'data');
  const layout = toLayout(data_dir);
  const facts = findServing(layout);
  if (facts === null) throw new Error('Nothing serves, though two releases were made');
  const questions = toQuestions(toReleasePaths(join(layout.releases_dir, facts.id)).snapshot);
  const env = {
    ...{ WORKERS: '1', PICTURES: '0', REBUILD_HOURS: '0', SITE_URL, CLOCK_START },
    RATE_LIMIT: '1000000',
  };
  const server = await startServer({ data_dir, content_dir: join(folder, 'content'), env });
  try {
    const answers = new Map<string, number>();
    for (const [name, paths] of questions) answers.set(name, await ask(server, name, paths));
    const worker_mb = readStatusMb(server.pid, 'RssAnon');
    say(`  served: ${worker_mb.toFixed(0)} MB`);
    return {
      ...{ events: facts.events, occurrences: facts.occurrences, files: facts.files },
      ...{ worker_mb, answers },
    };
  } finally {
    await server.stop();
  }
}

type Questions = readonly (readonly [name: string, paths: readonly string[]])[];

/** Another one each time, so that no answer is a kept one. */
function toQuestions(snapshot_path: string): Questions {
  const snapshot = openSnapshot(snapshot_path);
  const slugs = listUpcomingEvents(snapshot, NOW_MS).map(({ slug }) => slug.es);
  closeSnapshot(snapshot);
  const step = Math.floor(slugs.length / ASKED);
  const some = Array.from({ length: ASKED }, (_, at) => slugs[at * step] ?? '');
  const days = Array.from({ length: ASKED }, (_, at) =>
    Temporal.PlainDate.from(CLOCK_START.slice(0, 10))
      .add({ days: at * 3 })
      .toString(),
  );
  return [
    ['the page of an event', some.map((slug) => `/eventos/${slug}`)],
    ['the list of a day', days.map((day) => `/api/v1/events?date=${day}`)],
    ['the calendar of a day', days.map((day) => `/api/v1/events.ics?date=${day}`)],
    ['a search of all that is ahead', days.map((_, at) => `/api/v1/events?q=noche+${at}`)],
    ['a page of a day as Markdown, rendered', days.map((day) => `/fecha/${day}.md?zone=downtown`)],
  ];
}

/** The middle time, milliseconds. Throws where one is not answered with 200. */
async function ask(server: BuiltServer, name: string, paths: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const path of paths) {
    const begun_ms = performance.now();
    const answer = await server.get(path);
    await answer.arrayBuffer();
    times.push(performance.now() - begun_ms);
    if (answer.status !== 200) throw new Error(`${name}: ${path} answers ${answer.status}`);
  }
  return toMedian(times);
}
