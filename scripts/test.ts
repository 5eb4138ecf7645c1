// npm test: everything, in the order in which a mistake is cheapest to find; or one file or folder.
import { runScript } from './commands.ts';
import { LINT, runSteps, toTests, TYPES, UNUSED } from './steps.ts';

const HELP = `npm test -- [PATH…]

Lint, types, unused code, unit tests (also with the machine's clock in other zones), the inbox in PostgreSQL, then the built server over HTTP, its
calendar and MCP clients, and the browser. With a PATH only the tests of that file or folder: npm test -- tests/domain
A Chromium, the calendar programs, nginx, Caddy, PostgreSQL and Redis are found, or installed with apt-get where that can be done (it needs
root, and says so before); Prism's proxy is found, or fetched from npm. CHROMIUM_PATH names a Chromium or Chrome to use instead.
`;

/** Rooms whose results must not depend on where the machine stands. */
const ZONED = ['tests/domain', 'tests/i18n', 'tests/snapshot', 'tests/serializers', 'tests/api'];
/** The same once more: files share what they import, which the first run gave each for itself. */
const AGAIN = ['--project', 'unit', '--no-isolate', ...ZONED];
const ALL = [
  LINT,
  TYPES,
  UNUSED,
  toTests('unit tests', ['--project', 'unit']),
  toTests('sockets, files and the inbox', ['--project', 'served']),
  toTests('the same in Tokyo', AGAIN, { TZ: 'Asia/Tokyo' }),
  toTests('the same in Los Angeles', AGAIN, { TZ: 'America/Los_Angeles' }),
  toTests('the inbox in PostgreSQL', ['--project', 'postgres']),
  toTests('the built server and its clients', ['--project', 'built']),
  toTests('the browser', ['--project', 'browser']),
];

await runScript(HELP, ({ words }) =>
  runSteps(words.length > 0 ? [toTests(words.join(' '), words)] : ALL),
);
