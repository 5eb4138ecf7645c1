// Numbers that look random and are the same for the same seed: what a made-up town is drawn from.

export type Random = ReturnType<typeof createRandom>;

/** A 32-bit number from words and numbers (FNV-1a), so that each thing has a seed of its own. */
export function toSeed(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join(' '))
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** The generator (mulberry32): 2^32 long, plenty for one thing of a town. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to, not including, 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  /** A whole number, both ends included. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => turn(items, int(0, items.length - 1));
  /** True `percent` times in a hundred. */
  const chance = (percent: number): boolean => next() * 100 < percent;
  /** What is made, `percent` times in a hundred; else nothing of it. */
  const some = <T extends object>(percent: number, make: () => T): Partial<T> =>
    chance(percent) ? make() : {};
  return { next, int, pick, chance, some };
}

/** The one whose turn it is. Throws where there is none. */
export function turn<T>(items: readonly T[], number: number): T {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
