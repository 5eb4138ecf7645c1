// Picture encoding: validates an untrusted picture by its bytes, decodes it within limits and
// encodes it anew, without the metadata of the file.
import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import {
  type StoredPicture,
  PICTURE_FORMATS,
  type PictureFormat,
  pictureFileName,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_MB,
} from '../domain/pictures.ts';
import type { PictureProblem } from '../domain/submission/submitted-picture.ts';

/** 40 million decoded pixels need 160 MB. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 12_000;
const MIN_SIDE = 160;
const TOO_MANY_PIXELS = `too many pixels: at most ${MAX_SIDE} per side and ${MAX_PIXELS / 1e6} million in all`;
const TIMEOUT_S = 10;

/** Problem of a file. Any other error is a bug. */
export class PictureError extends Error {
  readonly problem: PictureProblem;
  constructor(problem: PictureProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Tells if a file starts as a JPEG, PNG or WebP does; media types and file names are not trusted.
 */
function isSupportedFormat(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 12).toString('latin1');
  const is_jpeg_or_png = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n'].some((magic) =>
    start.startsWith(magic),
  );
  return is_jpeg_or_png || /^RIFF[\s\S]{4}WEBP/.test(start);
}

/** Tells if a PNG is animated: then an `acTL` chunk precedes the pixels (APNG 1.0, Structure). */
function isAnimatedPng(bytes: Buffer): boolean {
  const animation_offset = bytes.indexOf('acTL', 0, 'latin1');
  const pixels_offset = bytes.indexOf('IDAT', 0, 'latin1');
  return bytes[0] === 0x89 && animation_offset > 0 && animation_offset < pixels_offset;
}

/**
 * Prepares decoding with corrected orientation. Loads sharp only here, because most processes need
 * no pictures.
 */
async function openPicture(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_S })
    .autoOrient();
}

/** Converts errors of decoding and encoding to PictureErrors: the file causes them. */
async function mapSharpErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Error && /pixel limit|too (large|wide|high)/i.test(thrown.message))
      throw new PictureError('too_many_pixels', TOO_MANY_PIXELS);
    throw new PictureError('damaged', 'damaged, or takes too long to decode');
  }
}

/**
 * Reads the displayed size without decoding.
 * @throws PictureError if the picture is not accepted.
 */
async function readDimensions(bytes: Buffer) {
  if (!isSupportedFormat(bytes))
    throw new PictureError('other_kind', 'not a JPEG, PNG or WebP picture');
  const { autoOrient, pages = 1 } = await mapSharpErrors((await openPicture(bytes)).metadata());
  const { width, height } = autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw new PictureError('too_many_pixels', TOO_MANY_PIXELS);
  if (Math.min(width, height) < MIN_SIDE)
    throw new PictureError(
      'too_small',
      `only ${width} × ${height} pixels; at least ${MIN_SIDE} per side are required`,
    );
  return { width, height, is_animated: pages > 1 || isAnimatedPng(bytes) };
}

/** Published widths in pixels. The first is for list rows, at two pixels per CSS pixel. */
const WIDTHS = [160, 480, 960, 1600] as const;
/** Part of the digest. Raise it to encode all pictures anew after a change of the encoding. */
const ENCODING_VERSION = '2';
const ENCODERS: Readonly<Record<PictureFormat, (image: Sharp) => Sharp>> = {
  avif: (image) => image.avif({ quality: 50, effort: 3 }),
  webp: (image) => image.webp({ quality: 72 }),
  jpg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 76, mozjpeg: true }),
};

export interface EncodedPicture {
  readonly picture: StoredPicture;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Encodes a picture for publication, in all formats and widths up to its own.
 * @throws PictureError
 */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  const { width, height } = await readDimensions(bytes);
  const largest = Math.min(width, Math.max(...WIDTHS));
  const widths = [...WIDTHS.filter((smaller) => smaller < largest), largest];
  const files = new Map<string, Buffer>();
  for (const target_width of widths) {
    const image = (await openPicture(bytes)).resize({
      width: target_width,
      withoutEnlargement: true,
    });
    for (const format of PICTURE_FORMATS)
      files.set(
        pictureFileName(target_width, format),
        await mapSharpErrors(ENCODERS[format](image.clone()).toBuffer()),
      );
  }
  const digest = createHash('sha256')
    .update(ENCODING_VERSION)
    .update(bytes)
    .digest('hex')
    .slice(0, 32);
  const scaled_height = Math.max(1, Math.round((height * largest) / width));
  return { picture: { digest, widths, height: scaled_height }, files };
}

/**
 * Size limit of stored uploads: the largest published width, and a height at which a tall flyer is
 * legible.
 */
const MAX_UPLOAD_SIZE = { width: 1600, height: 2400 } as const;
/** Higher than for publication, because the stored file is encoded again. */
const UPLOAD_QUALITY = 88;

/** Encodes an uploaded picture for storage: WebP, upright, in sRGB. @throws PictureError */
export async function encodeUpload(bytes: Buffer) {
  if (bytes.length === 0) throw new PictureError('empty', 'empty file');
  if (bytes.length > MAX_PICTURE_BYTES)
    throw new PictureError('too_large', `larger than ${MAX_PICTURE_MB} MB`);
  const { is_animated } = await readDimensions(bytes);
  if (is_animated) throw new PictureError('animated', 'animated');
  const { data, info } = await mapSharpErrors(
    (await openPicture(bytes))
      .resize({ ...MAX_UPLOAD_SIZE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: UPLOAD_QUALITY, effort: 2 })
      .toBuffer({ resolveWithObject: true }),
  );
  return { bytes: data, width: info.width, height: info.height };
}
