// npm run release: builds, checks and switches to a new release.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { listVariantPaths } from '../src/http/day-alias.ts';
import { buildRelease } from '../src/releases/build-release.ts';
import { formatDuration } from '../src/releases/progress.ts';

const HELP = `npm run release

Builds a release from CONTENT_DIR, checks it, and lets it serve. A running server follows within a second.
Where anything fails, what serves stays as it is, every fault is said, and the command ends with 1.
`;

/** Days, from today on, whose pages must be among the files of a release. */
const REQUIRED_DAYS = 8;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  process.stdout.write(HELP);
} else {
  const config = readConfig();
  const now_ms = startClock(config.clock_start)();
  const begun_ms = performance.now();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`Building a release from ${config.content_dir}`);
  await buildRelease({ config, now_ms, required: listVariantPaths(now_ms, REQUIRED_DAYS), say });
  say(`Done in ${formatDuration(performance.now() - begun_ms)}`);
}
