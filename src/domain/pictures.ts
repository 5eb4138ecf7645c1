// The pictures that we serve: of an event, its own, fetched once and re-encoded, or the drawing of its
// motif; and the posters that links are shared with.
import * as v from 'valibot';
import { LocalTextSchema, type LocalText } from './lang.ts';

const pixels = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The folder of pictures, on disk and in a path. */
export const PICTURES_FOLDER = 'pictures';

export const StoredPictureSchema = v.object({
  /** Of what was fetched and of how it is encoded. */
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  /** Pixels, smallest first; it is had in each. */
  widths: v.pipe(v.array(pixels), v.minLength(1), v.readonly()),
  height: pixels,
});
export type StoredPicture = v.InferOutput<typeof StoredPictureSchema>;

/** The formats that each width is had in, the smallest file first; the last is read everywhere. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpg'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export const pictureFileName = (width: number, format: PictureFormat): string =>
  `${width}.${format}`;

export const largestWidth = ({ widths }: StoredPicture): number => widths.at(-1) ?? 0;

export const MotifSchema = v.object({
  key: v.string(),
  /** `La tortuga`: what the card is called. */
  name: LocalTextSchema,
  /** What is to be seen. */
  alt: LocalTextSchema,
  /** Of its drawing: another drawing has another address. */
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{10}$/)),
});
export interface Motif extends Readonly<v.InferOutput<typeof MotifSchema>> {}
export interface MotifWithDrawing extends Motif {
  readonly svg: string;
}

/** Pixels of a motif's scene, as SVG and as PNG. Lists show the square in its middle. */
export const SCENE_SIZE = { width: 200, height: 260 } as const;
export const SCENE_PIXELS = { width: 800, height: 1040 } as const;

/** What an event is shown as: its own picture, or a drawing that stands for its kind. */
export type Picture =
  | { readonly kind: 'own'; readonly held: StoredPicture; readonly alt: LocalText }
  | { readonly kind: 'drawing'; readonly motif: Motif; readonly alt: LocalText };

/** An event with its motif: its own, or its category's. */
export interface PicturedEvent {
  readonly event: {
    readonly image: { readonly held?: StoredPicture; readonly alt: LocalText } | null;
  };
  readonly motif: Motif | null;
}

/** The picture of an event on every surface; null where its town draws nothing. */
export function findPicture({ event: { image }, motif }: PicturedEvent): Picture | null {
  if (image?.held) return { kind: 'own', held: image.held, alt: image.alt };
  return motif && { kind: 'drawing', motif, alt: motif.alt };
}

/** A picture in the frame of a card: the number in its corner, its name in capitals where it has one. */
export interface PosterCard {
  readonly picture: Picture;
  readonly number: string;
  readonly name: string | null;
  /** Of its event, beneath; null where it stands beside. */
  readonly title: string | null;
}

/** The words of a poster, in one language; all of them may be a stranger's. */
export interface Poster {
  /** The site's name, at its foot. */
  readonly name: string;
  /** `sábado`, `21`, `de noviembre`; null for the poster of the site itself. */
  readonly date: {
    readonly weekday: string;
    readonly number: string;
    readonly month: string;
  } | null;
  /** One, large, of an event; up to three of what is on. */
  readonly cards: readonly PosterCard[];
  /** Above the title: that it is cancelled or postponed; null as a rule. */
  readonly mark: string | null;
  readonly title: string;
  readonly lines: readonly string[];
}

/** What is drawn as PNG when it is first asked for: a poster, or the scene of a motif by itself. */
export type DrawingRequest = Poster | { readonly scene: Motif };

/** Pixels of a poster: the size that networks and messengers ask for. */
export const POSTER_SIZE = { width: 1200, height: 630 } as const;
