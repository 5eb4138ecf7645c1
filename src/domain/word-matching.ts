// How a searched word matches one of a text: by its beginning, in the other number; where nothing matches so,
// in another form; then by its sound or with one slip (contract 7.13 to 7.15).
import { TOWN } from '../town.ts';
import { splitWords } from './text-folding.ts';

// Words that say nothing of what somebody looks for, folded, in both languages: articles, what stands between
// words, what every event is, what is asked of a thing (`precio`, `opening hours`), and where everything is.
const SILENT = {
  es: 'a al algo alguna alguno con como cual cuando cuanto cosas de del desde donde e el en entre es esta este esto hace hacer hay ir k la las le lo los mas me mi o para pero por puedo q que quiero se ser si sobre son su sus un una unas unos va van ver y ya actividad actividades evento eventos plan planes',
  en: 'a about an and any are around at be by can do does find for from get getting go going happening how i in is it me my near of on or s some that the there these things this to tour tours up want we what when where which will with you your activity activities event events',
  es_asked:
    'abierto abierta abiertos abiertas abre abren barato barata baratos baratas boleto boletos cierra cierran costo costos cuesta cuestan direccion entrada entradas hora horas horario horarios llegar llego mes precio precios queda telefono tiene tienen ubicacion',
  en_asked:
    'address cheap cost costs directions entrance fee hour hours location month much open opening phone price prices schedule ticket tickets time times',
};
/** A year that somebody plans for. */
const YEAR = /^20[2-9]\d$/;
export const isYearWord = (word: string): boolean => YEAR.test(word);
const SILENT_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(SILENT).join(' ').split(' '),
  ...TOWN.left_out,
]);

/** Where a plural ends and what its singular ends in; Spanish and English (`luces`, `parties`). */
const PLURALS = [
  ['ces', 'z'],
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
] as const;
/** What is shorter is no plural: `mas`, `bus`. */
const MIN_PLURAL_LENGTH = 4;
/** What is shorter is an abbreviation: `aves` are not `av.` */
const MIN_SINGULAR_LENGTH = 3;

/**
 * A folded word in the other number, whether or not such a word exists: `museos` gives `museo`,
 * `luz` gives `luces`. What only adds letters (`museo`, `museos`) is a beginning and not listed.
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

/** So short a word is the beginning of too many others: `bar` of `barrio`, `mar` of `martes`. */
export const MAX_SHORT_LENGTH = 3;

/** Shorter words are too near to everything to be forgiven a slip. */
export const MIN_FUZZY_LENGTH = 5;

/**
 * Whether one word becomes the other by one letter added, lost, changed or swapped with its
 * neighbour. Stops at the first difference, for every word of the index is compared.
 */
function isOneSlipApart(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length);
  if (a === b || longer - Math.min(a.length, b.length) > 1) return false;
  let start = 0;
  while (start < longer && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [rest_a, rest_b] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (rest_a.length <= 1 && rest_b.length <= 1) return true;
  return rest_a.length === 2 && rest_b.length === 2 && rest_a === `${rest_b[1]}${rest_b[0]}`;
}

/** Letters that sound alike here, in order: `sargaso` and `sargazo`, `ekidad` and `equidad`. */
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

/** How a folded word sounds: what two spellings of it have in common. */
export const phoneticKey = (word: string): string =>
  SOUNDS.reduce((sound, [letters, as]) => sound.replace(letters, as), word);

/** Whether both are forms of one word: `recycle` and `recycling`. */
export const sharesStem = (wanted: string, word: string): boolean =>
  stemWord(wanted) === stemWord(word);

/** Whether a searched word of five letters or more, or its other number, is a text's word but for one slip. */
export const isFuzzyMatch = (wanted: string, word: string): boolean =>
  wanted.length >= MIN_FUZZY_LENGTH &&
  [wanted, ...switchGrammaticalNumber(wanted)].some(
    (each) => each.length >= MIN_FUZZY_LENGTH && isOneSlipApart(each, word),
  );

/** Whether a folded word says nothing by itself: `de`, `the`. */
export const isStopWord = (word: string): boolean => SILENT_WORDS.has(word) || YEAR.test(word);

/** The searched words without those that say nothing; all of them where no other is left. */
export function removeStopWords(wanted: readonly string[]): readonly string[] {
  const telling = wanted.filter((word) => !isStopWord(word));
  return telling.length === 0 ? wanted : telling;
}

/** Whether a name has the beginnings of all searched words that say something. */
export const matchesName = (name: string, words: readonly string[]): boolean =>
  removeStopWords(words).every((word) => ` ${splitWords(name).join(' ')}`.includes(` ${word}`));

/** How a searched word was read that no event has as it stands. Folded words. */
export interface SpellingCorrection {
  readonly word: string;
  readonly read_as: readonly string[];
}

// The stem of a folded word: what is left without the ending by which the same word is another part
// of speech, gender or tense. A table and no stemmer: those know accents, which folding takes away,
// and cut until unlike words meet (contract 7.13).

/** Longest first. Spanish, then English; a word loses one of them at most. */
const ENDINGS = [
  ...['aciones', 'amiento', 'imiento', 'iciones'],
  ...[
    'uitos',
    'uitas',
    'uito',
    'uita',
    'ajes',
    'aje',
    'adores',
    'adoras',
    'iendo',
    'acion',
    'icion',
  ],
  ...['ando', 'ador', 'idad', 'ados', 'adas', 'idos', 'idas', 'istas', 'icos', 'icas'],
  ...['ado', 'ada', 'ido', 'ida', 'ista', 'ico', 'ica', 'ales', 'eros', 'eras', 'ito', 'ita'],
  ...['ar', 'er', 'ir', 'al', 'ero', 'era', 'ia', 'io', 'ias', 'ios', 'an', 'en'],
  ...['as', 'os', 'es', 'a', 'o', 'e'],
  ...['ings', 'ing', 'ers', 'ied', 'ed', 'ly', 's', 'y'],
].toSorted((a, b) => b.length - a.length);

/** A shorter stem would be that of too many words. */
const MIN_STEM_LENGTH = 5;

/** What the word begins with, without its ending; the word itself where it has none to lose. */
export function stemWord(word: string): string {
  const ending = ENDINGS.find(
    (each) => word.endsWith(each) && word.length - each.length >= MIN_STEM_LENGTH,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}
