// npm run check: the quick part of the tests, under a minute.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { toCancunDay } from '../src/domain/cancun-time.ts';
import { readDue, toDueLine } from '../src/sources/due.ts';
import { LINT, report, runSteps, toTests, TYPES } from './run-steps.ts';

const HELP = `npm run check

Types, lint and the quick tests: what to run before each commit; then how much of content is due to be looked at again.
npm test runs everything.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else {
  const steps = [LINT, TYPES, toTests('unit tests', ['--project', 'unit'])];
  const failures = await runSteps(steps);
  const { content_dir, clock_start } = readConfig();
  const due = toDueLine(readDue(content_dir, toCancunDay(startClock(clock_start)())));
  if (due !== null) process.stdout.write(`\n${due}\n`);
  report(steps, failures);
}
