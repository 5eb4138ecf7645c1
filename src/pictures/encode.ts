// A stranger's picture made our own: written anew in a few widths and formats, without whatever else
// was in the file.
import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import {
  type HeldPicture,
  PICTURE_FORMATS,
  type PictureFormat,
  toPictureFile,
} from '../domain/event/held-picture.ts';
import { asPicture, openPicture, readShape } from './decode.ts';

const WIDTHS = [480, 960, 1600] as const;
/** To be raised where the same bytes are to be encoded differently. */
const RECIPE = '1';

/** How each format is written. */
const WRITE: Readonly<Record<PictureFormat, (image: Sharp) => Sharp>> = {
  avif: (image) => image.avif({ quality: 50, effort: 3 }),
  webp: (image) => image.webp({ quality: 72 }),
  jpg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 76, mozjpeg: true }),
};

/** A picture ready to be stored: what is held of it, and its files by name. */
export interface EncodedPicture {
  readonly held: HeldPicture;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The widths that a picture is written in: never wider than it is. */
const toWidths = (width: number): readonly number[] => [
  ...WIDTHS.filter((known) => known < width),
  ...(width <= Math.max(...WIDTHS) ? [width] : []),
];

/** The picture of some bytes. Throws a PictureError where they are none that we take. */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  const { width, height } = await readShape(bytes);
  const widths = toWidths(width);
  const files = new Map<string, Buffer>();
  for (const wanted of widths) {
    const image = openPicture(bytes)
      .autoOrient()
      .resize({ width: wanted, withoutEnlargement: true });
    for (const format of PICTURE_FORMATS) {
      const written = await asPicture(WRITE[format](image.clone()).toBuffer());
      files.set(toPictureFile(wanted, format), written);
    }
  }
  const digest = createHash('sha256').update(RECIPE).update(bytes).digest('hex').slice(0, 32);
  const largest = widths.at(-1) ?? width;
  return {
    held: {
      digest,
      widths,
      height: Math.max(1, Math.round((height * largest) / width)),
    },
    files,
  };
}
