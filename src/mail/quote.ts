// What strangers wrote, as it may stand in a letter: quoted, of bounded length, and nothing that a mail
// program makes a link of (contract 14.25).
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';

/** Characters of a line and of a text. */
const MAX = { line: 120, text: 600 } as const;

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

/** Addresses broken so that no program makes links of them, still readable. */
export const unlink = (text: string): string =>
  text
    .replace(/:\/\//g, ': //')
    .replace(/(?<=\S)@(?=\S)/g, ' @ ')
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=[\p{L}\p{N}_-]*\p{L})/gu, '[.]');

/** One line, after `> `. */
export const quoteLine = (text: string): string => `> ${cut(unlink(toCleanLine(text)), MAX.line)}`;

/** Each line after `> `. */
export const quoteText = (text: string): string =>
  cut(unlink(toCleanText(text)), MAX.text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
