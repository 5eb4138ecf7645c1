// The search: the shared filters over whatever days, the same events as the API gives (contract 1.2, 8.18), and beside
// them places, notices that hold now or soon, and pages to look at (ferries, weather).
import { type DayRange, toCancunDay } from '../domain/cancun-time.ts';
import { fold, toWords } from '../domain/folding.ts';
import { byLang, type Lang, LANGS } from '../domain/lang.ts';
import { DATE_WORDS } from '../domain/query/days.ts';
import { formatCursor, sortTexts } from '../domain/query/event-query.ts';
import { parsePlaceQuery } from '../domain/query/list-queries.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import { toLinkWords } from '../i18n/day-words.ts';
import { toListDoubt } from '../i18n/fact-words.ts';
import {
  PAGE_PATHS,
  toAbsolute,
  toDirectoryPath,
  toFeedPath,
  toMarkdownPath,
  toPagePath,
  withQuery,
} from '../i18n/paths.ts';
import { toFilterWords } from '../i18n/query-words.ts';
import { capitalise, t, tCount } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEntry } from '../serializers/markdown/entries.ts';
import {
  type Block,
  link,
  linkItem,
  list,
  paragraph,
  section,
} from '../serializers/markdown/nodes.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { createWordIndex, matchWords } from '../snapshot/word-index.ts';
import { toKnownSpan } from './days.ts';
import { listThings } from './directory.ts';
import { printUpcoming } from './event-lists.ts';
import { type FilterForm, renderNarrowing, toNarrowing } from './narrowing.ts';
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
  const beside = is_first_page ? findBeside(state, own, total, lang) : null;
  const title = t(lang, 'search.title');
  const { limit: _, cursor: __, ...filters } = own;
  const is_filtered = words.length > 0;
  const sections = beside?.sections ?? [];
  const page = { ...list, now_ms, days: null, ignored };
  const narrowing = toNarrowing(page, total, sections.length > 0);
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
    form: printForm(asked, narrowing.form, toKnownSpan(snapshot), lang),
    words,
    narrowing,
    nothing: is_asked && total === 0 && sections.length === 0,
    total,
    tally: is_asked && total > 0 ? tCount(lang, 'events.count', total) : null,
    /** Before the events, where one is called by the very words or there is no event. */
    before: beside?.is_first ? sections : [],
    cards,
    upcoming: is_asked && cards.length > 0 ? printUpcoming(cards, toCancunDay(now_ms), lang) : null,
    after: beside?.is_first ? [] : sections,
    next: next_texts && withQuery('', next_texts),
    first_path: is_asked && !is_first_page ? withQuery(path, asked) : null,
  });
}

export type SearchView = Loaded<typeof loadSearch>;

function renderSearch({ meta, words, narrowing, total, before, cards, after, next }: SearchView) {
  const { lang, site } = meta;
  const events = tCount(lang, 'events.count', total);
  const about = t(lang, 'md.about_search', { events, zone: t(lang, 'time.zone') });
  const own = toAbsolute(site.url, toMarkdownPath(toPagePath('search', lang)));
  const renderBeside = (sections: readonly FoundSection[]): Block =>
    sections.map(({ title, lines }) =>
      section(
        title,
        list(
          lines.map(({ path, ...line }) =>
            linkItem(new URL(path, site.url).href, line.title, ...(line.words ? [line.words] : [])),
          ),
        ),
      ),
    );
  return renderDocument(
    { ...meta, title: t(lang, 'search.title'), about, terms: 'md.terms' },
    renderNarrowing(words, narrowing, meta),
    renderBeside(before),
    section(
      t(lang, 'label.events'),
      toListDoubt(cards, lang),
      cards.length === 0 && t(lang, 'search.none'),
      cards.map((card) => renderEntry(card, lang, site)),
    ),
    next && paragraph(link(own + next, t(lang, 'search.next'))),
    renderBeside(after),
  );
}

/** What only the search asks: words and days, before the filters of any list. */
function printForm(texts: ParameterTexts, { kept }: FilterForm, span: DayRange, lang: Lang) {
  const { q, date, from, to } = texts;
  /** A day in the address stands in the fields for days. */
  const day = DATE_WORDS.some((word) => word === date) ? undefined : date;
  return {
    q,
    min: span.from.toString(),
    max: span.to.toString(),
    kept: kept.filter(({ name }) => !['q', 'date', 'from', 'to'].includes(name)),
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

const MOST_PLACES = 5;
const MOST_NOTICES = 3;

interface FoundSection {
  readonly id: string;
  readonly title: string;
  /** A name with what is known of it; `path` is an address of ours or of another site. */
  readonly lines: readonly {
    readonly title: string;
    readonly path: string;
    readonly words: string | null;
  }[];
}

interface FoundBeside {
  readonly sections: readonly FoundSection[];
  /** Whether one is called by the very words, or there is no event: it stands before the events. */
  readonly is_first: boolean;
}

const NOTHING: FoundBeside = { sections: [], is_first: false };

/** Those whose texts have every word, in the order given; a slip is forgiven only where nothing has. */
function filterByWords<T>(
  things: readonly T[],
  words: readonly string[],
  toText: (thing: T) => string,
): readonly T[] {
  const index = createWordIndex(things.map(toText));
  const { marks } = matchWords(index, words, things.length);
  return things.filter((_, at) => marks[at] === 1);
}

/** What has the words of a query in one spelling; places in its zone. */
function findBeside(
  state: SiteState,
  { q, zone }: ParameterTexts,
  event_count: number,
  lang: Lang,
): FoundBeside {
  const words = toWords(q ?? '');
  if (q === undefined || words.length === 0) return NOTHING;
  const { snapshot, now_ms } = state;
  const asked = { q, ...(zone === undefined ? {} : { zone }) };
  const { filter } = parsePlaceQuery(
    { ...asked, limit: String(MOST_PLACES) },
    snapshot,
    now_ms,
    [],
  );
  const places = listThings(state, 'venue', lang, filter);
  const today = toCancunDay(now_ms);
  const board = readNoticeBoard(snapshot, today);
  const notices = filterByWords(
    [...board.today, ...board.tomorrow, ...board.in_season, ...board.soon],
    words,
    ({ title, body, type }) =>
      LANGS.flatMap((one) => [title[one], body[one], t(one, `notice.type.${type}`)]).join(' '),
  ).slice(0, MOST_NOTICES);
  const links = filterByWords(snapshot.calendar.links, words, ({ name, source, topic }) =>
    LANGS.flatMap((one) => [name[one], t(one, `day.link.${topic}`), t(one, `search.link.${topic}`)])
      .concat(source)
      .join(' '),
  );
  // One slip away from a place is further than an event that has the word.
  const found = places.spellings.length > 0 && event_count > 0 ? [] : places.things;
  const more = {
    title: t(lang, 'search.beside.all_places', { count: places.total }),
    path: withQuery(toDirectoryPath('venue', lang), asked),
    words: null,
  };
  const lines_of = {
    places: found.map(({ name, path, facts }) => ({ title: name, path, words: facts.join(' · ') })),
    notices: notices.map(({ title }) => ({
      title: title[lang],
      path: toPagePath('notices', lang),
      words: '',
    })),
    links: links.map((one) => {
      const { label, note, topic } = toLinkWords(one, lang);
      return { title: label, path: one.url, words: `${topic} · ${note}` };
    }),
  };
  const kinds = (['places', 'notices', 'links'] as const).filter(
    (kind) => lines_of[kind].length > 0,
  );
  const is_called_so = ({ title }: { readonly title: string }): boolean =>
    words.every((word) => ` ${fold(title)}`.includes(` ${word}`));
  return {
    sections: kinds.map((kind) => ({
      id: `beside-${kind}`,
      title: t(lang, `search.beside.${kind}`),
      lines: kind === 'places' && places.next ? [...lines_of.places, more] : lines_of[kind],
    })),
    is_first: event_count === 0 || kinds.some((kind) => lines_of[kind].some(is_called_so)),
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
