// What a stranger's file must be, and what is left of it (contract 16.3, 16.4).
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodePicture } from '../../src/pictures/encode.ts';
import { makeBomb, makePhoto } from '../fixtures/picture-server.ts';

test.each(['jpeg', 'png', 'webp'] as const)('a %s is written anew in each width', async (kind) => {
  const { held, files } = await encodePicture(await makePhoto(kind));
  expect(held.widths).toEqual([480, 960, 1200]);
  expect(held.height).toBe(800);
  expect([...files.keys()].sort()).toEqual(
    [480, 960, 1200]
      .flatMap((width) => ['avif', 'jpg', 'webp'].map((end) => `${width}.${end}`))
      .sort(),
  );
  for (const [name, bytes] of files) {
    const { width, exif, format } = await sharp(bytes).metadata();
    expect(`${width}.`).toBe(name.replace(/\w+$/, ''));
    expect({ avif: 'heif', jpg: 'jpeg', webp: 'webp' }[name.replace(/.*\./, '')]).toBe(format);
    expect(exif).toBeUndefined();
    expect(bytes.includes('SECRET-NAME')).toBe(false);
  }
});

test('it is never made wider, nor wider than a screen needs', async () => {
  expect((await encodePicture(await makePhoto('png', 300, 200))).held).toMatchObject({
    widths: [300],
    height: 200,
  });
  expect((await encodePicture(await makePhoto('jpeg', 3000, 1500))).held).toMatchObject({
    widths: [480, 960, 1600],
    height: 800,
  });
});

test('one that was taken sideways stands upright', async () => {
  const sideways = await sharp(await makePhoto('jpeg', 900, 600))
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect((await encodePicture(sideways)).held).toMatchObject({ widths: [480, 600], height: 900 });
});

test('the same file has the same digest, another one another', async () => {
  const [a, b] = [await makePhoto('jpeg', 200, 200), await makePhoto('jpeg', 210, 200)];
  const digests = await Promise.all(
    [a, a, b].map(async (one) => (await encodePicture(one)).held.digest),
  );
  expect(digests[0]).toBe(digests[1]);
  expect(digests[0]).not.toBe(digests[2]);
});

test.each([
  ['text', async () => Buffer.from('no picture at all'), /not a JPEG/],
  ['nothing', async () => Buffer.alloc(0), /not a JPEG/],
  ['an SVG with a script', async () => Buffer.from('<svg><script>1</script></svg>'), /not a JPEG/],
  ['a GIF', async () => Buffer.from('GIF89a\x01\x00\x01\x00'), /not a JPEG/],
  ['a bomb', async () => makeBomb(), /too many pixels/],
  ['a long bomb', async () => makeBomb(11_000), /too many pixels/],
  ['a broken one', async () => (await makePhoto('jpeg')).subarray(0, 2_000), /damaged/],
  ['a dot', async () => makePhoto('png', 4, 4), /at least 160/],
])('%s is refused with a sentence', async (_what, make, sentence) => {
  await expect(encodePicture(await make())).rejects.toThrow(sentence);
});
