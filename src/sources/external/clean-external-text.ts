// Texts of a stranger as we store them: without escapes, without HTML, with few links.
import { Parser } from 'htmlparser2';
import { cleanLine, cleanText } from '../../domain/clean-text.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/field-rules.ts';

export const cleanExternalLine = (value: string, max: number) =>
  cut(cleanLine(toPlain(value)), max);

/** Lines and paragraphs; whether an invitation to a call stood there, which is left out. */
export function cleanExternalText(value: string, max: number) {
  const all = cleanText(toPlain(value));
  const text = cleanText(INVITATIONS.reduce((left, one) => left.replace(one, ''), all));
  const few = cleanText(withFewLinks(text));
  const short = cut(few, max);
  return { text: short.text, is_whole: short.is_whole && few === text, is_call: text !== all };
}

/** Null of what is no address, or too long for one. */
export const parseExternalUrl = (value: string): string | null =>
  /^https?:\/\/\S+$/i.test(value) && value.length <= SUBMISSION_LIMITS.url ? value : null;

/** Whether whoever reads it could come into a call. */
export const hasMeetingLink = (text: string): boolean =>
  /\b(?:zoom\.us\/(?:j|my|w)\/|meet\.google\.com\/|teams\.(?:microsoft|live)\.com\/(?:l|meet)\/|webex\.com\/meet)/i.test(
    text,
  );

/** What is escaped without need is read all the same (RFC 5545, 3.3.11). */
function toPlain(value: string): string {
  const text = value.replace(/\\(.)/gs, (_, letter: string) =>
    /[nN]/.test(letter) ? '\n' : letter,
  );
  const words = readHtml(text);
  // An entity that is still there was encoded twice.
  return withoutShortcodes(/&(#\w{1,6}|[a-z]{2,8});/i.test(words) ? readHtml(words) : words);
}

/** After these a line ends. */
const LINES = /^(br|p|li|div|tr|h[1-6])$/;
/** What they hold is no text. */
const SILENT = /^(script|style|head|title)$/;

/** The words of what may be HTML; its entities decoded, which some programs write into plain text too. */
function readHtml(text: string): string {
  let words = '';
  let silent = 0;
  const parser = new Parser({
    ontext: (data) => {
      if (silent === 0) words += data;
    },
    onopentagname: (name) => {
      if (SILENT.test(name)) silent += 1;
    },
    onclosetag: (name) => {
      if (SILENT.test(name)) silent -= 1;
      else if (LINES.test(name)) words += '\n';
    },
  });
  parser.end(text);
  return words.replaceAll('\u00a0', ' ');
}

/** Of WordPress: `[vc_row]`, `[gallery ids="1,2"]`, and `[b]` where there is a `[/b]`. */
function withoutShortcodes(text: string): string {
  const closed = new Set(Array.from(text.matchAll(/\[\/([a-z][\w-]*)\]/gi), ([, name]) => name));
  return text.replace(
    /\[\/?([a-z][\w-]{0,60})((?:\s+[\w-]{1,60}=(?:"[^"]{0,300}"|'[^']{0,300}'|[^\s\]]{1,300})){0,20})\s*\/?\]/gi,
    (whole: string, name: string, attributes: string) =>
      name.includes('_') || attributes !== '' || closed.has(name) ? '' : whole,
  );
}

/** What Meet, Teams and Zoom write below a text, for those who are invited. */
const INVITATIONS = [
  /-::~[:~]*-?\s[\s\S]*?(-::~[:~]*-?|$)/g,
  /^_{10,}\s+(?:Microsoft Teams|Reuni[oó]n de Microsoft Teams)[\s\S]*?(^_{10,}$|(?![\s\S]))/gim,
  /^.*\b(?:is inviting you to a scheduled Zoom meeting|(?:le|te|lo) est[aá] invitando a una reuni[oó]n (?:programada )?de Zoom)[\s\S]*/gim,
  /^(?:Join Zoom Meeting|Unirse a la reuni[oó]n (?:de )?Zoom|Entrar Zoom Reuni[oó]n)[\s\S]*/gim,
];

/** A submission has room for five, its own fields included. */
const MAX_LINKS = 2;

function withFewLinks(text: string): string {
  let count = 0;
  return text.replace(/(?:https?:\/\/|(?<![\w@./])www\.)\S*/gi, (link) => {
    count += 1;
    return count > MAX_LINKS ? '' : link;
  });
}

/** As much of a text as there is room for, and whether all of it is there. */
const cut = (text: string, max: number) =>
  text.length <= max
    ? { text, is_whole: true }
    : { text: `${text.slice(0, max - 1).replace(/\s+\S*$/, '')}…`, is_whole: false };
