// The stem of a folded word: what is left without the ending by which the same word is another part
// of speech, gender or tense. A table and no stemmer: those know accents, which folding takes away,
// and cut until unlike words meet (contract 7.14).

/** Longest first. Spanish, then English; a word loses one of them at most. */
const ENDINGS = [
  ...['aciones', 'amiento', 'imiento', 'iciones'],
  ...['adores', 'adoras', 'iendo', 'acion', 'icion'],
  ...['ando', 'ador', 'idad', 'ados', 'adas', 'idos', 'idas', 'istas', 'icos', 'icas'],
  ...['ado', 'ada', 'ido', 'ida', 'ista', 'ico', 'ica', 'ales', 'eros', 'eras', 'ito', 'ita'],
  ...['ar', 'er', 'ir', 'al', 'ero', 'era', 'ia', 'io', 'ias', 'ios', 'an', 'en'],
  ...['as', 'os', 'es', 'a', 'o', 'e'],
  ...['ings', 'ing', 'ers', 'ied', 'ed', 'ly', 's', 'y'],
].toSorted((a, b) => b.length - a.length);

/** A shorter stem would be that of too many words. */
const MIN_STEM_LENGTH = 5;

/** What the word begins with, without its ending; the word itself where it has none to lose. */
export function toStem(word: string): string {
  const ending = ENDINGS.find(
    (each) => word.endsWith(each) && word.length - each.length >= MIN_STEM_LENGTH,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}
