// Words as outlines in the site's own type, so that a poster needs no font where it is drawn; broken into
// lines of a width, as large as fits.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import opentype from 'opentype.js';

const FAMILY = '@fontsource/big-shoulders-display/files/big-shoulders-display';
/** Each has letters that those before it lack. */
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

/** A letter that the type has: itself, or without its marks; nothing where it has neither. */
function toDrawableLetter(letter: string): string {
  if (findFont(letter)) return letter;
  const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...plain].every(findFont) ? plain : '';
}

/** Less than this part of its letters does not tell what a text says. */
const MOST = 0.8;

const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/**
 * A text as the type can write it, on one line: emoji and signs that it lacks are left out, and so
 * is a whole text in a script that it does not have.
 */
export function toDrawableText(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/gu, ' ');
  const drawn = [...line].map(toDrawableLetter).join('').replace(/ +/g, ' ').trim();
  return countLetters(drawn) < countLetters(line) * MOST ? '' : drawn;
}

/** How wide a text is at a size, both in pixels; kerning makes it a little narrower. */
export const measureText = (text: string, size: number): number =>
  [...text].reduce((width, letter) => {
    const font = findFont(letter);
    return font ? width + (font.charToGlyph(letter).advanceWidth ?? 0) / font.unitsPerEm : width;
  }, 0) * size;

/** One step of an outline. The library's own rounding makes NaN of some numbers. */
function toStep(step: opentype.PathCommand): string {
  if (step.type === 'Z') return 'Z';
  const points = [
    ...('x1' in step ? [step.x1, step.y1] : []),
    ...('x2' in step ? [step.x2, step.y2] : []),
    ...[step.x, step.y],
  ];
  return `${step.type}${points.map((value) => Math.round(value * 10) / 10).join(' ')}`;
}

/** Its outline (the `d` of an SVG path) from (`x`, `y`), the left end of its baseline. */
export function textOutline(text: string, x: number, y: number, size: number): string {
  // Stretches that one font has; what none has is passed over.
  const runs: { readonly font: opentype.Font; text: string }[] = [];
  for (const letter of text) {
    const font = findFont(letter);
    const last = runs.at(-1);
    if (last?.font === font && last) last.text += letter;
    else if (font) runs.push({ font, text: letter });
  }
  let at = x;
  return runs
    .map(({ font, text: part }) => {
      const path = font.getPath(part, at, y, size).commands.map(toStep).join('');
      at += font.getAdvanceWidth(part, size);
      return path;
    })
    .join('');
}

/** The room that a text has, in pixels. */
export interface TextBox {
  readonly width: number;
  /** Sizes in pixels, and how many lines of each there is room for. Tried in this order; the last cuts. */
  readonly steps: readonly (readonly [size: number, max_lines: number])[];
}

const CUT = '…';
/** Longer than any poster can show: the rest is not even measured. */
const MAX_LENGTH = 240;

function toLines(text: string, width: number, size: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measureText(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function cutLine(line: string, width: number, size: number): string {
  let kept = [...line];
  while (kept.length > 0 && measureText(kept.join('') + CUT, size) > width)
    kept = kept.slice(0, -1);
  return `${kept.join('').replace(/[\s,;:.]+$/, '')}${CUT}`;
}

/** The lines of a text at the first of the steps at which all of it fits; none of an empty one. */
export function fitTextInBox(text: string, { width, steps }: TextBox) {
  const known = text.slice(0, MAX_LENGTH);
  for (const [size, max_lines] of steps) {
    const lines = toLines(known, width, size);
    if (lines.length <= max_lines && lines.every((line) => measureText(line, size) <= width))
      return { lines, size };
  }
  const [size, most] = steps.at(-1) ?? [0, 0];
  const all = toLines(known, width, size);
  const lines = all.slice(0, most).map((line, at) => {
    const is_whole = measureText(line, size) <= width && (at < most - 1 || all.length <= most);
    return is_whole ? line : cutLine(line, width, size);
  });
  return { lines, size };
}
