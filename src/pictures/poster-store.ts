// Posters on disk, data/posters/: drawn once for all processes and releases. Each lies under a digest
// of its words and of how they are drawn, so another drawing is another file. The oldest go where there
// are too many; nothing that goes wrong with the disk is a reason not to answer.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Poster } from '../domain/poster.ts';
import { toPosterSvg } from './poster-svg.ts';

/** Bytes of posters on disk: some eight hundred. */
const MAX_BYTES = 64 * 1024 * 1024;
/** What is left where there were too many. */
const LEFT = 0.75;
/** Whatever else is in the folder is not ours to delete. */
const NAME = /^[0-9a-f]{40}\.png(\.\d+\.tmp)?$/;

/** Where finished posters are found again. */
export interface PosterStore {
  /** Null where it was not drawn yet. */
  readonly get: (poster: Poster) => Promise<Buffer | null>;
  /** Never throws. */
  readonly put: (poster: Poster, png: Buffer) => Promise<void>;
}

/** With everything that a poster may have: whoever draws this one otherwise, draws others otherwise. */
const SAMPLE: Poster = {
  name: 'Hoy Cancún',
  date: { weekday: 'miércoles', number: '28–30', month: 'de septiembre' },
  mark: 'Pospuesto',
  title: 'Una noche de jazz, son y ñandúes en el malecón, con todo lo que cabe en tres renglones',
  lines: ['Parque de las Palapas', 'de 20:00 a 23:00'],
};

/** How this process draws: its code, its type, and what makes pixels of it. */
const toRecipe = (): string =>
  `${sharp.versions.sharp} ${sharp.versions.rsvg} ${toPosterSvg(SAMPLE)}`;

/** The store in a folder, which is made when it is needed. */
export function createPosterStore(dir: string, max_bytes = MAX_BYTES): PosterStore {
  /** Bytes that are there as far as this process knows; null before it has looked. */
  let size: number | null = null;
  let recipe: string | null = null;
  const toPath = (poster: Poster): string => {
    recipe ??= toRecipe();
    const digest = createHash('sha256').update(recipe).update(JSON.stringify(poster)).digest('hex');
    return join(dir, `${digest.slice(0, 40)}.png`);
  };
  return {
    get: async (poster) => {
      try {
        return await readFile(toPath(poster));
      } catch {
        return null;
      }
    },
    put: async (poster, png) => {
      const path = toPath(poster);
      const beside = `${path}.${process.pid}.tmp`;
      try {
        await mkdir(dir, { recursive: true });
        await writeFile(beside, png);
        await rename(beside, path);
        size = size === null ? null : size + png.length;
        if (size === null || size > max_bytes) size = await pruneFolder(dir, max_bytes);
      } catch {
        await rm(beside, { force: true }).catch(() => {});
      }
    },
  };
}

/** Deletes the oldest files where all are more than `max_bytes`; gives the bytes that are left. */
async function pruneFolder(dir: string, max_bytes: number): Promise<number> {
  const names = (await readdir(dir)).filter((name) => NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      // Another process may have deleted it meanwhile.
      const found = await stat(join(dir, name)).catch(() => null);
      return found ? [{ name, size: found.size, time_ms: found.mtimeMs }] : [];
    }),
  );
  let left = files.flat().reduce((sum, file) => sum + file.size, 0);
  if (left <= max_bytes) return left;
  for (const { name, size } of files.flat().sort((a, b) => a.time_ms - b.time_ms)) {
    if (left <= max_bytes * LEFT) break;
    await rm(join(dir, name), { force: true });
    left -= size;
  }
  return left;
}
