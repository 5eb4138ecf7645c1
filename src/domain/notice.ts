// The fields of a notice, each once, and in which order notices stand (contract 4.12, 8.9).
import * as v from 'valibot';
import {
  about,
  AddressSchema,
  inside,
  made,
  orNull,
  type RecordOf,
  same,
  text,
  TimestampSchema,
} from './fields.ts';
import { LocalTextSchema } from './lang.ts';
import { SOURCE_DAY_FIELDS } from './source-days.ts';

export const NOTICE_TYPES = [
  'weather',
  'traffic',
  'closure',
  'ecology',
  'health',
  'other',
] as const;
/** Most severe first. */
export const SEVERITIES = ['alert', 'warning', 'info'] as const;

export const NOTICE_FIELDS = {
  /** `no_`, ten characters and the local start day. */
  id: same(v.string()),
  type: same(v.picklist(NOTICE_TYPES)),
  /** What it counts as (notice-standing.ts), which may be less than what its file says. */
  severity: same(v.picklist(SEVERITIES)),
  season: same(
    v.boolean(),
    about(
      v.exactOptional(v.boolean()),
      'A season: people are told of it in full in its first and last seven days, in one line between.',
    ),
  ),
  inferred: same(
    v.boolean(),
    about(
      v.exactOptional(v.boolean()),
      'Known from earlier years; nobody has announced it for this one.',
    ),
  ),
  /** The sentence for readers; made of `inferred` and `evidence`. */
  confirm: made(
    null,
    about(
      orNull(v.string()),
      'Of which year an inferred notice is known, in the requested language.',
    ),
  ),
  /** What it is inferred from; null where it is not, or where nobody knows the year. */
  evidence: inside(v.nullable(v.object({ year: v.number(), was_last_year: v.boolean() }))),
  title: text(v.string()),
  body: text(about(v.string(), 'Plain text.')),
  /** What the season is called in a line of them: `nortes`. */
  short: inside(v.nullable(LocalTextSchema)),
  zone: same(v.nullable(v.string()), about(orNull(v.string()), 'The key of the zone.')),
  start_ms: inside(v.number()),
  starts_at: made(null, TimestampSchema),
  /** Exclusive; null until an editor closes it. */
  end_ms: inside(v.nullable(v.number())),
  ends_at: made(
    null,
    about(orNull(TimestampSchema), 'Exclusive; null until an editor closes the notice.'),
  ),
  source: same(v.nullable(v.string()), orNull(v.string())),
  source_url: same(v.nullable(v.string()), orNull(AddressSchema)),
  ...SOURCE_DAY_FIELDS,
  updated_at: inside(v.string()),
} as const;

export interface NoticeRecord extends RecordOf<typeof NOTICE_FIELDS> {}

/** Alert, warning, info; then newest; then by id. */
export function compareNotices(a: NoticeRecord, b: NoticeRecord): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.start_ms - a.start_ms ||
    (a.id < b.id ? -1 : 1)
  );
}
