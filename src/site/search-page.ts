// Search page: lists the events that match the filters on any days, as the API does (contract 1.2,
// 8.18), with related results.
import { type DayRange, toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { DATE_KEYWORDS } from '../domain/query/date-range.ts';
import { encodeEventCursor, sortParameters } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatAskFirst, formatListUncertainty } from '../i18n/format-facts.ts';
import {
  PAGE_PATHS,
  absoluteUrl,
  calendarFeedPath,
  markdownPath,
  pagePath,
  withQuery,
} from '../i18n/paths.ts';
import { formatActiveFilters, formatEventCount } from '../i18n/format-query.ts';
import { capitalize, t } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEventEntry } from '../serializers/markdown/entries.ts';
import { link, paragraph, section } from '../serializers/markdown/nodes.ts';
import { countWithoutSeasons } from '../snapshot/count-events.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findRestingMatches } from '../snapshot/list-summary.ts';
import {
  findRelatedResults,
  hasFullMatches,
  NO_RELATED_RESULTS,
  renderRelatedResults,
} from './related-results.ts';
import { availableDays } from './day-navigation.ts';
import { buildUpcomingView } from './event-list-views.ts';
import { renderFilterPanel, buildFilterPanel } from './filter-panel.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { validateEventQuery, parsePageQuery } from './page-query.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

/**
 * Loads the search: without a query only its form, with one also the first or a later page of
 * results.
 */
export function loadSearchPage(context: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = context;
  const { taxonomy } = snapshot;
  const { filter, texts, ignored } = parsePageQuery(query, 'search', context);
  const path = PAGE_PATHS.search[lang];
  const params = texts[lang];
  const first_page_params = sortParameters({ ...params, cursor: null });
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const event_count = countWithoutSeasons(snapshot, filter);
  const events = formatEventCount(total, event_count, lang);
  const active_filters = formatActiveFilters(filter, { params, taxonomy, lang });
  const is_first_page = filter.after === null;
  const related = is_first_page
    ? findRelatedResults(context, params, total, lang)
    : NO_RELATED_RESULTS;
  const title = t(lang, 'search.title');
  const { limit: _limit, cursor: _cursor, ...filters } = params;
  const is_filtered = active_filters.length > 0;
  const has_related = hasFullMatches(related);
  const filter_panel = buildFilterPanel(
    {
      snapshot,
      lang,
      path,
      now_ms,
      filter,
      texts: first_page_params,
      ignored,
      fixed_days: null,
    },
    total,
    has_related,
  );
  const next_params = next && { ...first_page_params, cursor: encodeEventCursor(next, filter) };
  const has_query = Object.keys(params).length > 0 || ignored.length > 0;
  return pageResult({
    meta: buildPageMeta(context, lang, PAGE_PATHS.search, {
      query: byLang((each) => withQuery('', texts[each])),
      title: is_filtered
        ? t(lang, 'filters.title', { title, filters: active_filters.join(', ') })
        : title,
      description: t(lang, 'search.description'),
      markdown: withQuery(markdownPath(path), params),
      calendar: is_filtered ? calendarFeedPath(filters, lang) : null,
      entry: 'search',
    }),
    has_query,
    /** The normalized query of the first page. */
    texts: first_page_params,
    form: buildForm(first_page_params, availableDays(snapshot), lang),
    active_filters,
    filter_panel,
    /** Set if nothing matches, not even a venue or another record. */
    is_empty: has_query && total === 0 && !has_related,
    /** Number of events, as people count them. */
    total: event_count,
    /** Number of events and seasons, in words. */
    events,
    /** Line below the form. */
    tally: has_query && total > 0 ? events : null,
    related,
    cards,
    ask_first: formatAskFirst(findRestingMatches(snapshot, filter), lang),
    upcoming:
      has_query && cards.length > 0 ? buildUpcomingView(cards, toLocalDay(now_ms), lang) : null,
    /** Query of the next page, such as `?cursor=…`; null on the last page. */
    next: next_params && withQuery('', next_params),
    /** Path of the first page; null on it. */
    first_path: has_query && !is_first_page ? withQuery(path, first_page_params) : null,
  });
}

export type SearchView = LoadedPage<typeof loadSearchPage>;

function renderSearch(view: SearchView) {
  const { meta, active_filters, filter_panel, events, related, cards, ask_first, next } = view;
  const { lang, site } = meta;
  const about = t(lang, 'md.about_search', { events, zone: t(lang, 'time.zone') });
  const markdown_url = absoluteUrl(site.url, markdownPath(pagePath('search', lang)));
  return renderDocument(
    { ...meta, title: t(lang, 'search.title'), about, terms: 'md.terms' },
    renderFilterPanel(
      active_filters,
      filter_panel,
      meta,
      renderRelatedResults(related.before, meta),
    ),
    section(
      t(lang, 'label.events'),
      formatListUncertainty(cards, lang),
      ask_first,
      cards.length === 0 && t(lang, 'search.none'),
      cards.map((card) => renderEventEntry(card, lang, site)),
    ),
    next && paragraph(link(markdown_url + next, t(lang, 'search.next'))),
    renderRelatedResults(related.after, meta),
  );
}

/** Builds the fields of the search form that other lists do not have: words and days. */
function buildForm(texts: ParameterValues, span: DayRange, lang: Lang) {
  const { q, date, from, to } = texts;
  // A single day fills both date fields.
  const day = DATE_KEYWORDS.some((keyword) => keyword === date) ? undefined : date;
  return {
    q,
    min: span.from.toString(),
    max: span.to.toString(),
    dates: DATE_KEYWORDS.map((keyword) => ({
      value: keyword,
      text: capitalize(t(lang, `ics.filter.${keyword}`)),
      is_selected: date === keyword,
    })),
    days: [
      { name: 'from', label: t(lang, 'search.from'), value: from ?? day },
      { name: 'to', label: t(lang, 'search.to'), value: to ?? day },
    ],
  };
}

/** Query parameters: the event filters; the path determines the language. */
const PARAMETERS = LIST_PARAMETER_NAMES.filter((name) => name !== 'lang');

export const searchPage = definePage({
  name: 'search',
  routes: pageRoutes('search'),
  load: loadSearchPage,
  toMarkdown: renderSearch,
  parameters: () => PARAMETERS,
  filterable: 'search',
  validate: validateEventQuery,
  // `date=now` depends on the minute.
  changesEveryMinute: () => true,
});
