// By what the name of a place or of who organizes is known again, however somebody writes it
// (contract 14.14).
import { toWords } from './folding.ts';

/** What people leave out or put in: articles and what stands between words. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a al and at de del e el en in la las lo los of the y'.split(' '),
);

/** The name without case, accents, signs and small words: `Parque de Las Palapas` is `parque palapas`. */
export function toNameKey(name: string): string {
  const words = toWords(name);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return (telling.length > 0 ? telling : words).join(' ');
}

/** The one thing of that name; null where there is none, or where several would do. */
export function findByName<T extends { readonly name: string }>(
  things: readonly T[],
  name: string,
): T | null {
  const key = toNameKey(name);
  const [found, ...others] = things.filter((thing) => toNameKey(thing.name) === key);
  return found !== undefined && others.length === 0 ? found : null;
}
