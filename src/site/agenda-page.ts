// The page of a day, of several or of a festivity: each day on which something takes place, and all that
// the site is built ahead for.
import {
  AGENDA_KEYWORDS,
  type AgendaPageKind,
  resolveAgendaKeyword,
} from '../domain/date-keywords.ts';
import {
  type Agenda,
  type Highlight,
  type EventCard,
  isNightTime,
  NO_HIGHLIGHTS,
} from '../domain/agenda.ts';
import {
  type DayRange,
  floorToMinute,
  fromDayNumber,
  startOfDayMs,
  toLocalDay,
  toDayNumber,
} from '../domain/local-time.ts';
import { Temporal } from 'temporal-polyfill';
import { pickPosterEvents } from '../domain/highlights.ts';
import { computeAgendaDayFacts } from '../domain/day/day-facts.ts';
import { findFestivityRange } from '../domain/day/holidays.ts';
import { separateNightclubs, type OccurrenceRecord } from '../domain/event/event.ts';
import { isDateUncertain } from '../domain/event/facts.ts';
import { type ByLang, byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import { formatQuery, sortParameters } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatLongRange } from '../i18n/format-dates.ts';
import {
  type DayLine,
  formatDayLines,
  formatDaylight,
  formatDayLink,
  formatSunTimes,
} from '../i18n/format-day.ts';
import {
  formatConfirmedMark,
  formatListUncertainty,
  formatListLegend,
} from '../i18n/format-facts.ts';
import { formatOpenVenues, formatOpenVenuesTitle } from '../i18n/format-opening-hours.ts';
import {
  PAGE_PATHS,
  absoluteUrl,
  dayPath,
  dayRangePath,
  calendarFeedPath,
  festivityPath,
  embedFramePath,
  markdownPath,
  recordPath,
  withQuery,
} from '../i18n/paths.ts';
import { formatActiveFilters } from '../i18n/format-query.ts';
import { t, tPlural } from '../i18n/translate.ts';
import { eventListJsonLd } from '../serializers/json-ld.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEventEntry } from '../serializers/markdown/entries.ts';
import {
  type MarkdownBlock,
  heading,
  labeled,
  link,
  linkItem,
  list,
  section,
} from '../serializers/markdown/nodes.ts';
import { loadAgenda, findHighlights } from '../snapshot/load-agenda.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { findRelatedResults, renderRelatedResults } from './related-results.ts';
import { listTaxonLinks } from './directory-page.ts';
import {
  DAYS_AHEAD,
  isAvailableRange,
  isDayInRange,
  parseDayPath,
  buildDayNavigation,
  dayPickerTarget,
} from './day-navigation.ts';
import {
  type EventGroup,
  groupAgenda,
  groupByNextDate,
  buildEventListView,
  groupHeading,
  createFurtherDaysFormatter,
  buildTideMarks,
  formatMoreDates,
} from './event-list-views.ts';
import { renderFilterPanel, buildFilterPanel } from './filter-panel.ts';
import { buildNoticesOfDays, renderNotice } from './notices-page.ts';
import {
  defineViewPage,
  listPagePaths,
  type LoadedPage,
  type PageRequest,
  routesOf,
} from './page-definition.ts';
import {
  isFixedParameter,
  validateEventQuery,
  parsePageQuery,
  interpretWords,
} from './page-query.ts';
import {
  buildPageMeta,
  NOT_FOUND,
  type PageMeta,
  type PosterAgenda,
  buildAgendaPoster,
  agendaPosterPath,
  posterLink,
} from './page-meta.ts';
import { buildPictureView } from './picture-views.ts';
import {
  buildQuickSectionsView,
  findQuickSections,
  renderQuickSections,
} from './quick-sections.ts';
import type { PageContext } from './page-context.ts';
import { redirectFound, redirectPermanently, pageResult } from './visitor-request.ts';

/** Most occurrences that the tide and the further days are counted from: a week of a large city. */
const MAX_OCCURRENCES = 5_000;

/** Most events that a page names for search engines; the rest it links to. */
const MAX_LINKED = 40;

interface AgendaRequest extends PageRequest {
  /** A word that the clock resolves, a day, or `from--to`; the slug of a festivity where it `is_festivity`. */
  readonly date: string;
  readonly is_festivity?: true;
}

type AgendaScope = PageRequest & Omit<PosterAgenda, 'shown' | 'count'>;

/** By its slug in either language. */
const findFestivity = ({ date }: AgendaRequest, { snapshot }: PageContext) =>
  snapshot.calendar.festivities.find(({ slug }) => LANGS.some((lang) => slug[lang] === date));

/** Null for days that do not exist, or that no page is known of. */
function findDays(request: AgendaRequest, state: PageContext): AgendaScope | null {
  const { lang, date } = request;
  const today = toLocalDay(state.now_ms);
  if (request.is_festivity) {
    const festivity = findFestivity(request, state);
    if (festivity?.slug[lang] !== date) return null;
    const { from, to } = findFestivityRange(festivity, today);
    const range = { from: Temporal.PlainDate.compare(from, today) < 0 ? today : from, to };
    const paths = byLang((each) => festivityPath(festivity.slug[each], each));
    return { lang, agenda: 'festivity', range, paths, name: festivity.name };
  }
  const word = AGENDA_KEYWORDS.find((one) => one === date);
  const range = word ? resolveAgendaKeyword(word, today) : parseDayPath(date);
  if (range === null || !isAvailableRange(state, range)) return null;
  const agenda = word ?? (range.from.equals(range.to) ? 'day' : 'days');
  const paths = word ? PAGE_PATHS[word] : byLang((each) => dayRangePath(range, each));
  return { lang, agenda, range, paths, name: null };
}

export function loadAgendaPage(state: PageContext, request: AgendaRequest, query: string) {
  const { snapshot, now_ms } = state;
  const days = findDays(request, state);
  if (days === null) return NOT_FOUND;
  const { range, lang, agenda: kind } = days;
  const { taxonomy, calendar } = snapshot;
  const { filter: asked, texts, ignored } = parsePageQuery(query, 'agenda', state);
  const filter = { ...asked, range };
  const agenda = loadAgenda(snapshot, range, now_ms, lang, filter);
  const words = formatActiveFilters(asked, { params: texts[lang], taxonomy, lang });
  const list = { snapshot, lang, path: days.paths[lang], texts: texts[lang], filter };
  const fixed = { range, asked: toDates(days) };
  const { items } = findOccurrences(snapshot, { ...filter, limit: MAX_OCCURRENCES });
  const count = agenda.events.length;
  const beside = findRelatedResults(state, texts[lang], count, lang);
  const has_beside = !beside.is_near && beside.before.length + beside.after.length > 0;
  // Who asks for something is given the list of it, all of it.
  const is_whole = words.length === 0;
  const path = days.paths[lang];
  const shelves = is_whole ? findQuickSections(snapshot, { kind, range, path }, filter, lang) : [];
  const led = shelves.map((shelf) => shelf.path);
  return pageResult({
    meta: toMeta(state, days, agenda, texts, words),
    kind,
    name: days.name,
    agenda,
    front: is_whole ? findHighlights(snapshot, agenda, floorToMinute(now_ms)) : NO_HIGHLIGHTS,
    shelves,
    words,
    taxonomy,
    occurrences: items.map(({ occurrence }) => occurrence),
    narrowing: buildFilterPanel({ ...list, now_ms, days: fixed, led, ignored }, count, has_beside),
    /** What else the words of the query find. */
    beside,
    around: buildDayNavigation(state, kind, range, filter, texts[lang], lang),
    browse: listTaxonLinks(state, null, lang),
    /** Null for a weekend and a week. */
    facts: computeAgendaDayFacts(kind, range.from, calendar),
    /** The minute that one which begins today is of, epoch ms; null for any other. */
    hour_ms: range.from.equals(toLocalDay(now_ms)) ? floorToMinute(now_ms) : null,
  });
}

/**
 * The address of what the words of a query ask for as filters: here, or on the page of the days that they say; null
 * where they are nothing but words.
 */
function toWordsPath(state: PageContext, request: AgendaRequest, query: string): string | null {
  const days = findDays(request, state);
  const { texts, ignored } = parsePageQuery(query, 'agenda', state);
  const { lang } = request;
  const read = days && interpretWords(texts[lang], days.range, state);
  if (!read || ignored.length > 0) return null;
  const { range, paths } = days;
  const asked = formatQuery(read.filter, read.texts, state.snapshot.taxonomy, lang);
  const { from = null, to = null } = read.filter.range ?? {};
  const is_here = from === null || (from.equals(range.from) && to?.equals(range.to));
  if (!is_here || read.filter.hours !== null)
    return dayPickerTarget(state, new URLSearchParams(asked).toString(), lang);
  return withQuery(paths[lang], sortParameters({ ...asked, date: null }));
}

export type AgendaView = ReturnType<typeof buildAgendaView>;

/** The sentences about a day that stand above its list. */
const isInHeading = ({ kind }: DayLine): boolean => kind === 'holiday';

/** The page: its heading over the tide, what to know before, what is chosen, shelves, the lists in order of time, ways on. */
export function buildAgendaView(view: LoadedPage<typeof loadAgendaPage>) {
  const { meta, kind, words, agenda, occurrences, taxonomy, facts, narrowing, around, browse } =
    view;
  const { beside, front, hour_ms } = view;
  const { lang } = meta;
  const { events, still_on } = agenda;
  const one_day = agenda.from.equals(agenda.to);
  const groups = groupAgenda(agenda, occurrences, hour_ms, kind === 'today', lang, front);
  const marks = buildTideMarks(agenda, groups, hour_ms, lang);
  const toFurther = createFurtherDaysFormatter(occurrences, lang);
  /** What a page that is open tells by the minute: the groups of later days wait for their day. */
  const today_key = hour_ms === null ? null : `d${toLocalDay(hour_ms)}`;
  const isLive = (key: string): boolean =>
    today_key !== null && (!/^d\d/.test(key) || key === today_key);
  const printed = groups.map((group) =>
    buildEventListView(group, {
      lang,
      ids: marks.ids,
      is_live: isLive(group.key),
      toMore: (card) => {
        if (one_day) return formatMoreDates(card, lang);
        return group.column === 'day' ? toFurther(card) : null;
      },
    }),
  );
  /** Where none is sure, the sentence of the page says so. */
  const is_unsure = front.picks.every(({ card }) => isDateUncertain(card));
  const picks = printed.find(({ key }) => key === 'picks');
  const lists = printed.filter((list) => list !== picks);
  const documented = one_day ? groups : groupByNextDate(agenda, hour_ms, lang, front);
  const isLast = ({ key }: { readonly key: string }): boolean =>
    key === 'nightclubs' || (one_day && key === 'ended');
  const is_narrowed = narrowing.on.length > 0;
  const lines = facts === null ? [] : formatDayLines(facts, lang);
  return {
    meta,
    kind,
    words,
    around,
    narrowing,
    beside,
    browse,
    hour_ms,
    count: tPlural(lang, 'events.count', events.length),
    /** What a document lists: each event once, where the page of several days has some rows of each. */
    groups: documented.filter((group) => !isLast(group)),
    last_groups: documented.filter(isLast),
    /** Of several days the other dates of each event, by event. */
    further: one_day ? null : groupFurther(events, occurrences),
    /** Of one day what goes on from the night before is something. */
    is_empty: events.length === 0 && !(one_day && still_on.length > 0),
    title: toTitle(view, lang),
    is_near: kind !== 'day' && kind !== 'days' && kind !== 'festivity',
    md_title: t(lang, `md.title.${kind}`, {
      when: formatLongRange(agenda, lang),
      name: view.name?.[lang] ?? '',
    }),
    days: { from: agenda.from, to: agenda.to },
    tally:
      events.length > 0
        ? tPlural(lang, 'events.count', events.length)
        : t(lang, is_narrowed ? 'filters.none' : 'agenda.calm'),
    tide: {
      spans: occurrences.filter(({ all_day, status }) => !all_day && status === 'scheduled'),
      from_ms: startOfDayMs(agenda.from),
      until_ms: startOfDayMs(agenda.to.add({ days: 1 })),
      caption: t(lang, one_day ? 'tide.day' : 'tide.days'),
      marks,
      lang,
      now_ms: hour_ms,
    },
    notices: buildNoticesOfDays(agenda.notices, agenda, taxonomy.zones, lang),
    lines: lines.filter(isInHeading),
    picks: picks && {
      title: picks.title,
      items: front.picks.flatMap((choice, at) => {
        const row = picks.rows[at];
        return row ? [{ ...row, ...toReason(choice, agenda.from, is_unsure, lang) }] : [];
      }),
    },
    /** After 20:00 what is on now and tonight stands first. */
    is_night: hour_ms !== null && kind === 'today' && isNightTime(hour_ms),
    shelves: buildQuickSectionsView(
      view.shelves,
      front.picks.map(({ card }) => card),
      { is_day: one_day, hour_ms, lang },
    ),
    sun: facts && formatSunTimes(facts.sky, lang),
    /** What is left to say of the sun below. */
    light: facts && formatDaylight(facts.sky, lang),
    legend: formatListLegend([...still_on, ...events], lang),
    lists: lists.filter((list) => !isLast(list)),
    empty: events.length === 0 && !is_narrowed ? t(lang, 'agenda.empty') : null,
    open_places: printOpenPlaces(view),
    last_lists: lists.filter(isLast),
    facts: facts && {
      lines: lines.filter((line) => !isInHeading(line)),
      links: facts.links.map((link) => ({ ...formatDayLink(link, lang), url: link.url })),
    },
  };
}

/** Why it stands on top, what is to be said of it there, and its drawing with the day, if it is drawn. */
function toReason(
  { why, standing, card }: Highlight,
  from: Temporal.PlainDate,
  is_unsure: boolean,
  lang: Lang,
) {
  const first = toDayNumber(from);
  const day = fromDayNumber(Math.max(first, card.next?.first_day ?? first));
  const picture = buildPictureView(card, day.day, lang);
  return {
    why: why?.[lang] ?? (standing && t(lang, `front.${standing}`)),
    sure:
      formatConfirmedMark(card, lang) ??
      (!is_unsure && isDateUncertain(card) ? t(lang, 'front.unsure') : null),
    drawing: picture?.kind === 'drawing' ? picture : null,
  };
}

function printOpenPlaces({
  kind,
  agenda: { open_places },
  hour_ms,
  words,
  meta: { lang },
}: LoadedPage<typeof loadAgendaPage>) {
  const { doubt, lines, sentences } = formatOpenVenues(open_places, hour_ms, lang);
  if (lines.length + sentences.length === 0) return null;
  const names = lines.map(({ place }) => place.venue.name).join(', ');
  return {
    title: formatOpenVenuesTitle(kind, open_places, lang),
    /** What is folded, as they are there every day; null on a list that asks for them. */
    names: words.length > 0 ? null : tPlural(lang, 'agenda.places', lines.length, { names }),
    places: lines.map(({ place: { venue }, facts }) => ({
      name: venue.name,
      path: recordPath('venue', venue.slug, lang),
      facts,
    })),
    doubt,
    sentences,
  };
}

/** The other occurrences of each event, by event, without those that took place before the next. */
function groupFurther(
  events: readonly EventCard[],
  occurrences: readonly OccurrenceRecord[],
): ReadonlyMap<string, readonly OccurrenceRecord[]> {
  const nexts = new Map(events.map(({ event, next }) => [event.id, next]));
  const further = occurrences.filter(({ id, event, status, start_ms }) => {
    const next = nexts.get(event);
    const took_place = status === 'scheduled' && start_ms < (next?.start_ms ?? 0);
    return id !== next?.id && !took_place;
  });
  return Map.groupBy(further, ({ event }) => event);
}

/** The lists of a page, each event with the reason why it stands on top. */
export function renderEventGroups(view: AgendaView, groups: readonly EventGroup[]): MarkdownBlock {
  const { lang, site } = view.meta;
  const reasons = new Map(view.picks?.items.map(({ path, why }) => [path, why]));
  const first = toDayNumber(view.days.from);
  return groups.map((group) => [
    heading(2, groupHeading(group, lang)),
    group.cards.map((card) => {
      const has_day = group.column !== 'day' && (card.next?.first_day ?? first) >= first;
      const further = view.further?.get(card.event.id);
      const why = group.key === 'picks' && reasons.get(recordPath('event', card.event.slug, lang));
      return [renderEventEntry(card, lang, site, has_day, further), why];
    }),
  ]);
}

export function renderAgendaMarkdown(view: AgendaView): string {
  const { meta, md_title, count, words, narrowing, lines, facts, open_places } = view;
  const { lang, site } = meta;
  const { front, others } = view.notices;
  const [picks, lists] = [true, false].map((is_picks) =>
    view.groups.filter(({ key }) => (key === 'picks') === is_picks),
  );
  const render = (groups: readonly EventGroup[]): MarkdownBlock => renderEventGroups(view, groups);
  return renderDocument(
    {
      ...meta,
      title: md_title,
      about: t(lang, 'md.about', {
        events: count,
        notices: tPlural(lang, 'notices.count', front.length + others.length),
        zone: t(lang, 'time.zone'),
      }),
      terms: 'md.terms',
    },
    renderFilterPanel(words, narrowing, meta),
    section(
      t(lang, 'label.notices'),
      front.map((notice) => renderNotice(notice, meta)),
      others.length === 0 && view.notices.season_line,
    ),
    formatListUncertainty(
      [...view.groups, ...view.last_groups].flatMap(({ cards }) => cards),
      lang,
    ),
    view.is_night && renderQuickSections(view.shelves, meta),
    render(picks ?? []),
    !view.is_night && renderQuickSections(view.shelves, meta),
    lines.map(({ text }) => text),
    renderRelatedResults(view.beside.before, meta),
    render(lists ?? []),
    view.is_empty && section(t(lang, 'label.events'), t(lang, 'md.no_events')),
    open_places &&
      section(
        open_places.title,
        open_places.doubt,
        list(
          open_places.places.map(({ name, path, facts: told }) =>
            linkItem(absoluteUrl(site.url, path), name, ...told),
          ),
        ),
        open_places.sentences,
      ),
    render(view.last_groups),
    renderRelatedResults(view.beside.after, meta),
    others.length > 0 &&
      section(
        view.notices.others_title,
        others.map((notice) => renderNotice(notice, meta)),
        view.notices.season_line,
      ),
    facts &&
      section(
        t(lang, 'day.title'),
        list([
          ...facts.lines.map(({ text }) => text),
          ...facts.links.map((one) => labeled(one.topic, link(one.url, one.label), ` ${one.note}`)),
        ]),
      ),
  );
}

function toMeta(
  state: PageContext,
  request: AgendaScope,
  agenda: Agenda,
  texts: ByLang<ParameterValues>,
  words: readonly string[],
): PageMeta {
  const { lang, agenda: kind, range, paths } = request;
  const title = `${toTitle({ ...request, kind }, lang)}, ${formatLongRange(range, lang)}`;
  const is_narrowed = words.length > 0;
  const { others, nightclubs } = separateNightclubs(agenda.events);
  const titles = [...others, ...nightclubs]
    .slice(0, 3)
    .map((card) => card.event.title[lang])
    .join('; ');
  const count = tPlural(lang, 'events.count', agenda.events.length);
  return buildPageMeta(state, lang, paths, {
    query: byLang((each) => withQuery('', texts[each])),
    title: is_narrowed ? t(lang, 'filters.title', { title, filters: words.join(', ') }) : title,
    description:
      titles === '' ? t(lang, 'agenda.empty') : t(lang, 'agenda.description', { count, titles }),
    markdown: withQuery(markdownPath(paths[lang]), texts[lang]),
    calendar: calendarFeedPath({ ...toDates(request), ...texts[lang] }, lang),
    json_ld:
      is_narrowed || agenda.events.length === 0
        ? null
        : eventListJsonLd(agenda.events.slice(0, MAX_LINKED), lang, state.site),
    entry: AGENDA_KEYWORDS.find((word) => word === kind) ?? null,
    poster: posterLink(
      buildAgendaPoster(
        {
          ...request,
          ...(is_narrowed ? { shown: [], count: 0 } : readShown(state.snapshot, agenda, lang)),
        },
        lang,
        state.site,
      ),
      agendaPosterPath(request, lang),
    ),
  });
}

/** What a poster says of some days, the same at any hour of them: as when they begin. */
function readShown(snapshot: PageContext['snapshot'], { from, to }: DayRange, lang: Lang) {
  const agenda = loadAgenda(snapshot, { from, to }, startOfDayMs(from), lang);
  const front = findHighlights(snapshot, agenda, startOfDayMs(from));
  return { shown: pickPosterEvents(agenda.events, front), count: agenda.events.length };
}

const toTitle = (
  { kind, name }: { readonly kind: AgendaPageKind; readonly name: LocalText | null },
  lang: Lang,
): string => t(lang, `agenda.title.${kind}`, { name: name?.[lang] ?? '' });

/** Its days as the API is asked for them. */
function toDates({ agenda: kind, range }: AgendaScope): Readonly<Record<string, string>> {
  if (kind === 'days' || kind === 'festivity')
    return { from: range.from.toString(), to: range.to.toString() };
  return { date: kind === 'day' ? range.from.toString() : kind };
}

const PARAMETERS = LIST_PARAMETER_NAMES.filter(
  (name) => name !== 'lang' && !isFixedParameter(name),
);
const DAY_PATTERNS = byLang((lang) => dayPath('[days]', lang));
/** A slug is looked for among the festivities, where neither a page nor the frame has the address. */
const SLUG = /^[a-z0-9-]+$/;
const FESTIVITY_PATTERNS = byLang((lang) => festivityPath('[festivity]', lang));

/** Yesterday to DAYS_AHEAD days after today, as YYYY-MM-DD. */
export function listWarmDays(now_ms: number): readonly string[] {
  const yesterday = toLocalDay(now_ms).subtract({ days: 1 });
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, at) => yesterday.add({ days: at }).toString());
}

export const agendaPage = defineViewPage<
  AgendaRequest,
  LoadedPage<typeof loadAgendaPage>,
  AgendaView
>({
  name: 'agenda',
  routes: [
    ...AGENDA_KEYWORDS.flatMap((date) => routesOf(PAGE_PATHS[date], (lang) => ({ lang, date }))),
    ...routesOf(DAY_PATTERNS, (lang, date) => (parseDayPath(date) ? { lang, date } : null)),
    ...routesOf(FESTIVITY_PATTERNS, (lang, date) =>
      SLUG.test(date) && festivityPath(date, lang) !== embedFramePath(lang)
        ? { lang, date, is_festivity: true }
        : null,
    ),
  ],
  load: (state, request, query) => {
    const { lang, date } = request;
    const slug = request.is_festivity && findFestivity(request, state)?.slug;
    if (slug && slug[lang] !== date) return redirectPermanently(festivityPath(slug[lang], lang));
    const words_path = toWordsPath(state, request, query);
    return words_path === null ? loadAgendaPage(state, request, query) : redirectFound(words_path);
  },
  print: buildAgendaView,
  toMarkdown: renderAgendaMarkdown,
  parameters: () => PARAMETERS,
  narrowed: 'agenda',
  validate: validateEventQuery,
  isOfMinute: ({ date }, now_ms) => {
    const days = parseDayPath(date);
    return days ? isDayInRange(toLocalDay(now_ms), days) : date !== 'tomorrow';
  },
  listBuilt: ({ now_ms }) => [
    ...listPagePaths('tomorrow'),
    ...LANGS.flatMap((lang) => listWarmDays(now_ms).map((day) => dayPath(day, lang))),
  ],
  toPoster: (state, request) => {
    const { snapshot, site } = state;
    const days = findDays(request, state);
    if (days === null) return NOT_FOUND;
    return buildAgendaPoster(
      { ...days, ...readShown(snapshot, days.range, days.lang) },
      days.lang,
      site,
    );
  },
});
