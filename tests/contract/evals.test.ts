// Evals: at least 57 of 60 answers are right in each mode, as the table in docs/agents.md states.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODES } from '../evals/question.ts';
import { readTable } from '../../bench/report.ts';
import { type Run, runEvals } from '../evals/run.ts';
import { type EvalServer, serveEvalTown } from '../evals/serve.ts';
import { formatOutcomes, formatFaultLines } from '../evals/table.ts';

let server: EvalServer;
let run: Run;
beforeAll(async () => {
  server = await serveEvalTown();
  run = await runEvals(server.origin);
});
afterAll(() => server.stop());

test.each(MODES)('at least 57 of 60 answers are right with %s', (mode) => {
  const outcomes = run.outcomes.filter((outcome) => outcome.mode === mode);
  const wrong = outcomes.filter(({ faults }) => faults.length > 0);
  expect(outcomes).toHaveLength(60);
  expect(wrong.length, formatFaultLines(wrong).join('\n')).toBeLessThanOrEqual(3);
});

const readRows = (text: string) =>
  text.match(/^\| .*/gm)?.map((row) => row.replace(/\b\d{3,}\b/g, ''));

test('the table in docs/agents.md matches the output of npm run evals -- --write', () => {
  const written = readRows(readTable('docs/agents.md', 'evals'));
  expect(written).toEqual(readRows(formatOutcomes(run.outcomes, run.entries)));
});
