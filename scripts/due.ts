// npm run due: which facts of content are due to be looked at again, and where to look.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { toCancunDay } from '../src/domain/cancun-time.ts';
import { listDue } from '../src/sources/due.ts';

const HELP = `npm run due -- [--days N]

Lists the events whose facts are due within a week, or have been since: how long a fact may be believed follows from its kind
(a club 90 days, a weekly rule 180, an annual date 13 months, a fixed feast 3 years). What is overdue falls from confirmed to
usual to last known by itself. Look at the sources, write what they say now, and put the day into "checked".
  --days N   those due within N days (7)
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, days: { type: 'string', default: '7' } },
});
const days = Number(values.days);

if (values.help) process.stdout.write(HELP);
else if (!Number.isInteger(days) || days < 0 || days > 3660)
  throw new Error('--days: give a whole number from 0 to 3660');
else {
  const { content_dir, clock_start } = readConfig();
  const today = toCancunDay(startClock(clock_start)());
  const due = listDue(content_dir, today, days);
  for (const { file, day, shelf, certainty, sources } of due)
    process.stdout.write(
      `${day}  ${shelf.padEnd(6)}  ${certainty.padEnd(10)}  ${file}\n${sources.map((source) => `    ${source}\n`).join('')}`,
    );
  process.stdout.write(
    due.length === 0
      ? `Nothing is due by ${today.add({ days }).toString()}.\n`
      : `${due.length} ${due.length === 1 ? 'event is' : 'events are'} due by ${today.add({ days }).toString()}. Look at the sources, then npm run snapshot.\n`,
  );
}
