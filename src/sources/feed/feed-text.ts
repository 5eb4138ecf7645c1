// Texts of a calendar file as we store them: without escapes, without HTML, with few links.
import { toCleanLine, toCleanText } from '../../domain/clean-text.ts';

/** RFC 5545, 3.3.11; what is escaped without need is read all the same. */
const withoutEscapes = (text: string): string =>
  text.replace(/\\(.)/gs, (_, letter: string) => (/[nN]/.test(letter) ? '\n' : letter));

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function toLetter(whole: string, name: string): string {
  const number = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (name.startsWith('#'))
    return number > 0 && number < 0x110000 ? String.fromCodePoint(number) : whole;
  return ENTITIES[name.toLowerCase()] ?? whole;
}

/** Google and others put HTML into descriptions: its words stay. */
const withoutHtml = (text: string): string =>
  /<\/?[a-z][^<>]*>/i.test(text)
    ? text
        .replace(/<(br|\/p|\/li|\/div|\/h\d)\b[^<>]*>/gi, '\n')
        .replace(/<\/?[a-z!][^<>]*>/gi, '')
        .replace(/&(#?\w{1,8});/g, toLetter)
    : text;

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
export interface FeedText {
  readonly text: string;
  readonly is_whole: boolean;
}

function cut(text: string, max: number): FeedText {
  if (text.length <= max) return { text, is_whole: true };
  return { text: `${text.slice(0, max - 1).replace(/\s+\S*$/, '')}…`, is_whole: false };
}

/** One line. */
export const toFeedLine = (value: string, max: number): FeedText =>
  cut(toCleanLine(withoutHtml(withoutEscapes(value))), max);

/** Lines and paragraphs. */
export function toFeedText(value: string, max: number): FeedText {
  const text = toCleanText(withoutHtml(withoutEscapes(value)));
  const few = toCleanText(withFewLinks(text));
  const short = cut(few, max);
  return { text: short.text, is_whole: short.is_whole && few === text };
}
