// Where something is, in one line that a map finds from anywhere and in a row where nothing is said
// twice; and by what the name of a place is known again, however somebody writes it (contract 14.14).
import { TOWN } from '../town.ts';
import { foldText, splitWords } from './text-folding.ts';
import { DEFAULT_LANG, LANGS } from './lang.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** The town in which a zone lies, by the zone's key; the chief one where no zone is known. */
export const townOfZone = (zone: string | null): string =>
  TOWN.towns[zone ?? ''] ?? TOWN.name[DEFAULT_LANG];

/** Without a locality that is the name of the zone, which stands beside it. */
export function formatStreetLine(
  { address, locality }: Pick<VenueRecord, 'address' | 'locality'>,
  zone: TaxonRecord | null,
): string {
  const is_zone = zone !== null && LANGS.some((lang) => locality === zone.name[lang]);
  return [address, is_zone ? null : locality].filter((part) => part !== null).join(', ');
}

/** A sentence on where something is, for a line that goes on: without its full stop. */
export const stripTrailingPeriod = (text: string): string => text.trim().replace(/\.$/, '');

/** The name of a place where there is room for little: without what explains it in brackets at its end. */
export const stripTrailingParentheses = (name: string): string => name.replace(/ +\([^()]*\)$/, '');

/**
 * The parts that there are, without a full stop at their end, then the town of `zone` and the state
 * where none of them is just that, but for a postal code.
 */
export function formatPlaceLine(parts: readonly (string | null)[], zone: string | null): string {
  const known = parts.filter((part) => part !== null).map((part) => stripTrailingPeriod(part));
  const ends = zone === null ? [TOWN.state] : [townOfZone(zone), TOWN.state];
  const named = new Set(
    known
      .flatMap((part) => part.split(/[,/]/))
      .map((name) => foldText(name.trim().replace(/^\d{5} /, ''))),
  );
  return [...known, ...ends.filter((end) => !named.has(foldText(end)))].join(', ');
}

/** The address of a venue in one line, as letters have it: `Av. Juárez 12, 97000 Mérida, Yucatán`. */
export const formatAddressLine = ({
  address,
  postal_code,
  locality,
  zone,
}: Pick<VenueRecord, 'address' | 'postal_code' | 'locality' | 'zone'>): string =>
  formatPlaceLine([address, postal_code === null ? locality : `${postal_code} ${locality}`], zone);

/** Words as they are compared, with a space around each. */
const toPadded = (text: string): string =>
  ` ${foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** The names that stand neither in `said` (title, what the page is about) nor in one before. */
export function listUnmentioned(
  names: readonly (string | null)[],
  said: readonly string[],
): readonly string[] {
  const known = names.filter((name) => name !== null);
  const heard = said.map(toPadded);
  const unsaid: string[] = [];
  for (const name of known) {
    const padded = toPadded(name);
    if (heard.some((text) => text.includes(padded))) continue;
    heard.push(padded);
    unsaid.push(name);
  }
  return unsaid;
}

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
const LEFT_OUT: ReadonlySet<string> = new Set(TOWN.left_out);

/** The telling words of a name, in no order that a language would give them. */
function listTelling(name: string): readonly string[] {
  const words = splitWords(name);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return (telling.length > 0 ? telling : words).map((word) => KINDS.get(word) ?? word).sort();
}

/** `Las Palapas Park` and `Parque de Las Palapas` are both `palapas parque`. */
const toNameKey = (name: string): string => listTelling(name).join(' ');

/** The same without the town; null where no more than a kind is left, which is no name. */
function toTownlessKey(name: string): string | null {
  const words = listTelling(name).filter((word) => !LEFT_OUT.has(word));
  return words.every((word) => KIND_WORDS.has(word)) ? null : words.join(' ');
}

function findOne<T extends { readonly name: string }>(
  things: readonly T[],
  key: string | null,
  toKey: (name: string) => string | null,
): T | null {
  if (key === null) return null;
  const [found, ...others] = things.filter((thing) => toKey(thing.name) === key);
  return found !== undefined && others.length === 0 ? found : null;
}

/** The only thing of that name, or null. The town is read past where the whole is nobody's. */
export function findUniqueByName<T extends { readonly name: string }>(
  things: readonly T[],
  name: string,
): T | null {
  const key = toNameKey(name);
  if (things.some((thing) => toNameKey(thing.name) === key)) return findOne(things, key, toNameKey);
  return findOne(things, toTownlessKey(name), toTownlessKey);
}

/** Words of a name that are looked for in a text, at most. */
const MOST_WORDS = 6;

/** The things that a text names, each once; by one word alone only behind `en` or `at`, or where that is all. */
export function findMentionedIn<T extends { readonly name: string }>(
  things: readonly T[],
  text: string,
): readonly T[] {
  const named = things.flatMap((thing) =>
    [...new Set([toNameKey(thing.name), toTownlessKey(thing.name)])].map((key) => ({ key, thing })),
  );
  const by_key = Map.groupBy(named, ({ key }) => key);
  const found = new Set<T>();
  for (const piece of text.split(/[,.;:()|!¡?¿/\n]|\s[-–—]\s/)) {
    const words = splitWords(piece);
    const telling = words.flatMap((word, at) => {
      const is_led = words.slice(Math.max(0, at - 2), at).some((one) => /^(?:en|at)$/.test(one));
      return SMALL_WORDS.has(word) ? [] : [{ word: KINDS.get(word) ?? word, is_led }];
    });
    const is_alone = telling.filter(({ word }) => !LEFT_OUT.has(word)).length === 1;
    for (let from = 0; from < telling.length; from += 1)
      for (let size = MOST_WORDS; size > 0; size -= 1) {
        const some = telling.slice(from, from + size);
        const key = some
          .map(({ word }) => word)
          .sort()
          .join(' ');
        const [hit, ...others] = by_key.get(key) ?? [];
        const is_name = some.length > 1 || is_alone || some[0]?.is_led;
        if (hit === undefined || others.length > 0 || !is_name) continue;
        found.add(hit.thing);
        from += some.length - 1;
        break;
      }
  }
  return [...found];
}
