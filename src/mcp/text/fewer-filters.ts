// What an empty list would hold with one filter less: so that a model can offer the next best thing
// without asking again.
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { EVENT_FILTERS } from '../../domain/filters/filters.ts';
import { LIMITS } from '../../domain/filters/limit.ts';
import type { Lang } from '../../domain/lang.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { findHits } from '../../snapshot/find-hits.ts';
import type { McpContext } from '../context.ts';

/**
 * `Sin zone hay 3 eventos.` for each filter without which there is something; nothing where no
 * single one is to blame.
 */
export function toFewerFilters(
  filter: EventFilter,
  lang: Lang,
  { snapshot }: McpContext,
): readonly string[] {
  return EVENT_FILTERS.flatMap(({ name, off, isOn }) => {
    if (!isOn(filter)) return [];
    const { length } = findHits(
      snapshot,
      { ...filter, ...off, after: null, limit: LIMITS.list.max },
      lang,
    ).hits;
    return length === 0
      ? []
      : [
          `- ${t(lang, 'mcp.list.without', { filter: name, count: tCount(lang, 'events.count', length) })}`,
        ];
  });
}
