// The whole benchmark: the town, the service beside its yardstick, the feed beside ical.js, the
// table.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { PROJECT_DIR } from '../../src/releases/layout.ts';
import { findFreePort } from '../fixtures/built-server.ts';
import {
  CLOCK_START,
  prepareSnapshot,
  SITE_URL,
  type TownSize,
  writeBenchRelease,
} from './bench-town.ts';
import { renderBenchPages } from './bench-pages.ts';
import { type FeedRatio, measureFeed } from './feed-ratio.ts';
import { measureHttp } from './http-ratios.ts';
import { measureBesideNginx } from './nginx-ratios.ts';
import { writePerformance } from './performance-page.ts';
import { type Program, startProgram } from './programs.ts';
import { measureParts, type QuestionParts } from './question-parts.ts';
import type { Load, Ratio } from './rounds.ts';
import { writeTable } from './table.ts';

const MOST_MEMORY_MB = 200;

type Say = (line: string) => void;

/** Measures everything and says it as a table; gives whether every target was met. */
export async function runBench(
  plan: TownSize & Load,
  say: Say,
  is_written: boolean,
): Promise<boolean> {
  const snapshot = prepareSnapshot(plan, say);
  const folder = mkdtempSync(join(tmpdir(), 'hoy-bench-run-'));
  try {
    const data_dir = join(folder, 'data');
    const pages = await renderBenchPages(snapshot, join(folder, 'pages'), say);
    await writeBenchRelease(data_dir, snapshot, pages);
    const feed = measureFeed(snapshot);
    const parts = measureParts(snapshot);
    const port = await findFreePort();
    const ours = await startProgram(readStart(), port, {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_URL,
      SITE_NAME: '',
      CONTACT_EMAIL: '',
      DATA_DIR: data_dir,
      CLOCK_START,
      REBUILD_HOURS: '0',
      WORKERS: '1',
      RATE_LIMIT: '1000000',
      LOG_LEVEL: 'warn',
    });
    try {
      const ratios = await measureHttp(ours, folder, plan, say);
      const memory = ours.memoryMb();
      const nginx = await measureBesideNginx(ours, folder, plan, say);
      const tables = [
        ...toTables(ratios, feed, memory),
        toPartsTable(parts),
        ...toNginxTable(nginx),
      ];
      for (const table of tables) writeTable(table, say);
      if (is_written)
        writePerformance('requests', `npm run bench -- --events ${plan.events}`, tables);
      return isMet(ratios, feed, memory);
    } finally {
      await ours.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What npm start runs, after `node`. */
function readStart(): string[] {
  const { scripts } = v.parse(
    v.object({ scripts: v.object({ start: v.string() }) }),
    JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')),
  );
  return scripts.start.replace(/^(exec )?node /, '').split(' ');
}

const toCell = (number: number, digits: number): string =>
  Number.isNaN(number) ? '–' : number.toFixed(digits);

const verdict = (is_met: boolean): string => (is_met ? 'met' : 'MISSED');

type Memory = ReturnType<Program['memoryMb']>;

/** Where the system does not say what memory there is, none is too much. */
const isLight = ({ own }: Memory): boolean => !(own >= MOST_MEMORY_MB);

const isReached = ({ ratio, target }: Ratio): boolean => target === null || ratio >= target;

const isMet = (ratios: readonly Ratio[], feed: FeedRatio, memory: Memory): boolean =>
  ratios.every(isReached) && feed.ratio <= feed.target && isLight(memory);

const LISTS = [
  ...['list of events beside a constant buffer', 'body', 'ratio', 'target', '', 'rounds'],
  ...['CPU µs', 'p99 ms'],
];

/** The tables, their heads first. */
const toTables = (
  ratios: readonly Ratio[],
  feed: FeedRatio,
  memory: Memory,
): readonly (readonly (readonly string[])[])[] => [
  [LISTS, ...ratios.map(toRow)],
  [
    ['beside something else', 'ratio', 'target', '', 'figures'],
    [
      `feed of ${feed.occurrences} dates, ${toCell(feed.body_kb, 0)} kB, by ical.js's components`,
      toCell(feed.ratio, 3),
      `≤ ${feed.target}`,
      verdict(feed.ratio <= feed.target),
      `${toCell(feed.ours_ms, 1)} : ${toCell(feed.icaljs_ms, 1)} ms; the first of a release ${toCell(feed.first_ms, 0)} ms`,
    ],
    [
      'memory of its own of the worker after all that',
      '',
      `< ${MOST_MEMORY_MB} MB`,
      verdict(isLight(memory)),
      `${toCell(memory.own, 0)} MB; ${toCell(memory.resident, 0)} with pages of files, which processes share`,
    ],
  ],
];

const toRow = (one: Ratio) => [
  one.what,
  `${toCell(one.body_kb, 0)} kB`,
  toCell(one.ratio, 2),
  `≥ ${one.target}`,
  verdict(isReached(one)),
  ...toFigures(one),
];

const toFigures = ({ least, most, cpu_us, p99_ms }: Ratio) => [
  `${toCell(least, 2)} to ${toCell(most, 2)}`,
  `${toCell(cpu_us[0], 0)} : ${toCell(cpu_us[1], 0)}`,
  `${toCell(p99_ms[0], 0)} : ${toCell(p99_ms[1], 0)}`,
];

const toPartsTable = (parts: QuestionParts): readonly (readonly string[])[] => [
  ['a question that nobody asked before', 'CPU µs'],
  ['reading what is asked', toCell(parts.read_us, 0)],
  ['finding what matches', toCell(parts.find_us, 0)],
  [`writing ${toCell(parts.body_kb, 0)} kB`, toCell(parts.write_us, 0)],
  ['compressing them with zstd', toCell(parts.compress_us, 0)],
];

/** None where there is no nginx. */
const toNginxTable = (ratios: readonly Ratio[]): readonly (readonly (readonly string[])[])[] =>
  ratios.length === 0
    ? []
    : [
        [
          [
            'beside nginx with the same bytes in a file',
            'body',
            'ratio',
            'rounds',
            'CPU µs',
            'p99 ms',
          ],
          ...ratios.map((one) => [
            one.what,
            `${toCell(one.body_kb, 1)} kB`,
            toCell(one.ratio, 2),
            ...toFigures(one),
          ]),
        ],
      ];
