// The search: all the shared filters over whatever days, as a list that goes on from page to page;
// the same events as the API gives for the same query (contract 1.2, 8.18).
import { LIST_PARAMETER_NAMES, type ParameterTexts } from '../domain/query/parameters.ts';
import { renderSearch } from '../serializers/markdown/agenda.ts';
import { definePage, toPageRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { DayRange } from '../domain/cancun-time.ts';
import type { EventCard } from '../domain/agenda.ts';
import { type Cursor, sortTexts } from '../domain/query/event-query.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { toFilterWords } from '../i18n/query-words.ts';
import { PAGE_PATHS, toFeedPath, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { toKnownSpan } from './days-around.ts';
import { type Narrowing, toNarrowing } from './narrowing/narrowing.ts';
import { readPageQuery, judgeEventQuery } from './narrowing/page-query.ts';
import type { PageMeta } from './page.ts';
import { findBeside, type FoundBeside } from './search-beside.ts';
import type { SiteState } from './state.ts';

/** What the page of the search is given. */
export interface SearchView {
  readonly meta: PageMeta;
  /** Whether anything was asked. */
  readonly is_asked: boolean;
  /** The query in one spelling, without the page of it. */
  readonly texts: ParameterTexts;
  /** Its filters in words. */
  readonly words: readonly string[];
  /** This page of what matches, in order of time. */
  readonly cards: readonly EventCard[];
  /** How many match, on every page. */
  readonly total: number;
  /** Where the list goes on; null at its end. */
  readonly next: Cursor | null;
  readonly is_first_page: boolean;
  readonly narrowing: Narrowing;
  /** Only on the first page. */
  readonly beside: FoundBeside | null;
  readonly taxonomy: Taxonomy;
  /** The days that may be asked for. */
  readonly span: DayRange;
  /** The instant of the request, epoch ms. */
  readonly now_ms: number;
}

/** The page of a query as sent, without its question mark. */
export function resolveSearch(state: SiteState, query: string, lang: Lang): Shown<SearchView> {
  const { snapshot, now_ms } = state;
  const { taxonomy } = snapshot;
  const { filter, texts, ignored } = readPageQuery(query, 'search', state);
  const path = PAGE_PATHS.search[lang];
  const own = texts[lang];
  const asked = sortTexts({ ...own, cursor: null });
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const words = toFilterWords(filter, { params: own, taxonomy, lang });
  const list = { snapshot, lang, path, texts: asked, filter };
  const narrowing = toNarrowing({ ...list, now_ms, days: null, ignored }, total);
  const beside = filter.after === null ? findBeside(state, own, total, lang) : null;
  const is_only_beside = total === 0 && (beside?.sections.length ?? 0) > 0;
  return show({
    meta: toMeta(
      state,
      lang,
      words,
      byLang((each) => withQuery('', texts[each])),
      sortTexts(own),
    ),
    is_asked: Object.keys(own).length > 0 || ignored.length > 0,
    texts: asked,
    words,
    cards,
    total,
    next,
    is_first_page: filter.after === null,
    // Who finds the aquarium is not sent on to all events.
    narrowing:
      is_only_beside && narrowing.on.length === 1 ? { ...narrowing, ways_out: [] } : narrowing,
    beside,
    taxonomy,
    span: toKnownSpan(snapshot),
    now_ms,
  });
}

function toMeta(
  { site }: SiteState,
  lang: Lang,
  words: readonly string[],
  query: LocalText,
  asked: ParameterTexts,
): PageMeta {
  const { limit: _, cursor: __, ...filters } = asked;
  const title = t(lang, 'search.title');
  return {
    lang,
    site,
    paths: PAGE_PATHS.search,
    query,
    title:
      words.length === 0 ? title : t(lang, 'filters.title', { title, filters: words.join(', ') }),
    description: t(lang, 'search.description'),
    markdown: withQuery(toMarkdownPath(PAGE_PATHS.search[lang]), asked),
    calendar: words.length === 0 ? null : toFeedPath(filters, lang),
    json_ld: null,
    entry: 'search',
  };
}

const PARAMETERS = LIST_PARAMETER_NAMES.filter((name) => name !== 'lang');

export const searchPage = definePage({
  name: 'search',
  routes: toPageRoutes('search'),
  load: (state, { lang }, query) => resolveSearch(state, query, lang),
  toMarkdown: (view: SearchView) => renderSearch(view),
  parameters: () => PARAMETERS,
  narrowed: 'search',
  judge: judgeEventQuery,
  // It may be asked what is on now.
  isOfMinute: () => true,
});
