// Many short texts as bytes in a few large blocks: what thousands of small buffers would cost in
// memory and in collecting garbage.

const BLOCK_BYTES = 512 * 1024;
/**
 * Numbers for each position: its block plus 1, or 0 where there is no text; where the text begins
 * in it; how long it is.
 */
const NUMBERS = 3;

export interface Heap {
  /** Bytes of the text at a position; 0 where none was put. */
  readonly lengthOf: (position: number) => number;
  /** Keeps a text as UTF-8 at a position, once. */
  readonly put: (position: number, text: string) => void;
  /** Copies the bytes at a position into a buffer; gives where they end there. */
  readonly copyTo: (position: number, target: Buffer, at: number) => number;
}

/** A heap with room for texts at the positions from 0 to before `count`. */
export function createHeap(count: number): Heap {
  const blocks: Buffer[] = [];
  let used = BLOCK_BYTES;
  const places = new Int32Array(count * NUMBERS);
  const lengthOf = (position: number): number => places[position * NUMBERS + 2] ?? 0;
  return {
    lengthOf,
    put: (position, text) => {
      const length = Buffer.byteLength(text);
      if (used + length > BLOCK_BYTES) {
        blocks.push(Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length)));
        used = 0;
      }
      blocks.at(-1)?.write(text, used);
      places.set([blocks.length, used, length], position * NUMBERS);
      used += length;
    },
    copyTo: (position, target, at) => {
      const begin = places[position * NUMBERS + 1] ?? 0;
      return (
        at +
        (blocks[(places[position * NUMBERS] ?? 0) - 1]?.copy(
          target,
          at,
          begin,
          begin + lengthOf(position),
        ) ?? 0)
      );
    },
  };
}
