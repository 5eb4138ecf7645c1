// Text sanitization: cleans text of senders and sources before it enters any format. Removes
// control, invisible and direction characters, escapes XML, and escapes chat markers
// (`<|im_start|>`, `[INST]`), which separate instructions from data in the input of language
// models.

/**
 * Control characters, soft hyphens, zero-width spaces and marks, direction overrides and isolates,
 * and tags, but not the joiners of emoji.
 */
const INVISIBLE_PATTERN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Cleans a part of a line: collapses white space, without trimming the ends. */
export const cleanInlineText = (text: string): string =>
  text.replace(/[\s\u2028\u2029]+/g, ' ').replace(INVISIBLE_PATTERN, '');

/** Cleans a whole line: like cleanInlineText, without white space at the ends. */
export const cleanLineText = (text: string): string => cleanInlineText(text).trim();

/** Splits a text into paragraphs (separated by blank lines) of lines, without empty ones. */
export function splitParagraphs(text: string): string[][] {
  return text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((paragraph) =>
      paragraph
        .split(/[\n\r\u2028\u2029]+/)
        .map(cleanLineText)
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0);
}

/** Cleans a text of several paragraphs, preserving line ends and blank lines. */
export function cleanBlockText(text: string): string {
  return splitParagraphs(text)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Escapes element content or a double-quoted attribute, and removes characters invalid in XML 1.0
 * (2.2).
 */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** Opening brackets of a tag and their lookalikes. */
export const TAG_BRACKET_PATTERN = '[<＜﹤‹〈]';
/** An underscore, optionally escaped as in Markdown. */
const UNDERSCORE = String.raw`\\?_`;
/**
 * Chat template markers, which some models take for the end of their input or for another speaker.
 */
const TEMPLATE_MARKER = `(?:[|｜]|/?(?:s|system|user|assistant|(?:start|end)${UNDERSCORE}of${UNDERSCORE}turn)>|\\\\?<?/?SYS>)`;
/**
 * Matches preceding backslashes too: in Markdown, the last of an odd number escapes the bracket.
 */
const MARKER_PATTERN = new RegExp(
  String.raw`(\\*)(?:${TAG_BRACKET_PATTERN}(?=${TEMPLATE_MARKER})|(\[)(?=/?INST\\?\]))`,
  'giu',
);

/** Quick check: most texts have none of the brackets. */
const ANY_BRACKET = /[<＜﹤‹〈[]/u;

/**
 * Replaces the bracket of each chat marker with a character reference: Markdown and HTML show the
 * same text, but model templates find no marker.
 * @param is_markdown A backslash before the bracket is an escape and is removed.
 */
export function escapeChatMarkers(text: string, is_markdown: boolean): string {
  if (!ANY_BRACKET.test(text)) return text;
  return text.replace(MARKER_PATTERN, (_, slashes: string, square_bracket?: string) => {
    const remaining_slashes = is_markdown ? slashes.slice(slashes.length % 2) : slashes;
    return `${remaining_slashes}${square_bracket === undefined ? '&lt;' : '&#91;'}`;
  });
}

/** Escapes chat markers in a JSON value of any type. */
function escapeChatMarkersIn(value: unknown): unknown {
  if (typeof value === 'string') return escapeChatMarkers(value, false);
  if (Array.isArray(value)) return value.map(escapeChatMarkersIn);
  return isFields(value) ? escapeChatMarkersDeep(value) : value;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Escapes chat markers in every string of a JSON value; field names are ours and stay. */
export function escapeChatMarkersDeep(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, escapeChatMarkersIn(value)]),
  );
}
