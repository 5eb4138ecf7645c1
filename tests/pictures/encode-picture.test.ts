// What a stranger's file must be, and what is left of it, published and uploaded (contract 16.3, 16.4).
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../src/http/fetch-public.ts';
import { encodePicture, encodeUpload, PictureError } from '../../src/pictures/encode-picture.ts';
import { HOSTILE_SVG, makeBomb, makePhoto } from '../fixtures/picture-server.ts';

test('one is written anew in each width and format', async () => {
  const { held, files } = await encodePicture(await makePhoto('jpeg'));
  expect([held.widths, held.height]).toEqual([[160, 480, 960, 1200], 800]);
  const formats = { avif: 'heif', jpg: 'jpeg', webp: 'webp' };
  const written = await Promise.all(
    Array.from(files, async ([name, bytes]) => {
      const { width, format, exif } = await sharp(bytes).metadata();
      return [name, width, format, exif, bytes.includes('SECRET-NAME')];
    }),
  );
  expect(written.sort()).toEqual(
    [160, 480, 960, 1200]
      .flatMap((width) =>
        Object.entries(formats).map(([end, format]) => [
          ...[`${width}.${end}`, width, format, undefined, false],
        ]),
      )
      .sort(),
  );
});

test.each([
  ['made wider', makePhoto('png', 300, 200), [160, 300], 200],
  ['wider than a screen needs', makePhoto('jpeg', 1700, 170), [160, 480, 960, 1600], 160],
  [
    'left on its side',
    makePhoto('jpeg', 600, 170).then((bytes) =>
      sharp(bytes).withMetadata({ orientation: 6 }).toBuffer(),
    ),
    [160, 170],
    600,
  ],
] as const)('one is never %s', async (_, photo, widths, height) => {
  expect((await encodePicture(await photo)).held).toMatchObject({ widths, height });
});

const findProblem = async (bytes: Buffer): Promise<string | null> => {
  try {
    await encodeUpload(bytes);
    return 'taken';
  } catch (thrown) {
    if (thrown instanceof PictureError) return thrown.problem;
    throw thrown;
  }
};
const JPEG = await makePhoto('jpeg');
const png = await makePhoto('png');
const gif = await sharp(png).gif().toBuffer();
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

test.each<readonly [string, Buffer, string]>([
  ['nothing', Buffer.alloc(0), 'empty'],
  ['one byte more than 5 MB', padTo(JPEG, MAX_PICTURE_BYTES + 1), 'too_large'],
  ['SVG', Buffer.from(HOSTILE_SVG), 'other_kind'],
  ['GIF', gif, 'other_kind'],
  ['a PDF that begins like one', Buffer.from('%PDF-1.7\n\xff\xd8\xff'), 'other_kind'],
  ['a moving WebP', animated, 'animated'],
  ['a moving PNG', apng, 'animated'],
  ['a few bytes that say to be gigabytes', makeBomb(), 'too_many_pixels'],
  ['a long ribbon', ribbon, 'too_many_pixels'],
  ['a dot', dot, 'too_small'],
  ['a JPEG cut in the middle', JPEG.subarray(0, JPEG.length / 2), 'damaged'],
])('of what is uploaded, not taken is: %s', async (_, bytes, problem) => {
  expect(await findProblem(bytes)).toBe(problem);
});

describe('of what is uploaded, taken is', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('%s, as a WebP of what is seen', async (kind) => {
    const { bytes, width, height } = await encodeUpload(await makePhoto(kind));
    const found = await sharp(bytes).metadata();
    expect([found.format, found.width, found.height]).toEqual(['webp', width, height]);
    expect([found.exif, found.xmp, found.icc]).toEqual([undefined, undefined, undefined]);
    expect(bytes.includes('SECRET-NAME')).toBe(false);
  });

  test('without the place where it was taken, and stands upright', async () => {
    const turned = await sharp(JPEG)
      .withExif({ IFD3: { GPSLatitude: '21/1 9/1 40/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { bytes, width, height } = await encodeUpload(turned);
    const { exif, orientation } = await sharp(bytes).metadata();
    expect([width, height, exif, orientation]).toEqual([800, 1200, undefined, undefined]);
  });

  test('nothing of a second file behind it is left', async () => {
    const page = '<script>alert("SECRET")</script>PK\x03\x04SECRET';
    for (const bytes of [JPEG, png]) {
      const made = await encodeUpload(Buffer.concat([bytes, Buffer.from(page)]));
      expect(made.bytes.includes('SECRET')).toBe(false);
    }
  });

  test('exactly 5 MB', async () => {
    expect(await findProblem(padTo(JPEG, MAX_PICTURE_BYTES))).toBe('taken');
  });
});
