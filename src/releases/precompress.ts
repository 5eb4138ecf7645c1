// Compressing a release's files once, well, so that nobody waits for it later.
import { link, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { CODING_ENDINGS, type FileEntry } from './manifest.ts';

type Encodings = FileEntry['encodings'];
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

const MAKERS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_LGWIN]: toWindowBits(bytes.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 8 }),
  zstd: (bytes) =>
    promisify(zstdCompress)(bytes, {
      pledgedSrcSize: bytes.length,
      params: { [constants.ZSTD_c_compressionLevel]: 12 },
    }),
};

const CODINGS = ['br', 'gzip', 'zstd'] as const;

/**
 * Writes the compressed forms beside a file and gives their sizes; one that came out no smaller is
 * left out.
 */
export async function compressFile(path: string, bytes: Buffer): Promise<Encodings> {
  const encodings: Encodings = {};
  for (const coding of CODINGS) {
    const compressed = await MAKERS[coding](bytes);
    if (compressed.length >= bytes.length) continue;
    // A link to another release's file may stand there: its bytes are not ours to write.
    await rm(`${path}${CODING_ENDINGS[coding]}`, { force: true });
    await writeFile(`${path}${CODING_ENDINGS[coding]}`, compressed);
    encodings[coding] = compressed.length;
  }
  return encodings;
}

/**
 * Takes over the compressed forms of the same bytes from another release, which is never written
 * again. False where one is missing or not as long as it was: whoever asks compresses afresh.
 */
export async function reuseCompressed(
  path: string,
  other: string,
  encodings: Encodings,
): Promise<boolean> {
  for (const coding of CODINGS) {
    if (encodings[coding] === undefined) continue;
    const ending = CODING_ENDINGS[coding];
    const found = await stat(`${other}${ending}`).catch(() => null);
    if (found?.size !== encodings[coding]) return false;
    await rm(`${path}${ending}`, { force: true });
    await link(`${other}${ending}`, `${path}${ending}`);
  }
  return true;
}
