// Text without case and accents: what search, slugs and names are compared by (contract 7.13).

/** Lower case, compatibility forms resolved, marks removed: `MÚSICA` and `musica` fold alike. */
export function foldText(text: string): string {
  // Most words of most questions have nothing to resolve.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}

/** The folded words of a text: runs of letters and digits, and each pictograph by itself. */
export function splitWords(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? [];
}

/** The words that a text is found by: those with an apostrophe also without it, `Lu’um` as `luum`. */
export const splitSearchWords = (text: string): string[] =>
  [text, ...(text.match(/\S+['’]\S+/g) ?? []).map((word) => word.replace(/['’]/g, ''))].flatMap(
    splitWords,
  );

/** Folded words joined by hyphens, at most 80 characters; empty where nothing is left. */
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
