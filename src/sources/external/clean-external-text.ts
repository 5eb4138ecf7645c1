// External text: cleans text from calendars, pages and feeds of others. Removes escapes and HTML,
// and limits links.
import { Parser } from 'htmlparser2';
import { cleanLine, cleanText } from '../../domain/clean-text.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/field-rules.ts';

/** Longer texts are cut before they are cleaned; with HTML they are longer than their plain text. */
const MAX_RAW_LENGTHS = { line: 4_000, text: 100_000 } as const;

/** Cleans a single line, truncated to `max` characters. */
export function cleanExternalLine(value: string, max: number) {
  const raw = value.slice(0, MAX_RAW_LENGTHS.line);
  const { text, is_whole } = truncate(cleanLine(toPlainText(raw)), max);
  return { text, is_whole: is_whole && raw === value };
}

/**
 * Cleans a text of several paragraphs, truncated to `max` characters, and removes invitations to
 * video calls.
 */
export function cleanExternalText(value: string, max: number) {
  const raw = value.slice(0, MAX_RAW_LENGTHS.text);
  const plain = cleanText(toPlainText(raw));
  const uninvited = INVITATION_PATTERNS.reduce((text, pattern) => text.replace(pattern, ''), plain);
  const text = cleanText(uninvited);
  const limited = cleanText(limitLinks(text));
  const { text: result, is_whole } = truncate(limited, max);
  return {
    text: result,
    is_whole: is_whole && limited === text && raw === value,
    had_invitation: text !== plain,
  };
}

/** Parses an http(s) URL. @returns null if it is invalid or too long. */
export const parseExternalUrl = (value: string): string | null =>
  value.length <= SUBMISSION_LIMITS.url && /^https?:\/\/\S+$/i.test(value) ? value : null;

/**
 * Converts to plain text. Removes any backslash escape, not only the escapes of RFC 5545, 3.3.11.
 */
function toPlainText(value: string): string {
  const unescaped = value.replace(/\\(.)/gs, (_, letter: string) =>
    /[nN]/.test(letter) ? '\n' : letter,
  );
  let text = htmlToText(unescaped);
  // Entities and tags that are still there were encoded more than once.
  for (let count = 0; count < MAX_ENCODINGS && ENCODED_PATTERN.test(text); count++)
    text = htmlToText(text);
  return removeShortcodes(text);
}

/** Times that a text may have been encoded again. */
const MAX_ENCODINGS = 3;
/** An entity, or a tag of HTML. */
const ENCODED_PATTERN =
  /&(?:#\w{1,6}|[a-z]{2,8});|<\/?(?:a|abbr|article|b|big|blockquote|br|caption|center|code|dd|del|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|input|ins|li|link|main|mark|meta|object|ol|p|pre|s|script|section|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|video|audio)(?:\s[^<>]{0,2000})?\/?>/i;

/** Elements that end a line. */
const LINE_ELEMENT_PATTERN = /^(br|p|li|div|tr|h[1-6])$/;
/** Elements without visible text. */
const HIDDEN_ELEMENT_PATTERN = /^(script|style|head|title)$/;

/** Extracts the text of HTML and decodes entities, which some programs add to plain text too. */
function htmlToText(html: string): string {
  let text = '';
  let hidden_depth = 0;
  const parser = new Parser({
    ontext: (data) => {
      if (hidden_depth === 0) text += data;
    },
    onopentagname: (name) => {
      if (HIDDEN_ELEMENT_PATTERN.test(name)) hidden_depth += 1;
    },
    onclosetag: (name) => {
      if (HIDDEN_ELEMENT_PATTERN.test(name)) hidden_depth -= 1;
      else if (LINE_ELEMENT_PATTERN.test(name)) text += '\n';
    },
  });
  // An entity without a semicolon is none: `&copy=1` is part of an address.
  parser.end(html.replace(/&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z\d]{1,30});)/gi, '&amp;'));
  return text.replaceAll('\u00a0', ' ');
}

/** A possible shortcode: a name in brackets, and the rest up to the end of the brackets. */
const SHORTCODE_PATTERN = /\[\/?([a-z][\w-]{0,60})([^[\]]{0,2000})\]/gi;
/** The first attribute of a shortcode, ` ids="1,2"`. */
const ATTRIBUTE_PATTERN = /^\s+[\w-]{1,60}=\S/;

/** Removes WordPress shortcodes: `[vc_row]`, `[gallery ids="1,2"]`, and `[b]` with a `[/b]`. */
function removeShortcodes(text: string): string {
  const closed_names = new Set(
    Array.from(text.matchAll(/\[\/([a-z][\w-]{0,60})\]/gi), ([, name]) => name),
  );
  return text.replace(SHORTCODE_PATTERN, (whole: string, name: string, rest: string) => {
    if (ATTRIBUTE_PATTERN.test(rest)) return '';
    const is_bare = /^\s*\/?$/.test(rest);
    return is_bare && (name.includes('_') || closed_names.has(name)) ? '' : whole;
  });
}

/** Invitations that Meet, Teams and Zoom append to a text. */
const INVITATION_PATTERNS = [
  /-::~[:~]*-?\s[\s\S]*?(-::~[:~]*-?|$)/g,
  /^_{10,}\s+(?:Microsoft Teams|Reuni[oó]n de Microsoft Teams)[\s\S]*?(^_{10,}$|(?![\s\S]))/gim,
  /^.*\b(?:is inviting you to a scheduled Zoom meeting|(?:le|te|lo) est[aá] invitando a una reuni[oó]n (?:programada )?de Zoom)[\s\S]*/gim,
  /^(?:Join Zoom Meeting|Unirse a la reuni[oó]n (?:de )?Zoom|Entrar Zoom Reuni[oó]n)[\s\S]*/gim,
];

/** Further links are removed: a submission may have five, including its own fields. */
const MAX_LINKS = 2;

function limitLinks(text: string): string {
  let count = 0;
  return text.replace(/(?:https?:\/\/|(?<![\w@./])www\.)\S*/gi, (link) => {
    count += 1;
    return count > MAX_LINKS ? '' : link;
  });
}

/** Truncates a text at a word boundary; `is_whole` is false if anything was removed. */
const truncate = (text: string, max: number) =>
  text.length <= max
    ? { text, is_whole: true }
    : { text: `${text.slice(0, max - 1).replace(/\s+\S*$/, '')}…`, is_whole: false };
