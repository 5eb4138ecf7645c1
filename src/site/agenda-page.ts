// Agenda pages: show the events of a day, a date range or a festivity (a holiday period with its
// own address, such as carnival). Above the events come highlights (events worth a look, with the
// reason) and quick sections (short lists such as "free" or "tonight"); around them notices and day
// facts (sun, tides, holidays). The tide is the drawn sea below the heading. Each day with events
// has a page; the warm-up renders those around today.
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
import {
  type EventRecord,
  separateNightclubs,
  separateSeasons,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { isDateUncertain } from '../domain/event/facts.ts';
import { type ByLang, byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import { formatQuery, sortParameters } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatLongRange, formatMonth, formatShortDay } from '../i18n/format-dates.ts';
import {
  type DayLine,
  formatDayLines,
  formatDaylight,
  formatDayLink,
  formatSunTimes,
} from '../i18n/format-day.ts';
import {
  formatAttendanceNote,
  formatConfirmedMark,
  formatListDoubt,
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
import { formatList, localeOf, t, tPlural } from '../i18n/translate.ts';
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
import { loadAgenda, loadAskFirst, findHighlights } from '../snapshot/load-agenda.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { findRelatedResults, hasFullMatches, renderRelatedResults } from './related-results.ts';
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
  type EventListView,
  type TideMarks,
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
import { redirect302, redirectPermanently, pageResult } from './visitor-request.ts';

/**
 * Most occurrences that the tide and the further dates are computed from: a week of a large city.
 */
const MAX_OCCURRENCES = 5_000;

/** Most events in the structured data of a page. */
const MAX_JSON_LD_EVENTS = 40;

interface AgendaRequest extends PageRequest {
  /** An agenda keyword, a day, or `from--to`; with `is_festivity`, the slug of a festivity. */
  readonly date: string;
  readonly is_festivity?: true;
}

/**
 * Days of a request, with the kind of page, its path in each language and the name of the
 * festivity.
 */
type AgendaScope = PageRequest & Omit<PosterAgenda, 'events' | 'count'>;

/** Loads the data of an agenda page, for its HTML page and its Markdown version. */
export function loadAgendaPage(context: PageContext, request: AgendaRequest, query: string) {
  const { snapshot, now_ms } = context;
  const scope = findDays(request, context);
  if (scope === null) return NOT_FOUND;
  const { range, lang, agenda: kind, paths } = scope;
  const path = paths[lang];
  const { filter: query_filter, texts, ignored } = parsePageQuery(query, 'agenda', context);
  const filter = { ...query_filter, range };
  const agenda = loadAgenda(snapshot, range, now_ms, lang, filter);
  const { items } = findOccurrences(snapshot, { ...filter, limit: MAX_OCCURRENCES });

  const { taxonomy, calendar } = snapshot;
  const active_filters = formatActiveFilters(query_filter, { params: texts[lang], taxonomy, lang });
  // Filtered pages are plain lists, without highlights and quick sections.
  const is_unfiltered = active_filters.length === 0;
  const quick_sections = is_unfiltered
    ? findQuickSections(snapshot, { kind, range, path }, filter, lang)
    : [];

  const event_count = agenda.events.length;
  const related = findRelatedResults(context, texts[lang], event_count, lang);
  const filter_panel = buildFilterPanel(
    {
      snapshot,
      lang,
      path,
      now_ms,
      filter,
      texts: texts[lang],
      ignored,
      fixed_days: { range, params: dateParameters(scope) },
      linked_paths: quick_sections.map((section) => section.path),
    },
    event_count,
    hasFullMatches(related),
  );
  return pageResult({
    meta: buildMeta(context, scope, agenda, texts, active_filters),
    kind,
    name: scope.name,
    agenda,
    /** Events that an editor picked, or that are rare; the view builds their rows. */
    highlights: is_unfiltered
      ? findHighlights(snapshot, agenda, floorToMinute(now_ms))
      : NO_HIGHLIGHTS,
    quick_sections,
    /** Null on a filtered page. */
    ask_first: is_unfiltered ? loadAskFirst(snapshot, range, now_ms) : null,
    active_filters,
    taxonomy,
    /** All occurrences of the days, for the tide and the further dates. */
    occurrences: items.map(({ occurrence }) => occurrence),
    filter_panel,
    related,
    day_navigation: buildDayNavigation(context, kind, range, filter, texts[lang], lang),
    taxon_links: listTaxonLinks(context, null, lang),
    /** Null for a weekend and a week. */
    facts: computeAgendaDayFacts(kind, range.from, calendar),
    /** Epoch ms of the current minute if the page starts today, otherwise null. */
    minute_ms: range.from.equals(toLocalDay(now_ms)) ? floorToMinute(now_ms) : null,
  });
}

type LoadedAgenda = LoadedPage<typeof loadAgendaPage>;

/** Returns the days of a request, or null if they do not exist or have no page. */
function findDays(request: AgendaRequest, context: PageContext): AgendaScope | null {
  const { lang, date } = request;
  const today = toLocalDay(context.now_ms);
  if (request.is_festivity) {
    const festivity = findFestivity(request, context);
    if (festivity?.slug[lang] !== date) return null;
    const { from, to } = findFestivityRange(festivity, today);
    const range = { from: Temporal.PlainDate.compare(from, today) < 0 ? today : from, to };
    const paths = byLang((each) => festivityPath(festivity.slug[each], each));
    return { lang, agenda: 'festivity', range, paths, name: festivity.name };
  }
  const keyword = AGENDA_KEYWORDS.find((known) => known === date);
  const range = keyword ? resolveAgendaKeyword(keyword, today) : parseDayPath(date);
  if (range === null || !isAvailableRange(context, range)) return null;
  const agenda = keyword ?? (range.from.equals(range.to) ? 'day' : 'days');
  const paths = keyword ? PAGE_PATHS[keyword] : byLang((each) => dayRangePath(range, each));
  return { lang, agenda, range, paths, name: null };
}

/** Finds a festivity by its slug in either language. */
const findFestivity = ({ date }: AgendaRequest, { snapshot }: PageContext) =>
  snapshot.calendar.festivities.find(({ slug }) => LANGS.some((lang) => slug[lang] === date));

/** Returns the days as API parameters. */
function dateParameters({ agenda: kind, range }: AgendaScope): Readonly<Record<string, string>> {
  if (kind === 'days' || kind === 'festivity')
    return { from: range.from.toString(), to: range.to.toString() };
  return { date: kind === 'day' ? range.from.toString() : kind };
}

/**
 * Resolves search words that are filters to the path with these filters, on this page or on the
 * page of the days that the words name.
 * @returns null if the words are only words.
 */
function resolveFilterWords(
  context: PageContext,
  request: AgendaRequest,
  query: string,
): string | null {
  const scope = findDays(request, context);
  const { texts, ignored } = parsePageQuery(query, 'agenda', context);
  const { lang } = request;
  const interpreted = scope && interpretWords(texts[lang], scope.range, context);
  if (!interpreted || ignored.length > 0) return null;
  const { range, paths } = scope;
  const { filter } = interpreted;
  const params = formatQuery(filter, interpreted.texts, context.snapshot.taxonomy, lang);
  const { from = null, to = null } = filter.range ?? {};
  const names_other_days = from !== null && !(from.equals(range.from) && to?.equals(range.to));
  if (names_other_days || filter.hours !== null)
    return dayPickerTarget(context, new URLSearchParams(params).toString(), lang);
  return withQuery(paths[lang], sortParameters({ ...params, date: null }));
}

/**
 * Builds the metadata. The title of a filtered page names the filters; its poster has no events,
 * and it has no structured data.
 */
function buildMeta(
  context: PageContext,
  scope: AgendaScope,
  agenda: Agenda,
  texts: ByLang<ParameterValues>,
  active_filters: readonly string[],
): PageMeta {
  const { lang, agenda: kind, range, paths } = scope;
  const title = `${formatTitle({ ...scope, kind }, lang)}, ${formatLongRange(range, lang)}`;
  const is_filtered = active_filters.length > 0;
  const { others: countable } = separateSeasons(agenda.events);
  // The description names three events; nightclubs only if there are not enough others.
  const { others, nightclubs } = separateNightclubs(countable);
  const titles = [...others, ...nightclubs]
    .slice(0, 3)
    .map((card) => card.event.title[lang])
    .join('; ');
  const count = tPlural(lang, 'events.count', countable.length);
  const poster_events = is_filtered
    ? { events: [], count: 0 }
    : loadPosterEvents(context.snapshot, agenda, lang);
  return buildPageMeta(context, lang, paths, {
    query: byLang((each) => withQuery('', texts[each])),
    title: is_filtered
      ? t(lang, 'filters.title', { title, filters: active_filters.join(', ') })
      : title,
    description:
      titles === '' ? t(lang, 'agenda.empty') : t(lang, 'agenda.description', { count, titles }),
    markdown: withQuery(markdownPath(paths[lang]), texts[lang]),
    calendar: calendarFeedPath({ ...dateParameters(scope), ...texts[lang] }, lang),
    json_ld:
      is_filtered || agenda.events.length === 0
        ? null
        : eventListJsonLd(agenda.events.slice(0, MAX_JSON_LD_EVENTS), lang, context.site),
    entry: AGENDA_KEYWORDS.find((keyword) => keyword === kind) ?? null,
    poster: posterLink(
      buildAgendaPoster({ ...scope, ...poster_events }, lang, context.site),
      agendaPosterPath(scope, lang),
    ),
  });
}

/**
 * Loads the events of a poster as of the start of its days, so that the poster is the same at any
 * hour.
 */
function loadPosterEvents(snapshot: PageContext['snapshot'], { from, to }: DayRange, lang: Lang) {
  const agenda = loadAgenda(snapshot, { from, to }, startOfDayMs(from), lang);
  const highlights = findHighlights(snapshot, agenda, startOfDayMs(from));
  const { others } = separateSeasons(agenda.events);
  return { events: pickPosterEvents(agenda.events, highlights), count: others.length };
}

const formatTitle = (
  { kind, name }: { readonly kind: AgendaPageKind; readonly name: LocalText | null },
  lang: Lang,
): string => t(lang, `agenda.title.${kind}`, { name: name?.[lang] ?? '' });

/** View model of an agenda page; components/agenda/agenda-page.astro renders it. */
export type AgendaView = ReturnType<typeof buildAgendaView>;

/** Builds the view model of an agenda page, in the order of the page. */
export function buildAgendaView(loaded: LoadedAgenda) {
  const { meta, kind, active_filters, agenda, filter_panel, day_navigation } = loaded;
  const { facts: day_facts, related, highlights, minute_ms, taxon_links } = loaded;
  const { lang } = meta;
  const { events, ongoing } = agenda;
  const { others: countable } = separateSeasons(events);
  const is_single_day = agenda.from.equals(agenda.to);
  const groups = groupAgenda(
    agenda,
    loaded.occurrences,
    minute_ms,
    kind === 'today',
    lang,
    highlights,
  );
  const marks = buildTideMarks(agenda, groups, minute_ms, lang);
  const all_lists = buildLists(loaded, groups, marks);
  // `picks` is the key of the highlights, which have their own place on the page.
  const lists = all_lists.filter(({ key }) => key !== 'picks');
  const markdown_groups = is_single_day
    ? groups
    : groupByNextDate(agenda, minute_ms, lang, highlights);
  const comesAfterVenues = ({ key }: { readonly key: string }): boolean =>
    key === 'nightclubs' || (is_single_day && key === 'ended');
  const is_filtered = filter_panel.active.length > 0;
  const day_lines = day_facts === null ? [] : formatDayLines(day_facts, lang);
  const other_day_lines = day_lines.filter((line) => !isHolidayLine(line));
  const sun_times_text = day_facts && formatSunTimes(day_facts.sky, lang);
  const daylight_text = day_facts && formatDaylight(day_facts.sky, lang);
  const ask_first = buildAskFirst(loaded);
  const is_empty_without_filters = countable.length === 0 && !is_filtered;
  return {
    meta,
    kind,
    active_filters,
    day_navigation,
    filter_panel,
    related,
    taxon_links,
    minute_ms,
    count: tPlural(lang, 'events.count', countable.length),
    /**
     * Groups of the Markdown version, with each event once; the HTML page repeats events of several
     * days. `last_groups` come after the open venues.
     */
    groups: markdown_groups.filter((group) => !comesAfterVenues(group)),
    last_groups: markdown_groups.filter(comesAfterVenues),
    /** Further occurrences by event id; null for a single day. */
    further_dates: is_single_day ? null : groupFurtherDates(events, loaded.occurrences),
    is_empty: events.length === 0 && !(is_single_day && ongoing.length > 0),
    title: formatTitle(loaded, lang),
    /** False for days chosen by date, which can be past. */
    is_upcoming: kind !== 'day' && kind !== 'days' && kind !== 'festivity',
    markdown_title: t(lang, `md.title.${kind}`, {
      when: formatLongRange(agenda, lang),
      name: loaded.name?.[lang] ?? '',
    }),
    days: { from: agenda.from, to: agenda.to },
    /** Line below the title: `12 eventos`, or that there are none. */
    event_count_text:
      countable.length > 0
        ? tPlural(lang, 'events.count', countable.length)
        : t(lang, is_filtered ? 'filters.none' : 'agenda.calm'),
    tide: buildTide(loaded, marks),
    notices: buildNoticesOfDays(
      agenda.notices,
      agenda,
      loaded.taxonomy.zones,
      loaded.kind === 'today',
      lang,
    ),
    /** Lines about holidays, before the lists. */
    holiday_lines: day_lines.filter(isHolidayLine),
    highlights: buildHighlightsView(loaded, all_lists),
    /** From 20:00 on, the quick sections (now and tonight) come before the highlights. */
    is_night: minute_ms !== null && kind === 'today' && isNightTime(minute_ms),
    quick_sections: buildQuickSectionsView(
      loaded.quick_sections,
      highlights.picks.map(({ card }) => card),
      { is_day: is_single_day, minute_ms, lang },
    ),
    /** Sunrise and sunset, below the title; null for several days. */
    sun_times_text,
    ...formatListDoubt([...ongoing, ...countable], lang, kind === 'today'),
    /** Lists of the HTML page, in its order; `last_lists` come after the open venues. */
    lists: lists.filter((list) => !comesAfterVenues(list)),
    /** Not shown above events to ask about. */
    empty_message:
      is_empty_without_filters && ask_first.length === 0 ? t(lang, 'agenda.empty') : null,
    ask_first,
    open_venues: buildOpenVenues(loaded),
    last_lists: lists.filter(comesAfterVenues),
    /**
     * Lines and links about the day, such as moon and ferries, at the end; null for several days.
     */
    day_facts: day_facts && {
      /** The sun line has only the length of the day, since `sun_times_text` is below the title. */
      lines: other_day_lines.map(({ kind: line_kind, text }) =>
        line_kind === 'sun' && sun_times_text && daylight_text ? daylight_text : text,
      ),
      markdown_lines: other_day_lines.map(({ text }) => text),
      links: day_facts.links.map((item) => ({ ...formatDayLink(item, lang), url: item.url })),
    },
  };
}

/** Returns whether a line about the day is about a holiday: it then comes before the lists. */
const isHolidayLine = ({ kind }: DayLine): boolean => kind === 'holiday';

/** Builds the lists of the HTML page from the groups of events. */
function buildLists(
  { agenda, occurrences, minute_ms, meta: { lang } }: LoadedAgenda,
  groups: readonly EventGroup[],
  marks: TideMarks,
): readonly EventListView[] {
  const is_single_day = agenda.from.equals(agenda.to);
  const formatFurtherDays = createFurtherDaysFormatter(occurrences, lang);
  const today_key = minute_ms === null ? null : `d${toLocalDay(minute_ms)}`;
  // The script of an open page updates today's rows every minute, not the rows of later days.
  const isOtherDay = (key: string): boolean => /^d\d/.test(key) && key !== today_key;
  const isLive = (key: string): boolean => today_key !== null && !isOtherDay(key);
  return groups.map((group) =>
    buildEventListView(group, {
      lang,
      ids: marks.ids,
      is_live: isLive(group.key),
      formatFurther: (card) => {
        if (is_single_day) return formatMoreDates(card, lang);
        return group.column === 'day' ? formatFurtherDays(card) : null;
      },
    }),
  );
}

/**
 * Builds the tide: its waves from the hours of the occurrences, its marks, and the current minute.
 */
const buildTide = (
  { agenda, occurrences, minute_ms, meta: { lang } }: LoadedAgenda,
  marks: TideMarks,
) => ({
  spans: occurrences.filter(({ all_day, status }) => !all_day && status === 'scheduled'),
  from_ms: startOfDayMs(agenda.from),
  until_ms: startOfDayMs(agenda.to.add({ days: 1 })),
  caption: t(lang, agenda.from.equals(agenda.to) ? 'tide.day' : 'tide.days'),
  marks,
  lang,
  now_ms: minute_ms,
});

/** Builds the rows of the highlights, with the reason, the certainty and the drawing of each. */
function buildHighlightsView(
  { highlights, agenda, meta: { lang } }: LoadedAgenda,
  lists: readonly EventListView[],
) {
  const list = lists.find(({ key }) => key === 'picks');
  // If no highlight is confirmed, the legend of the page says so once.
  const are_all_uncertain = highlights.picks.every(({ card }) => isDateUncertain(card));
  return (
    list && {
      title: list.title,
      rows: highlights.picks.flatMap((highlight, index) => {
        const row = list.rows[index];
        if (!row) return [];
        return [
          { ...row, ...buildHighlightDetails(highlight, agenda.from, are_all_uncertain, lang) },
        ];
      }),
    }
  );
}

function buildHighlightDetails(
  { why, run_position, card }: Highlight,
  from: Temporal.PlainDate,
  are_all_uncertain: boolean,
  lang: Lang,
) {
  const page_start = toDayNumber(from);
  const day = fromDayNumber(Math.max(page_start, card.next?.first_day ?? page_start));
  const picture = buildPictureView(card, day.day, lang);
  return {
    /** The editor's reason, or that it is the only, first or last day of the event. */
    reason: why?.[lang] ?? (run_position && t(lang, `front.${run_position}`)),
    certainty:
      formatConfirmedMark(card, lang) ??
      (!are_all_uncertain && isDateUncertain(card) ? t(lang, 'front.unsure') : null),
    note: formatAttendanceNote(card, lang, 'whole'),
    /** Drawn card of the event; null if it has a photo, which is shown as a thumbnail. */
    drawing: picture?.kind === 'drawing' ? picture : null,
  };
}

/** Builds the list of venues that are open on the days; null if there are none to show. */
function buildOpenVenues({
  kind,
  agenda: { open_places },
  minute_ms,
  active_filters,
  meta: { lang },
}: LoadedAgenda) {
  const { doubt, lines, sentences } = formatOpenVenues(open_places, minute_ms, lang);
  if (lines.length + sentences.length === 0) return null;
  const names = lines.map(({ place }) => place.venue.name).join(', ');
  return {
    title: formatOpenVenuesTitle(kind, open_places, lang),
    /** Summary of the folded list. Null on filtered pages, which show the list unfolded. */
    names:
      active_filters.length > 0 ? null : tPlural(lang, 'agenda.places', lines.length, { names }),
    venues: lines.map(({ place: { venue }, facts }) => ({
      name: venue.name,
      path: recordPath('venue', venue.slug, lang),
      facts,
    })),
    /** Warns that the hours are not confirmed; null if they are. */
    uncertainty_note: doubt,
    /** Sentences after the list, such as which venues are closed. */
    sentences,
  };
}

/** Builds the sections of events that visitors must ask about, without empty ones. */
function buildAskFirst({ ask_first, agenda: { from, to }, meta: { lang } }: LoadedAgenda) {
  if (ask_first === null) return [];
  const months = [...new Set([from, to].map((day) => formatMonth(day, lang)))];
  const sortByTitle = <T extends { readonly event: EventRecord }>(items: readonly T[]): T[] =>
    items.toSorted((a, b) =>
      a.event.title[lang].localeCompare(b.event.title[lang], localeOf(lang)),
    );
  const buildItem = (event: EventRecord, note: string | null) => ({
    title: event.title[lang],
    path: recordPath('event', event.slug, lang),
    note,
  });
  return [
    {
      id: 'ask',
      title: t(lang, 'agenda.ask'),
      items: sortByTitle(ask_first.resting).map(({ event, days }) =>
        buildItem(
          event,
          from.equals(to) ? null : days.map((day) => formatShortDay(day, lang)).join(', '),
        ),
      ),
    },
    {
      id: 'undated',
      title: t(lang, 'agenda.undated', { months: formatList(months, lang) }),
      items: sortByTitle(ask_first.undated.map((event) => ({ event }))).map(({ event }) =>
        buildItem(event, event.confirm_note?.[lang] ?? null),
      ),
    },
  ].filter(({ items }) => items.length > 0);
}

/**
 * Groups the scheduled occurrences after the next date of each event by event id; an entry names
 * those that are called off by itself.
 */
function groupFurtherDates(
  events: readonly EventCard[],
  occurrences: readonly OccurrenceRecord[],
): ReadonlyMap<string, readonly OccurrenceRecord[]> {
  const next_by_event = new Map(events.map(({ event, next }) => [event.id, next]));
  const further_dates = occurrences.filter(({ id, event, status, start_ms }) => {
    const next = next_by_event.get(event);
    return status === 'scheduled' && id !== next?.id && start_ms >= (next?.start_ms ?? 0);
  });
  return Map.groupBy(further_dates, ({ event }) => event);
}

/** Renders groups of events as Markdown; highlights with their reasons. */
export function renderEventGroups(view: AgendaView, groups: readonly EventGroup[]): MarkdownBlock {
  const { lang, site } = view.meta;
  const reasons = new Map(view.highlights?.rows.map(({ path, reason }) => [path, reason]));
  const page_start = toDayNumber(view.days.from);
  return groups.map((group) => [
    heading(2, groupHeading(group, lang)),
    group.cards.map((card) => {
      const has_day = group.column !== 'day' && (card.next?.first_day ?? page_start) >= page_start;
      const further_dates = view.further_dates?.get(card.event.id);
      const reason =
        group.key === 'picks' && reasons.get(recordPath('event', card.event.slug, lang));
      return [renderEventEntry(card, lang, site, has_day, further_dates), reason];
    }),
  ]);
}

export function renderAgendaMarkdown(view: AgendaView): string {
  const { meta, active_filters, filter_panel, open_venues, notices } = view;
  const { lang } = meta;
  const isHighlights = ({ key }: EventGroup): boolean => key === 'picks';
  const quick_sections = renderQuickSections(view.quick_sections, meta);
  return renderDocument(
    {
      ...meta,
      title: view.markdown_title,
      about: t(lang, 'md.about', {
        events: view.count,
        notices: notices.summary,
        zone: t(lang, 'time.zone'),
      }),
      terms: 'md.terms',
    },
    renderFilterPanel(active_filters, filter_panel, meta),
    section(
      t(lang, 'label.notices'),
      notices.shown.map((notice) => renderNotice(notice, meta)),
      notices.folded.length === 0 && notices.season_line,
    ),
    view.warning,
    view.is_night && quick_sections,
    renderEventGroups(view, view.groups.filter(isHighlights)),
    !view.is_night && quick_sections,
    view.holiday_lines.map(({ text }) => text),
    renderRelatedResults(view.related.before, meta),
    renderEventGroups(
      view,
      view.groups.filter((group) => !isHighlights(group)),
    ),
    view.is_empty && section(t(lang, 'label.events'), t(lang, 'md.no_events')),
    view.ask_first.map(({ title, items }) =>
      section(
        title,
        list(
          items.map(({ path, title: name, note }) =>
            linkItem(absoluteUrl(meta.site.url, path), name, ...(note === null ? [] : [note])),
          ),
        ),
      ),
    ),
    open_venues && renderOpenVenues(open_venues, meta),
    renderEventGroups(view, view.last_groups),
    renderRelatedResults(view.related.after, meta),
    notices.folded.length > 0 &&
      section(
        notices.folded_title,
        notices.folded.map((notice) => renderNotice(notice, meta)),
        notices.season_line,
      ),
    view.day_facts && renderDayFacts(view.day_facts, meta),
  );
}

const renderOpenVenues = (
  open_venues: NonNullable<AgendaView['open_venues']>,
  { site }: PageMeta,
): MarkdownBlock =>
  section(
    open_venues.title,
    open_venues.uncertainty_note,
    list(
      open_venues.venues.map(({ name, path, facts }) =>
        linkItem(absoluteUrl(site.url, path), name, ...facts),
      ),
    ),
    open_venues.sentences,
  );

const renderDayFacts = (
  { markdown_lines, links }: NonNullable<AgendaView['day_facts']>,
  { lang }: PageMeta,
): MarkdownBlock =>
  section(
    t(lang, 'day.title'),
    list([
      ...markdown_lines,
      ...links.map((item) => labeled(item.topic, link(item.url, item.label), ` ${item.note}`)),
    ]),
  );

/** Query parameters: the event filters, without the days and the language, which the path has. */
const PARAMETERS = LIST_PARAMETER_NAMES.filter(
  (name) => name !== 'lang' && !isFixedParameter(name),
);
const DAY_PATTERNS = byLang((lang) => dayPath('[days]', lang));
const FESTIVITY_PATTERNS = byLang((lang) => festivityPath('[festivity]', lang));
/**
 * Any slug at the root that is not another page or the embed frame is looked up among the
 * festivities.
 */
const SLUG_PATTERN = /^[a-z0-9-]+$/;

/**
 * Lists the days whose pages the warm-up renders: yesterday to DAYS_AHEAD days after today, as
 * YYYY-MM-DD.
 */
export function listWarmDays(now_ms: number): readonly string[] {
  const yesterday = toLocalDay(now_ms).subtract({ days: 1 });
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, offset) =>
    yesterday.add({ days: offset }).toString(),
  );
}

export const agendaPage = defineViewPage<AgendaRequest, LoadedAgenda, AgendaView>({
  name: 'agenda',
  routes: [
    ...AGENDA_KEYWORDS.flatMap((date) => routesOf(PAGE_PATHS[date], (lang) => ({ lang, date }))),
    ...routesOf(DAY_PATTERNS, (lang, date) => (parseDayPath(date) ? { lang, date } : null)),
    ...routesOf(FESTIVITY_PATTERNS, (lang, date) =>
      SLUG_PATTERN.test(date) && festivityPath(date, lang) !== embedFramePath(lang)
        ? { lang, date, is_festivity: true }
        : null,
    ),
  ],
  load: (context, request, query) => {
    const { lang, date } = request;
    const slug = request.is_festivity && findFestivity(request, context)?.slug;
    if (slug && slug[lang] !== date) return redirectPermanently(festivityPath(slug[lang], lang));
    const filter_path = resolveFilterWords(context, request, query);
    return filter_path === null
      ? loadAgendaPage(context, request, query)
      : redirect302(filter_path);
  },
  buildView: buildAgendaView,
  toMarkdown: renderAgendaMarkdown,
  parameters: () => PARAMETERS,
  filterable: 'agenda',
  validate: validateEventQuery,
  changesEveryMinute: ({ date }, now_ms) => {
    const days = parseDayPath(date);
    return days ? isDayInRange(toLocalDay(now_ms), days) : date !== 'tomorrow';
  },
  listWarmPaths: ({ now_ms }) => [
    ...listPagePaths('tomorrow'),
    ...LANGS.flatMap((lang) => listWarmDays(now_ms).map((day) => dayPath(day, lang))),
  ],
  buildPoster: (context, request) => {
    const { snapshot, site } = context;
    const scope = findDays(request, context);
    if (scope === null) return NOT_FOUND;
    const poster_events = loadPosterEvents(snapshot, scope.range, scope.lang);
    return buildAgendaPoster({ ...scope, ...poster_events }, scope.lang, site);
  },
});
