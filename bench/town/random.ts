// Random numbers: a seeded generator, so that a generated town is reproducible.

export type Random = ReturnType<typeof createRandom>;

/** Derives a 32-bit seed (FNV-1a) from words and numbers, so that each record has its own. */
export function deriveSeed(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join(' '))
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** Creates a generator (mulberry32) with a period of 2^32, which suffices for one record. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** Returns a number from 0 to less than 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  /** Returns an integer from `min` to `max`, inclusive. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => itemAt(items, int(0, items.length - 1));
  /** Returns true with a probability of `percent` %. */
  const chance = (percent: number): boolean => next() * 100 < percent;
  /** Returns the created fields with a probability of `percent` %, otherwise none. */
  const maybe = <T extends object>(percent: number, create: () => T): Partial<T> =>
    chance(percent) ? create() : {};
  return { next, int, pick, chance, maybe };
}

/** Returns the item at an index modulo the length. @throws Error if there are none. */
export function itemAt<T>(items: readonly T[], number: number): T {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('No items to pick from');
  return item;
}
