// npm run town: writes a made-up town of any size, for load and tests.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { parseDay } from '../src/domain/cancun-time.ts';
import { MAX_EVENTS, writeTown } from '../tools/town/write-town.ts';

const HELP = `npm run town -- --events N --out DIR [--seed S] [--from YYYY-MM-DD]

Writes a made-up town as a folder of content; serve it with CONTENT_DIR=DIR. The same numbers give the same bytes.
  --events N          how many events, 1 to ${MAX_EVENTS}
  --out DIR           a folder that is not there yet
  --seed S            another town of the same size (1)
  --from YYYY-MM-DD   the day around which things happen (2026-11-20)
`;

/** A progress line this often. */
const FILES_BETWEEN_LINES = 2_000;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    events: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '2026-11-20' },
  },
});

function run(): void {
  const [events, seed, anchor] = [
    Number(values.events),
    Number(values.seed),
    parseDay(values.from),
  ];
  if (!Number.isInteger(events) || events < 1 || events > MAX_EVENTS)
    throw new Error(`--events: give a whole number from 1 to ${MAX_EVENTS}`);
  if (!Number.isSafeInteger(seed)) throw new Error('--seed: give a whole number');
  if (!anchor) throw new Error('--from: give a day that exists, as YYYY-MM-DD');
  if (!values.out) throw new Error('--out: name the folder to write');
  const out = resolve(values.out);
  const counts = writeTown(
    { events, seed, anchor, out, content_dir: readConfig().content_dir },
    (done, all) => {
      if (done % FILES_BETWEEN_LINES === 0) process.stdout.write(`${done} of ${all} files\n`);
    },
  );
  process.stdout.write(
    `${out}\n${Object.entries(counts)
      .map(([what, count]) => `  ${what}: ${count}`)
      .join('\n')}\n`,
  );
}

if (values.help) process.stdout.write(HELP);
else run();
