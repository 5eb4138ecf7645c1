// The name of a feed in words: what was filtered, so that a person knows their subscriptions apart
// (contract 12.8).
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import type { ParameterTexts } from '../../domain/filters/filter.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toFilterWords } from '../../i18n/filter-words.ts';
import { t } from '../../i18n/translate.ts';

/**
 * `Hoy Cancún: Música en vivo, Zona Hotelera, gratis`; the site's name alone where nothing is
 * filtered. `params` is the query as it was written: days and free text are named as they stand
 * there.
 */
export function toFeedName(
  filter: EventFilter,
  params: ParameterTexts,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): string {
  const filters = toFilterWords(filter, { params, taxonomy, lang });
  return filters.length === 0
    ? site.name
    : t(lang, 'ics.name', { site: site.name, filters: filters.join(', ') });
}
