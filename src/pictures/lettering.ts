// Words as outlines in the site's own type, so that a poster needs no font where it is drawn.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import opentype from 'opentype.js';

const FAMILY = '@fontsource/big-shoulders-display/files/big-shoulders-display';
/** Each has letters that those before it lack. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const;

let fonts: readonly opentype.Font[] | null = null;
/** The font of each letter that was asked for; null where none has it. At most as many as there are letters. */
const by_letter = new Map<string, opentype.Font | null>();

/** Read on first use: most processes draw nothing. */
function readFonts(): readonly opentype.Font[] {
  fonts ??= SUBSETS.map((subset) => {
    const path = fileURLToPath(import.meta.resolve(`${FAMILY}-${subset}-800-normal.woff`));
    const bytes = new Uint8Array(readFileSync(path));
    return opentype.parse(bytes.buffer);
  });
  return fonts;
}

function findFont(letter: string): opentype.Font | null {
  const known = by_letter.get(letter);
  if (known !== undefined) return known;
  const found = readFonts().find((font) => font.charToGlyphIndex(letter) > 0) ?? null;
  by_letter.set(letter, found);
  return found;
}

/** Whether the type has a letter. */
const isDrawable = (letter: string): boolean => letter === ' ' || findFont(letter) !== null;

/** A letter that the type has: itself, or without its marks; nothing where it has neither. */
function toDrawableLetter(letter: string): string {
  if (isDrawable(letter)) return letter;
  const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...plain].every(isDrawable) ? plain : '';
}

/** Less than this part of its letters does not tell what a text says. */
const MOST = 0.8;

const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/**
 * A text as the type can write it, on one line: emoji and signs that it lacks are left out, and so
 * is a whole text in a script that it does not have.
 */
export function toDrawable(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/gu, ' ');
  const drawn = [...line].map(toDrawableLetter).join('').replace(/ +/g, ' ').trim();
  return countLetters(drawn) < countLetters(line) * MOST ? '' : drawn;
}

interface Run {
  readonly font: opentype.Font;
  readonly text: string;
}

/** Stretches that one font has; what none has is passed over. */
function toRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (const letter of text) {
    const font = findFont(letter);
    const last = runs.at(-1);
    if (font === null) continue;
    if (last?.font === font) runs[runs.length - 1] = { font, text: last.text + letter };
    else runs.push({ font, text: letter });
  }
  return runs;
}

/** Widths of letters, of their size: asked for again and again while lines are fitted. */
const widths = new Map<string, number>();

function toLetterWidth(letter: string): number {
  const known = widths.get(letter);
  if (known !== undefined) return known;
  const font = findFont(letter);
  const width = font ? (font.charToGlyph(letter).advanceWidth ?? 0) / font.unitsPerEm : 0;
  widths.set(letter, width);
  return width;
}

/** How wide a text is at a size, both in pixels; kerning makes it a little narrower. */
export const measure = (text: string, size: number): number =>
  [...text].reduce((width, letter) => width + toLetterWidth(letter), 0) * size;

const round = (value: number): number => Math.round(value * 10) / 10;

/** One step of an outline. The library's own rounding makes NaN of some numbers. */
function toStep(step: opentype.PathCommand): string {
  if (step.type === 'Z') return 'Z';
  const end = `${round(step.x)} ${round(step.y)}`;
  if (step.type === 'C')
    return `C${round(step.x1)} ${round(step.y1)} ${round(step.x2)} ${round(step.y2)} ${end}`;
  return step.type === 'Q' ? `Q${round(step.x1)} ${round(step.y1)} ${end}` : `${step.type}${end}`;
}

/** Its outline (the `d` of an SVG path) from (`x`, `y`), the left end of its baseline. */
export function toOutline(text: string, x: number, y: number, size: number): string {
  let at = x;
  return toRuns(text)
    .map(({ font, text: part }) => {
      const path = font.getPath(part, at, y, size).commands.map(toStep).join('');
      at += font.getAdvanceWidth(part, size);
      return path;
    })
    .join('');
}
