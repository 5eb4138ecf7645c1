// The table of the evals: how many questions are right in each mode, and what reading costs.
import { toMedian } from '../../bench/report.ts';
import { countWords } from '../fixtures/count-tokens.ts';
import type { Outcome } from './judge.ts';
import { type Mode, MODES } from './question.ts';

type Entries = Readonly<Record<Mode, string>>;
const TOOLS = { text: 'MCP, text only', structured: 'MCP, structured only' };
const NAMES: Entries = { ...TOOLS, markdown: 'Markdown from /llms.txt' };

const isRight = ({ faults }: Outcome): boolean => faults.length === 0;

const countRight = (outcomes: readonly Outcome[]): string =>
  `${outcomes.filter(isRight).length} of ${outcomes.length}`;

/** Of the questions that something is read for. */
const listTokens = (outcomes: readonly Outcome[]): readonly number[] =>
  outcomes.map(({ tokens }) => tokens).filter((tokens) => tokens > 0);

type Row = readonly (string | number)[];
const toRow = (cells: Row): string => `| ${cells.join(' | ')} |`;

const toTable = (head: readonly string[], rows: readonly Row[]): string =>
  [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n');

/** By mode; `entries` are what is read before any question. */
function toModes(outcomes: readonly Outcome[], entries: Entries): string {
  return toTable(
    ['read as', 'right', 'tokens, median', 'largest', 'read before any question'],
    MODES.map((mode) => {
      const own = outcomes.filter((outcome) => outcome.mode === mode);
      const tokens = listTokens(own);
      const words = countWords(entries[mode]);
      return [NAMES[mode], countRight(own), toMedian(tokens), Math.max(...tokens), words];
    }),
  );
}

/** What is wrong, a line for each question. */
export const toFaultLines = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes
    .filter((outcome) => !isRight(outcome))
    .map(
      ({ question, mode, faults }) =>
        `- ${NAMES[mode]}, \`${question.id}\` (${question.ask}): ${faults.join('; ')}`,
    );

/** The table, and what is wrong. */
export function formatOutcomes(outcomes: readonly Outcome[], entries: Entries): string {
  const faults = toFaultLines(outcomes);
  return [
    toModes(outcomes, entries),
    faults.length === 0 ? 'Nothing is wrong.' : ['What is wrong:', '', ...faults].join('\n'),
  ].join('\n\n');
}
