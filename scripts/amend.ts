// npm run amend: what the desk has decided over events, in the release that serves, at once.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { amendServing } from '../src/releases/amend-serving.ts';
import { toLayout } from '../src/releases/layout.ts';
import { formatDuration } from '../src/releases/progress.ts';
import { toKeptLines } from '../src/releases/tell-kept.ts';
import { smokeTestAmended } from '../src/server/process/smoke-candidate.ts';

const HELP = `npm run amend

Lays what the desk has cancelled, postponed, restored or withdrawn over the release that serves, without a build and without
reading content/, also while a release is being built. A running server does this by itself within a second of a decision.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  process.stdout.write(HELP);
} else {
  const config = readConfig();
  const now_ms = startClock(config.clock_start)();
  const amended = await amendServing(toLayout(config.data_dir), now_ms, (dir, amendments) =>
    smokeTestAmended(config, dir, amendments, now_ms),
  );
  const took = formatDuration(performance.now());
  const lines =
    amended === null
      ? ['The release that serves says all that the desk has decided.']
      : [`Release ${amended.id} serves (${took})`, ...toKeptLines(amended.decisions)];
  process.stdout.write(`${lines.join('\n  ')}\n`);
}
