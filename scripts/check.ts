// npm run check: the quick part of the tests, under a minute.
import { parseArgs } from 'node:util';
import { LINT, report, runSteps, toTests, TYPES } from './run-steps.ts';

const HELP = `npm run check

Types, lint and the quick tests: what to run before each commit. npm test runs everything.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else {
  const steps = [LINT, TYPES, toTests('unit tests', ['--project', 'unit'])];
  report(steps, await runSteps(steps));
}
