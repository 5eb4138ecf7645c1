// An occurrence in its wire form (interface 2, Occurrence).
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { type Lang, pick } from '../domain/lang.ts';
import type { Occurrence } from './wire/occurrence.ts';

/** The wire form, notes in the asked language. */
export function toPublicOccurrence(occurrence: OccurrenceRecord, lang: Lang): Occurrence {
  return {
    id: occurrence.id,
    start: occurrence.start,
    end: occurrence.end,
    date: occurrence.start.slice(0, 10),
    all_day: occurrence.all_day,
    status: occurrence.status,
    notes: pick(occurrence.notes, lang),
  };
}
