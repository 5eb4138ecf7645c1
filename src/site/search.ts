// The search: the shared filters over whatever days, the same events as the API gives (contract 1.2, 8.18), and beside
// them places, notices that hold now or soon, and pages to look at (ferries, weather).
import { toCancunDay } from '../domain/cancun-time.ts';
import { fold, toWords } from '../domain/folding.ts';
import { byLang, type Lang, LANGS } from '../domain/lang.ts';
import { DATE_WORDS } from '../domain/query/days.ts';
import { formatCursor, sortTexts } from '../domain/query/event-query.ts';
import { parsePlaceQuery } from '../domain/query/list-queries.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { toLinkWords } from '../i18n/day-words.ts';
import {
  PAGE_PATHS,
  toDirectoryPath,
  toFeedPath,
  toMarkdownPath,
  toPagePath,
  withQuery,
} from '../i18n/paths.ts';
import { toFilterWords } from '../i18n/query-words.ts';
import { capitalise, t, tCount } from '../i18n/translate.ts';
import { renderSearch } from '../serializers/markdown/agenda.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { createWordIndex, matchWords } from '../snapshot/word-index.ts';
import { toTaxonSelects, toTicks } from './choice.ts';
import { toKnownSpan } from './days-around.ts';
import { listThings } from './directory.ts';
import { printUpcoming } from './event-rows.ts';
import { toNarrowing } from './narrowing.ts';
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
  const narrowing = toNarrowing({ ...list, now_ms, days: null, ignored }, total);
  const is_first_page = filter.after === null;
  const beside = is_first_page ? findBeside(state, own, total, lang) : null;
  const is_only_beside = total === 0 && (beside?.sections.length ?? 0) > 0;
  const title = t(lang, 'search.title');
  const { limit: _, cursor: __, ...filters } = own;
  const is_filtered = words.length > 0;
  return show({
    meta: buildMeta(state, lang, PAGE_PATHS.search, {
      query: byLang((each) => withQuery('', texts[each])),
      title: is_filtered ? t(lang, 'filters.title', { title, filters: words.join(', ') }) : title,
      description: t(lang, 'search.description'),
      markdown: withQuery(toMarkdownPath(path), own),
      calendar: is_filtered ? toFeedPath(filters, lang) : null,
      entry: 'search',
    }),
    is_asked: Object.keys(own).length > 0 || ignored.length > 0,
    /** The query in one spelling, without the page of it. */
    texts: asked,
    words,
    cards,
    total,
    /** Where the list goes on; null at its end. */
    next,
    is_first_page,
    beside,
    now_ms,
    // Who finds the aquarium is not sent on to all events.
    narrowing:
      is_only_beside && narrowing.on.length === 1 ? { ...narrowing, ways_out: [] } : narrowing,
    span: toKnownSpan(snapshot),
  });
}

export type SearchView = ReturnType<typeof printSearch>;

function printSearch(view: Loaded<typeof loadSearch>, { snapshot: { taxonomy } }: SiteState) {
  const { meta, is_asked, texts, cards, total, next, is_first_page, narrowing, beside } = view;
  const { lang } = meta;
  const path = toPagePath('search', lang);
  const sections = (beside?.sections ?? []).map(({ kind, title, lines, more }) => ({
    id: `beside-${kind}`,
    title,
    lines: [
      ...lines.map((line) => ({
        title: line.name,
        path: line.path,
        words: line.facts.join(' · '),
      })),
      ...(more ? [{ title: more.label, path: more.path, words: null }] : []),
    ],
  }));
  return {
    meta,
    is_asked,
    narrowing,
    texts,
    form: printForm(view, taxonomy),
    nothing: is_asked && total === 0 && sections.length === 0,
    tally: is_asked && total > 0 ? tCount(lang, 'events.count', total) : null,
    /** Before the events, where one is called by the very words or there is no event. */
    before: beside?.is_first ? sections : [],
    upcoming:
      is_asked && cards.length > 0 ? printUpcoming(cards, toCancunDay(view.now_ms), lang) : null,
    after: beside?.is_first ? [] : sections,
    next_path: is_asked && next ? withQuery(path, { ...texts, cursor: formatCursor(next) }) : null,
    first_path: is_asked && !is_first_page ? withQuery(path, texts) : null,
  };
}

/** The filters that the form has no control for go along with it. */
const KEPT_ALONG = [
  'near',
  'radius_km',
  'updated_since',
  'status',
  'price_max',
  'venue',
  'organizer',
  'limit',
] as const;

function printForm({ meta: { lang }, texts, span }: Loaded<typeof loadSearch>, taxonomy: Taxonomy) {
  const { q, date, from, to } = texts;
  /** A day in the address stands in the fields for days. */
  const day = DATE_WORDS.some((word) => word === date) ? undefined : date;
  return {
    q,
    selects: toTaxonSelects(texts, taxonomy, lang),
    min: span.from.toString(),
    max: span.to.toString(),
    kept: KEPT_ALONG.flatMap((name) =>
      texts[name] === undefined ? [] : [{ name, value: texts[name] }],
    ),
    dates: DATE_WORDS.map((word) => ({
      value: word,
      text: capitalise(t(lang, `ics.filter.${word}`)),
      is_selected: date === word,
    })),
    days: [
      { name: 'from', label: t(lang, 'search.from'), value: from ?? day },
      { name: 'to', label: t(lang, 'search.to'), value: to ?? day },
    ],
    ticks: toTicks(texts, lang),
  };
}

const MOST_PLACES = 5;
const MOST_NOTICES = 3;

/** A line with what is known of it; `path` is an address of ours or of another site. */
interface FoundLine {
  readonly name: string;
  readonly path: string;
  readonly facts: readonly string[];
}

interface FoundSection {
  readonly kind: 'places' | 'notices' | 'links';
  readonly title: string;
  readonly lines: readonly FoundLine[];
  /** The list with all of them, where there are more. */
  readonly more: { readonly label: string; readonly path: string } | null;
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
  const index = createWordIndex(things.map((thing) => toWords(toText(thing))));
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
  const is_called_so = ({ name }: Pick<FoundLine, 'name'>): boolean =>
    words.every((word) => ` ${fold(name)}`.includes(` ${word}`));
  const more = {
    label: t(lang, 'search.beside.all_places', { count: places.total }),
    path: withQuery(toDirectoryPath('venue', lang), asked),
  };
  const sections: FoundSection[] = [
    {
      kind: 'places',
      title: t(lang, 'search.beside.places'),
      // One slip away from a place is further than an event that has the word.
      lines: places.spellings.length > 0 && event_count > 0 ? [] : places.things,
      more: places.next === null ? null : more,
    },
    {
      kind: 'notices',
      title: t(lang, 'search.beside.notices'),
      lines: notices.map(({ title }) => ({
        name: title[lang],
        path: toPagePath('notices', lang),
        facts: [],
      })),
      more: null,
    },
    {
      kind: 'links',
      title: t(lang, 'search.beside.links'),
      lines: links.map((link) => {
        const { label, note, topic } = toLinkWords(link, lang);
        return { name: label, path: link.url, facts: [topic, note] };
      }),
      more: null,
    },
  ];
  const found = sections.filter(({ lines }) => lines.length > 0);
  const is_first = event_count === 0 || found.some(({ lines }) => lines.some(is_called_so));
  return { sections: found, is_first };
}

const PARAMETERS = LIST_PARAMETER_NAMES.filter((name) => name !== 'lang');

export const searchPage = definePage({
  name: 'search',
  routes: toPageRoutes('search'),
  load: loadSearch,
  print: printSearch,
  toMarkdown: (view) => renderSearch(view),
  parameters: () => PARAMETERS,
  narrowed: 'search',
  judge: judgeEventQuery,
  // It may be asked what is on now.
  isOfMinute: () => true,
});
