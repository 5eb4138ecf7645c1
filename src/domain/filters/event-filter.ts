// A resolved question: plain values only, the same for JSON, calendar, pages and MCP (design, Four
// lives).
import type { DayRange } from './range.ts';

/** A point and a radius around it. */
export interface Near {
  readonly lat: number;
  readonly lng: number;
  readonly radius_km: number;
}

/** Where a page of a list ended; the next one goes on after it. */
export interface Cursor {
  /** The `now` of the first page, epoch ms of a whole minute, so that pages agree. */
  readonly now_ms: number;
  /** Start of the last item's next occurrence, epoch ms. */
  readonly start_ms: number;
  /** The last item's event id. */
  readonly id: string;
}

export interface EventFilter {
  /** The instant of the question, epoch ms of a whole minute. */
  readonly now_ms: number;
  /** Inclusive days; null is upcoming from now. */
  readonly range: DayRange | null;
  /** Any of these keys; null is all. */
  readonly categories: readonly string[] | null;
  readonly zones: readonly string[] | null;
  readonly free: boolean;
  readonly family: boolean;
  readonly near: Near | null;
  /** Folded words, all of which must match; null is no text question. */
  readonly words: readonly string[] | null;
  /** Venue or organizer id, for their own pages and feeds. */
  readonly venue: string | null;
  readonly organizer: string | null;
  /** Most items (events in a list, occurrences in a feed). */
  readonly limit: number;
  readonly after: Cursor | null;
}

/** The filter that asks for everything upcoming. */
export function toOpenFilter(now_ms: number, limit: number): EventFilter {
  return {
    now_ms,
    range: null,
    categories: null,
    zones: null,
    free: false,
    family: false,
    near: null,
    words: null,
    venue: null,
    organizer: null,
    limit,
    after: null,
  };
}
