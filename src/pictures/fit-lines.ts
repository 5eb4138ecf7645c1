// A text broken into lines of a width, as large as fits, cut with … where it does not.
import { measure } from './lettering.ts';

/** The room that a text has, in pixels. */
export interface Room {
  readonly width: number;
  /** Sizes in pixels, and how many lines of each there is room for. Tried in this order; the last cuts. */
  readonly steps: readonly (readonly [size: number, max_lines: number])[];
}

/** A text that fits. */
export interface Fitted {
  readonly lines: readonly string[];
  readonly size: number;
}

const CUT = '…';

/** A word that is wider than a line, in pieces that are not. */
function breakWord(word: string, width: number, size: number): readonly string[] {
  if (measure(word, size) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const letter of word) {
    if (piece !== '' && measure(piece + letter, size) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += letter;
  }
  return [...pieces, piece];
}

function toLines(text: string, width: number, size: number): readonly string[] {
  const words = text.split(' ').flatMap((word) => breakWord(word, width, size));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && measure(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A line with … at its end, shortened until that fits. */
function cutLine(line: string, width: number, size: number): string {
  let kept = [...line];
  while (kept.length > 0 && measure(kept.join('') + CUT, size) > width) kept = kept.slice(0, -1);
  return `${kept.join('').replace(/[\s,;:.]+$/, '')}${CUT}`;
}

/** Longer than any poster can show: the rest is not even measured. */
const MAX_LENGTH = 240;

/** The lines of a text at the first of the steps at which all of it fits; none of an empty one. */
export function fitLines(text: string, { width, steps }: Room): Fitted {
  const [smallest, most] = steps.at(-1) ?? [0, 0];
  if (text === '') return { lines: [], size: smallest };
  const known = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} ${CUT}` : text;
  for (const [size, max_lines] of steps) {
    const is_broken = known.split(' ').some((word) => measure(word, size) > width);
    const lines = toLines(known, width, size);
    if (lines.length <= max_lines && (!is_broken || size === smallest)) return { lines, size };
  }
  const lines = toLines(known, width, smallest).slice(0, most);
  return {
    lines: [...lines.slice(0, -1), cutLine(lines.at(-1) ?? '', width, smallest)],
    size: smallest,
  };
}
