// npm run evals: counts how many of 60 questions can be answered from MCP text, MCP structured data
// and Markdown.
import { writeTable } from '../bench/report.ts';
import { readModel } from '../tests/evals/model.ts';
import { runEvals } from '../tests/evals/run.ts';
import { serveEvalTown } from '../tests/evals/serve.ts';
import { formatOutcomes } from '../tests/evals/table.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run evals -- [--write]

Asks the 60 questions of tests/evals/questions, in both languages, about a generated town at 17:30 on a Friday, in three modes: with the
text of MCP answers only, with their structured data only, and with Markdown from /llms.txt on. A script makes the documented calls
that a question expects and checks for required and forbidden facts. Exits with 1 if fewer than 57 of 60 are correct in a mode. With
EVALS_MODEL_URL, EVALS_MODEL and EVALS_MODEL_KEY a model answers instead: docs/agents.md.
  --write   writes the table to docs/agents.md
`;

/** Required number of correct answers, of 60 in each mode. */
const MIN_CORRECT = 57;

await runScript(HELP, async ({ options: { write } }) => {
  const model = readModel();
  const server = await serveEvalTown();
  try {
    // `entries`: introductions that are read before any question, such as /llms.txt.
    const { outcomes, entries } = await runEvals(server.origin, model);
    const table = formatOutcomes(outcomes, entries);
    printLine(table);
    if (write && model === null) writeTable('docs/agents.md', 'evals', table);
    const modes = [...Map.groupBy(outcomes, ({ mode }) => mode).values()];
    const correct_counts = modes.map(
      // `faults`: missing and forbidden facts of an answer.
      (answers) => answers.filter(({ faults }) => faults.length === 0).length,
    );
    process.exitCode = correct_counts.every((count) => count >= MIN_CORRECT) ? 0 : 1;
  } finally {
    await server.stop();
  }
});
