// Pictures: defines the picture of an event, which is its own (downloaded and re-encoded) or the
// drawing of its motif, and the posters for link previews. A motif is a drawing on a picture card:
// the event's own one, or its category's.
import * as v from 'valibot';
import { LocalTextSchema, type LocalText } from './lang.ts';

const pixels = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Largest picture to upload or fetch (contract 16.4). Texts contain it as `{picture_mb}`. */
export const MAX_PICTURE_MB = 5;
export const MAX_PICTURE_BYTES = MAX_PICTURE_MB * 1024 * 1024;

/** Folder of pictures, on disk and in URL paths. */
export const PICTURES_FOLDER = 'pictures';

/** An event's own picture, stored in several widths and formats. */
export const StoredPictureSchema = v.object({
  /** Digest of the original and of the encoding settings. */
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  /** Available widths in pixels, smallest first. */
  widths: v.pipe(v.array(pixels), v.minLength(1), v.readonly()),
  /** Height in pixels at the largest width. */
  height: pixels,
});
export type StoredPicture = v.InferOutput<typeof StoredPictureSchema>;

/** Formats of each width, smallest file first; every client supports the last. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpg'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export const pictureFileName = (width: number, format: PictureFormat): string =>
  `${width}.${format}`;

/** Returns the largest available width in pixels. */
export const largestWidth = ({ widths }: StoredPicture): number => widths.at(-1) ?? 0;

/** A motif, without its drawing. */
export const MotifSchema = v.object({
  key: v.string(),
  /** Name of the card: `La tortuga`. */
  name: LocalTextSchema,
  /** Text alternative. */
  alt: LocalTextSchema,
  /** Digest of its drawing, so that another drawing has another URL. */
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{10}$/)),
});
export interface Motif extends Readonly<v.InferOutput<typeof MotifSchema>> {}
export interface MotifWithDrawing extends Motif {
  readonly svg: string;
}

/**
 * Size of a motif's drawing (its scene), in SVG units and in PNG pixels. Lists show the square in
 * its middle.
 */
export const SCENE_SIZE = { width: 200, height: 260 } as const;
export const SCENE_PIXELS = { width: 800, height: 1040 } as const;

/** Picture of an event: its own, or the drawing of its motif. */
export type Picture =
  | { readonly kind: 'own'; readonly stored: StoredPicture; readonly alt: LocalText }
  | { readonly kind: 'drawing'; readonly motif: Motif; readonly alt: LocalText };

/** An event with its motif. `held` is its own picture, if that is stored. */
export interface PicturedEvent {
  readonly event: {
    readonly image: { readonly held?: StoredPicture; readonly alt: LocalText } | null;
  };
  readonly motif: Motif | null;
}

/**
 * Finds the picture of an event.
 * @returns null if it has none of its own and the town has no drawings.
 */
export function findPicture({ event: { image }, motif }: PicturedEvent): Picture | null {
  if (image?.held) return { kind: 'own', stored: image.held, alt: image.alt };
  return motif && { kind: 'drawing', motif, alt: motif.alt };
}

/**
 * A picture card: a framed picture with a number in a corner, such as the day, and a name in
 * capitals, if any.
 */
export interface PosterCard {
  readonly picture: Picture;
  readonly number: string;
  readonly name: string | null;
  /** Event title below the card; null if the poster shows it next to the card. */
  readonly title: string | null;
}

/** Texts of a poster in one language; all may be untrusted. */
export interface Poster {
  /** Site name, at the bottom. */
  readonly name: string;
  /** `sábado`, `21`, `de noviembre`; null for the poster of the site itself. */
  readonly date: {
    readonly weekday: string;
    readonly number: string;
    readonly month: string;
  } | null;
  /** One large card for an event, up to three for an agenda. */
  readonly cards: readonly PosterCard[];
  /** `mark`: status text above the title, for a cancelled or postponed event; else null. */
  readonly mark: string | null;
  readonly title: string;
  /** Further lines below the title: date, place, price. */
  readonly lines: readonly string[];
}

/** A PNG to render on first request: a poster, or the drawing of a motif alone (its scene). */
export type DrawingRequest = Poster | { readonly scene: Motif };

/** Pixels of a poster: the size that social networks and messengers recommend. */
export const POSTER_SIZE = { width: 1200, height: 630 } as const;
