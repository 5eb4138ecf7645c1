// Strangers' text made plain: no control, invisible or direction characters, before it enters any
// format.

/**
 * Controls, soft hyphens, zero-width spaces and marks, direction overrides and isolates, tags;
 * joiners of emoji stay.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** One line: every run of white space is one space. */
export function toLine(text: string): string {
  return text
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .replace(INVISIBLE, '')
    .trim();
}

/** Paragraphs (parted by blank lines) of lines; neither is ever empty. */
export function toParagraphs(text: string): string[][] {
  return text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((paragraph) =>
      paragraph
        .split(/[\n\r\u2028\u2029]+/)
        .map(toLine)
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0);
}

/** Several paragraphs as plain text: line ends and blank lines stay, everything else as toLine. */
export function toPlainText(text: string): string {
  return toParagraphs(text)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
