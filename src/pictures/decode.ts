// A stranger's bytes as a picture: known by what they are, never by what they are called, and decoded
// within limits.
import sharp, { type Sharp } from 'sharp';
import { PictureError } from './picture-error.ts';

/** Decoded pixels: 40 million are 160 MB. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 12_000;
const MIN_SIDE = 160;
const TOO_MANY = `it has too many pixels: at most ${MAX_SIDE} a side and ${MAX_PIXELS / 1e6} million in all are read`;
/** Seconds for one file. */
const TIMEOUT_S = 10;

/** What is known of a picture before it is decoded. */
export interface PictureShape {
  /** Pixels, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly is_animated: boolean;
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

/** The chunk that says so stands before the first pixels (APNG 1.0, Structure). */
function isAnimatedPng(bytes: Buffer): boolean {
  const [says, begins] = [bytes.indexOf('acTL', 0, 'latin1'), bytes.indexOf('IDAT', 0, 'latin1')];
  return bytes[0] === 0x89 && says > 0 && says < begins;
}

/** To be decoded; nothing is read yet. */
export const openPicture = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT_S });

/** The shape of a picture, without decoding it. Throws a PictureError where it is none that we take. */
export async function readShape(bytes: Buffer): Promise<PictureShape> {
  if (!isKnownKind(bytes))
    throw new PictureError('it is not a JPEG, PNG or WebP picture', 'other_kind');
  const { autoOrient, pages = 1 } = await asPicture(openPicture(bytes).metadata());
  const { width, height } = autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw new PictureError(TOO_MANY, 'too_many_pixels');
  if (Math.min(width, height) < MIN_SIDE)
    throw new PictureError(
      `it is ${width} × ${height} pixels; at least ${MIN_SIDE} a side are shown`,
      'too_small',
    );
  return { width, height, is_animated: pages > 1 || isAnimatedPng(bytes) };
}

/** What decoding gives; whatever fails there is a fault of the picture. */
export async function asPicture<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Error && /pixel limit|too (large|wide|high)/i.test(thrown.message))
      throw new PictureError(TOO_MANY, 'too_many_pixels');
    throw new PictureError('it is damaged, or takes too long to read', 'damaged');
  }
}
