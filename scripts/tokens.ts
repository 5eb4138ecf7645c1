// npm run tokens: what the MCP tools cost a model in tokens.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { makeLooseSnapshot } from '../src/releases/make-snapshot.ts';
import { closeSnapshot, openSnapshot } from '../src/snapshot/open.ts';
import { countTown, formatFigures, toBounded } from '../tests/tokens/report.ts';

const HELP = `npm run tokens

Counts, in tokens of o200k, the list of the MCP tools and the answers to 25 questions of tourists and residents over
CONTENT_DIR, by half and together, and the detail of every upcoming event. CLOCK_START sets the day. Ends with 1 where a bound
of the contract is missed: 5,000 for tools/list, 6,000 for an answer, 350 for the text of the median one.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else {
  const config = readConfig();
  const now_ms = startClock(config.clock_start)();
  const data_dir = mkdtempSync(join(tmpdir(), 'hoy-tokens-'));
  try {
    const path = join(data_dir, 'snapshot.db');
    await makeLooseSnapshot({ config: { ...config, data_dir }, now_ms, say: () => {} }, path);
    const snapshot = openSnapshot(path);
    const site = { url: config.site_url, name: config.site_name, contact_email: null };
    const figures = countTown({ snapshot, now_ms, site, sender: '192.0.2.1', desk: null });
    closeSnapshot(snapshot);
    process.stdout.write(formatFigures(figures));
    process.exitCode = toBounded(figures).every(({ tokens, most }) => tokens <= most) ? 0 : 1;
  } finally {
    rmSync(data_dir, { recursive: true });
  }
}
