// A query for events read: one reading for JSON, calendar feeds, pages and MCP (contract 8).
import { AppError } from '../app-error.ts';
import { floorToMinute } from '../cancun-time.ts';
import type { Lang } from '../lang.ts';
import { readCursor } from './cursor.ts';
import type { EventFilter } from './event-filter.ts';
import type { ParameterTexts, QueryContext, Town } from './filter.ts';
import { readFilters } from './filters.ts';

/** A filter of plain values and the language to respond in. */
export interface EventQuery {
  readonly filter: EventFilter;
  readonly lang: Lang;
}

/**
 * The filter of a query. `params`: known names, each once, no empty values. `now_ms` decides today.
 * Throws AppError invalid_parameter that names every issue (contract 7.3), those in `found`
 * first.
 */
export function parseEventQuery(
  params: ParameterTexts,
  town: Town,
  now_ms: number,
  kind: 'list' | 'feed',
  found: readonly string[] = [],
): EventQuery {
  const cursor_issues: string[] = [];
  const after = readCursor(params.cursor, floorToMinute(now_ms), cursor_issues);
  // Later pages are read at the moment of the first, so that `today` stays the same day over
  // midnight.
  const now = after?.now_ms ?? floorToMinute(now_ms);
  const issues: QueryContext['issues'] = { form: [], meaning: [] };
  const { lang, ...values } = readFilters(params, { town, now_ms: now, kind, issues });
  const all = [...found, ...issues.form, ...cursor_issues, ...issues.meaning];
  if (all.length > 0) throw new AppError('invalid_parameter', all.join('; '));
  return { lang, filter: { ...values, now_ms: now, after } };
}
