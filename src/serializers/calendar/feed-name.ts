// The name of a feed in words: what was filtered, so that a person knows their subscriptions apart
// (contract 12.8).
import { date } from '../../domain/filters/date.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import type { ParameterTexts, PhraseContext } from '../../domain/filters/filter.ts';
import { EVENT_FILTERS } from '../../domain/filters/filters.ts';
import { near } from '../../domain/filters/near.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { t } from '../../i18n/translate.ts';

/** Where and when come last. */
const NAMED = [...EVENT_FILTERS.filter(({ name }) => name !== near.name), near, date] as const;

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
  const context: PhraseContext = { params, taxonomy, lang };
  const filters = NAMED.flatMap(({ toPhrases }) =>
    toPhrases(filter, context).map((phrase) =>
      typeof phrase === 'string' ? phrase : t(lang, `ics.filter.${phrase.key}`, phrase.parts),
    ),
  );
  return filters.length === 0
    ? site.name
    : t(lang, 'ics.name', { site: site.name, filters: filters.join(', ') });
}
