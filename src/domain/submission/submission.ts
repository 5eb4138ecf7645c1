// A submission as it is stored, and what of it is private (contract 14.1, 14.26).
import * as v from 'valibot';
import { LANGS } from '../lang.ts';
import { SubmittedPictureSchema } from './submitted-picture.ts';
import { DayHoursSchema } from './field-rules.ts';

/** Null where nothing was given, and in what was stored before there was the field. */
const TEXT = v.optional(v.nullable(v.string()), null);

/**
 * In the order in which it is stored: what was sent before is known by the digest of its text. What is left out
 * where it is not said came later, so that what was stored before is as it was.
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
  dates: v.array(v.string()),
  hours: v.exactOptional(v.array(DayHoursSchema)),
  open_end: v.exactOptional(v.literal(true)),
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
  family: v.exactOptional(v.literal(true)),
  age_restriction: TEXT,
  languages: v.array(v.string()),
  organizer: v.object({ name: TEXT, url: TEXT }),
  source_url: TEXT,
  contact_email: TEXT,
});

/**
 * A submission as it is stored: every field there, null where nothing was given. Moments are local,
 * the day alone where `all_day` or where the `hour` is unknown; `venue` is the id of one we know.
 */
export type Submission = Readonly<v.InferOutput<typeof SubmissionRecordSchema>>;

/** How long the desk has what is private, `contact_email` above all: days after an event's last date, or after the decision on what was never published. */
export const PRIVATE_RETENTION_DAYS = 60;

/** What is private of one thing that was sent in. */
export interface PrivateData {
  /** The last day on which it is held, YYYY-MM-DD; null where nobody knows it yet. */
  readonly until: string | null;
}
