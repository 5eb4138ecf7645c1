// Duplicate detection: compares events by day, venue and title, and matches venue names by
// similarity (contract 14.19).
import { isYearWord } from '../word-matching.ts';
import { TOWN } from '../../town.ts';
import { editDistance } from '../query/suggestions.ts';
import { foldText, splitWords } from '../text-folding.ts';
import { DEFAULT_LANG, LANGS, type LocalText } from '../lang.ts';
import { findUniqueByName } from '../place-text.ts';
import type { TaxonRecord } from '../taxon.ts';
import { SUBMISSION_LIMITS } from './field-rules.ts';

/** The compared fields of an event: titles in all languages, days as YYYY-MM-DD. */
export interface DuplicateCandidate {
  readonly titles: readonly string[];
  readonly days: readonly string[];
  /** Id of the venue; `venue_name` is set if there is no id. */
  readonly venue: string | null;
  readonly venue_name: string | null;
}

/** Words that do not identify an event. */
const COMMON_TITLE_WORDS: ReadonlySet<string> = new Set([
  ...'de del la el los las en y con para un una the of in at and a'.split(' '),
  ...TOWN.left_out,
]);
/**
 * Minimum similarity, 0 to 1: of titles at the same venue and at different ones; of a venue's name
 * to suggest the venue to the sender, and to use it without asking.
 */
const THRESHOLDS = { same_venue: 0.3, elsewhere: 0.6, suggest: 0.5, accept: 0.6 } as const;

/**
 * Computes 0 to 1: the mean of the shares of common words in the shorter text and in both texts
 * together.
 */
const computeSimilarity = (shared: number, a: number, b: number): number =>
  shared === 0 ? 0 : (shared / Math.min(a, b) + shared / (a + b - shared)) / 2;

const distinctiveWords = (title: string): Set<string> =>
  new Set(splitWords(title).filter((word) => !COMMON_TITLE_WORDS.has(word) && !isYearWord(word)));

/** Computes 0 to 1 from the distinctive words of two titles. */
export function titleSimilarity(a: string, b: string): number {
  const [words_a, words_b] = [distinctiveWords(a), distinctiveWords(b)];
  return computeSimilarity(words_a.intersection(words_b).size, words_a.size, words_b.size);
}

function isSameVenue(a: DuplicateCandidate, b: DuplicateCandidate): boolean {
  if (a.venue !== null && b.venue !== null) return a.venue === b.venue;
  return (
    a.venue_name !== null &&
    b.venue_name !== null &&
    foldText(a.venue_name) === foldText(b.venue_name)
  );
}

/**
 * Tests whether two events may be the same, so that an editor should compare them.
 * @param is_sure Stricter: tests whether they are the same without any review.
 */
export function isLikelyDuplicate(
  a: DuplicateCandidate,
  b: DuplicateCandidate,
  is_sure = false,
): boolean {
  if (!a.days.some((day) => b.days.includes(day))) return false;
  const is_same_venue = isSameVenue(a, b);
  if (is_sure && !is_same_venue) return false;
  const threshold = is_same_venue && !is_sure ? THRESHOLDS.same_venue : THRESHOLDS.elsewhere;
  return a.titles.some((title) =>
    b.titles.some((other) => titleSimilarity(title, other) >= threshold),
  );
}

/** The fields that identify a venue. */
export interface NamedPlace {
  readonly id: string;
  readonly slug: LocalText;
  readonly name: string;
}

/**
 * Pairs each venue with an unambiguous name: `Casa Maya (casa-maya-2)` if another one has the same
 * name.
 */
export function disambiguateNames<T extends NamedPlace>(
  venues: readonly T[],
): readonly (readonly [string, T])[] {
  const by_name = Map.groupBy(venues, ({ name }) => foldText(name));
  return venues.map((venue) => [
    by_name.get(foldText(venue.name))?.length === 1
      ? venue.name
      : `${venue.name} (${venue.slug[DEFAULT_LANG]})`,
    venue,
  ]);
}

/** Finds the venue with an unambiguous name. @returns null if no or several venues match. */
export function findByExactName<T extends NamedPlace>(
  venues: readonly T[],
  text: string,
): T | null {
  const [, slug] = /\(([a-z0-9-]+)\)$/.exec(text) ?? [];
  const by_slug = venues.find((venue) => venue.slug[DEFAULT_LANG] === slug);
  if (by_slug) return by_slug;
  const [match, ...others] = venues.filter(({ name }) => foldText(name) === foldText(text));
  return match !== undefined && others.length === 0 ? match : null;
}

/** Words common in venue names. */
const COMMON_VENUE_WORDS: ReadonlySet<string> = new Set([
  ...'a al and at de del e el en in la las lo los of the y'.split(' '),
  ...TOWN.left_out,
]);

const listDistinctiveWords = (name: string): readonly string[] => {
  const words = splitWords(name);
  const distinctive = words.filter((word) => !COMMON_VENUE_WORDS.has(word));
  return distinctive.length > 0 ? distinctive : words;
};

/** Tests for equal words, up to one typing error, or two from eight letters. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= 4 && editDistance(a, b) <= (a.length < 8 ? 1 : 2));

function compareNames(a: readonly string[], b: readonly string[]): number {
  const shared = a.filter((word) => b.some((other) => isSameWord(word, other))).length;
  return computeSimilarity(shared, a.length, b.length);
}

/** Most venues that the form suggests. */
const MAX_SUGGESTIONS = 4;

/** Lists the venues with a similar name, the most similar first; at most MAX_SUGGESTIONS. */
export function listSimilarVenues<T extends Pick<NamedPlace, 'name'>>(
  venues: readonly T[],
  text: string,
  threshold: number = THRESHOLDS.suggest,
): readonly T[] {
  const words = listDistinctiveWords(text);
  return venues
    .map((venue) => ({ venue, similarity: compareNames(words, listDistinctiveWords(venue.name)) }))
    .filter(({ similarity }) => similarity >= threshold)
    .sort((a, b) => b.similarity - a.similarity || (a.venue.name < b.venue.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ venue }) => venue);
}

/**
 * Suggests a venue for the location text of a calendar: id and name of a known venue, or name,
 * address and zone of a new one. All fields are empty if the text is empty or a link.
 */
export function suggestVenue(
  location: string,
  venues: readonly Pick<NamedPlace, 'id' | 'name'>[],
  zones: readonly TaxonRecord[],
) {
  if (location === '' || /^(https?:\/\/|www\.)/i.test(location))
    return { venue: null, name: '', address: '', zone: '' };
  const name_end = location.search(/\s*[,;|]\s*|\s+-\s+/);
  const first_part = name_end < 1 ? location : location.slice(0, name_end);
  const [similar = null] = listSimilarVenues(venues, first_part, THRESHOLDS.accept);
  const known =
    findUniqueByName(venues, location) ?? findUniqueByName(venues, first_part) ?? similar;
  if (known !== null) return { venue: known.id, name: known.name, address: '', zone: '' };
  const text = foldText(location);
  const zone = zones.find(({ name }) => LANGS.some((lang) => text.includes(foldText(name[lang]))));
  return {
    venue: null,
    name: first_part.slice(0, SUBMISSION_LIMITS.name),
    address: name_end < 1 ? '' : location.slice(first_part.length).replace(/^[\s,;|-]+/, ''),
    zone: zone?.key ?? '',
  };
}
