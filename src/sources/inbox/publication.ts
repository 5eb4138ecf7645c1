// An approved submission as it is stored: an event file with its venue and organizer, known ones by
// id, new ones whole.
import * as v from 'valibot';
import { PictureIdSchema, toUploadLink } from '../../domain/submission/picture.ts';
import { type EventFile, EventSchema, OrganizerSchema, VenueSchema } from '../content-schema.ts';
import { line, local, MAX } from '../schema-fields.ts';

const known = v.strictObject({ id: v.string() });

/** What content says by link, the inbox may hold itself. */
const UploadSchema = v.strictObject({ upload: PictureIdSchema, alt: local(line(MAX.summary)) });
const { image, ...OTHER_FIELDS } = EventSchema.entries;

export const PublicationSchema = v.strictObject({
  event: v.strictObject({
    ...OTHER_FIELDS,
    image: v.optional(v.union([UploadSchema, image.wrapped])),
  }),
  venue: v.nullable(v.union([known, v.strictObject({ file: VenueSchema })])),
  organizer: v.nullable(v.union([known, v.strictObject({ file: OrganizerSchema })])),
  /** What stood in the controls when it was approved, but for what is private: to compare a later text with. */
  form: v.optional(v.record(v.string(), v.string())),
});
export type Publication = v.InferOutput<typeof PublicationSchema>;

/** Its event as a file of content: an uploaded picture by a link that only a release understands. */
export function toEventFile({ event }: Pick<Publication, 'event'>): EventFile {
  const { image, ...others } = event;
  if (image === undefined) return others;
  const url = 'upload' in image ? toUploadLink(image.upload) : image.url;
  return { ...others, image: { url, alt: image.alt } };
}
