// What an event is: its record, the times it takes place, and which of them speaks for it
// (contract 7.19).
import type * as v from 'valibot';
import type { RecordOf } from '../fields.ts';
import type { Lang } from '../lang.ts';
import type { EVENT_FIELDS, EVENT_STATUSES, OccurrenceSchema } from './fields.ts';

export type EventStatus = (typeof EVENT_STATUSES)[number];
export type OccurrenceStatus = OccurrenceRecord['status'];

/** An event as the snapshot holds it, in every language, without its occurrences. */
export interface EventRecord extends RecordOf<typeof EVENT_FIELDS> {}
/** A price; an unknown one is never free (contract 4.7). Amounts in `currency` units. */
export type Price = EventRecord['price'];

/** One time that an event takes place. */
export interface OccurrenceRecord extends Readonly<v.InferOutput<typeof OccurrenceSchema>> {}

/** By text, the language that it is in where nobody has written it in the reader's. */
export function findOriginals({ originals }: Pick<EventRecord, 'originals'>, lang: Lang) {
  const find = (written: Lang | null | undefined): Lang | undefined =>
    written === lang ? undefined : (written ?? undefined);
  return {
    title: find(originals?.title),
    summary: find(originals?.summary),
    description: find(originals?.description),
  };
}

/** The key of the category of what is made for families. */
export const FAMILY_CATEGORY = 'family';

/** Of an event of another category that is for families too. */
export const FAMILY_TAG = 'familia';

/** Only family plans: the category, or the tag `familia` (contract 7.12). */
export function isFamily(event: Pick<EventRecord, 'category' | 'tags'>): boolean {
  return event.category === FAMILY_CATEGORY || event.tags.includes(FAMILY_TAG);
}

/** Whether it is still to take place: neither called off nor over. */
export const isToCome = ({ status, end_ms }: OccurrenceRecord, now_ms: number): boolean =>
  status === 'scheduled' && end_ms > now_ms;

/**
 * Which of an event's dates in a range speaks for it, null for none at all, and how many further
 * ones there are (contract 7.19). `isAhead` tells those still to take place; of a range that is over
 * (`is_over`) all after the first are further ones.
 */
export function pickNext<T>(
  in_range: readonly T[],
  isAhead: (date: T) => boolean,
  is_over = false,
): { readonly next: T | null; readonly more_dates: number } {
  const ahead = in_range.filter(isAhead);
  const counted = ahead.length === 0 && is_over ? in_range : ahead;
  return { next: ahead[0] ?? in_range[0] ?? null, more_dates: Math.max(0, counted.length - 1) };
}

/** Those that have not ended: what is on right now is in (contract 2.4). */
export function filterUpcoming(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}
