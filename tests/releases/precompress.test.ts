// The compressed forms of what a release has, small ones made at once and large ones beside what is rendered.
import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress, compressBeside } from '../../src/releases/precompress.ts';

const READERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const;
const toText = (lines: number): Buffer =>
  Buffer.from(Array.from({ length: lines }, (_, at) => `${at} una fila de la agenda\n`).join(''));

test.each([
  ['small', 100],
  ['large', 60_000],
])(
  'bytes that are %s come out of each form as they were, whoever made it',
  async (_size, lines) => {
    const bytes = toText(lines);
    const [at_once, beside] = [
      compress('text/html', bytes),
      await compressBeside('text/html', bytes),
    ];
    expect([...beside.keys()]).toEqual(['br', 'gzip', 'zstd']);
    for (const [coding, form] of beside) {
      expect(READERS[coding](form).equals(bytes), coding).toBe(true);
      expect(at_once.get(coding)?.equals(form), coding).toBe(true);
    }
  },
);

test('a form that is no smaller is left out, and so are all of what is not worth it', async () => {
  const noise = randomBytes(2_000_000);
  expect((await compressBeside('application/json', noise)).size).toBe(0);
  expect((await compressBeside('image/webp', toText(60_000))).size).toBe(0);
  expect(compress('text/html', toText(10)).size).toBe(0);
});
