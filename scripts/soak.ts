// npm run soak: whether memory and open files stay what they are under everything that happens in a day.
import { parseArgs } from 'node:util';
import { writeIntoPage } from '../tests/fixtures/written-table.ts';
import { formatSoak, isSound } from '../tests/soak/report.ts';
import { runSoak } from '../tests/soak/run-soak.ts';

const HELP = `npm run soak -- [--minutes N] [--write]

Starts a service of its own with two workers on a small town and lets everything happen at once: readers of kept and rendered
pages, programs, calendars, models, senders by form and tool, approvals, rejections, cancellations, restorations, releases.
Ends with 1 where an answer is wrong, the log has an error, or memory or open files of a process still grow in the last third.
  --minutes N   how long (30); below 10 caches are still filling
  --write       puts the table into docs/operations.md
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    minutes: { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else {
  const minutes = Number(values.minutes);
  if (!(minutes >= 1 && minutes <= 1440))
    throw new Error('--minutes: give a number from 1 to 1440');
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const report = await runSoak(minutes, say);
  const table = formatSoak(report);
  for (const fault of report.visits.faults) say(`  wrong: ${fault}`);
  for (const error of report.errors.slice(0, 20)) say(`  log: ${error}`);
  say(table);
  if (values.write) writeIntoPage('soak', table);
  process.exitCode = isSound(report) ? 0 : 1;
}
