// Compressing a release's files once, well, so that nobody waits for it later: what is large on threads of Node's
// own, while the next page is rendered.
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
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

/** From here on the last three percent cost twice as long: the data of a large town. */
const LARGE_BYTES = 1024 * 1024;
/** How hard each is tried, and how hard where a file is large. */
const LEVELS: Readonly<Record<Coding, readonly [level: number, large: number]>> = {
  br: [9, 5],
  gzip: [8, 5],
  zstd: [12, 9],
};
const isLarge = ({ length }: Buffer): boolean => length >= LARGE_BYTES;
const toLevel = (coding: Coding, bytes: Buffer): number => LEVELS[coding][isLarge(bytes) ? 1 : 0];

const [laterBrotli, laterGzip, laterZstd] = [
  promisify(brotliCompress),
  promisify(gzip),
  promisify(zstdCompress),
] as const;
type Maker = (bytes: Buffer) => Buffer | Promise<Buffer>;
/** What is small is done at once: threads that render have the processors, and each form in the making has its memory. */
const MAKERS: readonly (readonly [Coding, Maker])[] = [
  [
    'br',
    (bytes) =>
      (isLarge(bytes) ? laterBrotli : brotliCompressSync)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: toLevel('br', bytes),
          [constants.BROTLI_PARAM_LGWIN]: toWindowBits(bytes.length),
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      }),
  ],
  [
    'gzip',
    (bytes) => (isLarge(bytes) ? laterGzip : gzipSync)(bytes, { level: toLevel('gzip', bytes) }),
  ],
  [
    'zstd',
    (bytes) =>
      (isLarge(bytes) ? laterZstd : zstdCompressSync)(bytes, {
        pledgedSrcSize: bytes.length,
        params: { [constants.ZSTD_c_compressionLevel]: toLevel('zstd', bytes) },
      }),
  ],
];

/** The compressed forms of bytes; one that came out no smaller is left out. */
export async function compress(bytes: Buffer): Promise<ReadonlyMap<Coding, Buffer>> {
  const forms = await Promise.all(
    MAKERS.map(async ([coding, make]) => [coding, await make(bytes)] as const),
  );
  return new Map(forms.filter(([, form]) => form.length < bytes.length));
}
