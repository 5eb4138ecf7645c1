// npm run check: runs lint, type checks and unit tests, and reports content facts that are due for
// review.
import { toLocalDay } from '../src/domain/local-time.ts';
import { loadFactsDue, formatFactsDue } from '../src/sources/facts-due.ts';
import { runScript, printLine } from './commands.ts';
import { PLAIN_ENGLISH_CHECK, LINT, runSteps, TYPES, UNIT } from './steps.ts';

const HELP = `npm run check

Checks types, lint and the quick tests: run it before each commit. Then prints how many content facts are due for review.
npm test runs everything.
`;

await runScript(HELP, async ({ config, now_ms }) => {
  // Two parallel lanes.
  await runSteps([UNIT], [LINT, PLAIN_ENGLISH_CHECK, TYPES]);
  const due = formatFactsDue(loadFactsDue(config.content_dir, toLocalDay(now_ms)));
  if (due !== null) printLine(`\n${due}`);
});
