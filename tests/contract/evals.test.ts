// At least 57 of 60 questions are right in each mode, and docs/agents.md says how many.
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

test.each(MODES)('%s: at least 57 of 60 questions are answered', (mode) => {
  const own = run.outcomes.filter((outcome) => outcome.mode === mode);
  const wrong = own.filter(({ faults }) => faults.length > 0);
  expect(own).toHaveLength(60);
  expect(wrong.length, formatFaultLines(wrong).join('\n')).toBeLessThanOrEqual(3);
});

const readRows = (text: string) =>
  text.match(/^\| .*/gm)?.map((row) => row.replace(/\b\d{3,}\b/g, ''));

test('the table in docs/agents.md matches the output of npm run evals -- --write', () => {
  const written = readRows(readTable('docs/agents.md', 'evals'));
  expect(written).toEqual(readRows(formatOutcomes(run.outcomes, run.entries)));
});
