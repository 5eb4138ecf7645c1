// What was made once, cached as long as its snapshot: writing an event's Markdown takes a
// millisecond, reading it nothing.
import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../../snapshot/open.ts';

/**
 * Gives what is cached under a key, made where it is not there. The key names everything that the
 * value depends on.
 */
export type Cached<T> = (snapshot: Snapshot, key: string, make: () => T) => T;

/** A store of at most `max` values for each snapshot. */
export function createCache<T extends object>(max: number): Cached<T> {
  const stores = new WeakMap<Snapshot, LRUCache<string, T>>();
  return (snapshot, key, make) => {
    const store = stores.get(snapshot) ?? new LRUCache<string, T>({ max });
    stores.set(snapshot, store);
    const cached = store.get(key);
    if (cached !== undefined) return cached;
    const made = make();
    store.set(key, made);
    return made;
  };
}

/** Entries of lists, about a kilobyte each. */
const MAX_ENTRIES = 4_000;

const cacheEntryObject = createCache<{ readonly text: string }>(MAX_ENTRIES);

export const cacheEntry: Cached<string> = (snapshot, key, make) =>
  cacheEntryObject(snapshot, key, () => ({ text: make() })).text;
