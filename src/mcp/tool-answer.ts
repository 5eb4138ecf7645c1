// Tool answers: builds the text and the structured content of an answer, and fits both to the size
// limit with fewer items and then shorter texts (contract 13.9, 13.10).
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

/** An answer before it is rendered. */
export interface ToolAnswer {
  /** Paragraphs by us, such as the scope of a list or a corrected spelling. */
  readonly opening: readonly string[];
  /** The items as Markdown, which may contain untrusted text; empty if there are none. */
  readonly items: string;
  /**
   * Suggestions for an empty result, before the items; the first is a sentence, the others a list
   * below it.
   */
  readonly advice?: readonly string[];
  /** Sentences after the items. */
  readonly hints?: readonly string[];
  /** URL of the page with the full texts, for an answer with truncated ones. */
  readonly full_list_url: string;
  /** Null on the last page; omitted if the answer has no pages. */
  readonly next_cursor?: string | null;
  /** The items in their public JSON form; the output schema selects the fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields of `meta` in addition to the common ones. */
  readonly meta?: object;
}

/** Definition of a read-only tool. */
interface ReadTool extends Pick<Tool, 'name' | 'input'> {
  /** Schemas of the fields of its structured content. */
  readonly output: Readonly<Record<string, JsonSchema>>;
  /** Names of the fields that are always present. */
  readonly required: readonly string[];
  /** Texts are shortened before an answer gets fewer items than this. */
  readonly min_items: number;
  /** Parses the arguments, and returns how to build the answer. */
  readonly plan: (
    args: ToolArguments,
    context: McpContext,
  ) => {
    readonly lang: Lang;
    /** Number of items to try first. */
    readonly max_items: number;
    /** Builds an answer with `count` items, and texts of the length that the context allows. */
    readonly buildAnswer: (count: number, context: AnswerContext) => ToolAnswer;
  };
}

/** Defines a read-only tool, which reads only this agenda. Its answers fit the size limit. */
export function defineReadTool({ output, required, min_items, plan, ...tool }: ReadTool): Tool {
  const schema = outputSchema({ ...output, hints: arraySchema(ANY_SCHEMA) }, required);
  return {
    ...tool,
    annotations: { readOnlyHint: true, openWorldHint: false },
    output: schema,
    run: (args, context) => {
      const { lang, max_items, buildAnswer } = plan(args, context);
      const buildResult = (count: number, limited_context: AnswerContext): ToolResult =>
        renderAnswer(buildAnswer(count, limited_context), schema, limited_context);
      return fitToSizeLimit(buildResult, { max_items, min_items }, { ...context, lang });
    },
  };
}

/** Renders an answer as text and as structured content; each is complete by itself. */
function renderAnswer(
  answer: ToolAnswer,
  output: ObjectJsonSchema,
  context: AnswerContext,
): ToolResult {
  const { opening, items, advice = [], next_cursor, fields } = answer;
  const { lang, site, snapshot } = context;
  const truncation_hints =
    context.max_text_length === undefined
      ? []
      : [t(lang, 'mcp.cut', { url: answer.full_list_url })];
  const hints = [...(answer.hints ?? []), ...truncation_hints];
  const meta = { ...serializeMeta(snapshot, lang, site), ...answer.meta };
  const all_fields = { ...fields, next_cursor, hints: [...advice, ...hints], meta };
  const parts = [
    ...opening,
    ...(advice.length > 0 ? [advice.join('\n- ')] : []),
    ...(items === '' ? [] : [wrapUntrustedContent(items, lang)]),
    ...hints,
    ...(next_cursor ? [t(lang, 'mcp.list.more', { cursor: next_cursor })] : []),
    formatAttribution(lang, site),
  ];
  return {
    structured: Object(pickBySchema(all_fields, output, output)),
    text: parts.join('\n\n'),
    lang,
    next_cursor: next_cursor ?? null,
  };
}

/** Name of the tag around untrusted content. */
const FENCE = 'agenda';
const FENCE_TAG_PATTERN = new RegExp(`${TAG_BRACKET_PATTERN}(?=\\s*[/／]?\\s*${FENCE})`, 'giu');

/**
 * Wraps untrusted content in `<agenda>` tags, so that a model reads it as data. Escapes such tags
 * in the content.
 */
export function wrapUntrustedContent(content: string, lang: Lang): string {
  const safe_content = escapeChatMarkers(content.replace(FENCE_TAG_PATTERN, '&lt;'), true);
  return `${t(lang, 'mcp.fence')}\n\n<${FENCE}>\n${safe_content.trim()}\n</${FENCE}>`;
}

/** Context with the maximum characters of each text; undefined for full texts. */
type TextLimit = Pick<McpContext, 'max_text_length'>;

/** URLs are never truncated; ids, slugs and days are shorter than any limit. */
const URL_PATTERN = /^https?:\/\/\S+$/;

/** Truncates a text at a word boundary, with an ellipsis. */
export function truncateText(text: string, { max_text_length: max }: TextLimit): string {
  if (max === undefined || text.length <= max || URL_PATTERN.test(text)) return text;
  // Without half of a surrogate pair at the end.
  const head = text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '');
  return `${head.replace(/\s+\S*$/, '')}…`;
}

/**
 * If texts are truncated, lists are truncated to one entry for this many characters of the text
 * limit.
 */
const CHARACTERS_PER_ENTRY = 50;

/** Truncates a list to its first entries if texts are truncated. */
export const truncateList = <T>(
  list: readonly T[],
  { max_text_length: max }: TextLimit,
): readonly T[] =>
  max === undefined ? list : list.slice(0, Math.ceil(max / CHARACTERS_PER_ENTRY));

/** Fields that are never truncated, because they are counted or formatted as a whole. */
const UNTRUNCATED_FIELDS = ['occurrences', 'regularity', 'hours'];

/** Truncates all texts and lists of a record, so that text and structured content have the same. */
export function truncateTexts<T>(value: T, limit: TextLimit): T;
export function truncateTexts(value: unknown, limit: TextLimit): unknown {
  if (limit.max_text_length === undefined) return value;
  if (typeof value === 'string') return truncateText(value, limit);
  if (Array.isArray(value))
    return truncateList(value, limit).map((element) => truncateTexts(element, limit));
  // Class instances such as Temporal days stay as they are.
  if (typeof value !== 'object' || value === null || value.constructor !== Object) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      UNTRUNCATED_FIELDS.includes(name) ? field : truncateTexts(field, limit),
    ]),
  );
}

/**
 * Token limit of text and structured content together: 6,000 (contract 13.10) less the fields `now`
 * and `about` of every answer.
 */
const MAX_TOKENS = 5_880;
/** Text lengths to try, from unlimited to short. */
const TEXT_LENGTH_STEPS = [undefined, 640, 320, 160] as const;
/** Text length of the single item that remains if no step fits. */
const MIN_TEXT_LENGTH = 50;

/**
 * Builds the longest answer within the token limit: with as many of `max_items` as fit or, if not
 * even `min_items` fit, with shorter texts.
 * @param buildResult Builds the result with `count` items, and texts of the length that its context
 * allows.
 */
export function fitToSizeLimit(
  buildResult: (count: number, context: AnswerContext) => ToolResult,
  { max_items, min_items }: { readonly max_items: number; readonly min_items: number },
  context: AnswerContext,
): ToolResult {
  for (const max_text_length of TEXT_LENGTH_STEPS) {
    const limited_context =
      max_text_length === undefined ? context : { ...context, max_text_length };
    let fitting_count = Math.min(max_items, min_items) - 1;
    let exceeding_count = max_items + 1;
    let longest: ToolResult | null = null;
    // Binary search for the largest count that fits, starting with all items: `fitting_count` fits
    // (or is below the minimum), `exceeding_count` does not.
    for (
      let count = max_items;
      fitting_count + 1 < exceeding_count;
      count = Math.ceil((fitting_count + exceeding_count) / 2)
    ) {
      const result = buildResult(count, limited_context);
      if (isWithinLimit(result)) [fitting_count, longest] = [count, result];
      else exceeding_count = count;
    }
    if (longest !== null) return longest;
  }
  return buildResult(1, { ...context, max_text_length: MIN_TEXT_LENGTH });
}

/** Returns true if text and structured content are within the token limit. */
const isWithinLimit = ({ structured, text }: ToolResult): boolean =>
  estimateTokens(text) + estimateTokens(JSON.stringify(escapeChatMarkersDeep(structured))) <=
  MAX_TOKENS;

/**
 * Splits a text like a tokenizer (o200k) into words, groups of three digits, symbols, other scripts
 * and line ends.
 */
const TOKEN_PATTERN =
  /([A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]+)|(\d{1,3})|([!-/:-@[-`{-~¡-¿‐-›]+)|([^\p{ASCII}¡-ÿ‐-›]+)|\n/gu;
/**
 * Tokens for each letter of a word after the fifth, and for each symbol of a run after the first.
 */
const TOKENS_PER_FURTHER = { letter: 0.36, symbol: 0.5 } as const;
const LINE_END_TOKENS = 0.5;

/**
 * Estimates the tokens of a text, up to a tenth too many. Other scripts count one token per byte,
 * which no tokenizer exceeds. tests/mcp/tokens.test.ts compares with a tokenizer.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [, word, digits, symbols, other_script] of text.matchAll(TOKEN_PATTERN)) {
    if (word !== undefined)
      tokens += 1 + TOKENS_PER_FURTHER.letter * Math.max(0, Buffer.byteLength(word) - 5);
    else if (symbols !== undefined) tokens += 1 + TOKENS_PER_FURTHER.symbol * (symbols.length - 1);
    else if (other_script !== undefined) tokens += Buffer.byteLength(other_script);
    else tokens += digits === undefined ? LINE_END_TOKENS : 1;
  }
  return tokens;
}
