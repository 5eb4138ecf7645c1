// Strangers' text made plain before it enters any format: no control, invisible or direction characters;
// never markup in XML; none of the marks that part a language model's instructions from its data.

/**
 * Controls, soft hyphens, zero-width spaces and marks, direction overrides and isolates, tags;
 * joiners of emoji stay.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A piece of a line: every run of white space is one space, at its ends too. */
export const cleanInlineText = (text: string): string =>
  text.replace(/[\s\u2028\u2029]+/g, ' ').replace(INVISIBLE, '');

export const cleanLineText = (text: string): string => cleanInlineText(text).trim();

/** Paragraphs (parted by blank lines) of lines; neither is ever empty. */
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

/** Several paragraphs as plain text: line ends and blank lines stay, everything else as toLine. */
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

/** The content of an element, or of an attribute in double quotes; without what parsers refuse (XML 1.0, 2.2). */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** Brackets of a tag, and what looks like them. */
export const TAG_BRACKET_PATTERN = '[<＜﹤‹〈]';
/** An underscore, also as Markdown escapes it. */
const LOW = String.raw`\\?_`;
/** The marks of chat templates, which some models take for the end of what they are given, or another's words. */
const TEMPLATE = `(?:[|｜]|/?(?:s|system|user|assistant|(?:start|end)${LOW}of${LOW}turn)>|\\\\?<?/?SYS>)`;
/** With the backslashes before it: in Markdown the last of an odd number belongs to the bracket. */
const MARK = new RegExp(
  String.raw`(\\*)(?:${TAG_BRACKET_PATTERN}(?=${TEMPLATE})|(\[)(?=/?INST\\?\]))`,
  'giu',
);

/** Most texts have none of the brackets. */
const ANY_BRACKET = /[<＜﹤‹〈[]/u;

/**
 * The text with the bracket of each such mark as a character reference: a reader of Markdown or HTML sees the
 * same, a model's template sees none. `is_markdown`: a backslash before it was an escape, and goes.
 */
export function escapeChatMarkers(text: string, is_markdown: boolean): string {
  if (!ANY_BRACKET.test(text)) return text;
  return text.replace(MARK, (_, slashes: string, square?: string) => {
    const kept = is_markdown ? slashes.slice(slashes.length % 2) : slashes;
    return `${kept}${square === undefined ? '&lt;' : '&#91;'}`;
  });
}

function breakWithin(value: unknown): unknown {
  if (typeof value === 'string') return escapeChatMarkers(value, false);
  if (Array.isArray(value)) return value.map(breakWithin);
  return isFields(value) ? escapeChatMarkersDeep(value) : value;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The same of every text in what is to become JSON; the names of fields are ours. */
export function escapeChatMarkersDeep(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, breakWithin(value)]),
  );
}
