// npm run snapshot: builds and checks only the snapshot, to look into it or to develop on.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { makeLooseSnapshot } from '../src/releases/make-snapshot.ts';

const HELP = `npm run snapshot -- [--out FILE]

Builds a snapshot of CONTENT_DIR and checks it. Nothing that serves changes, and the ledger is only read.
  --out FILE   where to write it (DATA_DIR/dev-snapshot.db)
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, out: { type: 'string' } },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  const config = readConfig();
  const path = resolve(values.out ?? join(config.data_dir, 'dev-snapshot.db'));
  const now_ms = startClock(config.clock_start)();
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const counts = await makeLooseSnapshot({ config, now_ms, say }, path);
  process.stdout.write(
    `${path}\n${Object.entries(counts)
      .map(([what, count]) => `  ${what}: ${count}`)
      .join('\n')}\n`,
  );
}
