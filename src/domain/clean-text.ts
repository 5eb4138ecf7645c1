// Strangers' text as we keep it: NFC, without control, zero-width, direction and tag characters (decisions, Submissions 4).

/** Controls, lone surrogates, soft hyphens, fillers, zero-width and direction marks, line separators, tags. */
const INVISIBLE = /\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** A joiner that joins no pictographs is a hidden character like any other. */
const LOOSE_JOINER = /(?<!\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** One line: every run of white space is one space, nothing invisible is left. */
export function toCleanLine(text: string): string {
  return text.replace(/[^\S\ufeff]+/g, ' ').replace(INVISIBLE, '').replace(LOOSE_JOINER, '').normalize('NFC').replace(/ {2,}/g, ' ').trim();
}

/** Lines and paragraphs: line ends are kept, at most one blank line in a row, each line as toCleanLine. */
export function toCleanText(text: string): string {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map(toCleanLine).join('\n').replace(/\n{3,}/g, '\n\n').trim();
}
