// Text cleaning: normalizes untrusted text to NFC without control, zero-width, direction and tag
// characters (contract 14.8).

/**
 * Controls, lone surrogates, noncharacters, line separators and default-ignorable code points: soft
 * hyphens, fillers, zero-width and direction marks, tags. Joiners and emoji variation selectors
 * have their own rules below.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]--[\u200d\ufe0e\ufe0f]]/gv;

/** Variation selectors without an emoji can hide text, one letter per selector. */
const LOOSE_SELECTOR = /(?<![\p{Emoji}])[\ufe0e\ufe0f]/gu;

/** More combining marks on one letter than any language uses cover the lines above and below. */
const HEAPED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A zero-width joiner outside of an emoji sequence is a hidden character. */
const LOOSE_JOINER =
  /(?<!\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/**
 * Cleans text to one line without invisible characters; each run of white space (or empty Braille
 * cells) is a space.
 */
export function cleanLine(text: string): string {
  const visible = text
    .replace(/(?:[^\S\ufeff]|\u2800)+/g, ' ')
    .replace(INVISIBLE, '')
    .replace(LOOSE_JOINER, '')
    .replace(LOOSE_SELECTOR, '');
  return visible.normalize('NFC').replace(HEAPED_MARKS, '$1').replace(/ {2,}/g, ' ').trim();
}

/** Cleans text of several lines: at most one blank line in a row, each line as cleanLine. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
