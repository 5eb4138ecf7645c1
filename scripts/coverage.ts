// npm run coverage: what the agenda of the coming days has, counted.
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { startClock } from '../src/clock.ts';
import { toCancunDay } from '../src/domain/cancun-time.ts';
import { countCompleteness, countCoverage } from '../src/sources/coverage.ts';
import { formatCoverage } from '../src/sources/coverage-report.ts';
import { readDataset } from '../src/sources/read-dataset.ts';
import { EMPTY_LEDGER } from '../src/domain/ledger.ts';

const HELP = `npm run coverage -- [--days N]

Counts what CONTENT_DIR says of the coming days: listings, those that are neither nightclub nor the same museum ("distinct"),
nightclubs, zones, categories, how many have a known hour and a known price, how many are confirmed, and the open places beside
them; then each figure beside its target, with the coordinates of venues and the descriptions of events. For whoever keeps the
content: what is thin, and whether it got better.
  --days N   days from today on (14)
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, days: { type: 'string', default: '14' } },
});
const days = Number(values.days);

if (values.help) process.stdout.write(HELP);
else if (!Number.isInteger(days) || days < 1 || days > 92)
  throw new Error('--days: give a whole number from 1 to 92');
else {
  const { content_dir, clock_start } = readConfig();
  const now_ms = startClock(clock_start)();
  const dataset = readDataset(content_dir, EMPTY_LEDGER, now_ms);
  process.stdout.write(
    formatCoverage(countCoverage(dataset, toCancunDay(now_ms), days), countCompleteness(dataset)),
  );
}
