// What the evals promise: at least 57 of 60 questions right in each mode, and the table in
// docs/agents.md as the command gives it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODES } from '../evals/question.ts';
import { readWritten } from '../../bench/report.ts';
import { type Run, runEvals } from '../evals/run.ts';
import { type EvalServer, serveEvalTown } from '../evals/serve.ts';
import { formatOutcomes, toFaultLines } from '../evals/table.ts';

/** How far counts of tokens may be from those that are written, in hundredths. */
const TOKENS_MAY_DIFFER = 10;

let server: EvalServer;
let run: Run;
beforeAll(async () => {
  server = await serveEvalTown();
  run = await runEvals(server.origin);
});
afterAll(() => server.stop());

describe.each(MODES)('%s', (mode) => {
  test('answers at least 57 of 60 questions', () => {
    const own = run.outcomes.filter((outcome) => outcome.mode === mode);
    const wrong = own.filter(({ faults }) => faults.length > 0);
    expect(own).toHaveLength(60);
    expect(wrong.length, toFaultLines(wrong).join('\n')).toBeLessThanOrEqual(3);
  });
});

/** A table's cells, counts of tokens apart. */
const readCells = (table: string) => {
  const cells = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => line.split(/ [|·] /).map((cell) => cell.replace(/^\| | \|$/g, '')));
  return {
    words: cells.filter((cell) => !/^\d+$/.test(cell)),
    tokens: cells.filter((cell) => /^\d+$/.test(cell)).map(Number),
  };
};

test('the table in docs/agents.md is what the command gives: npm run evals -- --write', () => {
  const given = readCells(formatOutcomes(run.outcomes, run.entries));
  const written = readCells(readWritten('docs/agents.md', 'evals'));
  expect(written.words).toEqual(given.words);
  expect(written.tokens).toHaveLength(given.tokens.length);
  const off = given.tokens.filter(
    (tokens, at) => Math.abs(tokens - (written.tokens[at] ?? 0)) * 100 > tokens * TOKENS_MAY_DIFFER,
  );
  expect(off).toEqual([]);
});
