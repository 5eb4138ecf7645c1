// What a stranger's file must be, and what is left of it, published and uploaded (contract 16.3, 16.4).
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../src/pictures/download.ts';
import { encodePicture, makeIntakePicture, PictureError } from '../../src/pictures/encode.ts';
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
  ['a bomb', async () => makeBomb(), /too many pixels/],
  ['a broken one', async () => (await makePhoto('jpeg')).subarray(0, 2_000), /damaged/],
  ['a dot', async () => makePhoto('png', 4, 4), /at least 160/],
])('%s is refused with a sentence', async (_what, make, sentence) => {
  await expect(encodePicture(await make())).rejects.toThrow(sentence);
});

const findProblem = async (bytes: Buffer): Promise<string | null> => {
  try {
    await makeIntakePicture(bytes);
    return 'taken';
  } catch (thrown) {
    if (thrown instanceof PictureError) return thrown.problem;
    throw thrown;
  }
};
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><script>alert(1)</script></svg>',
);
const JPEG = await makePhoto('jpeg');
const png = await makePhoto('png');
const gif = await sharp(png).gif().toBuffer();
const avif = await sharp(png).resize(200).avif().toBuffer();
const ribbon = await makePhoto('jpeg', 13_000, 200);
const dot = await makePhoto('png', 159, 400);
/** Noise does not compress, so its size can be had to the byte. */
const padTo = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const FRAME = 200 * 200 * 3;
const animated = await sharp(Buffer.concat([Buffer.alloc(FRAME, 120), Buffer.alloc(FRAME, 20)]), {
  raw: { width: 200, height: 400, channels: 3, pageHeight: 200 },
})
  .webp({ delay: [100, 100] })
  .toBuffer();
const AT_PIXELS = png.indexOf('IDAT', 0, 'latin1') - 4;
const apng = Buffer.concat([
  png.subarray(0, AT_PIXELS),
  Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1'),
  png.subarray(AT_PIXELS),
]);

describe('of what is uploaded, not taken is', () => {
  test.each<readonly [string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'empty'],
    ['one byte more than 5 MB', padTo(JPEG, MAX_PICTURE_BYTES + 1), 'too_large'],
    ['text called a picture', Buffer.from('this is no picture'), 'other_kind'],
    ['SVG', SVG, 'other_kind'],
    ['GIF', gif, 'other_kind'],
    ['AVIF', avif, 'other_kind'],
    ['a PDF that begins like one', Buffer.from('%PDF-1.7\n\xff\xd8\xff'), 'other_kind'],
    ['a moving WebP', animated, 'animated'],
    ['a moving PNG', apng, 'animated'],
    ['a few bytes that say to be gigabytes', makeBomb(), 'too_many_pixels'],
    ['a long ribbon', ribbon, 'too_many_pixels'],
    ['a dot', dot, 'too_small'],
    ['a JPEG cut in the middle', JPEG.subarray(0, JPEG.length / 2), 'damaged'],
  ])('%s', async (_, bytes, problem) => {
    expect(await findProblem(bytes)).toBe(problem);
  });
});

describe('of what is uploaded, taken is', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    '%s becomes a WebP without metadata',
    async (kind) => {
      const { bytes, width, height } = await makeIntakePicture(await makePhoto(kind));
      const found = await sharp(bytes).metadata();
      expect([found.format, found.width, found.height]).toEqual(['webp', 1200, 800]);
      expect([width, height, found.exif, found.xmp, found.icc]).toEqual([
        1200,
        800,
        undefined,
        undefined,
        undefined,
      ]);
      expect(bytes.includes('SECRET-NAME')).toBe(false);
    },
  );

  test('the place where it was taken is not kept, and it stands upright', async () => {
    const turned = await sharp(JPEG)
      .withExif({
        IFD0: { Artist: 'SECRET-NAME' },
        IFD3: { GPSLatitude: '21/1 9/1 40/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(turned).metadata()).orientation).toBe(6);
    const { bytes, width, height } = await makeIntakePicture(turned);
    expect([width, height]).toEqual([800, 1200]);
    const found = await sharp(bytes).metadata();
    expect([found.exif, found.orientation]).toEqual([undefined, undefined]);
  });

  test('colours of print become colours of a screen', async () => {
    const print = await sharp(JPEG).toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(print).metadata()).space).toBe('cmyk');
    const { bytes } = await makeIntakePicture(print);
    const found = await sharp(bytes).metadata();
    expect([found.space, found.channels]).toEqual(['srgb', 3]);
    // The sun in its middle is still of its colour, and not its negative.
    const [red = 0, , blue = 255] = await sharp(bytes)
      .extract({ left: 600, top: 400, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect([red > 180, blue < 200]).toEqual([true, true]);
  });

  test('nothing of a second file behind it is left', async () => {
    const page = '<script>alert("SECRET")</script>PK\x03\x04SECRET';
    for (const bytes of [JPEG, png]) {
      const made = await makeIntakePicture(Buffer.concat([bytes, Buffer.from(page)]));
      expect([made.bytes.includes('SECRET'), made.bytes.includes('<script')]).toEqual([
        false,
        false,
      ]);
    }
  });

  test('exactly 5 MB', async () => {
    expect(await findProblem(padTo(JPEG, MAX_PICTURE_BYTES))).toBe('taken');
  });

  test('a large one becomes no larger than is ever shown', async () => {
    const { width, height, bytes } = await makeIntakePicture(await makePhoto('jpeg', 4000, 6000));
    expect([width, height, bytes.length < MAX_PICTURE_BYTES]).toEqual([1600, 2400, true]);
  });
});
