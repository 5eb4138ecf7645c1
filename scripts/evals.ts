// npm run evals: how many of 60 questions are answered rightly, by either half of MCP and by Markdown.
import { writeIntoPage } from '../bench/report.ts';
import { readModel } from '../tests/evals/model.ts';
import { runEvals } from '../tests/evals/run.ts';
import { serveEvalTown } from '../tests/evals/serve.ts';
import { formatOutcomes } from '../tests/evals/table.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run evals -- [--write]

Asks the 60 questions of tests/evals/questions, in both languages, of a made-up town at half past five on a Friday: by the text of
MCP's answers alone, by their structured half alone, and by Markdown from /llms.txt on. A script makes the calls that a question
expects, as they are documented, and looks for the facts that must and must not be there. Ends with 1 where fewer than 57 of 60 are
right in a mode. With EVALS_MODEL_URL, EVALS_MODEL and EVALS_MODEL_KEY a model is asked instead: docs/agents.md.
  --write   writes the table into docs/agents.md
`;

/** Of 60, in each mode. */
const ENOUGH = 57;

await runScript(HELP, async ({ options: { write } }) => {
  const model = readModel();
  const server = await serveEvalTown();
  try {
    const { outcomes, entries } = await runEvals(server.origin, model);
    const table = formatOutcomes(outcomes, entries);
    say(table);
    if (write && model === null) writeIntoPage('docs/agents.md', 'evals', table);
    const modes = [...Map.groupBy(outcomes, ({ mode }) => mode).values()];
    const right = modes.map((own) => own.filter(({ faults }) => faults.length === 0).length);
    process.exitCode = right.every((count) => count >= ENOUGH) ? 0 : 1;
  } finally {
    await server.stop();
  }
});
