// How a searched word matches a text's words: by its beginning, in the other number; where nothing
// matches so, in another form; then with one slip (contract 7.13, 7.14, 7.15).
import { toStem } from './word-stems.ts';

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
  /** The words that it was taken for, sorted. */
  readonly read_as: readonly string[];
}
