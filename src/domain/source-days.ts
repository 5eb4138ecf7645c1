// The two days of whatever stands behind a thing: when its newest source was published and when
// somebody last looked (contract 6.5).
import * as v from 'valibot';
import { about, DaySchema, orNull, same } from './fields.ts';

/** The fields of every event, venue, organizer and notice that say so. */
export const SOURCE_DAY_FIELDS = {
  source_published: same(
    v.nullable(v.string()),
    about(orNull(DaySchema), 'When its newest source was published; null where that says no day.'),
  ),
  source_checked: same(
    v.string(),
    about(v.exactOptional(DaySchema), 'When somebody last looked at its sources.'),
  ),
} as const;

/** Days as YYYY-MM-DD. */
export interface SourceDays {
  readonly source_published: string | null;
  readonly source_checked: string;
}
