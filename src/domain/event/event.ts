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

/** Whether it is still to take place: neither called off nor over. */
export const isToCome = ({ status, end_ms }: OccurrenceRecord, now_ms: number): boolean =>
  status === 'scheduled' && end_ms > now_ms;

/**
 * Which of an event's dates in a range speaks for it, the first still to take place, else the first, and
 * how many further ones there are (contract 7.19).
 */
export interface Told<T> {
  next: T;
  /** Whether `next` is still to take place. */
  is_ahead: boolean;
  more_dates: number;
}

/** The same with one more date, in order of time; of a range that is over all after the first are further ones. */
export function addDate<T>(told: Told<T>, date: T, is_ahead: boolean, is_over: boolean): void {
  if (is_ahead && !told.is_ahead) {
    told.next = date;
    told.is_ahead = true;
    told.more_dates = 0;
  } else if (is_ahead || (is_over && !told.is_ahead)) told.more_dates += 1;
}

/** The same of some dates of a range that is not over; `next` null for none at all. */
export function pickNext(
  [first, ...others]: readonly OccurrenceRecord[],
  now_ms: number,
): { readonly next: OccurrenceRecord | null; readonly more_dates: number } {
  if (first === undefined) return { next: null, more_dates: 0 };
  const told = { next: first, is_ahead: isToCome(first, now_ms), more_dates: 0 };
  for (const date of others) addDate(told, date, isToCome(date, now_ms), false);
  return { next: told.next, more_dates: told.more_dates };
}

/** Those that have not ended: what is on right now is in (contract 2.4). */
export function filterUpcoming(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}
