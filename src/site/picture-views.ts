// Picture views: build the picture of an event for pages, as a thumbnail in a row or as a large
// card (contract 16.3), and find motifs by path. The picture is `own` (a stored photo of the event)
// or a drawing: a motif, which belongs to a category or to one event.
import {
  findPicture,
  type StoredPicture,
  type Motif,
  type PictureFormat,
  type PicturedEvent,
  SCENE_SIZE,
  largestWidth,
} from '../domain/pictures.ts';
import type { Lang } from '../domain/lang.ts';
import { MOTIFS_PATH, motifPath, picturePath } from '../i18n/paths.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';

/** Finds the motif of a path, also if the path has an outdated digest. */
export function findMotif({ motifs }: Snapshot, path: string, extension: string): Motif | null {
  if (!path.startsWith(`${MOTIFS_PATH}/`)) return null;
  // KEY.EXTENSION or KEY.DIGEST.EXTENSION
  const [key = '', ...suffixes] = path.slice(MOTIFS_PATH.length + 1).split('.');
  const is_motif_path = suffixes.length <= 2 && suffixes.at(-1) === extension;
  return is_motif_path ? (motifs.get(key) ?? null) : null;
}

/** Returns the address of an event's square thumbnail, or null if it has no picture. */
export function thumbnailUrl(event: PicturedEvent): string | null {
  const picture = findPicture(event);
  if (picture === null) return null;
  if (picture.kind === 'drawing') return motifPath(picture.motif, 'svg');
  const { stored } = picture;
  return picturePath(stored, stored.widths[0] ?? largestWidth(stored), 'webp');
}

/** Returns the address of a category's motif as a thumbnail, or null if it has none. */
export function motifThumbnailUrl({ motifs }: Snapshot, key: string | null): string | null {
  const motif = motifs.get(key ?? '');
  return motif ? motifPath(motif, 'svg') : null;
}

/** Picture of an event on its page. */
export type PictureView = NonNullable<ReturnType<typeof buildPictureView>>;

/**
 * Builds the picture of an event.
 * @param number Day of the month, in the corner of a drawing's card.
 * @returns null if the event has no picture.
 */
export function buildPictureView(event: PicturedEvent, number: number | null, lang: Lang) {
  const picture = findPicture(event);
  if (picture === null) return null;
  const alt = picture.alt[lang];
  if (picture.kind === 'own')
    return { kind: 'own', alt, ...buildStoredPictureView(picture.stored) } as const;
  return { kind: 'drawing', alt, number, ...buildMotifView(picture.motif, lang) } as const;
}

/** Builds the name, the path and the size in pixels of a drawing. */
export const buildMotifView = (motif: Motif, lang: Lang) => ({
  name: motif.name[lang],
  path: motifPath(motif, 'svg'),
  ...SCENE_SIZE,
});

/**
 * Builds the sources of a stored picture in all widths and formats, with its size, so that the page
 * does not shift.
 */
function buildStoredPictureView(picture: StoredPicture) {
  const width = largestWidth(picture);
  // A nearly square picture counts as tall, so that it does not fill the screen.
  const shape = width > picture.height * 1.1 ? 'wide' : 'tall';
  const formatSrcset = (format: PictureFormat): string =>
    picture.widths.map((each) => `${picturePath(picture, each, format)} ${each}w`).join(', ');
  return {
    shape,
    width,
    height: picture.height,
    sizes: shape === 'wide' ? '(min-width: 48rem) 44rem, 92vw' : '(min-width: 26rem) 24rem, 92vw',
    path: picturePath(picture, width, 'jpg'),
    avif: formatSrcset('avif'),
    webp: formatSrcset('webp'),
    jpg: formatSrcset('jpg'),
  } as const;
}
