// npm run bench: what is measured. bench/README.md says how, and why.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { measureDecisions } from '../bench/decisions.ts';
import { measureHostile } from '../bench/hostile.ts';
import { measureMachines } from '../bench/machines.ts';
import { type Figure, toTable, writeIntoPage } from '../bench/report.ts';
import { measureRequests } from '../bench/requests.ts';
import type { Say } from '../bench/service.ts';
import { measureStart } from '../bench/start.ts';
import { MAX_EVENTS, writeTown } from '../bench/town/write-town.ts';
import { type Run, runScript, say } from './commands.ts';

const HELP = `npm run bench -- requests|decisions|start|hostile|machines|town [--write] [--times N] [--events N] [--out DIR]

Runs services of its own and measures them from outside, over HTTP and by their commands. Ends with 1 where a target is missed.
  requests    a repeated question beside a bare node:http server; the processor time of a request with two servers. 3 minutes
  decisions   from the click at the desk until every surface says it: the real town, 2,000 and 10,800 events;
              what readers wait meanwhile; the memory of server and build. Half an hour
  start       from npm start to /hoy, first and again. 2 minutes
  hostile     30 switches and 10 rollbacks under load, 200 × kill -9. An hour
  machines    three machines on PostgreSQL with a standby, Redis and HAProxy: 300 kills under load, and what a request costs. Hours
  --write     puts the table into docs/performance.md, with the machine and the day
  --times N   how often: decisions and starts (10, 5), switches and kills (30, 200, 300)
  town        writes a made-up town, to be used as CONTENT_DIR; the same numbers give the same bytes
  --events N          how many events, 1 to ${MAX_EVENTS}
  --out DIR           a folder that is not there yet
`;

type Measure = (folder: string, say: Say, times?: number) => Promise<readonly Figure[]>;
const PARTS: Readonly<Record<string, Measure>> = {
  requests: measureRequests,
  decisions: measureDecisions,
  start: measureStart,
  hostile: measureHostile,
  machines: measureMachines,
};

function toCount(name: string, text: string | undefined, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Error(`--${name}: give a whole number from 1 to ${most}`);
}

const ANCHOR = Temporal.PlainDate.from('2026-11-20');

function makeTown({ options, config: { content_dir } }: Run): void {
  if (!options.out) throw new Error('--out: name the folder to write');
  const [out, events] = [resolve(options.out), toCount('events', options.events, MAX_EVENTS)];
  const counts = writeTown({ events, seed: 1, anchor: ANCHOR, out, content_dir });
  say([out, ...Object.entries(counts).map(([what, count]) => `  ${what}: ${count}`)].join('\n'));
}

await runScript(HELP, async (run) => {
  const [part = ''] = run.words;
  if (part === 'town') return makeTown(run);
  const measure = PARTS[part];
  if (measure === undefined) throw new Error(`Say what to measure.\n\n${HELP}`);
  const { times, write } = run.options;
  const folder = mkdtempSync(join(tmpdir(), 'hoy-bench-'));
  try {
    const figures = await measure(folder, say, times ? toCount('times', times, 1_000) : undefined);
    if (write) writeIntoPage('docs/performance.md', part, toTable(part, figures));
    process.exitCode = figures.every(({ is_met }) => is_met) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
