// Uploaded pictures written anew before anything is stored of them: one picture of bounded size,
// without whatever else was in the file. One at a time, beside the thread that serves.
import { MAX_PICTURE_BYTES } from './download.ts';
import { asPicture, openPicture, readShape } from './decode.ts';
import { PictureError } from './picture-error.ts';

/** As wide as the widest that is published; of a tall flyer, no more than can be read. */
const ROOM = { width: 1600, height: 2400 } as const;
/** It is encoded once more for its page. */
const QUALITY = 88;

/** An uploaded picture as it is stored: WebP, upright, in sRGB. */
export interface IntakePicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Makes a picture of what was uploaded. Throws a PictureError with its problem. */
export type TakePicture = (bytes: Buffer) => Promise<IntakePicture>;

/** The picture of some bytes. Throws a PictureError where they are none that we take. */
export async function makeIntakePicture(bytes: Buffer): Promise<IntakePicture> {
  if (bytes.length === 0) throw new PictureError('it is empty', 'empty');
  if (bytes.length > MAX_PICTURE_BYTES)
    throw new PictureError(`it is larger than ${MAX_PICTURE_BYTES / 1024 / 1024} MB`, 'too_large');
  const { is_animated } = await readShape(bytes);
  if (is_animated) throw new PictureError('it is animated', 'animated');
  const { data, info } = await asPicture(
    openPicture(bytes)
      .autoOrient()
      .resize({ ...ROOM, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: QUALITY, effort: 2 })
      .toBuffer({ resolveWithObject: true }),
  );
  return { bytes: data, width: info.width, height: info.height };
}

/** An intake of a process: whoever comes first is first. `makeOne` is what it does with each. */
export function createIntake(makeOne: TakePicture = makeIntakePicture): TakePicture {
  let last: Promise<unknown> = Promise.resolve();
  return (bytes) => {
    const made = last.then(() => makeOne(bytes));
    last = made.catch(() => {});
    return made;
  };
}
