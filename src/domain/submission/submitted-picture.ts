// A picture that comes with a submission: by link, or uploaded and stored beside it (contract 14.13).
import * as v from 'valibot';

/** Days that an uploaded picture is stored once nothing needs it any more. */
export const UPLOAD_RETENTION_DAYS = 60;

/** What is wrong with an uploaded picture; each has its sentence in i18n, `submit.picture.<problem>`. */
export const PICTURE_PROBLEMS = [
  'empty',
  'too_large',
  'other_kind',
  'animated',
  'too_many_pixels',
  'too_small',
  'damaged',
  'cut_off',
  'busy',
  'too_many',
  'gone',
  'not_stored',
] as const;
export type PictureProblem = (typeof PICTURE_PROBLEMS)[number];

/** The id of an uploaded picture: 192 bits that only its sender is told. */
export const PictureIdSchema = v.pipe(v.string(), v.regex(/^[\w-]{32}$/, 'missing'));

const text = v.optional(v.nullable(v.string()), null);
/** As it is stored with a submission: a link, or the id of what was uploaded. */
export const SubmittedPictureSchema = v.union([
  v.object({ url: v.string(), alt: text }),
  v.object({ upload: PictureIdSchema, alt: text }),
]);

const SCHEME = 'upload:';

/** Where the sources of a release find an uploaded picture: no address that anybody is ever told. */
export const formatUploadUri = (id: string): string => `${SCHEME}${id}`;

/** The id in such a link; null where it is another. */
export const parseUploadUri = (link: string): string | null =>
  link.startsWith(SCHEME) ? link.slice(SCHEME.length) : null;

/** What is taken, as a form asks a browser for it; what it is, its bytes say. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
