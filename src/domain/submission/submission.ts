// Submission: the schema of the stored record, and the retention of its private data (contract
// 14.1, 14.26).
import * as v from 'valibot';
import { LANGS } from '../lang.ts';
import { SubmittedPictureSchema } from './submitted-picture.ts';
import { DayHoursSchema } from './field-rules.ts';

/** Null without a value, and in records stored before the field existed. */
const TEXT = v.optional(v.nullable(v.string()), null);

/**
 * The stored record. The order of its fields must not change, because earlier submissions are
 * identified by the digest of their JSON. For the same reason, fields added later are absent
 * instead of null.
 */
export const SubmissionRecordSchema = v.object({
  lang: v.picklist(LANGS),
  title: v.string(),
  description: v.string(),
  category: v.string(),
  zone: TEXT,
  start: v.string(),
  end: TEXT,
  all_day: v.boolean(),
  hour: v.exactOptional(v.literal('unknown')),
  /** Further days, YYYY-MM-DD, sorted; `hours` are those with hours of their own. */
  dates: v.array(v.string()),
  hours: v.exactOptional(v.array(DayHoursSchema)),
  /** The last date is unknown: the event may continue. */
  open_end: v.exactOptional(v.literal(true)),
  /** Sentence of the sender about the repetition, if the dates cannot express it. */
  repeats: TEXT,
  venue: TEXT,
  venue_name: TEXT,
  venue_address: TEXT,
  price: v.object({
    is_free: v.boolean(),
    min: v.nullable(v.number()),
    max: v.nullable(v.number()),
    note: TEXT,
  }),
  ticket_url: TEXT,
  registration_url: TEXT,
  image: v.nullable(SubmittedPictureSchema),
  /** Suits families. */
  family: v.exactOptional(v.literal(true)),
  age_restriction: TEXT,
  languages: v.array(v.string()),
  organizer: v.object({ name: TEXT, url: TEXT }),
  source_url: TEXT,
  contact_email: TEXT,
  /** Customary rest days of its repetition that its sender has not named; not among `dates`. */
  resting: v.exactOptional(v.array(v.string())),
  /** Customary rest days on which its sender has said that it does not take place. */
  rests: v.exactOptional(v.array(v.string())),
});

/**
 * A stored submission. `start` and `end` are local times, or only days if `all_day` or if the
 * `hour` is unknown; `venue` is the id of a known venue.
 */
export type Submission = Readonly<v.InferOutput<typeof SubmissionRecordSchema>>;

/**
 * Retention of private data such as `contact_email`, in days after the last date of an event, or
 * after the decision on an unpublished submission.
 */
export const PRIVATE_RETENTION_DAYS = 60;

/** Private data of one submission. */
export interface PrivateData {
  /** Last day of its retention, YYYY-MM-DD; null if not yet determined. */
  readonly until: string | null;
}
