// Submitted picture: the schema of a submission's picture, which is a link or a stored upload
// (contract 14.13).
import * as v from 'valibot';

/** Retention of an uploaded picture, in days after it was last needed. */
export const UPLOAD_RETENTION_DAYS = 60;

/** Reasons to reject an upload. Each has a message in i18n, `submit.picture.<problem>`. */
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

/** Id of an uploaded picture: 192 random bits, which only its sender receives. */
export const PictureIdSchema = v.pipe(v.string(), v.regex(/^[\w-]{32}$/, 'missing'));

const AltSchema = v.optional(v.nullable(v.string()), null);
/** Stored with a submission: a link, or the id of an upload. */
export const SubmittedPictureSchema = v.union([
  v.object({ url: v.string(), alt: AltSchema }),
  v.object({ upload: PictureIdSchema, alt: AltSchema }),
]);

const SCHEME = 'upload:';

/**
 * Formats the internal address by which a build finds an uploaded picture. It is never published.
 */
export const formatUploadUri = (id: string): string => `${SCHEME}${id}`;

/** Parses the id of an internal address. @returns null for any other address. */
export const parseUploadUri = (link: string): string | null =>
  link.startsWith(SCHEME) ? link.slice(SCHEME.length) : null;

/**
 * Types offered in the file dialog of the form. The server detects the real type from the bytes.
 */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
