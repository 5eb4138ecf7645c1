// The calendar page: the feed that a choice makes, what is in it, or what is wrong with the
// question.
import {
  type CalendarView,
  CHOICE_NAMES,
  type FeedChoice,
  type ShownFeed,
} from '../components/calendar/feed-choice.ts';
import type { PageMeta } from '../components/layout/page-meta.ts';
import { AppError } from '../domain/app-error.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import type { Lang } from '../domain/lang.ts';
import type { Taxonomy, TaxonRecord } from '../domain/taxon.ts';
import { parseParameters } from '../http/parameters.ts';
import { PAGE_PATHS, toAbsolute, toFeedPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toFeedName } from '../serializers/calendar/feed-name.ts';
import { findOccurrences } from '../snapshot/find-occurrences.ts';
import type { SiteState } from './state.ts';

/** How many dates are shown of a feed. */
const SHOWN = 5;

export interface CalendarResult {
  readonly status: 200 | 400;
  readonly page: CalendarView;
}

/**
 * The answer to a query as sent, without its question mark; the language of the feed is the page's
 * unless it says another.
 */
export function resolveCalendar(state: SiteState, query: string, lang: Lang): CalendarResult {
  const {
    snapshot: { taxonomy },
    now_ms,
  } = state;
  const issues: string[] = [];
  const choice: FeedChoice = parseParameters(query, CHOICE_NAMES, issues);
  const meta: PageMeta = {
    lang,
    site: state.site,
    paths: PAGE_PATHS.calendar,
    title: t(lang, 'calendar.title'),
    description: t(lang, 'calendar.description'),
    markdown: null,
    calendar: null,
    json_ld: null,
    entry: 'calendar',
  };
  try {
    const request = parseEventQuery(
      { ...choice, lang: choice.lang ?? lang },
      taxonomy,
      now_ms,
      'feed',
      issues,
    );
    const feed = toShownFeed(state, request.filter, request.lang);
    return {
      status: 200,
      page: {
        meta: { ...meta, calendar: toPath(request.filter, taxonomy, request.lang) },
        choice,
        taxonomy,
        feed,
        issue: null,
        now_ms,
      },
    };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return {
      status: 400,
      page: { meta, choice, taxonomy, feed: null, issue: thrown.message, now_ms },
    };
  }
}

const toSlugs = (keys: readonly string[], taxa: readonly TaxonRecord[], lang: Lang): string =>
  taxa
    .filter((taxon) => keys.includes(taxon.key))
    .map((taxon) => taxon.slug[lang])
    .join(',');

/** One spelling for each choice, whatever words it was made with. */
function toPath(
  { categories, zones, free, family }: EventFilter,
  taxonomy: Taxonomy,
  lang: Lang,
): string {
  return toFeedPath(
    {
      ...(categories === null ? {} : { category: toSlugs(categories, taxonomy.categories, lang) }),
      ...(zones === null ? {} : { zone: toSlugs(zones, taxonomy.zones, lang) }),
      ...(free ? { free: '1' } : {}),
      ...(family ? { family: '1' } : {}),
    },
    lang,
  );
}

function toShownFeed({ snapshot, site }: SiteState, filter: EventFilter, lang: Lang): ShownFeed {
  const { items, cut } = findOccurrences(snapshot, filter);
  const ahead = items.filter(({ occurrence }) => occurrence.end_ms > filter.now_ms);
  return {
    name: toFeedName(filter, {}, snapshot.taxonomy, lang, site),
    url: toAbsolute(site.url, toPath(filter, snapshot.taxonomy, lang)),
    count: items.length,
    is_cut: cut,
    upcoming: ahead.slice(0, SHOWN).map(({ card, occurrence }) => ({ ...card, next: occurrence })),
  };
}
