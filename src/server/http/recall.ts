// Which questions were asked before, roughly and in little room: only what is asked again is worth
// keeping.
import { crc32 } from 'node:zlib';

/** A power of two; 4 bytes each. */
const SLOTS = 16_384;

/**
 * Remembers a key and says whether it was the last of its slot: true once it comes again soon,
 * hardly ever by chance.
 */
export type Recall = (key: string) => boolean;

/**
 * A memory of recent questions. Answers that nobody asks for twice would otherwise push out the
 * others, and collecting them costs more than making them.
 */
export function createRecall(): Recall {
  const last = new Uint32Array(SLOTS);
  return (key) => {
    const hash = crc32(key);
    const slot = hash % SLOTS;
    const is_known = last[slot] === hash;
    last[slot] = hash;
    return is_known;
  };
}
