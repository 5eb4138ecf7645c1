// How an answer is put together from its two halves, and how much of it there may be whatever people
// wrote: fewer things, then shorter texts (contract 13.9, 13.10).
import type { Lang } from '../domain/lang.ts';
import { t } from '../i18n/translate.ts';
import {
  escapeChatMarkers,
  escapeChatMarkersDeep,
  TAG_BRACKET_PATTERN,
} from '../serializers/sanitize-text.ts';
import { formatAttribution, serializeMeta } from '../serializers/wire/meta.ts';
import { ANY_SCHEMA, pickBySchema, arraySchema, outputSchema } from './output-schemas.ts';
import type {
  AnswerContext,
  ToolArguments,
  McpContext,
  ObjectJsonSchema,
  JsonSchema,
  Tool,
  ToolResult,
} from './tool.ts';

export interface ToolAnswer {
  /** Paragraphs of ours: what it is about, how a word was read. */
  readonly opening: readonly string[];
  /** The things themselves as Markdown, with strangers' words; empty where there are none. */
  readonly items: string;
  /** What to try where nothing was found, before the items; and what is said behind them. */
  readonly advice?: readonly string[];
  readonly hints?: readonly string[];
  /** Where the rest stands of texts that are cut. */
  readonly whole_url: string;
  /** Null at the end; left out where the list has no pages. */
  readonly next_cursor?: string | null;
  /** The same in wire form; the schema says what of it is told. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Beside what `meta` has in every answer. */
  readonly meta?: object;
}

interface ReadingTool extends Pick<Tool, 'name' | 'input'> {
  readonly output: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** As many things are told rather than fewer at length. */
  readonly least: number;
  readonly ask: (
    args: ToolArguments,
    context: McpContext,
  ) => {
    readonly lang: Lang;
    readonly most: number;
    /** So many of the things, with texts as long as the context allows. */
    readonly tell: (count: number, context: AnswerContext) => ToolAnswer;
  };
}

/** A tool that changes nothing; what it reads is this agenda alone. Its answer is short enough. */
export function defineReadTool({ output, required, least, ask, ...tool }: ReadingTool): Tool {
  const schema = outputSchema({ ...output, hints: arraySchema(ANY_SCHEMA) }, required);
  return {
    ...tool,
    annotations: { readOnlyHint: true, openWorldHint: false },
    output: schema,
    run: (args, context) => {
      const { lang, most, tell } = ask(args, context);
      const make = (count: number, allowed: AnswerContext): ToolResult =>
        toAnswer(tell(count, allowed), schema, allowed);
      return fitToSizeLimit(make, { most, least }, { ...context, lang });
    },
  };
}

/** Both halves: each is whole by itself. */
function toAnswer(told: ToolAnswer, output: ObjectJsonSchema, context: AnswerContext): ToolResult {
  const { opening, items, advice = [], next_cursor, fields } = told;
  const { lang, site, snapshot } = context;
  const cut_hints =
    context.characters === undefined ? [] : [t(lang, 'mcp.cut', { url: told.whole_url })];
  const hints = [...(told.hints ?? []), ...cut_hints];
  const meta = { ...serializeMeta(snapshot, lang, site), ...told.meta };
  const all = { ...fields, next_cursor, hints: [...advice, ...hints], meta };
  const parts = [
    ...opening,
    ...(advice.length > 0 ? [advice.join('\n- ')] : []),
    ...(items === '' ? [] : [wrapUntrustedContent(items, lang)]),
    ...hints,
    ...(next_cursor ? [t(lang, 'mcp.list.more', { cursor: next_cursor })] : []),
    formatAttribution(lang, site),
  ];
  return {
    structured: Object(pickBySchema(all, output, output)),
    text: parts.join('\n\n'),
    lang,
    next_cursor: next_cursor ?? null,
  };
}

/** The fence's name; a text that writes it itself cannot close it. */
const FENCE = 'agenda';
const OWN_TAG = new RegExp(`${TAG_BRACKET_PATTERN}(?=\\s*[/／]?\\s*${FENCE})`, 'giu');

/** What other people wrote, between `<agenda>` and `</agenda>`: a model reads it as data whatever it says. */
export function wrapUntrustedContent(content: string, lang: Lang): string {
  const safe = escapeChatMarkers(content.replace(OWN_TAG, '&lt;'), true);
  return `${t(lang, 'mcp.fence')}\n\n<${FENCE}>\n${safe.trim()}\n</${FENCE}>`;
}

type Allowed = Pick<McpContext, 'characters'>;

/** An address is whole or of no use; ids, slugs and days are shorter than any text that is cut. */
const ADDRESS = /^https?:\/\/\S+$/;

/** At the end of a word, with an ellipsis. */
export function truncateText(text: string, { characters }: Allowed): string {
  if (characters === undefined || text.length <= characters || ADDRESS.test(text)) return text;
  const kept = text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.replace(/\s+\S*$/, '')}…`;
}

/** Where texts are cut, as many entries of a list as characters of a text hold. */
const CHARACTERS_AN_ENTRY = 50;

/** The first of them, where texts are cut. */
export const truncateList = <T>(list: readonly T[], { characters }: Allowed): readonly T[] =>
  characters === undefined ? list : list.slice(0, Math.ceil(characters / CHARACTERS_AN_ENTRY));

/** What is counted or read as a whole, and told in other words. */
const WHOLE = ['occurrences', 'regularity', 'hours'];

/** A record with every text cut, and with fewer entries in its lists: so that both halves say the same. */
export function truncateTexts<T>(value: T, allowed: Allowed): T;
export function truncateTexts(value: unknown, allowed: Allowed): unknown {
  if (allowed.characters === undefined) return value;
  if (typeof value === 'string') return truncateText(value, allowed);
  if (Array.isArray(value))
    return truncateList(value, allowed).map((item) => truncateTexts(item, allowed));
  // A day of Temporal is no record.
  if (typeof value !== 'object' || value === null || value.constructor !== Object) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      WHOLE.includes(name) ? inner : truncateTexts(inner, allowed),
    ]),
  );
}

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
export function fitToSizeLimit(
  make: (most: number, context: AnswerContext) => ToolResult,
  { most, least }: { readonly most: number; readonly least: number },
  context: AnswerContext,
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
  estimateTokens(text) + estimateTokens(JSON.stringify(escapeChatMarkersDeep(structured))) <=
  MAX_TOKENS;

/** As a tokenizer (o200k) parts a text: words, numbers of three digits, signs, other scripts, line ends. */
const PIECES =
  /([A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]+)|(\d{1,3})|([!-/:-@[-`{-~¡-¿‐-›]+)|([^\p{ASCII}¡-ÿ‐-›]+)|\n/gu;
/** What each letter of a word after its fifth takes of a token, and each sign of a run after its first. */
const LATER = { letter: 0.36, sign: 0.5 } as const;

/**
 * Tokens of a text, a tenth too many rather than too few: of other scripts as many as it has bytes,
 * which no tokenizer exceeds. tests/mcp/answer.test.ts counts them.
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
