// The picture of an event as a page shows it: small in a row, large as a card (contract 16.3); and where
// drawings are.
import {
  findPicture,
  type HeldPicture,
  type Motif,
  type PictureFormat,
  type PicturedEvent,
  SCENE_SIZE,
  toLargestWidth,
} from '../domain/pictures.ts';
import type { Lang } from '../domain/lang.ts';
import { MOTIFS_PATH, toMotifPath, toPicturePath } from '../i18n/paths.ts';
import type { Snapshot } from '../snapshot/open.ts';

/** The motif that an address names, whatever its digest. */
export function findMotif({ motifs }: Snapshot, path: string, ending: string): Motif | null {
  if (!path.startsWith(`${MOTIFS_PATH}/`)) return null;
  const [key = '', ...others] = path.slice(MOTIFS_PATH.length + 1).split('.');
  return others.length <= 2 && others.at(-1) === ending ? (motifs.get(key) ?? null) : null;
}

/** The address of what stands beside a title, square and without words; null where there is none. */
export function toThumb(event: PicturedEvent): string | null {
  const picture = findPicture(event);
  if (picture === null) return null;
  if (picture.kind === 'drawing') return toMotifPath(picture.motif, 'svg');
  const { held } = picture;
  return toPicturePath(held, held.widths[0] ?? toLargestWidth(held), 'webp');
}

/** The same of what all events of a category are drawn as. */
export function toMotifThumb({ motifs }: Snapshot, key: string | null): string | null {
  const motif = motifs.get(key ?? '');
  return motif ? toMotifPath(motif, 'svg') : null;
}

export type PrintedPicture = NonNullable<ReturnType<typeof printPicture>>;

/** `number`: what the card of a drawing says in its corner, the day of the month. */
export function printPicture(event: PicturedEvent, number: number | null, lang: Lang) {
  const picture = findPicture(event);
  if (picture === null) return null;
  const alt = picture.alt[lang];
  if (picture.kind === 'own') return { kind: 'own', alt, ...printHeld(picture.held) } as const;
  return { kind: 'drawing', alt, number, ...printMotif(picture.motif, lang) } as const;
}

export const printMotif = (motif: Motif, lang: Lang) => ({
  name: motif.name[lang],
  path: toMotifPath(motif, 'svg'),
  ...SCENE_SIZE,
});

/** A picture in the widths and formats that we hold, in a room of its own size from the start. */
function printHeld(held: HeldPicture) {
  const width = toLargestWidth(held);
  const shape = width > held.height * 1.1 ? 'wide' : 'tall';
  const toSet = (format: PictureFormat): string =>
    held.widths.map((each) => `${toPicturePath(held, each, format)} ${each}w`).join(', ');
  return {
    shape,
    width,
    height: held.height,
    sizes: shape === 'wide' ? '(min-width: 48rem) 44rem, 92vw' : '(min-width: 26rem) 24rem, 92vw',
    path: toPicturePath(held, width, 'jpg'),
    avif: toSet('avif'),
    webp: toSet('webp'),
    jpg: toSet('jpg'),
  } as const;
}
