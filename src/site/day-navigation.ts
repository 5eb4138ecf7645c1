// Day navigation: builds the strip of seven days with their event counts, the links to the previous
// and next days, and the date picker of an agenda page. Links only to days that have a page.
import { Temporal } from 'temporal-polyfill';
import {
  AGENDA_KEYWORDS,
  type AgendaPageKind,
  type AgendaKeyword,
} from '../domain/date-keywords.ts';
import {
  type DayRange,
  fromDayNumber,
  parseDay,
  toLocalDay,
  toDayNumber,
} from '../domain/local-time.ts';
import { findFestivityRange } from '../domain/day/holidays.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { MAX_RANGE_DAYS } from '../domain/query/date-range.ts';
import { type EventFilter, sortParameters } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatShortDay, formatShortWeekday } from '../i18n/format-dates.ts';
import {
  DAY_RANGE_SEPARATOR,
  dayPath,
  dayRangePath,
  festivityPath,
  dayPickerPath,
  pagePath,
  withQuery,
} from '../i18n/paths.ts';
import { countWithoutSeasons } from '../snapshot/count-events.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { definePage, type PageRequest, routesOf } from './page-definition.ts';
import { parsePageQuery } from './page-query.ts';
import type { PageContext } from './page-context.ts';
import { redirect302 } from './visitor-request.ts';

/** A day of the strip. */
interface StripDay {
  readonly path: string;
  readonly weekday: string;
  /** Day of the month. */
  readonly number: number;
  /** Number of events, with the filters of the page. */
  readonly count: number;
  /** Set if the page shows the day. */
  readonly is_in_range: boolean;
  /** Set if the link is to this page. */
  readonly is_current: boolean;
}

/** A link to the page of a day or a festivity. */
interface DayLink {
  readonly label: string;
  readonly path: string;
}

/**
 * Links from an agenda page to other days. `other_days` are the days of the strip without a
 * keyword.
 */
export interface DayNavigation {
  /** Today and tomorrow if the strip begins today; the menu shows their names. */
  readonly keyword_days: Readonly<Partial<Record<AgendaKeyword, StripDay>>>;
  readonly other_days: readonly StripDay[];
  /** Current and upcoming festivities. */
  readonly festivities: readonly (DayLink & { readonly is_current: boolean })[];
  /** The days before and after the page's; null if they have no page. */
  readonly previous: DayLink | null;
  readonly next: DayLink | null;
  /** First and last day of the date picker, as YYYY-MM-DD. */
  readonly min_day: string;
  readonly max_day: string;
  /** The filters of the page, which the links keep. */
  readonly texts: ParameterValues;
}

/** Days after today whose pages the warm-up renders: the longest range of the API. */
export const DAYS_AHEAD = 92;
const STRIP_DAYS = 7;
/**
 * Days in the strip before the first day of the page, by page kind: tomorrow's strip begins today.
 */
const DAYS_BEFORE: Readonly<Partial<Record<AgendaPageKind, number>>> = { tomorrow: 1, day: 1 };
/** Festivities that begin within this many days are linked. */
const FESTIVITY_DAYS = 31;
/** Kinds of page with a strip that begins today. */
const KINDS_FROM_TODAY: readonly AgendaPageKind[] = ['today', 'tomorrow', 'week'];

/**
 * Parses `2026-12-20` or `2026-12-20--2027-01-02`.
 * @returns null if the text is invalid or has more days than the API allows.
 */
export function parseDayPath(text: string): DayRange | null {
  const [from, to, ...excess] = text.split(DAY_RANGE_SEPARATOR).map(parseDay);
  const is_valid = from && to !== null && excess.length === 0;
  if (!is_valid) return null;
  if (to === undefined) return { from, to: from };
  const count = from.until(to).days + 1;
  return count >= 1 && count <= MAX_RANGE_DAYS ? { from, to } : null;
}

export const isDayInRange = (day: Temporal.PlainDate, { from, to }: DayRange): boolean =>
  Temporal.PlainDate.compare(from, day) <= 0 && Temporal.PlainDate.compare(day, to) <= 0;

/**
 * Returns the days that have a page in a release: from the first occurrence or the day before the
 * release, to the last occurrence or the last day of the warm-up.
 */
export function availableDays(snapshot: Snapshot): DayRange {
  const release_day = toDayNumber(toLocalDay(snapshot.generated_ms));
  const { first, last } = snapshot.index.span ?? { first: release_day, last: release_day };
  return {
    from: fromDayNumber(Math.min(first, release_day - 1)),
    to: fromDayNumber(Math.max(last, release_day + DAYS_AHEAD)),
  };
}

/**
 * Returns whether days have a page: they have occurrences, or are near the release day or today.
 */
export function isAvailableRange(
  { snapshot, now_ms }: Pick<PageContext, 'snapshot' | 'now_ms'>,
  range: DayRange,
): boolean {
  const today = toDayNumber(toLocalDay(now_ms));
  const { from, to } = availableDays(snapshot);
  return (
    toDayNumber(range.to) >= Math.min(toDayNumber(from), today - 1) &&
    toDayNumber(range.from) <= Math.max(toDayNumber(to), today + DAYS_AHEAD)
  );
}

/**
 * Builds the strip and the other links to days.
 * @param texts The normalized query of the page.
 */
export function buildDayNavigation(
  { snapshot, now_ms }: Pick<PageContext, 'snapshot' | 'now_ms'>,
  kind: AgendaPageKind,
  range: DayRange,
  filter: EventFilter,
  texts: ParameterValues,
  lang: Lang,
): DayNavigation {
  const span = availableDays(snapshot);
  const pathOf = (day: Temporal.PlainDate): string =>
    withQuery(dayPath(day.toString(), lang), texts);
  const buildLink = (day: Temporal.PlainDate): DayLink | null =>
    isDayInRange(day, span) ? { label: formatShortDay(day, lang), path: pathOf(day) } : null;
  const strip_start = range.from.subtract({ days: DAYS_BEFORE[kind] ?? 0 });
  const strip = Array.from({ length: STRIP_DAYS }, (_, offset) => strip_start.add({ days: offset }))
    .filter((day) => isDayInRange(day, span))
    .map((day) => ({
      path: pathOf(day),
      weekday: formatShortWeekday(day, lang),
      number: day.day,
      count: countWithoutSeasons(snapshot, { ...filter, range: { from: day, to: day } }),
      is_in_range: isDayInRange(day, range),
      is_current: kind === 'day' && range.from.equals(day),
    }));
  const [today, tomorrow, ...others] = strip;
  const has_keyword_days = KINDS_FROM_TODAY.includes(kind) && today && tomorrow;
  return {
    ...(has_keyword_days
      ? { keyword_days: { today, tomorrow }, other_days: others }
      : { keyword_days: {}, other_days: strip }),
    festivities: snapshot.calendar.festivities
      .filter((festivity) => {
        // A festivity's page shows the current one or the next.
        const { from, to } = findFestivityRange(festivity, toLocalDay(now_ms));
        const days_until_start = range.from.until(from).days;
        const is_over = Temporal.PlainDate.compare(to, range.from) < 0;
        return days_until_start <= FESTIVITY_DAYS && !is_over;
      })
      .map((festivity) => ({
        label: festivity.name[lang],
        path: withQuery(festivityPath(festivity.slug[lang], lang), texts),
        is_current:
          kind === 'festivity' &&
          findFestivityRange(festivity, toLocalDay(now_ms)).to.equals(range.to),
      })),
    previous: buildLink(range.from.subtract({ days: 1 })),
    next: buildLink(range.to.add({ days: 1 })),
    min_day: span.from.toString(),
    max_day: span.to.toString(),
    texts,
  };
}

/**
 * Resolves the days of a query to the path of their page, with the other filters. Without days this
 * is today's page; if the days have no page or a parameter is invalid, the search, which says why.
 */
export function dayPickerTarget(context: PageContext, query: string, lang: Lang): string {
  const { texts, ignored } = parsePageQuery(query, 'search', context);
  const { date, ...params } = texts[lang];
  const today = toLocalDay(context.now_ms).toString();
  const keyword = AGENDA_KEYWORDS.find((known) => known === date);
  // A date alone is a range of one day; an end alone begins today.
  const { from = date ?? (params.to && today), to = from, ...others } = params;
  const filters = sortParameters({ ...others, cursor: null, limit: null });
  if (ignored.length === 0 && (keyword !== undefined || from === undefined))
    return withQuery(pagePath(keyword ?? 'today', lang), filters);
  const range = parseDayPath(from === to ? `${from}` : `${from}${DAY_RANGE_SEPARATOR}${to}`);
  if (ignored.length === 0 && range && isAvailableRange(context, range))
    return withQuery(dayRangePath(range, lang), filters);
  return `${pagePath('search', lang)}?${query}`;
}

/** Address of the date picker's form (`/fecha`): redirects to the page of the chosen days. */
export const dayPickerPage = definePage<PageRequest, never>({
  name: 'jump',
  routes: routesOf(byLang(dayPickerPath), (lang) => ({ lang })),
  load: (context, { lang }, query) => redirect302(dayPickerTarget(context, query, lang)),
  parameters: () => LIST_PARAMETER_NAMES,
});
