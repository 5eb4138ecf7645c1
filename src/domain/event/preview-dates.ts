// Preview dates: selects the dates that a preview of an event lists.
import type { EventDetail } from '../agenda.ts';
import { findLastDate, type OccurrenceRecord } from './event.ts';

/** Further dates that a preview lists; it counts the others. */
export const MAX_FURTHER_DATES = 60;

/**
 * Selects the next date of an event and its further dates, including cancelled ones: those that
 * have not ended, or the last ones of an event that is over.
 * @returns also the number of dates that are left out: later ones, or earlier ones if it is over.
 */
export function selectPreviewDates({
  occurrences,
  next,
  ahead_count,
  is_past,
}: Pick<EventDetail, 'occurrences' | 'next' | 'ahead_count' | 'is_past'>): {
  readonly first: OccurrenceRecord | null;
  readonly further: readonly OccurrenceRecord[];
  readonly omitted_count: number;
} {
  // The dates that have not ended are those with the latest ends.
  const by_end = occurrences.toSorted((a, b) => b.end_ms - a.end_ms);
  const ahead = new Set(by_end.slice(0, is_past ? undefined : ahead_count));
  const first = next ?? findLastDate(occurrences);
  const others = occurrences.filter((date) => ahead.has(date) && date.id !== first?.id);
  const further = is_past ? others.slice(-MAX_FURTHER_DATES) : others.slice(0, MAX_FURTHER_DATES);
  return { first, further, omitted_count: others.length - further.length };
}
