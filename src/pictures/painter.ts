// Posters as PNG, each made when it is first asked for and kept as long as there is room. Drawing is
// done beside the thread that serves, one at a time; what comes in a crowd gets the site's own.
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { Poster } from '../domain/poster.ts';
import { toPosterSvg } from './poster-svg.ts';

/** Bytes of posters that are kept: some three hundred. */
const KEPT_BYTES = 24 * 1024 * 1024;
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

/** A painter with a memory of its own, of a process. `paintOne` is what it keeps the results of. */
export function createPainter(paintOne: (poster: Poster) => Promise<Buffer> = paintPoster): Paint {
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  });
  const under_way = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  const queue = (key: string, poster: Poster): Promise<Buffer> => {
    const painted = last.then(async () => {
      try {
        const bytes = await paintOne(poster);
        kept.set(key, bytes);
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
    const is_spare = !kept.has(wanted) && !under_way.has(wanted) && under_way.size >= MAX_WAITING;
    const key = is_spare ? JSON.stringify(spare) : wanted;
    const bytes =
      kept.get(key) ?? (await (under_way.get(key) ?? queue(key, is_spare ? spare : poster)));
    return { bytes, is_spare };
  };
}
