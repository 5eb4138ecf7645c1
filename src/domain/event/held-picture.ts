// An event's picture as we keep it: fetched once, re-encoded, served from our own address.
import * as v from 'valibot';

const pixels = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The folder of pictures, on disk and in a path. */
export const PICTURES_FOLDER = 'pictures';

export const HeldPictureSchema = v.object({
  /** Of what was fetched and of how it is encoded. */
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  /** Pixels, smallest first; it is had in each. */
  widths: v.pipe(v.array(pixels), v.minLength(1), v.readonly()),
  /** Of the largest. */
  height: pixels,
});
export type HeldPicture = v.InferOutput<typeof HeldPictureSchema>;

/** The formats that each width is had in, the smallest file first; the last is read everywhere. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpg'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export const toPictureFile = (width: number, format: PictureFormat): string => `${width}.${format}`;

export const toLargestWidth = ({ widths }: HeldPicture): number => widths.at(-1) ?? 0;
