// The search: the shared filters over whatever days, the same events as the API gives (contract 1.2, 8.18), and what
// stands beside them.
import { type DayRange, toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { DATE_WORDS } from '../domain/query/days.ts';
import { formatCursor, sortTexts } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import { toListDoubt } from '../i18n/fact-words.ts';
import {
  PAGE_PATHS,
  toAbsolute,
  toFeedPath,
  toMarkdownPath,
  toPagePath,
  withQuery,
} from '../i18n/paths.ts';
import { toFilterWords } from '../i18n/query-words.ts';
import { capitalise, t, tCount } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEntry } from '../serializers/markdown/entries.ts';
import { link, paragraph, section } from '../serializers/markdown/nodes.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findBeside, NOTHING_BESIDE, renderBeside } from './beside.ts';
import { toKnownSpan } from './days.ts';
import { printUpcoming } from './event-lists.ts';
import { renderNarrowing, toNarrowing } from './narrowing.ts';
import { definePage, type Loaded, type PageRequest, toPageRoutes } from './page-kind.ts';
import { judgeEventQuery, readPageQuery } from './page-query.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

export function loadSearch(state: SiteState, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = state;
  const { taxonomy } = snapshot;
  const { filter, texts, ignored } = readPageQuery(query, 'search', state);
  const path = PAGE_PATHS.search[lang];
  const own = texts[lang];
  const asked = sortTexts({ ...own, cursor: null });
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const words = toFilterWords(filter, { params: own, taxonomy, lang });
  const list = { snapshot, lang, path, texts: asked, filter };
  const is_first_page = filter.after === null;
  const beside = is_first_page ? findBeside(state, own, total, lang) : NOTHING_BESIDE;
  const { before, after } = beside;
  const title = t(lang, 'search.title');
  const { limit: _, cursor: __, ...filters } = own;
  const is_filtered = words.length > 0;
  const has_beside = !beside.is_near && before.length + after.length > 0;
  const page = { ...list, now_ms, days: null, ignored };
  const narrowing = toNarrowing(page, total, has_beside);
  const next_texts = next && { ...asked, cursor: formatCursor(next) };
  const is_asked = Object.keys(own).length > 0 || ignored.length > 0;
  return show({
    meta: buildMeta(state, lang, PAGE_PATHS.search, {
      query: byLang((each) => withQuery('', texts[each])),
      title: is_filtered ? t(lang, 'filters.title', { title, filters: words.join(', ') }) : title,
      description: t(lang, 'search.description'),
      markdown: withQuery(toMarkdownPath(path), own),
      calendar: is_filtered ? toFeedPath(filters, lang) : null,
      entry: 'search',
    }),
    is_asked,
    /** The query in one spelling, without the page of it. */
    texts: asked,
    form: printForm(asked, toKnownSpan(snapshot), lang),
    words,
    narrowing,
    nothing: is_asked && total === 0 && !has_beside,
    total,
    tally: is_asked && total > 0 ? tCount(lang, 'events.count', total) : null,
    before,
    cards,
    upcoming: is_asked && cards.length > 0 ? printUpcoming(cards, toLocalDay(now_ms), lang) : null,
    after,
    next: next_texts && withQuery('', next_texts),
    first_path: is_asked && !is_first_page ? withQuery(path, asked) : null,
  });
}

export type SearchView = Loaded<typeof loadSearch>;

function renderSearch(view: SearchView) {
  const { meta, words, narrowing, total, before, cards, after, next } = view;
  const { lang, site } = meta;
  const events = tCount(lang, 'events.count', total);
  const about = t(lang, 'md.about_search', { events, zone: t(lang, 'time.zone') });
  const own = toAbsolute(site.url, toMarkdownPath(toPagePath('search', lang)));
  return renderDocument(
    { ...meta, title: t(lang, 'search.title'), about, terms: 'md.terms' },
    renderNarrowing(words, narrowing, meta, renderBeside(before, meta)),
    section(
      t(lang, 'label.events'),
      toListDoubt(cards, lang),
      cards.length === 0 && t(lang, 'search.none'),
      cards.map((card) => renderEntry(card, lang, site)),
    ),
    next && paragraph(link(own + next, t(lang, 'search.next'))),
    renderBeside(after, meta),
  );
}

/** What only the search asks: words and days, before the filters of any list. */
function printForm(texts: ParameterTexts, span: DayRange, lang: Lang) {
  const { q, date, from, to } = texts;
  /** A day in the address stands in the fields for days. */
  const day = DATE_WORDS.some((word) => word === date) ? undefined : date;
  return {
    q,
    min: span.from.toString(),
    max: span.to.toString(),
    dates: DATE_WORDS.map((word) => ({
      value: word,
      text: capitalise(t(lang, `ics.filter.${word}`)),
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
  routes: toPageRoutes('search'),
  load: loadSearch,
  toMarkdown: renderSearch,
  parameters: () => PARAMETERS,
  narrowed: 'search',
  judge: judgeEventQuery,
  // It may be asked what is on now.
  isOfMinute: () => true,
});
