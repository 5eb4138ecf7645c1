// A place that is typed: the name by which one of the agenda is offered and known again, and those
// that somebody may have meant by another (contract 14.19).
import { editDistance } from '../query/parameters.ts';
import { fold, toWords } from '../folding.ts';
import { DEFAULT_LANG, type LocalText } from '../lang.ts';
import { toLikeness } from './likeness.ts';

/** What is known of a place by which it is named. */
export interface NamedPlace {
  readonly id: string;
  readonly slug: LocalText;
  readonly name: string;
}

/** What many places have in their names. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a al and at cancun de del e el en in la las lo los of the y'.split(' '),
);
/** How like a name must be to be asked for, and how many are. */
const NEEDED = 0.5;
const MOST_ASKED = 4;

const countNames = (places: readonly NamedPlace[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { name } of places) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return counts;
};

/** Each place by the name that means it alone: `Casa Maya (casa-maya-2)` where another is called the same. */
export function nameApart<T extends NamedPlace>(
  places: readonly T[],
): readonly (readonly [string, T])[] {
  const counts = countNames(places);
  return places.map((place) => [
    counts.get(fold(place.name)) === 1 ? place.name : `${place.name} (${place.slug[DEFAULT_LANG]})`,
    place,
  ]);
}

/** The place that is called exactly so; null where none or several are. */
export function findNamed<T extends NamedPlace>(places: readonly T[], text: string): T | null {
  const [, slug] = /\(([a-z0-9-]+)\)$/.exec(text) ?? [];
  const by_slug =
    slug === undefined ? undefined : places.find((place) => place.slug[DEFAULT_LANG] === slug);
  if (by_slug) return by_slug;
  const [found, ...others] = places.filter(({ name }) => fold(name) === fold(text));
  return found !== undefined && others.length === 0 ? found : null;
}

const listTelling = (name: string): readonly string[] => {
  const words = toWords(name);
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

/** The places that may be meant by a name, the likeliest first; at most four. */
export function listLikelyPlaces<T extends NamedPlace>(
  places: readonly T[],
  text: string,
): readonly T[] {
  const words = listTelling(text);
  return places
    .map((place) => ({ place, likeness: compareNames(words, listTelling(place.name)) }))
    .filter(({ likeness }) => likeness >= NEEDED)
    .sort((a, b) => b.likeness - a.likeness || (a.place.name < b.place.name ? -1 : 1))
    .slice(0, MOST_ASKED)
    .map(({ place }) => place);
}
