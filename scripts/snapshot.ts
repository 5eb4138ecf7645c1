// npm run snapshot: builds and checks only the snapshot, to look into it or to develop on.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { readDataset } from '../src/sources/read-dataset.ts';
import { buildSnapshot } from '../src/snapshot/build.ts';
import { checkSnapshot } from '../src/snapshot/check.ts';
import { readLedger } from '../src/inbox/ledger.ts';
import { openInbox } from '../src/inbox/open.ts';

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
  mkdirSync(dirname(path), { recursive: true });
  const now_ms = startClock(config.clock_start)();
  const inbox = openInbox(join(config.data_dir, 'inbox.db'));
  const dataset = readDataset(config.content_dir, readLedger(inbox), now_ms);
  inbox.close();
  const counts = buildSnapshot(path, dataset, now_ms);
  const issues = checkSnapshot(path, counts);
  if (issues.length > 0)
    throw new Error(
      `The snapshot did not pass its checks:\n${issues.map((issue) => `  ${issue}`).join('\n')}`,
    );
  process.stdout.write(
    `${path}\n${Object.entries(counts)
      .map(([what, count]) => `  ${what}: ${count}`)
      .join('\n')}\n`,
  );
}
