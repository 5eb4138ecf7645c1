// npm test: everything, in the order in which a mistake is cheapest to find; or one file or folder.
import { runScript } from './commands.ts';
import { LINT, runSteps, toTests, TYPES, UNIT, UNUSED } from './steps.ts';

const HELP = `npm test -- [PATH…]

Lint, types, unused code, unit tests (with the machine's clock in Tokyo), the inbox in PostgreSQL, then the built server over HTTP, its
calendar and MCP clients, and the browser. With a PATH only the tests of that file or folder: npm test -- tests/domain
A Chromium, the calendar programs, nginx, Caddy, PostgreSQL and Redis are found, or installed with apt-get where that can be done (it needs
root, and says so before); Prism's proxy is found, or fetched from npm. CHROMIUM_PATH names a Chromium or Chrome to use instead.
`;

const ALL = [
  LINT,
  TYPES,
  UNUSED,
  UNIT,
  toTests('sockets, files and the inbox', ['--project', 'served']),
  toTests('the inbox in PostgreSQL', ['--project', 'postgres']),
  toTests('the built server and its clients', ['--project', 'built']),
  toTests('the browser', ['--project', 'browser']),
];

await runScript(HELP, ({ words }) =>
  runSteps(words.length > 0 ? [toTests(words.join(' '), words)] : ALL),
);
