// Picture encoding: accepted files, and the published and stored results (contract 16.3, 16.4).
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../src/domain/pictures.ts';
import { encodePicture, encodeUpload, PictureError } from '../../src/pictures/encode-picture.ts';
import { HOSTILE_SVG, createBomb, createPhoto } from '../fixtures/picture-server.ts';

test('a picture is encoded in each width and format, without metadata', async () => {
  const { picture, files } = await encodePicture(await createPhoto('jpeg'));
  expect([picture.widths, picture.height]).toEqual([[160, 480, 960, 1200], 800]);
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
  ['enlarged', createPhoto('png', 300, 200), [160, 300], 200],
  ['published wider than 1600 pixels', createPhoto('jpeg', 1700, 170), [160, 480, 960, 1600], 160],
  [
    'published without its orientation',
    createPhoto('jpeg', 600, 170).then((bytes) =>
      sharp(bytes).withMetadata({ orientation: 6 }).toBuffer(),
    ),
    [160, 170],
    600,
  ],
] as const)('a picture is never %s', async (_, photo, widths, height) => {
  expect((await encodePicture(await photo)).picture).toMatchObject({ widths, height });
});

const findProblem = async (bytes: Buffer): Promise<string | null> => {
  try {
    await encodeUpload(bytes);
    return 'accepted';
  } catch (thrown) {
    if (thrown instanceof PictureError) return thrown.problem;
    throw thrown;
  }
};
const JPEG = await createPhoto('jpeg');
const png = await createPhoto('png');
const gif = await sharp(png).gif().toBuffer();
const ribbon = await createPhoto('jpeg', 13_000, 200);
const dot = await createPhoto('png', 159, 400);
/** Appends zeros to a picture, up to an exact size in bytes. */
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
  ['an empty file', Buffer.alloc(0), 'empty'],
  ['one byte more than the limit', padTo(JPEG, MAX_PICTURE_BYTES + 1), 'too_large'],
  ['SVG', Buffer.from(HOSTILE_SVG), 'other_kind'],
  ['GIF', gif, 'other_kind'],
  ['a PDF with the bytes of a JPEG', Buffer.from('%PDF-1.7\n\xff\xd8\xff'), 'other_kind'],
  ['an animated WebP', animated, 'animated'],
  ['an animated PNG', apng, 'animated'],
  ['a few bytes that claim gigabytes', createBomb(), 'too_many_pixels'],
  ['a picture that is too wide', ribbon, 'too_many_pixels'],
  ['a picture that is too small', dot, 'too_small'],
  ['a JPEG cut in the middle', JPEG.subarray(0, JPEG.length / 2), 'damaged'],
])('an upload of %s is rejected', async (_, bytes, problem) => {
  expect(await findProblem(bytes)).toBe(problem);
});

describe('an accepted upload', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('is stored as WebP from %s', async (kind) => {
    const { bytes, width, height } = await encodeUpload(await createPhoto(kind));
    const metadata = await sharp(bytes).metadata();
    expect([metadata.format, metadata.width, metadata.height]).toEqual(['webp', width, height]);
    expect([metadata.exif, metadata.xmp, metadata.icc]).toEqual([undefined, undefined, undefined]);
    expect(bytes.includes('SECRET-NAME')).toBe(false);
  });

  test('loses its GPS position and is stored upright', async () => {
    const turned = await sharp(JPEG)
      .withExif({ IFD3: { GPSLatitude: '21/1 9/1 40/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { bytes, width, height } = await encodeUpload(turned);
    const { exif, orientation } = await sharp(bytes).metadata();
    expect([width, height, exif, orientation]).toEqual([800, 1200, undefined, undefined]);
  });

  test('contains nothing of a second file appended to it', async () => {
    const page = '<script>alert("SECRET")</script>PK\x03\x04SECRET';
    for (const bytes of [JPEG, png]) {
      const encoded = await encodeUpload(Buffer.concat([bytes, Buffer.from(page)]));
      expect(encoded.bytes.includes('SECRET')).toBe(false);
    }
  });

  test('may have exactly 5 MB', async () => {
    expect(await findProblem(padTo(JPEG, MAX_PICTURE_BYTES))).toBe('accepted');
  });
});
