// npm run bench: runs the benchmarks that bench/README.md describes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { measureDecisions } from '../bench/decisions.ts';
import { measureHostile } from '../bench/hostile.ts';
import { measureMachines } from '../bench/machines.ts';
import { type Figure, formatTable, writeTable } from '../bench/report.ts';
import { measureRequests } from '../bench/requests.ts';
import type { LogLine } from '../bench/service.ts';
import { measureStart } from '../bench/start.ts';
import { measureSteady } from '../bench/steady.ts';
import { MAX_EVENTS, writeTown } from '../bench/town/write-town.ts';
import { type ScriptInput, runScript, printLine } from './commands.ts';

const HELP = `npm run bench -- requests|decisions|start|steady|hostile|machines|town [--write] [--times N] [--events N] [--out DIR]

Starts its own services and measures them over HTTP and by their commands. Exits with 1 if a target is missed.
  requests    throughput of a repeated request relative to a bare node:http server; CPU time per request with two servers. 3 minutes
  decisions   time from a click at the desk until every surface shows it, for the real town, 2,000 and 10,800 events;
              latency of visitors meanwhile; memory of server and build. 30 minutes
  start       time from npm start to /hoy, with and without an existing release. 2 minutes
  steady      mixed traffic with 74 decisions: size of the data folder, growth of memory, failed requests. 15 minutes
  hostile     30 releases and 10 rollbacks under load, 200 × kill -9. 1 hour
  machines    three machines on PostgreSQL with a standby, Redis and HAProxy: 300 kills under load, and the CPU time per request. Hours
  --write     writes the table to docs/performance.md, with machine and date
  --times N   number of repetitions: decisions and starts (10, 5), kills (200, 300), after up to 30 releases
  town        writes a generated town, for use as CONTENT_DIR; the same number gives the same bytes
  --events N          number of events, 1 to ${MAX_EVENTS}
  --out DIR           folder to create
`;

/** Measures in a temporary folder; `times` is the number of repetitions. */
type Benchmark = (folder: string, log: LogLine, times?: number) => Promise<readonly Figure[]>;
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  requests: measureRequests,
  decisions: measureDecisions,
  start: measureStart,
  steady: measureSteady,
  hostile: measureHostile,
  machines: measureMachines,
};

function parseCount(name: string, text: string | undefined, max: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Error(`--${name}: must be an integer from 1 to ${max}`);
}

/** Day around which the events of a generated town take place. */
const ANCHOR = Temporal.PlainDate.from('2026-11-20');

function generateTown({ options, config: { content_dir } }: ScriptInput): void {
  if (!options.out) throw new Error('--out: missing. Pass the folder to create');
  const [out, events] = [resolve(options.out), parseCount('events', options.events, MAX_EVENTS)];
  const counts = writeTown({ events, seed: 1, anchor: ANCHOR, out, content_dir });
  printLine(
    [out, ...Object.entries(counts).map(([kind, count]) => `  ${kind}: ${count}`)].join('\n'),
  );
}

await runScript(HELP, async (input) => {
  const [name = ''] = input.positionals;
  if (name === 'town') return generateTown(input);
  const benchmark = BENCHMARKS[name];
  if (benchmark === undefined) throw new Error(`Unknown benchmark '${name}'.\n\n${HELP}`);
  const { times, write } = input.options;
  const folder = mkdtempSync(join(tmpdir(), 'hoy-bench-'));
  try {
    const count = times ? parseCount('times', times, 1_000) : undefined;
    const figures = await benchmark(folder, printLine, count);
    if (write) writeTable('docs/performance.md', name, formatTable(name, figures));
    process.exitCode = figures.every(({ is_met }) => is_met) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
