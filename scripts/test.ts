// npm test: everything, what is quick first; or one file or folder. npm run test:long:
// what takes long, before each release.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTimestamp } from '../src/domain/local-time.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { runScript, say } from './commands.ts';
import { LINT, runSteps, toTests, TYPES, UNIT, UNUSED } from './steps.ts';

const HELP = `npm test -- [PATH…] [--long]

Lint, types, unused code, unit tests (with the machine's clock in Tokyo), the inbox in PostgreSQL, then the built server over HTTP, its
calendar and MCP clients, and the browser. With a PATH only the tests of that file or folder: npm test -- tests/domain
  --long   kills, load and large towns instead (*.long.test.ts), as npm run test:long does;
           where all pass, tests/long-run.txt says so: commit it
A Chromium, the calendar programs, Caddy, PostgreSQL and Redis are found, or installed with apt-get where that can be done (it needs
root, and says so before). CHROMIUM_PATH names a Chromium or Chrome to use instead.
`;

const TESTS = [
  UNIT,
  toTests('sockets, files and the inbox', ['--project', 'served']),
  toTests('the built server and its clients', ['--project', 'built', '--project', 'merida']),
  toTests('the browser', ['--project', 'browser']),
];
/** Types have one core, and PostgreSQL is waited for. */
const BESIDE = [LINT, UNUSED, TYPES, toTests('the inbox in PostgreSQL', ['--project', 'postgres'])];
const LONG = [
  toTests('the built server for long', ['--project', 'built, long']),
  toTests('the browser for long', ['--project', 'browser, long']),
];

/** When the long tests passed last, and of which commit. */
const LAST_FILE = join(PROJECT_DIR, 'tests', 'long-run.txt');
const readLast = (): string =>
  existsSync(LAST_FILE) ? readFileSync(LAST_FILE, 'utf8').trim() : 'nobody knows when';

await runScript(HELP, async ({ words, options, now_ms }) => {
  if (words.length > 0) await runSteps([toTests(words.join(' '), words)]);
  else if (options.long === undefined) {
    await runSteps(TESTS, BESIDE);
    say(`The long ones passed last ${readLast()}: npm run test:long`);
  } else if (await runSteps(LONG)) {
    const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
    writeFileSync(
      LAST_FILE,
      `on ${formatTimestamp(now_ms)}, at ${stdout?.trim() || 'no commit'}\n`,
    );
  }
});
