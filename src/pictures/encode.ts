// A stranger's picture made our own: known by its bytes, decoded within limits, and written anew in
// a few widths and formats, without whatever else was in the file.
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import {
  type HeldPicture,
  PICTURE_FORMATS,
  type PictureFormat,
  toPictureFile,
} from '../domain/event/held-picture.ts';
import { PictureError } from './picture-error.ts';

const WIDTHS = [480, 960, 1600] as const;
/** Decoded pixels: 40 million are 160 MB. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 12_000;
const MIN_SIDE = 160;
const TOO_MANY = `it has too many pixels: at most ${MAX_SIDE} a side and ${MAX_PIXELS / 1e6} million in all are read`;
/** Seconds for one file. */
const TIMEOUT_S = 10;
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

/** Whether bytes begin as a JPEG, PNG or WebP does; what a server or a name says counts for nothing. */
function isKnownKind(bytes: Buffer): boolean {
  const begins = bytes.subarray(0, 12).toString('latin1');
  return (
    begins.startsWith('\xff\xd8\xff') ||
    begins.startsWith('\x89PNG\r\n\x1a\n') ||
    /^RIFF[\s\S]{4}WEBP/.test(begins)
  );
}

const open = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT_S });

/** The width and height that it is shown in, without decoding it. */
async function readSize(bytes: Buffer): Promise<readonly [number, number]> {
  if (!isKnownKind(bytes)) throw new PictureError('it is not a JPEG, PNG or WebP picture');
  const { autoOrient } = await asPicture(open(bytes).metadata());
  const { width, height } = autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw new PictureError(TOO_MANY);
  if (Math.min(width, height) < MIN_SIDE)
    throw new PictureError(
      `it is ${width} × ${height} pixels; at least ${MIN_SIDE} a side are shown`,
    );
  return [width, height];
}

async function asPicture<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Error && /pixel limit|too (large|wide|high)/i.test(thrown.message))
      throw new PictureError(TOO_MANY);
    throw new PictureError('it is damaged, or takes too long to read');
  }
}

/** The widths that a picture is written in: never wider than it is. */
const toWidths = (width: number): readonly number[] => [
  ...WIDTHS.filter((known) => known < width),
  ...(width <= Math.max(...WIDTHS) ? [width] : []),
];

/** The picture of some bytes. Throws a PictureError where they are none that we take. */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  const [width, height] = await readSize(bytes);
  const widths = toWidths(width);
  const files = new Map<string, Buffer>();
  for (const wanted of widths) {
    const image = open(bytes).autoOrient().resize({ width: wanted, withoutEnlargement: true });
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
