// Uploaded pictures: what is taken and written anew, and the sentence for everything that is not.
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../src/pictures/download.ts';
import { createIntake, makeIntakePicture } from '../../src/pictures/intake.ts';
import { PictureError } from '../../src/pictures/picture-error.ts';
import { makeBomb, makePhoto } from '../fixtures/picture-server.ts';

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

describe('what is not taken', () => {
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
    ['a PNG cut in the middle', png.subarray(0, png.length / 2), 'damaged'],
    ['only the beginning of a JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'damaged'],
    [
      'a PNG of our own making with another length',
      Buffer.concat([png.subarray(0, 33), deflateSync(Buffer.alloc(9)), png.subarray(60)]),
      'damaged',
    ],
  ])('%s', async (_, bytes, problem) => {
    expect(await findProblem(bytes)).toBe(problem);
  });
});

describe('what is taken', () => {
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

test('one is made at a time, in the order in which they came, and a bad one stops none', async () => {
  const log: string[] = [];
  const take = createIntake(async (bytes) => {
    log.push(`begin ${bytes.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`end ${bytes.toString()}`);
    if (bytes.toString() === 'b') throw new PictureError('no', 'damaged');
    return { bytes, width: 1, height: 1 };
  });
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => take(Buffer.from(name))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
});
