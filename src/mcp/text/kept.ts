// Finished Markdown, kept as long as its snapshot: writing a list anew costs a millisecond an event, reading it nothing.
import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../../snapshot/open.ts';

/** Characters kept for each snapshot. */
const MAX_CHARACTERS = 4_000_000;

const KEPT = new WeakMap<Snapshot, LRUCache<string, string>>();

/** The text under a key, made where it is not there. The key names everything that the text depends on. */
export function keepText(snapshot: Snapshot, key: string, make: () => string): string {
  const cache = KEPT.get(snapshot) ?? new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: (text) => text.length + 100 });
  KEPT.set(snapshot, cache);
  const kept = cache.get(key);
  if (kept !== undefined) return kept;
  const made = make();
  cache.set(key, made);
  return made;
}
