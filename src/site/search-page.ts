// The search: the shared filters over whatever days, the same events as the API gives (contract 1.2, 8.18), and what
// stands beside them.
import { type DayRange, toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { DATE_KEYWORDS } from '../domain/query/date-range.ts';
import { encodeEventCursor, sortParameters } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatListUncertainty } from '../i18n/format-facts.ts';
import {
  PAGE_PATHS,
  absoluteUrl,
  calendarFeedPath,
  markdownPath,
  pagePath,
  withQuery,
} from '../i18n/paths.ts';
import { formatActiveFilters } from '../i18n/format-query.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEventEntry } from '../serializers/markdown/entries.ts';
import { link, paragraph, section } from '../serializers/markdown/nodes.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findRelatedResults, NO_RELATED_RESULTS, renderRelatedResults } from './related-results.ts';
import { availableDays } from './day-navigation.ts';
import { buildUpcomingView } from './event-list-views.ts';
import { renderFilterPanel, buildFilterPanel } from './filter-panel.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { validateEventQuery, parsePageQuery } from './page-query.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

export function loadSearchPage(state: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = state;
  const { taxonomy } = snapshot;
  const { filter, texts, ignored } = parsePageQuery(query, 'search', state);
  const path = PAGE_PATHS.search[lang];
  const own = texts[lang];
  const asked = sortParameters({ ...own, cursor: null });
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const words = formatActiveFilters(filter, { params: own, taxonomy, lang });
  const list = { snapshot, lang, path, texts: asked, filter };
  const is_first_page = filter.after === null;
  const beside = is_first_page ? findRelatedResults(state, own, total, lang) : NO_RELATED_RESULTS;
  const { before, after } = beside;
  const title = t(lang, 'search.title');
  const { limit: _, cursor: __, ...filters } = own;
  const is_filtered = words.length > 0;
  const has_beside = !beside.is_near && before.length + after.length > 0;
  const page = { ...list, now_ms, days: null, ignored };
  const narrowing = buildFilterPanel(page, total, has_beside);
  const next_texts = next && { ...asked, cursor: encodeEventCursor(next) };
  const is_asked = Object.keys(own).length > 0 || ignored.length > 0;
  return pageResult({
    meta: buildPageMeta(state, lang, PAGE_PATHS.search, {
      query: byLang((each) => withQuery('', texts[each])),
      title: is_filtered ? t(lang, 'filters.title', { title, filters: words.join(', ') }) : title,
      description: t(lang, 'search.description'),
      markdown: withQuery(markdownPath(path), own),
      calendar: is_filtered ? calendarFeedPath(filters, lang) : null,
      entry: 'search',
    }),
    is_asked,
    /** The query in one spelling, without the page of it. */
    texts: asked,
    form: printForm(asked, availableDays(snapshot), lang),
    words,
    narrowing,
    nothing: is_asked && total === 0 && !has_beside,
    total,
    tally: is_asked && total > 0 ? tPlural(lang, 'events.count', total) : null,
    before,
    cards,
    upcoming:
      is_asked && cards.length > 0 ? buildUpcomingView(cards, toLocalDay(now_ms), lang) : null,
    after,
    next: next_texts && withQuery('', next_texts),
    first_path: is_asked && !is_first_page ? withQuery(path, asked) : null,
  });
}

export type SearchView = LoadedPage<typeof loadSearchPage>;

function renderSearch(view: SearchView) {
  const { meta, words, narrowing, total, before, cards, after, next } = view;
  const { lang, site } = meta;
  const events = tPlural(lang, 'events.count', total);
  const about = t(lang, 'md.about_search', { events, zone: t(lang, 'time.zone') });
  const own = absoluteUrl(site.url, markdownPath(pagePath('search', lang)));
  return renderDocument(
    { ...meta, title: t(lang, 'search.title'), about, terms: 'md.terms' },
    renderFilterPanel(words, narrowing, meta, renderRelatedResults(before, meta)),
    section(
      t(lang, 'label.events'),
      formatListUncertainty(cards, lang),
      cards.length === 0 && t(lang, 'search.none'),
      cards.map((card) => renderEventEntry(card, lang, site)),
    ),
    next && paragraph(link(own + next, t(lang, 'search.next'))),
    renderRelatedResults(after, meta),
  );
}

/** What only the search asks: words and days, before the filters of any list. */
function printForm(texts: ParameterValues, span: DayRange, lang: Lang) {
  const { q, date, from, to } = texts;
  /** A day in the address stands in the fields for days. */
  const day = DATE_KEYWORDS.some((word) => word === date) ? undefined : date;
  return {
    q,
    min: span.from.toString(),
    max: span.to.toString(),
    dates: DATE_KEYWORDS.map((word) => ({
      value: word,
      text: capitalize(t(lang, `ics.filter.${word}`)),
      is_selected: date === word,
    })),
    days: [
      { name: 'from', label: t(lang, 'search.from'), value: from ?? day },
      { name: 'to', label: t(lang, 'search.to'), value: to ?? day },
    ],
  };
}

const PARAMETERS = LIST_PARAMETER_NAMES.filter((name) => name !== 'lang');

export const searchPage = definePage({
  name: 'search',
  routes: pageRoutes('search'),
  load: loadSearchPage,
  toMarkdown: renderSearch,
  parameters: () => PARAMETERS,
  narrowed: 'search',
  validate: validateEventQuery,
  // It may be asked what is on now.
  isOfMinute: () => true,
});
