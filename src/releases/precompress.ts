// Compressing a release's files once, well, so that nobody waits for it later.
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { CODING_ENDINGS } from './manifest.ts';

type Coding = keyof typeof CODING_ENDINGS;

const MIN_BYTES = 1024;
const TEXT = /^(text\/|image\/svg|application\/(json|xml|manifest|geo\+json|vnd\.sqlite3))/;

/** Whether a file is worth it: text, or a database of texts, of a kilobyte or more. */
export const isWorthCompressing = (type: string, size: number): boolean =>
  size >= MIN_BYTES && TEXT.test(type);

/**
 * A window no wider than the file: with the default one, zstd spends 30 ms a page on clearing
 * memory.
 */
const toWindowBits = (size: number): number =>
  Math.min(22, Math.max(16, Math.ceil(Math.log2(size))));

/** From here on the last percents cost twice as long: the data of a large town. */
const LARGE_BYTES = 1024 * 1024;
/**
 * How hard each is tried, and how hard where a file is large. One step more takes brotli nine times as long for a
 * page of 130 kB, and zstd three times, for a few bytes in a thousand.
 */
const LEVELS: Readonly<Record<Coding, readonly [level: number, large: number]>> = {
  br: [8, 5],
  gzip: [8, 5],
  zstd: [9, 3],
};
const toLevel = (coding: Coding, { length }: Buffer): number =>
  LEVELS[coding][length < LARGE_BYTES ? 0 : 1];

const MAKERS: readonly (readonly [Coding, (bytes: Buffer) => Buffer])[] = [
  [
    'br',
    (bytes) =>
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: toLevel('br', bytes),
          [constants.BROTLI_PARAM_LGWIN]: toWindowBits(bytes.length),
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      }),
  ],
  ['gzip', (bytes) => gzipSync(bytes, { level: toLevel('gzip', bytes) })],
  [
    'zstd',
    (bytes) =>
      zstdCompressSync(bytes, {
        pledgedSrcSize: bytes.length,
        params: { [constants.ZSTD_c_compressionLevel]: toLevel('zstd', bytes) },
      }),
  ],
];

/** The compressed forms of bytes; one that came out no smaller is left out. */
export const compress = (bytes: Buffer): ReadonlyMap<Coding, Buffer> =>
  new Map(
    MAKERS.map(([coding, make]) => [coding, make(bytes)] as const).filter(
      ([, form]) => form.length < bytes.length,
    ),
  );
