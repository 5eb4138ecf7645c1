// The picture of a thing as the form of edits sends it: chosen now, a link, or the one that is held.
import { readUploadLink, toUploadLink } from '../submission/picture.ts';
import type { Fields } from './field-shape.ts';

/** The field of a thing that is its picture. */
export const PICTURE_FIELD = 'image';
/** Its controls beside those of its parts. */
export const PICTURE_CONTROLS = {
  /** The id of what was uploaded with this very form. */
  chosen: 'picture_id',
  /** The id of what was uploaded before. */
  held: 'picture_held',
  drop: 'picture_drop',
} as const;

const URL_CONTROL = `${PICTURE_FIELD}.url`;

/** The fields of a form with those of the picture as its parts have them. */
export function readPictureFields(fields: Fields): Fields {
  const { chosen, held, drop } = PICTURE_CONTROLS;
  if (fields[drop])
    return Object.fromEntries(
      Object.entries(fields).filter(([name]) => !name.startsWith(`${PICTURE_FIELD}.`)),
    );
  const id = fields[chosen] || (fields[URL_CONTROL]?.trim() ? '' : fields[held]);
  return id ? { ...fields, [URL_CONTROL]: toUploadLink(id) } : fields;
}

/** A picture's link for its control: none of one that was uploaded, whose id is given instead. */
export function toPictureControls(link: string): {
  readonly link: string;
  readonly held: string | null;
} {
  const held = readUploadLink(link);
  return { link: held === null ? link : '', held };
}
