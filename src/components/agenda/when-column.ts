// What the column of a row says: the hours of one day, the day too, until when it goes on, or its
// last day.
import type { OccurrenceRecord } from '../../domain/event/event.ts';

export type Column = 'hour' | 'day' | 'now' | 'until';

/** On a list of hours, what lasts for days says its last day: its first hour is nobody's. */
export const toColumn = (column: Column, occurrence: OccurrenceRecord | null): Column =>
  column === 'hour' && occurrence?.all_day && occurrence.last_day > occurrence.first_day
    ? 'until'
    : column;
