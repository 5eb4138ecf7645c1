// npm run check: runs the quick tests.
import { toLocalDay } from '../src/domain/local-time.ts';
import { loadFactsDue, formatFactsDue } from '../src/sources/facts-due.ts';
import { runScript, printLine } from './commands.ts';
import { ENGLISH, LINT, runSteps, TYPES, UNIT } from './steps.ts';

const HELP = `npm run check

Checks types, lint and the quick tests: run it before each commit. Then prints how many content facts are due for review.
npm test runs everything.
`;

await runScript(HELP, async ({ config, now_ms }) => {
  await runSteps([UNIT], [LINT, ENGLISH, TYPES]);
  const due = formatFactsDue(loadFactsDue(config.content_dir, toLocalDay(now_ms)));
  if (due !== null) printLine(`\n${due}`);
});
