// Eval table: formats the number of right answers and the token costs of each mode.
import { computeMedian } from '../../bench/report.ts';
import { countTextTokens } from '../fixtures/count-tokens.ts';
import type { Outcome } from './judge.ts';
import { type Mode, MODES } from './question.ts';

type Entries = Readonly<Record<Mode, string>>;
const MODE_NAMES: Readonly<Record<Mode, string>> = {
  text: 'MCP, text only',
  structured: 'MCP, structured only',
  markdown: 'Markdown from /llms.txt',
};

const isRight = ({ faults }: Outcome): boolean => faults.length === 0;

const countRight = (outcomes: readonly Outcome[]): string =>
  `${outcomes.filter(isRight).length} of ${outcomes.length}`;

/** Lists the tokens of questions that need any document. */
const listTokens = (outcomes: readonly Outcome[]): readonly number[] =>
  outcomes.map(({ tokens }) => tokens).filter((tokens) => tokens > 0);

type Row = readonly (string | number)[];
const formatRow = (cells: Row): string => `| ${cells.join(' | ')} |`;

const formatTable = (head: readonly string[], rows: readonly Row[]): string =>
  [formatRow(head), formatRow(head.map(() => '---')), ...rows.map(formatRow)].join('\n');

/** Formats the results by mode; `entries` are the introductions read before any question. */
function formatModes(outcomes: readonly Outcome[], entries: Entries): string {
  return formatTable(
    ['read as', 'right', 'tokens, median', 'largest', 'read before any question'],
    MODES.map((mode) => {
      const mode_outcomes = outcomes.filter((outcome) => outcome.mode === mode);
      const tokens = listTokens(mode_outcomes);
      const entry_tokens = countTextTokens(entries[mode]);
      return [
        MODE_NAMES[mode],
        countRight(mode_outcomes),
        computeMedian(tokens),
        Math.max(...tokens),
        entry_tokens,
      ];
    }),
  );
}

/** Formats the faults, one line per question. */
export const formatFaultLines = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes
    .filter((outcome) => !isRight(outcome))
    .map(
      ({ question, mode, faults }) =>
        `- ${MODE_NAMES[mode]}, \`${question.id}\` (${question.ask}): ${faults.join('; ')}`,
    );

/** Formats the table and the faults. */
export function formatOutcomes(outcomes: readonly Outcome[], entries: Entries): string {
  const faults = formatFaultLines(outcomes);
  return [
    formatModes(outcomes, entries),
    faults.length === 0 ? 'No faults.' : ['Faults:', '', ...faults].join('\n'),
  ].join('\n\n');
}
