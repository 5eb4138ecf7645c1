// How much an answer may be, whatever people wrote: fewer things, then shorter texts (contract 13.10).
import { breakMarksOf } from '../serializers/plain-text.ts';
import type { McpContext } from './context.ts';
import type { ToolResult } from './tools/tool.ts';

/** Most tokens of both halves, without the hour and the sentence that stand beside every answer. */
const MAX_TOKENS = 5_880;

/** Most characters of one text, from all of it down. */
const STEPS = [undefined, 640, 320, 160] as const;
/** Of the one thing that is told where nothing else fits. */
const SHORTEST = 50;

/**
 * An answer that is short enough: of `most` things as many as fit, and where not even `least` do, with
 * texts cut. `make` writes so many things with the texts that its context allows.
 */
export function shorten(
  make: (most: number, context: McpContext) => ToolResult,
  { most, least }: { readonly most: number; readonly least: number },
  context: McpContext,
): ToolResult {
  for (const characters of STEPS) {
    const allowed = characters === undefined ? context : { ...context, characters };
    let short = Math.min(most, least) - 1;
    let long = most + 1;
    let found: ToolResult | null = null;
    // How many fit lies between; the first that is tried is all of them.
    for (let count = most; short + 1 < long; count = Math.ceil((short + long) / 2)) {
      const made = make(count, allowed);
      if (isShort(made)) [short, found] = [count, made];
      else long = count;
    }
    if (found !== null) return found;
  }
  return make(1, { ...context, characters: SHORTEST });
}

const isShort = ({ structured, text }: ToolResult): boolean =>
  estimateTokens(text) + estimateTokens(JSON.stringify(breakMarksOf(structured))) <= MAX_TOKENS;

/** As a tokenizer (o200k) parts a text: words, numbers of three digits, signs, other scripts, line ends. */
const PIECES =
  /([A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]+)|(\d{1,3})|([!-/:-@[-`{-~¡-¿‐-›]+)|([^\p{ASCII}¡-ÿ‐-›]+)|\n/gu;
/** What each letter of a word after its fifth takes of a token, and each sign of a run after its first. */
const LATER = { letter: 0.36, sign: 0.5 } as const;

/**
 * Tokens of a text, a tenth too many rather than too few: of other scripts as many as it has bytes,
 * which no tokenizer exceeds. tests/mcp/shorten.test.ts counts them.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [, word, number, signs, others] of text.matchAll(PIECES)) {
    if (word !== undefined) tokens += 1 + LATER.letter * Math.max(0, Buffer.byteLength(word) - 5);
    else if (signs !== undefined) tokens += 1 + LATER.sign * (signs.length - 1);
    else if (others !== undefined) tokens += Buffer.byteLength(others);
    else tokens += number === undefined ? 0.5 : 1;
  }
  return tokens;
}
