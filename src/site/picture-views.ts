// The picture of an event as a page shows it: small in a row, large as a card (contract 16.3); and where
// drawings are.
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

/** The motif that an address names, whatever its digest. */
export function findMotif({ motifs }: Snapshot, path: string, ending: string): Motif | null {
  if (!path.startsWith(`${MOTIFS_PATH}/`)) return null;
  const [key = '', ...others] = path.slice(MOTIFS_PATH.length + 1).split('.');
  return others.length <= 2 && others.at(-1) === ending ? (motifs.get(key) ?? null) : null;
}

/** The address of what stands beside a title, square and without words; null where there is none. */
export function thumbnailUrl(event: PicturedEvent): string | null {
  const picture = findPicture(event);
  if (picture === null) return null;
  if (picture.kind === 'drawing') return motifPath(picture.motif, 'svg');
  const { held } = picture;
  return picturePath(held, held.widths[0] ?? largestWidth(held), 'webp');
}

/** The same of what all events of a category are drawn as. */
export function motifThumbnailUrl({ motifs }: Snapshot, key: string | null): string | null {
  const motif = motifs.get(key ?? '');
  return motif ? motifPath(motif, 'svg') : null;
}

export type PictureView = NonNullable<ReturnType<typeof buildPictureView>>;

/** `number`: what the card of a drawing says in its corner, the day of the month. */
export function buildPictureView(event: PicturedEvent, number: number | null, lang: Lang) {
  const picture = findPicture(event);
  if (picture === null) return null;
  const alt = picture.alt[lang];
  if (picture.kind === 'own') return { kind: 'own', alt, ...printHeld(picture.held) } as const;
  return { kind: 'drawing', alt, number, ...buildMotifView(picture.motif, lang) } as const;
}

export const buildMotifView = (motif: Motif, lang: Lang) => ({
  name: motif.name[lang],
  path: motifPath(motif, 'svg'),
  ...SCENE_SIZE,
});

/** A picture in the widths and formats that we hold, in a room of its own size from the start. */
function printHeld(held: StoredPicture) {
  const width = largestWidth(held);
  const shape = width > held.height * 1.1 ? 'wide' : 'tall';
  const toSet = (format: PictureFormat): string =>
    held.widths.map((each) => `${picturePath(held, each, format)} ${each}w`).join(', ');
  return {
    shape,
    width,
    height: held.height,
    sizes: shape === 'wide' ? '(min-width: 48rem) 44rem, 92vw' : '(min-width: 26rem) 24rem, 92vw',
    path: picturePath(held, width, 'jpg'),
    avif: toSet('avif'),
    webp: toSet('webp'),
    jpg: toSet('jpg'),
  } as const;
}
