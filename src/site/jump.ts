// The field for a date, which every page of days has: on to the page of that day.
import { parseDay } from '../domain/cancun-time.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { sortTexts } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import { toDayPath, toJumpPath, toPagePath, withQuery } from '../i18n/paths.ts';
import { isWithin, toKnownSpan } from './days-around.ts';
import { definePage, type PageRequest, toRoutes } from './page-kind.ts';
import { readPageQuery } from './page-query.ts';
import type { SiteState } from './state.ts';
import { lead } from './visit.ts';

/**
 * The path that a date in a query leads to, the filters beside it kept: the page of that day, or the
 * search where there is no such page, which says why; without a date today's.
 */
export function toJumpTarget(state: SiteState, query: string, lang: Lang): string {
  const { texts, ignored } = readPageQuery(query, 'search', state);
  const { date, ...others } = texts[lang];
  const rest = sortTexts({ ...others, from: null, to: null, cursor: null, limit: null });
  const day = date === undefined ? null : parseDay(date);
  if (day && isWithin(day, toKnownSpan(state.snapshot)))
    return withQuery(toDayPath(day.toString(), lang), rest);
  if (date === undefined && ignored.length === 0) return withQuery(toPagePath('today', lang), rest);
  return `${toPagePath('search', lang)}?${query}`;
}

/** It has no view: it always leads on. */
export const jumpPage = definePage<PageRequest, never>({
  name: 'jump',
  routes: toRoutes(byLang(toJumpPath), (lang) => ({ lang })),
  load: (state, { lang }, query) => lead(toJumpTarget(state, query, lang)),
  parameters: () => LIST_PARAMETER_NAMES,
});
