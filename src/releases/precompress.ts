// Compressing a release's files once, well, so that nobody waits for it later.
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
const isWorthCompressing = (type: string, size: number): boolean =>
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
 * How hard each is tried, and how hard where a file is large. One step more takes each half as long again, for four
 * to twelve bytes in a thousand of a list of 200 kB; two more take brotli nine times as long.
 */
const LEVELS: Readonly<Record<Coding, readonly [level: number, large: number]>> = {
  br: [7, 5],
  gzip: [7, 5],
  zstd: [8, 3],
};
const toLevel = (coding: Coding, { length }: Buffer): number =>
  LEVELS[coding][length < LARGE_BYTES ? 0 : 1];

const toBrotliOptions = (bytes: Buffer) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: toLevel('br', bytes),
    [constants.BROTLI_PARAM_LGWIN]: toWindowBits(bytes.length),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
});
const toGzipOptions = (bytes: Buffer) => ({ level: toLevel('gzip', bytes) });
const toZstdOptions = (bytes: Buffer) => ({
  pledgedSrcSize: bytes.length,
  params: { [constants.ZSTD_c_compressionLevel]: toLevel('zstd', bytes) },
});

/** One coding, at once or in a thread of Node's pool. */
interface Maker {
  readonly coding: Coding;
  readonly make: (bytes: Buffer) => Buffer;
  readonly makeBeside: (bytes: Buffer) => Promise<Buffer>;
}
const [brotliBeside, gzipBeside, zstdBeside] = [
  promisify(brotliCompress),
  promisify(gzip),
  promisify(zstdCompress),
];
const MAKERS: readonly Maker[] = [
  {
    coding: 'br',
    make: (bytes) => brotliCompressSync(bytes, toBrotliOptions(bytes)),
    makeBeside: (bytes) => brotliBeside(bytes, toBrotliOptions(bytes)),
  },
  {
    coding: 'gzip',
    make: (bytes) => gzipSync(bytes, toGzipOptions(bytes)),
    makeBeside: (bytes) => gzipBeside(bytes, toGzipOptions(bytes)),
  },
  {
    coding: 'zstd',
    make: (bytes) => zstdCompressSync(bytes, toZstdOptions(bytes)),
    makeBeside: (bytes) => zstdBeside(bytes, toZstdOptions(bytes)),
  },
];

/** By coding; one that came out no smaller is left out. */
export type Compressed = ReadonlyMap<Coding, Buffer>;

const toSmaller = (bytes: Buffer, forms: readonly (readonly [Coding, Buffer])[]): Compressed =>
  new Map(forms.filter(([, form]) => form.length < bytes.length));

/** The compressed forms of bytes of a type; none where they are not worth it. */
export const compress = (type: string, bytes: Buffer): Compressed =>
  toSmaller(
    bytes,
    isWorthCompressing(type, bytes.length)
      ? MAKERS.map(({ coding, make }) => [coding, make(bytes)])
      : [],
  );

/** The same, in threads of Node's pool where the bytes are many: whoever waits can do something else. */
export const compressBeside = async (type: string, bytes: Buffer): Promise<Compressed> =>
  bytes.length < LARGE_BYTES || !isWorthCompressing(type, bytes.length)
    ? compress(type, bytes)
    : toSmaller(
        bytes,
        await Promise.all(
          MAKERS.map(async ({ coding, makeBeside }) => [coding, await makeBeside(bytes)] as const),
        ),
      );
