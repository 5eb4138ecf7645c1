// The name of a feed in words: what was filtered, so that a person knows their subscriptions apart
// (decisions, iCalendar 4).
import { AGENDA_WORDS } from '../../domain/agenda-words.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type TaxonRecord, type Taxonomy, toTaxon } from '../../domain/taxon.ts';
import { t } from '../../i18n/translate.ts';

/** What the question said in words of its own: days and text as they were written. */
export type FeedQuery = Readonly<Partial<Record<'date' | 'from' | 'to' | 'q', string>>>;

const toNames = (
  keys: readonly string[] | null,
  taxa: readonly TaxonRecord[],
  lang: Lang,
): string[] => (keys ?? []).map((key) => toTaxon(taxa, key, lang)?.name ?? key);

function toDays({ date, from, to }: FeedQuery, lang: Lang): string | null {
  const word = AGENDA_WORDS.find((known) => known === date);
  if (word) return t(lang, `ics.filter.${word}`);
  if (date !== undefined) return date;
  if (from !== undefined && to !== undefined) return t(lang, 'ics.filter.range', { from, to });
  if (from !== undefined) return t(lang, 'ics.filter.from', { from });
  return to === undefined ? null : t(lang, 'ics.filter.to', { to });
}

/**
 * `Hoy Cancún: Música en vivo, Zona Hotelera, gratis`; the site's name alone where nothing is
 * filtered.
 */
export function toFeedName(
  filter: EventFilter,
  query: FeedQuery,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): string {
  const { near } = filter;
  const filters = [
    ...toNames(filter.categories, taxonomy.categories, lang),
    ...toNames(filter.zones, taxonomy.zones, lang),
    filter.free ? t(lang, 'ics.filter.free') : null,
    filter.family ? t(lang, 'ics.filter.family') : null,
    query.q === undefined ? null : t(lang, 'ics.filter.words', { words: query.q }),
    near && t(lang, 'ics.filter.near', { radius: near.radius_km, lat: near.lat, lng: near.lng }),
    toDays(query, lang),
  ].filter((part) => part !== null);
  return filters.length === 0
    ? site.name
    : t(lang, 'ics.name', { site: site.name, filters: filters.join(', ') });
}
