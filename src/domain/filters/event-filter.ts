// A query understood: plain values only, the same for JSON, calendar, pages and MCP (contract 1.2).
import type { Cursor } from './cursor.ts';
import { ALL_OFF, type readFilters } from './filters.ts';

/** The values of all filters, and what no parameter of its own decides. */
export interface EventFilter extends Omit<ReturnType<typeof readFilters>, 'lang'> {
  /** The instant of the query, epoch ms of a whole minute. */
  readonly now_ms: number;
  /** Venue or organizer id, for their own pages and feeds. */
  readonly venue: string | null;
  readonly organizer: string | null;
  readonly after: Cursor | null;
}

/** The filter that asks for everything upcoming. */
export function toOpenFilter(now_ms: number, limit: number): EventFilter {
  return { ...ALL_OFF, now_ms, venue: null, organizer: null, limit, after: null };
}
