// Whether two events are likely the same one, and which place is meant by a name (contract 14.19).
import { isYearWord } from '../word-matching.ts';
import { TOWN } from '../../town.ts';
import { editDistance } from '../query/parameters.ts';
import { foldText, splitWords } from '../text-folding.ts';
import { DEFAULT_LANG, LANGS, type LocalText } from '../lang.ts';
import { findUniqueByName } from '../place-text.ts';
import type { TaxonRecord } from '../taxon.ts';
import { SUBMISSION_LIMITS } from './field-rules.ts';

/** What is compared; days as YYYY-MM-DD. */
export interface DuplicateCandidate {
  readonly titles: readonly string[];
  readonly days: readonly string[];
  /** The venue's id, and its name where it has no id. */
  readonly venue: string | null;
  readonly venue_name: string | null;
}

/** Words that say nothing of which event it is. */
const COMMON: ReadonlySet<string> = new Set([
  ...'de del la el los las en y con para un una the of in at and a'.split(' '),
  ...TOWN.left_out,
]);
/** How like titles must be at the same place, and anywhere; a place to be asked for, and to be taken. */
const NEEDED = { same_place: 0.3, elsewhere: 0.6, asked: 0.5, taken: 0.6 } as const;

/** 0 to 1: how many words of the shorter text and of both are shared, the mean of the two. */
const toLikeness = (shared: number, a: number, b: number): number =>
  shared === 0 ? 0 : (shared / Math.min(a, b) + shared / (a + b - shared)) / 2;

const toTitleWords = (title: string): Set<string> =>
  new Set(splitWords(title).filter((word) => !COMMON.has(word) && !isYearWord(word)));

/** By their telling words. */
export function titleSimilarity(a: string, b: string): number {
  const [one, other] = [toTitleWords(a), toTitleWords(b)];
  return toLikeness(one.intersection(other).size, one.size, other.size);
}

function isSamePlace(a: DuplicateCandidate, b: DuplicateCandidate): boolean {
  if (a.venue !== null && b.venue !== null) return a.venue === b.venue;
  return (
    a.venue_name !== null &&
    b.venue_name !== null &&
    foldText(a.venue_name) === foldText(b.venue_name)
  );
}

/** Whether a person should look at both; `is_sure`: whether nobody need. */
export function isLikelyDuplicate(
  a: DuplicateCandidate,
  b: DuplicateCandidate,
  is_sure = false,
): boolean {
  if (!a.days.some((day) => b.days.includes(day))) return false;
  const is_here = isSamePlace(a, b);
  if (is_sure && !is_here) return false;
  const needed = is_here && !is_sure ? NEEDED.same_place : NEEDED.elsewhere;
  return a.titles.some((title) =>
    b.titles.some((other) => titleSimilarity(title, other) >= needed),
  );
}

/** What is known of a place by which it is named. */
export interface NamedPlace {
  readonly id: string;
  readonly slug: LocalText;
  readonly name: string;
}

/** Each place by the name that means it alone: `Casa Maya (casa-maya-2)` where another is called the same. */
export function disambiguateNames<T extends NamedPlace>(
  places: readonly T[],
): readonly (readonly [string, T])[] {
  const alike = Map.groupBy(places, ({ name }) => foldText(name));
  return places.map((place) => [
    alike.get(foldText(place.name))?.length === 1
      ? place.name
      : `${place.name} (${place.slug[DEFAULT_LANG]})`,
    place,
  ]);
}

/** The place that is called exactly so; null where none or several are. */
export function findByExactName<T extends NamedPlace>(
  places: readonly T[],
  text: string,
): T | null {
  const [, slug] = /\(([a-z0-9-]+)\)$/.exec(text) ?? [];
  const by_slug = places.find((place) => place.slug[DEFAULT_LANG] === slug);
  if (by_slug) return by_slug;
  const [found, ...others] = places.filter(({ name }) => foldText(name) === foldText(text));
  return found !== undefined && others.length === 0 ? found : null;
}

/** What many places have in their names. */
const SMALL_WORDS: ReadonlySet<string> = new Set([
  ...'a al and at de del e el en in la las lo los of the y'.split(' '),
  ...TOWN.left_out,
]);

const listTelling = (name: string): readonly string[] => {
  const words = splitWords(name);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return telling.length > 0 ? telling : words;
};

/** The same but for a slip of the finger. */
const isNear = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= 4 && editDistance(a, b) <= (a.length < 8 ? 1 : 2));

function compareNames(a: readonly string[], b: readonly string[]): number {
  const shared = a.filter((word) => b.some((other) => isNear(word, other))).length;
  return toLikeness(shared, a.length, b.length);
}

const MOST_ASKED = 4;

/** The places that may be meant by a name, the likeliest first; at most four. */
export function listSimilarVenues<T extends Pick<NamedPlace, 'name'>>(
  places: readonly T[],
  text: string,
  needed: number = NEEDED.asked,
): readonly T[] {
  const words = listTelling(text);
  return places
    .map((place) => ({ place, likeness: compareNames(words, listTelling(place.name)) }))
    .filter(({ likeness }) => likeness >= needed)
    .sort((a, b) => b.likeness - a.likeness || (a.place.name < b.place.name ? -1 : 1))
    .slice(0, MOST_ASKED)
    .map(({ place }) => place);
}

/**
 * What to offer for a place as a calendar says it, in one text: the id and name of a known one, or a new one with the
 * key of a zone. All is empty where the text is a link or nothing.
 */
export function suggestVenue(
  said: string,
  venues: readonly Pick<NamedPlace, 'id' | 'name'>[],
  zones: readonly TaxonRecord[],
) {
  if (said === '' || /^(https?:\/\/|www\.)/i.test(said))
    return { venue: null, name: '', address: '', zone: '' };
  const cut = said.search(/\s*[,;|]\s*|\s+-\s+/);
  const first = cut < 1 ? said : said.slice(0, cut);
  const [likely = null] = listSimilarVenues(venues, first, NEEDED.taken);
  const found = findUniqueByName(venues, said) ?? findUniqueByName(venues, first) ?? likely;
  if (found !== null) return { venue: found.id, name: found.name, address: '', zone: '' };
  const text = foldText(said);
  const zone = zones.find(({ name }) => LANGS.some((lang) => text.includes(foldText(name[lang]))));
  return {
    venue: null,
    name: first.slice(0, SUBMISSION_LIMITS.name),
    address: cut < 1 ? '' : said.slice(first.length).replace(/^[\s,;|-]+/, ''),
    zone: zone?.key ?? '',
  };
}
