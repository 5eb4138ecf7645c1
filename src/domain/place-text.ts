// Place text: formats addresses in one line that any map finds, without repetitions; and matches
// venue names across spellings and languages (contract 14.14).
import { TOWN } from '../town.ts';
import { foldText, splitWords } from './text-folding.ts';
import { DEFAULT_LANG, LANGS } from './lang.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** Returns the town of a zone key; the main town if the zone is null or unknown. */
export const townOfZone = (zone: string | null): string =>
  TOWN.towns[zone ?? ''] ?? TOWN.name[DEFAULT_LANG];

/** Formats street and locality; omits a locality that is the zone, which pages show next to it. */
export function formatStreetLine(
  { address, locality }: Pick<VenueRecord, 'address' | 'locality'>,
  zone: TaxonRecord | null,
): string {
  const is_zone = zone !== null && LANGS.some((lang) => locality === zone.name[lang]);
  return [address, is_zone ? null : locality].filter((part) => part !== null).join(', ');
}

/** Removes the final period of a sentence, to continue the line, but not the one in `8 p.m.`. */
export const stripTrailingPeriod = (text: string): string =>
  text.trim().replace(/(?<!\.\p{L})\.$/u, '');

/** Shortens a venue name by its final parenthesis. */
export const stripTrailingParentheses = (name: string): string => name.replace(/ +\([^()]*\)$/, '');

/**
 * Joins the non-null parts, without final periods, and appends the town of `zone` and the state
 * unless a part already is just that name (a postal code before it does not matter).
 */
export function formatPlaceLine(parts: readonly (string | null)[], zone: string | null): string {
  const texts = parts.filter((part) => part !== null).map((part) => stripTrailingPeriod(part));
  const town_and_state = zone === null ? [TOWN.state] : [townOfZone(zone), TOWN.state];
  const folded_names = new Set(
    texts
      .flatMap((text) => text.split(/[,/]/))
      .map((name) => foldText(name.trim().replace(/^\d{5} /, ''))),
  );
  const missing = town_and_state.filter((name) => !folded_names.has(foldText(name)));
  return [...texts, ...missing].join(', ');
}

/** Formats a venue's postal address: `Av. Juárez 12, 97000 Mérida, Yucatán`. */
export const formatAddressLine = ({
  address,
  postal_code,
  locality,
  zone,
}: Pick<VenueRecord, 'address' | 'postal_code' | 'locality' | 'zone'>): string =>
  formatPlaceLine([address, postal_code === null ? locality : `${postal_code} ${locality}`], zone);

/** Folds a text for comparison, with a space around each word, so that only whole words match. */
const foldWithSpaces = (text: string): string =>
  ` ${foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/**
 * Lists the names that appear neither in `texts` (such as the page title) nor in an earlier name.
 */
export function listUnmentioned(
  names: readonly (string | null)[],
  texts: readonly string[],
): readonly string[] {
  const mentioned = texts.map(foldWithSpaces);
  const unmentioned: string[] = [];
  for (const name of names.filter((text) => text !== null)) {
    const padded = foldWithSpaces(name);
    if (mentioned.some((text) => text.includes(padded))) continue;
    mentioned.push(padded);
    unmentioned.push(name);
  }
  return unmentioned;
}

/** Optional words of a name: articles and prepositions. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a al and at de del e el en in la las lo los of the y'.split(' '),
);

/** Venue types in English and their Spanish equivalents, folded. */
const VENUE_TYPES: ReadonlyMap<string, string> = new Map([
  ['aquarium', 'acuario'],
  ['avenue', 'avenida'],
  ['beach', 'playa'],
  ['boardwalk', 'malecon'],
  ['church', 'iglesia'],
  ['cinema', 'cine'],
  ['dock', 'muelle'],
  ['gallery', 'galeria'],
  ['house', 'casa'],
  ['library', 'biblioteca'],
  ['market', 'mercado'],
  ['museum', 'museo'],
  ['park', 'parque'],
  ['pier', 'muelle'],
  ['square', 'plaza'],
  ['stadium', 'estadio'],
  ['street', 'calle'],
  ['theater', 'teatro'],
  ['theatre', 'teatro'],
]);
const VENUE_TYPE_WORDS: ReadonlySet<string> = new Set(VENUE_TYPES.values());
/** Town names, which some people append to a venue name. */
const TOWN_WORDS: ReadonlySet<string> = new Set(TOWN.left_out);

/** Lists the significant words of a name, translated to Spanish venue types and sorted. */
function listSignificantWords(name: string): readonly string[] {
  const words = splitWords(name);
  const significant = words.filter((word) => !SMALL_WORDS.has(word));
  return (significant.length > 0 ? significant : words)
    .map((word) => VENUE_TYPES.get(word) ?? word)
    .sort();
}

/** Computes a key: `Las Palapas Park` and `Parque de Las Palapas` both give `palapas parque`. */
const nameKey = (name: string): string => listSignificantWords(name).join(' ');

/**
 * Computes the key without the town's name.
 * @returns null if only a venue type remains.
 */
function townlessNameKey(name: string): string | null {
  const words = listSignificantWords(name).filter((word) => !TOWN_WORDS.has(word));
  return words.every((word) => VENUE_TYPE_WORDS.has(word)) ? null : words.join(' ');
}

/** Finds the only record with a key; null if several have it, or if the key is null. */
function findUnique<T extends { readonly name: string }>(
  records: readonly T[],
  key: string | null,
  getKey: (name: string) => string | null,
): T | null {
  if (key === null) return null;
  const [match, ...others] = records.filter((record) => getKey(record.name) === key);
  return match !== undefined && others.length === 0 ? match : null;
}

/** Finds the only record of that name; ignores the town's name if no record has the full name. */
export function findUniqueByName<T extends { readonly name: string }>(
  records: readonly T[],
  name: string,
): T | null {
  const key = nameKey(name);
  if (records.some((record) => nameKey(record.name) === key))
    return findUnique(records, key, nameKey);
  return findUnique(records, townlessNameKey(name), townlessNameKey);
}

/** Longest name to find in a text, in significant words. */
const MAX_NAME_WORDS = 6;

/**
 * Finds the distinct records that a text mentions. A single word counts only after `en` or `at`, or
 * if it is the only significant word of its phrase.
 */
export function findMentionedIn<T extends { readonly name: string }>(
  records: readonly T[],
  text: string,
): readonly T[] {
  const names = records.flatMap((record) =>
    [...new Set([nameKey(record.name), townlessNameKey(record.name)])].map((key) => ({
      key,
      record,
    })),
  );
  const names_by_key = Map.groupBy(names, ({ key }) => key);
  const mentioned = new Set<T>();
  for (const phrase of text.split(/[,.;:()|!¡?¿/\n]|\s[-–—]\s/)) {
    const words = listPhraseWords(phrase);
    const is_only_word = words.filter(({ word }) => !TOWN_WORDS.has(word)).length === 1;
    /** Finds the record with exactly these words as its name; null if there are several. */
    const findNamed = (candidate: typeof words): T | null => {
      const key = candidate
        .map(({ word }) => word)
        .sort()
        .join(' ');
      const [match, ...others] = names_by_key.get(key) ?? [];
      const is_name = candidate.length > 1 || is_only_word || candidate[0]?.follows_preposition;
      return match !== undefined && others.length === 0 && is_name ? match.record : null;
    };
    // At each word, the longest name wins, and the search continues after it.
    for (let start = 0; start < words.length; start += 1)
      for (let size = MAX_NAME_WORDS; size > 0; size -= 1) {
        const candidate = words.slice(start, start + size);
        const record = findNamed(candidate);
        if (record === null) continue;
        mentioned.add(record);
        start += candidate.length - 1;
        break;
      }
  }
  return [...mentioned];
}

/** Lists the significant words of a phrase; `follows_preposition`: shortly after `en` or `at`. */
function listPhraseWords(phrase: string) {
  const words = splitWords(phrase);
  return words.flatMap((word, index) => {
    if (SMALL_WORDS.has(word)) return [];
    const follows_preposition = words
      .slice(Math.max(0, index - 2), index)
      .some((previous) => /^(?:en|at)$/.test(previous));
    return [{ word: VENUE_TYPES.get(word) ?? word, follows_preposition }];
  });
}
