// npm run check: the quick part of the tests.
import { toLocalDay } from '../src/domain/local-time.ts';
import { loadFactsDue, formatFactsDue } from '../src/sources/facts-due.ts';
import { runScript, say } from './commands.ts';
import { LINT, runSteps, TYPES, UNIT } from './steps.ts';

const HELP = `npm run check

Types, lint and the quick tests: what to run before each commit; then how much of content is due to be looked at again.
npm test runs everything.
`;

await runScript(HELP, async ({ config, now_ms }) => {
  await runSteps([UNIT], [LINT, TYPES]);
  const due = formatFactsDue(loadFactsDue(config.content_dir, toLocalDay(now_ms)));
  if (due !== null) say(`\n${due}`);
});
