// Where a row says the note of its date: with the hour, beside the place or on a line of its own. Pure.
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import { withoutStop } from '../../domain/place-line.ts';
import type { RowMarks } from './row-marks.ts';
import { type Column, toColumn } from './when-column.ts';

/** The note, in the one place that it has; null elsewhere. Its event's page has it whole. */
export interface RowNotes {
  /** Of an hour that nobody knows: what is known instead. */
  readonly of_hour: string | null;
  /** Behind the place, as far as there is room. */
  readonly beside: string | null;
  /** Of what does not take place: why, or when instead. */
  readonly below: string | null;
}

const NONE: RowNotes = { of_hour: null, beside: null, below: null };

/**
 * The note of `occurrence`, whose row is marked with `status`. In a list of many days, where the date
 * is one of several, only what does not take place says it.
 */
export function toRowNotes(
  occurrence: OccurrenceRecord | null,
  status: RowMarks['status'],
  column: Column,
  lang: Lang,
): RowNotes {
  const note = occurrence?.notes?.[lang];
  if (!note) return NONE;
  if (status !== null) return { ...NONE, below: note };
  const shown = toColumn(column, occurrence);
  if (shown === 'day') return NONE;
  const is_of_hour = !occurrence.time_known && shown !== 'until';
  return { ...NONE, [is_of_hour ? 'of_hour' : 'beside']: withoutStop(note) };
}
