// npm run flood: whether an attacker can shut the intake.
import { parseArgs } from 'node:util';
import { runFlood } from '../tests/flood/run-flood.ts';

const HELP = `npm run flood -- [--addresses N] [--submissions N]

Floods a service of its own, on a made-up data folder, by form and MCP from many addresses, with the limits that it has in
production; amid it an organizer cancels from an address that floods, and others send a new event. Tells how long each
took and where it stands in the desk's queue, and ends with 1 where one is refused, takes over a minute, or stands behind
the flood. Two to five minutes.
  --addresses N     of the attacker: half each in a network of its own, the rest in one /24 and one /48 (300)
  --submissions N   in all, half by the form and half by the tool (5000)
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    addresses: { type: 'string', default: '300' },
    submissions: { type: 'string', default: '5000' },
  },
});

/** A whole number within its bounds. Throws a sentence that says which. */
function toCount(name: 'addresses' | 'submissions', most: number): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 10 || number > most)
    throw new Error(`--${name}: give a whole number from 10 to ${most}`);
  return number;
}

if (values.help) process.stdout.write(HELP);
else {
  const plan = {
    addresses: toCount('addresses', 1000),
    submissions: toCount('submissions', 20_000),
  };
  const is_met = await runFlood(plan, (line) => void process.stdout.write(`${line}\n`));
  process.exitCode = is_met ? 0 : 1;
}
