// A stranger's picture made our own: known by its bytes, decoded within limits, written anew without
// whatever else was in the file.
import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import {
  type StoredPicture,
  PICTURE_FORMATS,
  type PictureFormat,
  pictureFileName,
} from '../domain/pictures.ts';
import type { PictureProblem } from '../domain/submission/submitted-picture.ts';
import { MAX_PICTURE_BYTES } from '../http/fetch-public.ts';

/** Decoded pixels: 40 million are 160 MB. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 12_000;
const MIN_SIDE = 160;
const TOO_MANY = `it has too many pixels: at most ${MAX_SIDE} a side and ${MAX_PIXELS / 1e6} million in all are read`;
const TIMEOUT_S = 10;

/** What is wrong with a file; anything else that is thrown is our own fault. */
export class PictureError extends Error {
  readonly problem: PictureProblem;
  constructor(problem: PictureProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** Whether bytes begin as a JPEG, PNG or WebP does; what a server or a name says counts for nothing. */
function isKnownKind(bytes: Buffer): boolean {
  const begins = bytes.subarray(0, 12).toString('latin1');
  const is_known = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n'].some((known) => begins.startsWith(known));
  return is_known || /^RIFF[\s\S]{4}WEBP/.test(begins);
}

/** The chunk that says so stands before the first pixels (APNG 1.0, Structure). */
function isAnimatedPng(bytes: Buffer): boolean {
  const [says, begins] = [bytes.indexOf('acTL', 0, 'latin1'), bytes.indexOf('IDAT', 0, 'latin1')];
  return bytes[0] === 0x89 && says > 0 && says < begins;
}

/** To be decoded, upright; nothing is read yet. Sharp is loaded here: most processes meet no picture. */
async function openPicture(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_S })
    .autoOrient();
}

/** What decoding gives; whatever fails there is a fault of the picture. */
async function asPicture<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Error && /pixel limit|too (large|wide|high)/i.test(thrown.message))
      throw new PictureError('too_many_pixels', TOO_MANY);
    throw new PictureError('damaged', 'it is damaged, or takes too long to read');
  }
}

/** Its pixels as it is shown, without decoding it. Throws a PictureError where it is none that we take. */
async function readShape(bytes: Buffer) {
  if (!isKnownKind(bytes))
    throw new PictureError('other_kind', 'it is not a JPEG, PNG or WebP picture');
  const { autoOrient, pages = 1 } = await asPicture((await openPicture(bytes)).metadata());
  const { width, height } = autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw new PictureError('too_many_pixels', TOO_MANY);
  if (Math.min(width, height) < MIN_SIDE)
    throw new PictureError(
      'too_small',
      `it is ${width} × ${height} pixels; at least ${MIN_SIDE} a side are shown`,
    );
  return { width, height, is_animated: pages > 1 || isAnimatedPng(bytes) };
}

/** The first is for a row, on a screen of two pixels a point. */
const WIDTHS = [160, 480, 960, 1600] as const;
/** To be raised where the same bytes are to be encoded differently. */
const RECIPE = '2';
const WRITE: Readonly<Record<PictureFormat, (image: Sharp) => Sharp>> = {
  avif: (image) => image.avif({ quality: 50, effort: 3 }),
  webp: (image) => image.webp({ quality: 72 }),
  jpg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 76, mozjpeg: true }),
};

export interface EncodedPicture {
  readonly held: StoredPicture;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** A picture to publish, in widths up to its own. Throws a PictureError. */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  const { width, height } = await readShape(bytes);
  const largest = Math.min(width, Math.max(...WIDTHS));
  const widths = [...WIDTHS.filter((known) => known < largest), largest];
  const files = new Map<string, Buffer>();
  for (const wanted of widths) {
    const image = (await openPicture(bytes)).resize({ width: wanted, withoutEnlargement: true });
    for (const format of PICTURE_FORMATS)
      files.set(
        pictureFileName(wanted, format),
        await asPicture(WRITE[format](image.clone()).toBuffer()),
      );
  }
  const digest = createHash('sha256').update(RECIPE).update(bytes).digest('hex').slice(0, 32);
  const scaled = Math.max(1, Math.round((height * largest) / width));
  return { held: { digest, widths, height: scaled }, files };
}

/** As wide as the widest that is published; of a tall flyer, no more than can be read. */
const INTAKE_ROOM = { width: 1600, height: 2400 } as const;
/** It is encoded once more for its page. */
const INTAKE_QUALITY = 88;

/** An uploaded picture as it is stored: WebP, upright, in sRGB. Throws a PictureError. */
export async function encodeUpload(bytes: Buffer) {
  if (bytes.length === 0) throw new PictureError('empty', 'it is empty');
  if (bytes.length > MAX_PICTURE_BYTES)
    throw new PictureError('too_large', `it is larger than ${MAX_PICTURE_BYTES / 1024 / 1024} MB`);
  const { is_animated } = await readShape(bytes);
  if (is_animated) throw new PictureError('animated', 'it is animated');
  const { data, info } = await asPicture(
    (await openPicture(bytes))
      .resize({ ...INTAKE_ROOM, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: INTAKE_QUALITY, effort: 2 })
      .toBuffer({ resolveWithObject: true }),
  );
  return { bytes: data, width: info.width, height: info.height };
}
