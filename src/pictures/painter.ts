// Posters as PNG, each made when it is first asked for, then in memory and on disk as long as there is
// room. Drawing is done beside the thread that serves, one at a time; what comes in a crowd gets the site's own.
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { Poster } from '../domain/poster.ts';
import type { PosterStore } from './poster-store.ts';
import { toPosterSvg } from './poster-svg.ts';

/** Bytes of posters in memory: some hundred; the disk has more. */
const CACHED_BYTES = 8 * 1024 * 1024;
/** Posters that may wait for their turn. */
const MAX_WAITING = 24;

/** What was drawn. */
export interface Painted {
  readonly bytes: Buffer;
  /** Whether too many waited, so that it is the spare one. */
  readonly is_spare: boolean;
}

/** Gives the PNG of a poster, or of `spare` where too many wait. */
export type Paint = (poster: Poster, spare: Poster) => Promise<Painted>;

/** The PNG of a poster; the same words give the same bytes. */
export function paintPoster(poster: Poster): Promise<Buffer> {
  return sharp(Buffer.from(toPosterSvg(poster)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A painter of a process, with `store` behind its memory. `paintOne` is what it has the results of. */
export function createPainter(
  store: PosterStore | null = null,
  paintOne: (poster: Poster) => Promise<Buffer> = paintPoster,
): Paint {
  const cached = new LRUCache<string, Buffer>({
    maxSize: CACHED_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  });
  const under_way = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  const queue = (key: string, poster: Poster): Promise<Buffer> => {
    const painted = last.then(async () => {
      try {
        const bytes = await paintOne(poster);
        cached.set(key, bytes);
        await store?.put(poster, bytes);
        return bytes;
      } finally {
        under_way.delete(key);
      }
    });
    under_way.set(key, painted);
    last = painted.catch(() => {});
    return painted;
  };
  return async (poster, spare) => {
    const wanted = JSON.stringify(poster);
    if (!cached.has(wanted) && !under_way.has(wanted)) {
      const stored = await store?.get(poster);
      if (stored) cached.set(wanted, stored);
    }
    const is_spare = !cached.has(wanted) && !under_way.has(wanted) && under_way.size >= MAX_WAITING;
    const key = is_spare ? JSON.stringify(spare) : wanted;
    const bytes =
      cached.get(key) ?? (await (under_way.get(key) ?? queue(key, is_spare ? spare : poster)));
    return { bytes, is_spare };
  };
}
