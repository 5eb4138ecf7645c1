// Strangers' text as we store it: NFC, without control, zero-width, direction and tag characters (contract 14.8).

/**
 * Controls, lone surrogates, what is no character, line separators, and all that Unicode says is
 * not to be seen: soft hyphens, fillers, zero-width and direction marks, tags. Joiners and the
 * selectors of emoji have their own rules below.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]--[\u200d\ufe0e\ufe0f]]/gv;

/** A selector that chooses nothing hides text: each may stand for a letter. */
const LOOSE_SELECTOR = /(?<![\p{Emoji}])[\ufe0e\ufe0f]/gu;

/** More marks on one letter than any language writes cover the lines above and below. */
const HEAPED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A joiner that joins no pictographs is a hidden character like any other. */
const LOOSE_JOINER =
  /(?<!\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** One line, every run of white space (an empty Braille cell too) one space, nothing invisible. */
export function cleanLine(text: string): string {
  const visible = text
    .replace(/(?:[^\S\ufeff]|\u2800)+/g, ' ')
    .replace(INVISIBLE, '')
    .replace(LOOSE_JOINER, '')
    .replace(LOOSE_SELECTOR, '');
  return visible.normalize('NFC').replace(HEAPED_MARKS, '$1').replace(/ {2,}/g, ' ').trim();
}

/** Lines and paragraphs: at most one blank line in a row, each line as cleanLine. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
