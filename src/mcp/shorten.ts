// How much an answer may be where nobody asked for more (contract 13.10).
import type { ToolResult } from './tools/tool.ts';

/**
 * Most characters of both halves together, for 6,000 tokens: our Spanish and JSON have three
 * characters a token and a bit (o200k). tests/mcp/tokens.test.ts holds the bound.
 */
const MAX_CHARACTERS = 18_000;

const sizeOf = ({ structured, text }: ToolResult): number =>
  text.length + JSON.stringify(structured).length;

/** The answer with at most `most` items, or with as many fewer as it takes to be short enough. */
export function shorten(make: (most: number) => ToolResult, most: number): ToolResult {
  for (let count = most; ; count -= 1) {
    const result = make(count);
    if (count <= 1 || sizeOf(result) <= MAX_CHARACTERS) return result;
  }
}
