// What the search reads of an event and how a searched word matches it: by its beginning, in the other
// number; where nothing matches so, in another form; then with one slip (contract 7.13 to 7.15).
import type { EventRecord } from './event/event.ts';
import { toWords } from './folding.ts';
import { LANGS } from './lang.ts';
import type { Taxonomy } from './taxon.ts';

// Words that say nothing of what somebody looks for, folded, in both languages: articles, what stands between
// words, and what every event is.
const ES =
  'a al algo alguna alguno con como cual cuando cuanto cosas de del desde donde e el en entre es esta este esto hace hacer hay ir la las le lo los mas me mi o para pero por puedo que quiero se ser si sobre son su sus un una unas unos ver y ya actividad actividades evento eventos plan planes';
const EN =
  'a about an and any are around at be by can do does find for from go going happening how i in is it me my near of on or s some that the there these things this to up want we what when where which with you your activity activities event events';

const SILENT_WORDS: ReadonlySet<string> = new Set(`${ES} ${EN}`.split(' '));

/** Where a plural ends and what its singular ends in; Spanish and English (`luces`, `parties`). */
const PLURALS = [
  ['ces', 'z'],
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
] as const;
/** What is shorter is no plural: `mas`, `bus`. */
const MIN_PLURAL_LENGTH = 4;

/**
 * A folded word in the other number, whether or not such a word exists: `museos` gives `museo`,
 * `luz` gives `luces`. What only adds letters (`museo`, `museos`) is a beginning and not listed.
 */
export function toOtherNumbers(word: string): readonly string[] {
  if (word.length < MIN_PLURAL_LENGTH - 1) return [];
  const singulars = PLURALS.flatMap(([plural, singular]) =>
    word.length >= MIN_PLURAL_LENGTH && word.endsWith(plural)
      ? [word.slice(0, -plural.length) + singular]
      : [],
  );
  const plurals = PLURALS.flatMap(([plural, singular]) =>
    singular !== '' && word.endsWith(singular) ? [word.slice(0, -singular.length) + plural] : [],
  );
  return [...singulars, ...plurals];
}

/** Shorter words are too near to everything to be forgiven a slip. */
export const MIN_FORGIVEN_LENGTH = 5;

/**
 * Whether one word becomes the other by one letter added, lost, changed or swapped with its
 * neighbour. Stops at the first difference, for every word of the index is compared.
 */
export function isOneSlipApart(a: string, b: string): boolean {
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

/** Whether both are forms of one word: `recycle` and `recycling`. */
export const sharesStem = (wanted: string, word: string): boolean =>
  toStem(wanted) === toStem(word);

/** Whether a searched word of five letters or more, or its other number, is a text's word but for one slip. */
export const nearlyMatchesWord = (wanted: string, word: string): boolean =>
  wanted.length >= MIN_FORGIVEN_LENGTH &&
  [wanted, ...toOtherNumbers(wanted)].some(
    (each) => each.length >= MIN_FORGIVEN_LENGTH && isOneSlipApart(each, word),
  );

/** Whether a folded word says nothing by itself: `de`, `the`. */
export const isSilent = (word: string): boolean => SILENT_WORDS.has(word);

/** The searched words without those that say nothing; all of them where no other is left. */
export function dropSilent(wanted: readonly string[]): readonly string[] {
  const telling = wanted.filter((word) => !isSilent(word));
  return telling.length === 0 ? wanted : telling;
}

/** How a searched word was read that no event has as it stands. Folded words. */
export interface Spelling {
  readonly word: string;
  readonly read_as: readonly string[];
}

// The stem of a folded word: what is left without the ending by which the same word is another part
// of speech, gender or tense. A table and no stemmer: those know accents, which folding takes away,
// and cut until unlike words meet (contract 7.13).

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

/** As content/search-words.yml has it: words or short phrases, in any language. */
export interface SearchVocabulary {
  /** Each list means one thing. */
  readonly same: readonly (readonly string[])[];
  /** What is free is called so. */
  readonly free: readonly string[];
}

/** Folded words between spaces, so that a phrase is found whole. */
const toLine = (words: readonly string[]): string => ` ${words.join(' ')} `;

/**
 * The further words of a text: of each list that it has an entry of, in either number, all entries.
 * Made once a vocabulary, for every event is asked.
 */
export function createAddWords({
  same,
}: Pick<SearchVocabulary, 'same'>): (text: string) => readonly string[] {
  const named = same.flatMap((entries, list) =>
    entries.map((entry) => ({ words: toWords(entry), list })),
  );
  const phrases = named.filter(({ words }) => words.length > 1);
  const by_word = Map.groupBy(named, ({ words }) => (words.length === 1 ? words[0] : undefined));
  return (text) => {
    const words = toWords(text);
    const line = toLine(words);
    const forms = new Set(words.flatMap((word) => [word, ...toOtherNumbers(word)]));
    const there = [
      ...phrases.filter((phrase) => line.includes(toLine(phrase.words))),
      ...[...forms].flatMap((form) => by_word.get(form) ?? []),
    ];
    const lists = new Set(there.map(({ list }) => list));
    return same.filter((_, list) => lists.has(list)).flat();
  };
}

interface Searched {
  readonly venues: readonly { readonly id: string; readonly name: string }[];
  readonly organizers: readonly { readonly id: string; readonly name: string }[];
  readonly taxonomy: Taxonomy;
  readonly search_words: SearchVocabulary;
}

/**
 * What `q` reads of an event of a dataset, in every language: title, summary, tags and the names of its
 * venue, organizer, category and zone; with other words for the same, and for what is free (contract 7.13).
 */
export function createSearchText({
  venues,
  organizers,
  taxonomy: { categories, zones },
  search_words,
}: Searched): (event: EventRecord) => string {
  const names = new Map([...venues, ...organizers].map(({ id, name }) => [id, name]));
  const addWords = createAddWords(search_words);
  return ({ title, summary, tags, venue, organizer, category, zone, price }) => {
    const taxa = [
      ...categories.filter(({ key }) => key === category),
      ...zones.filter(({ key }) => key === zone),
    ];
    const own = [
      ...LANGS.map((lang) => title[lang]),
      ...LANGS.map((lang) => summary[lang]),
      ...tags,
      names.get(venue ?? '') ?? '',
      names.get(organizer ?? '') ?? '',
      ...taxa.flatMap((taxon) => [...LANGS.map((lang) => taxon.name[lang]), ...taxon.search_words]),
    ].join(' ');
    return [own, ...addWords(own), ...(price.is_free ? search_words.free : [])].join(' ');
  };
}
