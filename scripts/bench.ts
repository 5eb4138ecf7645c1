// npm run bench: how fast this is beside a bare server, on this machine, now.
import { parseArgs } from 'node:util';
import { MAX_EVENTS } from '../tools/town/write-town.ts';
import { runGrowthBench } from '../tests/bench/run-growth-bench.ts';
import { runReleaseBench } from '../tests/bench/run-release-bench.ts';
import { runBench } from '../tests/bench/run-bench.ts';

const HELP = `npm run bench -- [--releases | --growth] [--write] [--events N] [--seed S] [--rounds N] [--seconds N]

Serves a made-up town of 10,000 events and 60,000 dates and asks it, in turn with a bare node:http server that sends the same
bytes from memory; then a page, a 304, a Markdown twin, a calendar and an MCP call, in turn with nginx that sends the same bytes
(left out where there is none). docs/performance.md explains the table. Takes five minutes. Ends with 1 where a target is missed.
  --releases    instead: what releases of the town cost where little has changed, beside the first, and how long
                "Publicar ahora" takes in the real town; takes a quarter of an hour
  --growth      instead: the town, then one of ten times its size, each released twice and asked; takes half an hour and 40 GB of disk
  --write       puts the tables into docs/performance.md, with the machine and the day
  --events N    events of the town (11200, of which some 10,800 are published)
  --seed S      another town of the same size (1)
  --rounds N    rounds of each case, of which the middle one counts (5)
  --seconds N   of load on each side in a round (2)
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    releases: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    events: { type: 'string', default: '11200' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});

/** A whole number within its bounds. Throws a sentence that says which. */
function toCount(name: 'events' | 'seed' | 'rounds' | 'seconds', most: number): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`--${name}: give a whole number from 1 to ${most}`);
  return number;
}

if (values.help) process.stdout.write(HELP);
else {
  const plan = {
    events: toCount('events', MAX_EVENTS),
    seed: toCount('seed', 1_000_000),
    rounds: toCount('rounds', 100),
    seconds: toCount('seconds', 60),
  };
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const run = values.growth ? runGrowthBench : values.releases ? runReleaseBench : runBench;
  const is_met = await run(plan, say, values.write);
  process.exitCode = is_met ? 0 : 1;
}
