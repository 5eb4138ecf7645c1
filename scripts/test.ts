// npm test: runs all tests, or one file or folder. npm run test:long runs the long tests, before each release.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTimestamp } from '../src/domain/local-time.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { runScript, printLine } from './commands.ts';
import {
  PLAIN_ENGLISH_CHECK,
  LINT,
  runSteps,
  testStep,
  TYPES,
  UNIT,
  UNUSED_CODE_CHECK,
} from './steps.ts';

const HELP = `npm test -- [PATH…] [--long]

Runs lint, type checks, the check for unused code, unit tests (in Tokyo's time zone), the inbox in PostgreSQL, then the built server over
HTTP with calendar and MCP clients, and the browser. With PATH only the tests of that file or folder: npm test -- tests/domain
  --long   runs tests that kill processes, of load and of large towns instead (*.long.test.ts), as npm run test:long does;
           if all pass, it updates tests/long-run.txt: commit it
Uses the installed Chromium, calendar programs, Caddy, PostgreSQL and Redis, or installs missing ones with apt-get (as root, and
announces it first). CHROMIUM_PATH selects another Chromium or Chrome.
`;

const TESTS = [
  UNIT,
  testStep('sockets, files and the inbox', ['--project', 'served']),
  // `merida`: the same tests with the second example town.
  testStep('the built server and its clients', ['--project', 'built', '--project', 'merida']),
  testStep('the browser', ['--project', 'browser']),
];
/** Second lane, for steps that use one core or wait for PostgreSQL. */
const SECOND_LANE = [
  LINT,
  PLAIN_ENGLISH_CHECK,
  UNUSED_CODE_CHECK,
  TYPES,
  testStep('the inbox in PostgreSQL', ['--project', 'postgres']),
  testStep('hostile files', ['--project', 'fuzz']),
];
const LONG = [
  testStep('hostile files', ['--project', 'fuzz'], { FUZZ_SECONDS: '900' }),
  testStep('long tests of the built server', ['--project', 'built, long']),
  testStep('long tests of the browser', ['--project', 'browser, long']),
];

/** File with the time and commit of the last successful long run. */
const LONG_RUN_FILE = join(PROJECT_DIR, 'tests', 'long-run.txt');
const readLastLongRun = (): string =>
  existsSync(LONG_RUN_FILE) ? readFileSync(LONG_RUN_FILE, 'utf8').trim() : 'at an unknown time';

await runScript(HELP, async ({ positionals, options, now_ms }) => {
  if (positionals.length > 0) await runSteps([testStep(positionals.join(' '), positionals)]);
  else if (options.long === undefined) {
    await runSteps(TESTS, SECOND_LANE);
    printLine(`Long tests last passed ${readLastLongRun()}: npm run test:long`);
  } else if (await runSteps(LONG)) {
    const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
    writeFileSync(
      LONG_RUN_FILE,
      `on ${formatTimestamp(now_ms)}, at ${stdout?.trim() || 'no commit'}\n`,
    );
  }
});
