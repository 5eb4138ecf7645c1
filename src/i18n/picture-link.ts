// Where the picture of an event is had: our own copy of it, or the link as it was given.
import { toLargestWidth } from '../domain/event/held-picture.ts';
import type { EventRecord } from '../domain/event/event.ts';
import type { Site } from '../domain/site.ts';
import { toAbsolute, toPicturePath } from './paths.ts';

/** An address, absolute; the pixels are known only of our own copy. */
export interface PictureLink {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** The same for JSON, JSON-LD and calendars (contract 16.3): a JPEG, which everything reads. */
export function toPictureLink(
  { url, held }: NonNullable<EventRecord['image']>,
  site: Site,
): PictureLink {
  if (held === undefined) return { url };
  const width = toLargestWidth(held);
  return {
    url: toAbsolute(site.url, toPicturePath(held, width, 'jpg')),
    width,
    height: held.height,
  };
}
