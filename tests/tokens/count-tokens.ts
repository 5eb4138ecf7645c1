// How many tokens (o200k) the tools cost: their list, and each answer by half.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { McpContext } from '../../src/mcp/context.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { listTools } from '../../src/mcp/tools/catalog.ts';
import type { Question } from './questions.ts';

/** What is promised (contract 13.10); tests/tokens/tokens.test.ts holds it. */
export const BOUNDS = { list: 5_000, answer: 6_000, median: 350 } as const;

/** The tokens of one answer. */
export interface Cost {
  readonly question: Question;
  readonly text: number;
  readonly structured: number;
  /** Both halves, for hosts that hand on both. */
  readonly both: number;
}

/** The tokens of a text, whatever it holds; every count of ours is this one. */
export const countWords = (text: string): number => countTokens(text);

/** What `tools/list` answers with. */
export const countListed = ({ snapshot }: McpContext): number =>
  countWords(JSON.stringify({ tools: listTools(snapshot) }));

/** The answer to a question, its text and its structured half as a host shows them. */
export function countAnswer(question: Question, context: McpContext): Cost {
  const { content, structuredContent } = callTool(question.tool, question.args, context);
  const words = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const text = countWords(words);
  const structured =
    structuredContent === undefined ? 0 : countWords(JSON.stringify(structuredContent));
  return { question, text, structured, both: text + structured };
}

/** The middle one, the upper of two. */
export function toMedian(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
