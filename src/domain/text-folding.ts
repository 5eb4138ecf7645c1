// Text folding: removes case and accents, for search, slugs and the comparison of names (contract
// 7.13).

/**
 * Folds to lower case without marks, compatibility forms and invisible characters, such as the soft
 * hyphens of copied texts: `MÚSICA` and `musica` fold alike.
 */
export function foldText(text: string): string {
  // Fast path: most search words are plain ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}

/** Splits a text into folded words: runs of letters and digits, and single pictographs. */
export function splitWords(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? [];
}

/** Splits a text into search words; words with an apostrophe also without it, `Lu’um` as `luum`. */
export const splitSearchWords = (text: string): string[] =>
  [text, ...(text.match(/\S+['’]\S+/g) ?? []).map((word) => word.replace(/['’]/g, ''))].flatMap(
    splitWords,
  );

/**
 * Joins the folded words by hyphens, up to 80 characters; empty if the title has no letters or
 * digits of a-z, 0-9.
 */
export function slugify(title: string): string {
  const words =
    foldText(title)
      .replace(/['’´`]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  let slug = '';
  for (const word of words) {
    const next = slug === '' ? word : `${slug}-${word}`;
    if (next.length > 80) break;
    slug = next;
  }
  return slug || (words[0] ?? '').slice(0, 80);
}
