// npm run due: which facts of content are due to be looked at again, and where to look.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { toCancunDay } from '../src/domain/cancun-time.ts';
import { DUE_DAYS, type DueFact, toFall } from '../src/domain/knowledge/due.ts';
import { readDue, toDueLine } from '../src/sources/due.ts';

const HELP = `npm run due -- [--days N]

Lists the facts that are due within a week, or have been since: the dates and prices of events, the hours and admission of
places, notices. How long a fact may be believed follows from its kind (a club or a price 90 days, a weekly rule or hours 180, an
annual date 13 months, a fixed feast 3 years). Dates that are overdue fall from confirmed to usual to last known by themselves;
hours and admission are not said any more after 13 months; the rest is said on, with the days of its sources. Look at the sources, write what they say now, and put the day into "checked".
  --days N   those due within N days (${DUE_DAYS})
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    days: { type: 'string', default: String(DUE_DAYS) },
  },
});
const days = Number(values.days);

if (values.help) process.stdout.write(HELP);
else if (!Number.isInteger(days) || days < 0 || days > 3660)
  throw new Error('--days: give a whole number from 0 to 3660');
else {
  const { content_dir, clock_start } = readConfig();
  const today = toCancunDay(startClock(clock_start)());
  const due = readDue(content_dir, today, days);
  const toRow = (fact: DueFact): string => {
    const worth = (toFall(fact, today)?.now ?? '').padEnd(10);
    const sources = fact.sources.map(
      ({ url, name, published, checked }) =>
        `    ${url ?? name ?? 'a source without a name'} (${published === null ? '' : `of ${published}, `}checked ${checked})\n`,
    );
    return `${fact.day}  ${fact.kind.padEnd(9)}  ${fact.shelf.padEnd(6)}  ${worth}  ${fact.file}\n${sources.join('')}`;
  };
  for (const [title, facts] of [
    ['Overdue', due.overdue],
    [`Due by ${today.add({ days }).toString()}`, due.soon],
  ] as const)
    if (facts.length > 0) process.stdout.write(`${title}\n${facts.map(toRow).join('')}\n`);
  const line = toDueLine(due);
  process.stdout.write(
    line === null
      ? `Nothing is due by ${today.add({ days }).toString()}.\n`
      : `${due.overdue.length + due.soon.length} facts, ${due.overdue.length} of them overdue. Look at the sources, then npm run snapshot.\n`,
  );
}
