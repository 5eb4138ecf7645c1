// npm test: everything, in the order in which a mistake is cheapest to find.
import { parseArgs } from 'node:util';
import { findCalendarClients } from './find-calendar-clients.ts';
import { findChromium } from './find-chromium.ts';
import { findPrism } from './find-prism.ts';
import { findProxies } from './find-proxies.ts';
import { LINT, report, runSteps, toTests, TYPES, UNUSED } from './run-steps.ts';

const HELP = `npm test

Lint, types, unused code, unit tests (also with the machine's clock in other zones), then the built server over HTTP, its
calendar and MCP clients, and the browser. A Chromium, the calendar programs, nginx and Caddy are found, or installed with apt-get where
that can be done (it needs root, and says so before); Prism's proxy is found, or fetched from npm. CHROMIUM_PATH names a
Chromium or Chrome to use instead.
`;

/** Rooms whose results must not depend on where the machine stands. */
const ZONED = ['tests/domain', 'tests/i18n', 'tests/snapshot', 'tests/serializers', 'tests/api'];
/** The same once more: files share what they import, which the first run gave each for itself. */
const AGAIN = ['--project', 'unit', '--no-isolate', ...ZONED];

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const chromium = await findChromium(say);
  await findCalendarClients(say);
  await findProxies(say);
  await findPrism(say);
  const steps = [
    LINT,
    TYPES,
    UNUSED,
    toTests('unit tests', ['--project', 'unit']),
    toTests('sockets, files and the inbox', ['--project', 'served']),
    toTests('the same in Tokyo', AGAIN, { TZ: 'Asia/Tokyo' }),
    toTests('the same in Los Angeles', AGAIN, { TZ: 'America/Los_Angeles' }),
    toTests('the built server and its clients', ['--project', 'built']),
    toTests('the browser', ['--project', 'browser'], { CHROMIUM_PATH: chromium }),
  ];
  report(steps, await runSteps(steps));
}
