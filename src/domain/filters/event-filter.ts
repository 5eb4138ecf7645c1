// A query understood: plain values only, the same for JSON, calendar, pages and MCP (contract 1.2).
import { FAMILY_CATEGORY } from '../event/event.ts';
import type { Cursor } from './cursor.ts';
import type { ParameterTexts } from './filter.ts';
import { ALL_OFF, type readFilters } from './filters.ts';

/** The values of all filters, and what no parameter of its own decides. */
export interface EventFilter extends Omit<ReturnType<typeof readFilters>, 'lang'> {
  /** The instant of the query, epoch ms of a whole minute. */
  readonly now_ms: number;
  readonly after: Cursor | null;
}

/** The filter that asks for everything upcoming. */
export function toOpenFilter(now_ms: number, limit: number): EventFilter {
  return { ...ALL_OFF, now_ms, limit, after: null };
}

/** What the page of a category lists, as a filter and as a query. */
interface Listed {
  readonly filter: Partial<EventFilter>;
  readonly texts: ParameterTexts;
}

/**
 * Families ask for plans, not for a category: its page lists all that the filter lets pass. Any other
 * category lists what is of it; `slug` is its name in an address.
 */
export const toListedCategory = (key: string, slug: string): Listed =>
  key === FAMILY_CATEGORY
    ? { filter: { family: true }, texts: { family: '1' } }
    : { filter: { categories: [key] }, texts: { category: slug } };
