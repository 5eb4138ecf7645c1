// What an event is: its record, the times it takes place, and which of them speaks for it
// (contract 7.19).
import type * as v from 'valibot';
import type { RecordOf } from '../fields.ts';
import type { Lang } from '../lang.ts';
import type { EVENT_FIELDS, EVENT_STATUSES, OccurrenceSchema } from './fields.ts';

export type EventStatus = (typeof EVENT_STATUSES)[number];
export type OccurrenceStatus = OccurrenceRecord['status'];

export interface EventRecord extends RecordOf<typeof EVENT_FIELDS> {}
/** A price; an unknown one is never free (contract 4.7). Amounts in `currency` units. */
export type Price = EventRecord['price'];

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

/**
 * The first still to take place; where all are over, cancelled or postponed, the first. Null for
 * none at all.
 */
export function pickNext(
  in_range: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord | null {
  return in_range.find((o) => o.status === 'scheduled' && o.end_ms > now_ms) ?? in_range[0] ?? null;
}

/** Those that have not ended: what is on right now is in (contract 2.4). */
export function filterUpcoming(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}
