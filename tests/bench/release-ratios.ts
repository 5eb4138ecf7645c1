// What a release costs beside the first one of the same town: where nothing changed, one event did, or
// one in a hundred. Whole processes, as an operator runs them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { toChildEnv } from '../../src/config.ts';
import { formatTimestamp } from '../../src/domain/cancun-time.ts';
import { listFiles } from '../../src/releases/digests.ts';
import { PROJECT_DIR } from '../../src/releases/layout.ts';
import { writeTown } from '../../tools/town/write-town.ts';
import { toMedian } from './medians.ts';
import { CLOCK_START, NOW_MS, SITE_URL, type TownSize } from './bench-town.ts';

type Say = (line: string) => void;

/** One kind of release. */
export interface ReleaseCost {
  readonly what: string;
  /** The middle of `each`; of the first, the mean. */
  readonly seconds: number;
  readonly each: readonly number[];
  /** Most memory that a process had, with its threads, megabytes; NaN where the system does not say. */
  readonly memory_mb: number;
  /** Bytes on disk that were not there before the first of them. */
  readonly bytes: number;
  /** Time beside that of the first, and the most that is allowed; null for the first. */
  readonly ratio: number | null;
  readonly target: number | null;
}

const MINUTE_MS = 60_000;
const POLL_MS = 200;

type Run = Pick<ReleaseCost, 'seconds' | 'memory_mb'>;

/** Runs `npm run release` at an instant; gives its seconds and the most memory it had. */
export async function release(folder: string, minute: number, data = 'data'): Promise<Run> {
  const begun_ms = performance.now();
  const child = spawn(process.execPath, ['scripts/run.mjs', 'release'], {
    cwd: PROJECT_DIR,
    env: toChildEnv({
      CONTENT_DIR: join(folder, 'content'),
      DATA_DIR: join(folder, data),
      CLOCK_START: formatTimestamp(NOW_MS + minute * MINUTE_MS),
      SITE_URL,
      PICTURES: '0',
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let memory_mb = Number.NaN;
  const timer = setInterval(() => {
    memory_mb = readPeakMb(child.pid) ?? memory_mb;
  }, POLL_MS);
  const [code]: unknown[] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`The release ended with ${code}. Its words: ${said}`);
  return { seconds: (performance.now() - begun_ms) / 1000, memory_mb };
}

/** What Linux says of a process; null where it does not, or the process is gone. */
function readPeakMb(pid: number | undefined): number | null {
  try {
    const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return found === undefined ? null : Number(found) / 1024;
  } catch {
    return null;
  }
}

/** Bytes of a folder on disk; a file with several names counts once, and what a link leads to elsewhere not at all. */
export function measureDisk(dir: string): number {
  const counted = new Map<number, number>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { ino, blocks } = statSync(join(entry.parentPath, entry.name));
    counted.set(ino, blocks * 512);
  }
  return [...counted.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Gives some events another title: another first word, so that none grows too long. */
function retitle(folder: string, share: number, word: string): void {
  const dir = join(folder, 'content', 'events');
  const files = readdirSync(dir);
  for (const name of files.slice(0, Math.max(1, Math.round(files.length * share)))) {
    const path = join(dir, name);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/("title": \{\s+"es": ")\S+/, `$1${word}`),
    );
  }
}

const toCost = (
  what: string,
  runs: readonly Run[],
  bytes: number,
): Omit<ReleaseCost, 'ratio' | 'target'> => ({
  what,
  seconds: toMedian(runs.map(({ seconds }) => seconds)),
  each: runs.map(({ seconds }) => seconds),
  memory_mb: Math.max(...runs.map(({ memory_mb }) => memory_mb)),
  bytes,
});

type Change = (folder: string, word: string) => void;
const CHANGES: readonly (readonly [string, number, Change])[] = [
  ['nothing changed', 0.08, () => {}],
  ['one event changed', 0.08, (folder, word) => retitle(folder, 0, word)],
  ['one event in a hundred changed', 0.15, (folder, word) => retitle(folder, 0.01, word)],
];
/** One of them with what was measured of it. */
interface Kind {
  readonly change: (typeof CHANGES)[number];
  readonly runs: Run[];
  bytes: number;
}
/** Each is made with each of them, one after the other. */
const WORDS = ['Otra', 'Nueva', 'Gran'] as const;

/** The same files written into a folder and nothing else: what no release can cost less than. */
export interface PlainWrites {
  readonly files: number;
  readonly seconds: number;
}

function writePlainly(from: string, to: string): PlainWrites {
  const paths = listFiles(from);
  const begun_ms = performance.now();
  mkdirSync(to);
  for (const [at, path] of paths.entries()) writeFileSync(join(to, String(at)), readFileSync(path));
  const seconds = (performance.now() - begun_ms) / 1000;
  rmSync(to, { recursive: true });
  return { files: paths.length, seconds };
}

/** Most of the first release's bytes that another may take where nothing changed. */
export const MOST_DISK = 0.02;

/**
 * The first release of a town and those after it, each a minute later; at the end a first one again, into a folder of
 * its own, for no machine is as quick after ten minutes as it was.
 */
export async function measureReleases(
  { events, seed }: TownSize,
  say: Say,
): Promise<{ readonly costs: readonly ReleaseCost[]; readonly writes: PlainWrites }> {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-bench-releases-'));
  try {
    const count = 2 + CHANGES.length * WORDS.length;
    say(`Making a town of ${events} events and releasing it ${count} times`);
    const anchor = Temporal.PlainDate.from(CLOCK_START.slice(0, 10));
    const content_dir = join(PROJECT_DIR, 'content');
    writeTown({ events, seed, anchor, out: join(folder, 'content'), content_dir }, () => {});
    let minute = 0;
    let bytes = 0;
    const run = async (what: string, data?: string) => {
      const cost = await release(folder, minute++, data);
      say(`  ${what}: ${cost.seconds.toFixed(1)} s`);
      return cost;
    };
    const countFurther = (): number => {
      const before = bytes;
      bytes = measureDisk(join(folder, 'data'));
      return bytes - before;
    };
    const begun = await run('the first');
    const first_bytes = countFurther();
    const writes = writePlainly(join(folder, 'data', 'files'), join(folder, 'written'));
    const kinds = CHANGES.map((change): Kind => ({ change, runs: [], bytes: 0 }));
    for (const word of WORDS)
      for (const kind of kinds) {
        const [what, , change] = kind.change;
        change(folder, word);
        kind.runs.push(await run(what));
        // Later ones take old ones' place.
        if (word === WORDS[0]) kind.bytes = countFurther();
      }
    const ended = await run('the first again', 'data-again');
    const firsts = [begun, ended];
    const seconds = (begun.seconds + ended.seconds) / 2;
    const costs = [
      { ...toCost('the first', firsts, first_bytes), seconds, ratio: null, target: null },
      ...kinds.map(({ change: [what, target], runs, bytes: further }) => {
        const cost = toCost(what, runs, further);
        return { ...cost, ratio: cost.seconds / seconds, target };
      }),
    ];
    return { costs, writes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
