// Word matching: matches a search word with a word of a text by prefix, in singular and plural; if
// nothing matches, by stem; then by sound or with one typo (contract 7.13 to 7.15).
import { TOWN } from '../town.ts';
import { splitWords } from './text-folding.ts';

// Folded stop words in both languages: articles, prepositions, words for any event, words of a
// question about one (`precio`, `opening hours`), and the town's name.
const STOP_WORD_LISTS = {
  es: 'a al algo alguna alguno con como cual cuando cuanto cosas de del desde donde e el en entre es esta este esto hace hacer hay ir k la las le lo los mas me mi o para pero por puedo q que quiero se ser si sobre son su sus un una unas unos va van ver y ya actividad actividades evento eventos plan planes',
  en: 'a about an and any are around at be by can do does find for from get getting go going happening how i in is it me my near of on or s some that the there these things this to tour tours up want we what when where which will with you your activity activities event events',
  es_questions:
    'abierto abierta abiertos abiertas abre abren barato barata baratos baratas boleto boletos cierra cierran costo costos cuesta cuestan direccion entrada entradas hora horas horario horarios llegar llego mes precio precios queda telefono tiene tienen ubicacion',
  en_questions:
    'address cheap cost costs directions entrance fee hour hours location month much open opening phone price prices schedule ticket tickets time times',
};
/** A year near the present. */
const YEAR_PATTERN = /^20[2-9]\d$/;
export const isYearWord = (word: string): boolean => YEAR_PATTERN.test(word);
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(STOP_WORD_LISTS).join(' ').split(' '),
  ...TOWN.left_out,
]);

/** Plural endings and their singulars, Spanish and English (`luces`, `parties`). */
const PLURALS = [
  ['ces', 'z'],
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
] as const;
/** Shorter words are not plurals: `mas`, `bus`. */
const MIN_PLURAL_LENGTH = 4;
/** Shorter results are abbreviations: `aves` is not `av.` */
const MIN_SINGULAR_LENGTH = 3;

/**
 * Returns a folded word in the other grammatical number, whether or not such a word exists:
 * `museos` gives `museo`, `luz` gives `luces`. Plurals that only add letters (`museo`, `museos`)
 * are left out: they match by prefix.
 */
export function switchGrammaticalNumber(word: string): readonly string[] {
  if (word.length < MIN_PLURAL_LENGTH - 1) return [];
  const singulars = PLURALS.flatMap(([plural, singular]) =>
    word.length - plural.length + singular.length >= MIN_SINGULAR_LENGTH &&
    word.length >= MIN_PLURAL_LENGTH &&
    word.endsWith(plural)
      ? [word.slice(0, -plural.length) + singular]
      : [],
  );
  const plurals = PLURALS.flatMap(([plural, singular]) =>
    singular !== '' && word.endsWith(singular) ? [word.slice(0, -singular.length) + plural] : [],
  );
  return [...singulars, ...plurals];
}

/**
 * Words up to this length are the prefix of too many others: `bar` of `barrio`, `mar` of `martes`.
 */
export const MAX_SHORT_LENGTH = 3;

/** Shorter words are too close to many others for fuzzy matching. */
export const MIN_FUZZY_LENGTH = 5;

/**
 * Returns true if one letter added, removed, changed or swapped with its neighbor turns one word
 * into the other. Optimized, as it runs for every word of the index.
 */
function isOneTypoApart(a: string, b: string): boolean {
  const min_length = Math.min(a.length, b.length);
  const max_length = Math.max(a.length, b.length);
  if (a === b || max_length - min_length > 1) return false;
  let prefix_length = 0;
  while (prefix_length < max_length && a[prefix_length] === b[prefix_length]) prefix_length += 1;
  let suffix_length = 0;
  const max_suffix_length = min_length - prefix_length;
  while (suffix_length < max_suffix_length && a.at(-1 - suffix_length) === b.at(-1 - suffix_length))
    suffix_length += 1;
  const rest_a = a.slice(prefix_length, a.length - suffix_length);
  const rest_b = b.slice(prefix_length, b.length - suffix_length);
  if (rest_a.length <= 1 && rest_b.length <= 1) return true;
  return rest_a.length === 2 && rest_b.length === 2 && rest_a === `${rest_b[1]}${rest_b[0]}`;
}

/** Letters that sound alike in local Spanish, in this order: `sargaso` sounds like `sargazo`. */
const SOUNDS = [
  [/(?<!c)h/g, ''],
  [/c(?=[ei])|z/g, 's'],
  [/qu(?=[ei])|c(?!h)|q/g, 'k'],
  [/v/g, 'b'],
  [/ll/g, 'y'],
  [/x|g(?=[ei])/g, 'j'],
  [/y$/, 'i'],
  [/(.)\1+/g, '$1'],
] as const;

/** Computes a key for the sound of a folded word, shared by its spellings. */
export const phoneticKey = (word: string): string =>
  SOUNDS.reduce((sound, [letters, replacement]) => sound.replace(letters, replacement), word);

/** Returns true if both are forms of one word: `recycle` and `recycling`. */
export const sharesStem = (search_word: string, word: string): boolean =>
  stemWord(search_word) === stemWord(word);

/**
 * Returns true if a search word of five letters or more, or its other number, differs from the word
 * by one typo.
 */
export const isFuzzyMatch = (search_word: string, word: string): boolean =>
  search_word.length >= MIN_FUZZY_LENGTH &&
  [search_word, ...switchGrammaticalNumber(search_word)].some(
    (form) => form.length >= MIN_FUZZY_LENGTH && isOneTypoApart(form, word),
  );

/** Returns true for a folded stop word: `de`, `the`. */
export const isStopWord = (word: string): boolean =>
  STOP_WORDS.has(word) || YEAR_PATTERN.test(word);

/** Removes the stop words, unless there are no other words. */
export function removeStopWords(words: readonly string[]): readonly string[] {
  const significant = words.filter((word) => !isStopWord(word));
  return significant.length === 0 ? words : significant;
}

/** Returns true if each search word, without stop words, is the prefix of a word of the name. */
export const matchesName = (name: string, words: readonly string[]): boolean =>
  removeStopWords(words).every((word) => ` ${splitWords(name).join(' ')}`.includes(` ${word}`));

/** A search word that no event contains, and the words that replace it (`read_as`); all folded. */
export interface SpellingCorrection {
  readonly word: string;
  readonly read_as: readonly string[];
}

/**
 * Endings of Spanish and English words, longest first; stemWord removes one at most. This table is
 * used instead of a stemmer: stemmers expect accents, which folding removes, and cut until
 * different words coincide (contract 7.13).
 */
const ENDINGS =
  `aciones amiento imiento iciones uitos uitas uito uita ajes aje adores adoras iendo acion icion
  ando ador idad ados adas idos idas istas icos icas ado ada ido ida ista ico ica ales eros eras
  ito ita ar er ir al ero era ia io ias ios an en as os es a o e ings ing ers ied ed ly s y`
    .split(/\s+/)
    .toSorted((a, b) => b.length - a.length);

/** Shorter stems are shared by too many words. */
const MIN_STEM_LENGTH = 5;

/** Returns the stem of a folded word; the word itself if it has no removable ending. */
export function stemWord(word: string): string {
  const ending = ENDINGS.find(
    (candidate) => word.endsWith(candidate) && word.length - candidate.length >= MIN_STEM_LENGTH,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}
