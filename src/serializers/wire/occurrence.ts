// The wire form of an occurrence (interface 2, Occurrence).
import * as v from 'valibot';
import { about, DaySchema, orNull, TimestampSchema } from './fields.ts';

/** One time that an event takes place. */
export const OccurrenceSchema = v.strictObject({
  id: about(v.string(), 'Stable: the event id and the local start.'),
  start: TimestampSchema,
  end: about(TimestampSchema, 'Where the end is not known: start + 3 hours.'),
  date: about(DaySchema, 'Local Cancún day on which it starts.'),
  all_day: about(
    v.boolean(),
    'Then it starts at 00:00 and ends at 00:00 of the day after its last day.',
  ),
  status: v.picklist(['scheduled', 'cancelled', 'postponed']),
  notes: orNull(v.string()),
});
export type Occurrence = v.InferOutput<typeof OccurrenceSchema>;
