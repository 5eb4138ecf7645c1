// The marks by which language models part what they are told from what they are given, in a stranger's words.

/** Brackets of a tag, and what looks like them. */
export const OPENING = '[<＜﹤‹〈]';
/** An underscore, also as Markdown escapes it. */
const LOW = String.raw`\\?_`;
/** The marks of chat templates, which some models take for the end of what they are given, or another's words. */
const TEMPLATE = `(?:[|｜]|/?(?:s|system|user|assistant|(?:start|end)${LOW}of${LOW}turn)>|\\\\?<?/?SYS>)`;
/** With the backslashes before it: in Markdown the last of an odd number belongs to the bracket. */
const MARK = new RegExp(String.raw`(\\*)(?:${OPENING}(?=${TEMPLATE})|(\[)(?=/?INST\\?\]))`, 'giu');

/** Most texts have none of the brackets. */
const ANY_BRACKET = /[<＜﹤‹〈[]/u;

/**
 * The text with the bracket of each such mark as a character reference: a reader of Markdown or HTML sees the
 * same, a model's template sees none. `is_markdown`: a backslash before it was an escape, and goes.
 */
export function breakChatMarks(text: string, is_markdown: boolean): string {
  if (!ANY_BRACKET.test(text)) return text;
  return text.replace(MARK, (_, slashes: string, square?: string) => {
    const kept = is_markdown ? slashes.slice(slashes.length % 2) : slashes;
    return `${kept}${square === undefined ? '&lt;' : '&#91;'}`;
  });
}

function breakWithin(value: unknown): unknown {
  if (typeof value === 'string') return breakChatMarks(value, false);
  if (Array.isArray(value)) return value.map(breakWithin);
  return isFields(value) ? breakMarksOf(value) : value;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The same of every text in what is to become JSON; the names of fields are ours. */
export function breakMarksOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, breakWithin(value)]),
  );
}
