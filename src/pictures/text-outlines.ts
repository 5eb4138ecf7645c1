// Text outlines: converts text to SVG paths in the site's display font, so that rendering needs no
// installed fonts, and breaks it into lines at the largest font size that fits.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import opentype from 'opentype.js';

const FAMILY = '@fontsource/big-shoulders-display/files/big-shoulders-display';
/** Searched in this order; each has letters that the previous ones lack. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const;

let fonts: readonly opentype.Font[] | null = null;

function readFont(subset: string): opentype.Font {
  const path = fileURLToPath(import.meta.resolve(`${FAMILY}-${subset}-800-normal.woff`));
  return opentype.parse(new Uint8Array(readFileSync(path)).buffer);
}

function findFont(letter: string): opentype.Font | undefined {
  fonts ??= SUBSETS.map(readFont);
  return fonts.find((font) => font.charToGlyphIndex(letter) > 0);
}

/**
 * Returns the letter if the fonts have it, else the letter without its diacritics, else an empty
 * text.
 */
function toDrawableLetter(letter: string): string {
  if (findFont(letter)) return letter;
  const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...plain].every(findFont) ? plain : '';
}

/** A text is drawn only if the fonts have at least this share of its letters and digits. */
const MIN_DRAWABLE_SHARE = 0.8;

const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/**
 * Converts a text to one line of drawable letters: removes emoji and signs that the fonts lack.
 * Empty if the text is mostly in a script that the fonts lack.
 */
export function toDrawableText(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/gu, ' ');
  const drawn = [...line].map(toDrawableLetter).join('').replace(/ +/g, ' ').trim();
  return countLetters(drawn) < countLetters(line) * MIN_DRAWABLE_SHARE ? '' : drawn;
}

/**
 * Measures the width of a text at a font size, both in pixels. Ignores kerning, which makes it
 * slightly narrower.
 */
export const measureText = (text: string, size: number): number =>
  [...text].reduce((width, letter) => {
    const font = findFont(letter);
    return font ? width + (font.charToGlyph(letter).advanceWidth ?? 0) / font.unitsPerEm : width;
  }, 0) * size;

/**
 * Formats a path command, rounded to tenths. The library's own rounding returns NaN for some
 * numbers.
 */
function formatPathCommand(command: opentype.PathCommand): string {
  if (command.type === 'Z') return 'Z';
  const points = [
    ...('x1' in command ? [command.x1, command.y1] : []),
    ...('x2' in command ? [command.x2, command.y2] : []),
    ...[command.x, command.y],
  ];
  return `${command.type}${points.map((value) => Math.round(value * 10) / 10).join(' ')}`;
}

/**
 * Returns the outline of a text (the `d` of an SVG path) that starts at (`x`, `y`), the left end of
 * its baseline.
 */
export function textOutline(text: string, x: number, y: number, size: number): string {
  // Runs of letters from the same font; letters that no font has are skipped.
  const runs: { readonly font: opentype.Font; text: string }[] = [];
  for (const letter of text) {
    const font = findFont(letter);
    const last = runs.at(-1);
    if (last?.font === font && last) last.text += letter;
    else if (font) runs.push({ font, text: letter });
  }
  let run_x = x;
  return runs
    .map(({ font, text: run_text }) => {
      const path = font.getPath(run_text, run_x, y, size).commands.map(formatPathCommand).join('');
      run_x += font.getAdvanceWidth(run_text, size);
      return path;
    })
    .join('');
}

/** Box for a text, in pixels. */
export interface TextBox {
  readonly width: number;
  /**
   * Font sizes and their line limits, tried in this order. At the last one the text is truncated.
   */
  readonly steps: readonly (readonly [size: number, max_lines: number])[];
}

const ELLIPSIS = '…';
/** Longer than any poster can show; the rest is not measured. */
const MAX_LENGTH = 240;

function breakLines(text: string, width: number, size: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measureText(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function truncateLine(line: string, width: number, size: number): string {
  let letters = [...line];
  while (letters.length > 0 && measureText(letters.join('') + ELLIPSIS, size) > width)
    letters = letters.slice(0, -1);
  return `${letters.join('').replace(/[\s,;:.]+$/, '')}${ELLIPSIS}`;
}

/**
 * Breaks a text into lines at the first step that fits it, or truncates it at the last one. Empty
 * for an empty text.
 */
export function fitTextInBox(text: string, { width, steps }: TextBox) {
  const limited = text.slice(0, MAX_LENGTH);
  for (const [size, max_lines] of steps) {
    const lines = breakLines(limited, width, size);
    if (lines.length <= max_lines && lines.every((line) => measureText(line, size) <= width))
      return { lines, size };
  }
  const [size, max_lines] = steps.at(-1) ?? [0, 0];
  const all_lines = breakLines(limited, width, size);
  const lines = all_lines.slice(0, max_lines).map((line, index) => {
    const is_last_of_more = index === max_lines - 1 && all_lines.length > max_lines;
    const fits = measureText(line, size) <= width && !is_last_of_more;
    return fits ? line : truncateLine(line, width, size);
  });
  return { lines, size };
}
