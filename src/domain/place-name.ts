// By what the name of a place or of who organizes is known again, however somebody writes it, in
// Spanish or in English (contract 14.14).
import { toWords } from './folding.ts';

/** What people leave out or put in: articles and what stands between words. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a al and at de del e el en in la las lo los of the y'.split(' '),
);

/** What a place is, as English says it and as Spanish does; an accent makes no difference. */
const KINDS: ReadonlyMap<string, string> = new Map([
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
const KIND_WORDS: ReadonlySet<string> = new Set(KINDS.values());
/** Where nearly everything here is: some write it behind a name, some do not. */
const TOWN = 'cancun';

/** The telling words of a name, in no order that a language would give them. */
function listTelling(name: string): readonly string[] {
  const words = toWords(name);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return (telling.length > 0 ? telling : words).map((word) => KINDS.get(word) ?? word).sort();
}

/** `Las Palapas Park` and `Parque de Las Palapas` are both `palapas parque`. */
const toNameKey = (name: string): string => listTelling(name).join(' ');

/** The same without the town; null where no more than a kind is left, which is no name. */
function toTownlessKey(name: string): string | null {
  const words = listTelling(name).filter((word) => word !== TOWN);
  return words.every((word) => KIND_WORDS.has(word)) ? null : words.join(' ');
}

/** The only thing with this key, or null. */
function findOne<T extends { readonly name: string }>(
  things: readonly T[],
  key: string | null,
  toKey: (name: string) => string | null,
): T | null {
  if (key === null) return null;
  const [found, ...others] = things.filter((thing) => toKey(thing.name) === key);
  return found !== undefined && others.length === 0 ? found : null;
}

/**
 * The only thing of that name, or null. The town is read
 * past only where the whole name is nobody's.
 */
export function findByName<T extends { readonly name: string }>(
  things: readonly T[],
  name: string,
): T | null {
  const key = toNameKey(name);
  if (things.some((thing) => toNameKey(thing.name) === key)) return findOne(things, key, toNameKey);
  return findOne(things, toTownlessKey(name), toTownlessKey);
}
