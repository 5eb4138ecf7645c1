// A submission as it lies in the inbox, read back.
import * as v from 'valibot';
import { LANGS } from '../lang.ts';
import type { Submission } from './submission.ts';

const text = v.nullable(v.string());

const SubmissionRecordSchema = v.object({
  lang: v.picklist(LANGS),
  title: v.string(),
  description: v.string(),
  category: v.string(),
  zone: text,
  start: v.string(),
  end: text,
  all_day: v.boolean(),
  dates: v.array(v.string()),
  repeats: text,
  venue: text,
  venue_name: text,
  venue_address: text,
  price: v.object({
    is_free: v.boolean(),
    min: v.nullable(v.number()),
    max: v.nullable(v.number()),
    note: text,
  }),
  ticket_url: text,
  registration_url: text,
  image: v.nullable(v.object({ url: v.string(), alt: text })),
  age_restriction: text,
  languages: v.array(v.string()),
  organizer: v.object({ name: text, url: text }),
  source_url: text,
  contact_email: text,
});

/** The submission of a stored text. Throws where it is none. */
export function parseSubmissionRecord(json: string): Submission {
  return v.parse(SubmissionRecordSchema, JSON.parse(json));
}
