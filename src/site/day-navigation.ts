// The days around a page: seven in a strip with how much each has, the ones before and after, the span that can be
// asked for, and the field for a date. What is not there is never linked.
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
import { countEvents } from '../snapshot/count-events.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { definePage, type PageRequest, routesOf } from './page-definition.ts';
import { parsePageQuery } from './page-query.ts';
import type { PageContext } from './page-context.ts';
import { redirectFound } from './visitor-request.ts';

interface StripDay {
  readonly path: string;
  readonly weekday: string;
  readonly number: number;
  readonly count: number;
  readonly is_here: boolean;
  /** It is the page itself. */
  readonly is_current: boolean;
}

interface DayLink {
  readonly label: string;
  readonly path: string;
}

export interface DayNavigation {
  /** Today and tomorrow, on a page whose strip begins today: these have a name in the menu. */
  readonly named: Readonly<Partial<Record<AgendaKeyword, StripDay>>>;
  readonly others: readonly StripDay[];
  /** The festivities under way or soon. */
  readonly festivities: readonly (DayLink & { readonly is_current: boolean })[];
  readonly before: DayLink | null;
  readonly after: DayLink | null;
  readonly first: string;
  readonly last: string;
  /** The filters of the page, which go along. */
  readonly texts: ParameterValues;
}

/** Days after today that have a page in the release: the longest range of the API. */
export const DAYS_AHEAD = 92;
const STRIP_DAYS = 7;
/** Days of the strip before that of the page, by its kind: tomorrow's begins today. */
const LEAD: Readonly<Partial<Record<AgendaPageKind, number>>> = { tomorrow: 1, day: 1 };
/** Of the next so many days, and no more of them. */
const FESTIVITY_DAYS = 31;
const FROM_TODAY: readonly AgendaPageKind[] = ['today', 'tomorrow', 'week'];

/** `2026-12-20`, or `2026-12-20--2027-01-02` of at most as many days as the API answers. */
export function parseDayPath(text: string): DayRange | null {
  const [from, to, ...more] = text.split(DAY_RANGE_SEPARATOR).map(parseDay);
  if (!from || to === null || more.length > 0) return null;
  if (to === undefined) return { from, to: from };
  const count = from.until(to).days + 1;
  return count >= 1 && count <= MAX_RANGE_DAYS ? { from, to } : null;
}

export const isDayInRange = (day: Temporal.PlainDate, { from, to }: DayRange): boolean =>
  Temporal.PlainDate.compare(from, day) <= 0 && Temporal.PlainDate.compare(day, to) <= 0;

/**
 * The days that have a page as long as a release serves: from the first date or the day before it
 * was made to the last date or the last one built ahead.
 */
export function availableDays(snapshot: Snapshot): DayRange {
  const made = toDayNumber(toLocalDay(snapshot.generated_ms));
  const { first, last } = snapshot.index.span ?? { first: made, last: made };
  return {
    from: fromDayNumber(Math.min(first, made - 1)),
    to: fromDayNumber(Math.max(last, made + DAYS_AHEAD)),
  };
}

/** Whether days have a page at an instant: they may be known, or built ahead. */
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

/** The days around those of an agenda; `texts` is its query in one spelling. */
export function buildDayNavigation(
  { snapshot, now_ms }: Pick<PageContext, 'snapshot' | 'now_ms'>,
  kind: AgendaPageKind,
  range: DayRange,
  filter: EventFilter,
  texts: ParameterValues,
  lang: Lang,
): DayNavigation {
  const span = availableDays(snapshot);
  const toPath = (day: Temporal.PlainDate): string =>
    withQuery(dayPath(day.toString(), lang), texts);
  const toLink = (day: Temporal.PlainDate): DayLink | null =>
    isDayInRange(day, span) ? { label: formatShortDay(day, lang), path: toPath(day) } : null;
  const first = range.from.subtract({ days: LEAD[kind] ?? 0 });
  const strip = Array.from({ length: STRIP_DAYS }, (_, at) => first.add({ days: at }))
    .filter((day) => isDayInRange(day, span))
    .map((day) => ({
      path: toPath(day),
      weekday: formatShortWeekday(day, lang),
      number: day.day,
      count: countEvents(snapshot, { ...filter, range: { from: day, to: day } }),
      is_here: isDayInRange(day, range),
      is_current: kind === 'day' && range.from.equals(day),
    }));
  const [today, tomorrow, ...others] = strip;
  const is_named = FROM_TODAY.includes(kind) && today && tomorrow;
  return {
    ...(is_named ? { named: { today, tomorrow }, others } : { named: {}, others: strip }),
    festivities: snapshot.calendar.festivities
      .filter((festivity) => {
        // Its page is of the one under way today, or the next.
        const { from, to } = findFestivityRange(festivity, toLocalDay(now_ms));
        const days_to_go = range.from.until(from).days;
        const is_over = Temporal.PlainDate.compare(to, range.from) < 0;
        return days_to_go <= FESTIVITY_DAYS && !is_over;
      })
      .map((festivity) => ({
        label: festivity.name[lang],
        path: withQuery(festivityPath(festivity.slug[lang], lang), texts),
        is_current:
          kind === 'festivity' &&
          findFestivityRange(festivity, toLocalDay(now_ms)).to.equals(range.to),
      })),
    before: toLink(range.from.subtract({ days: 1 })),
    after: toLink(range.to.add({ days: 1 })),
    first: span.from.toString(),
    last: span.to.toString(),
    texts,
  };
}

/**
 * The path that days in a query lead to, the filters beside them kept: the page of that day or of these days,
 * or the search where there is no such page, which says why; without a date today's.
 */
export function dayPickerTarget(state: PageContext, query: string, lang: Lang): string {
  const { texts, ignored } = parsePageQuery(query, 'search', state);
  const { date, ...asked } = texts[lang];
  const today = toLocalDay(state.now_ms).toString();
  const word = AGENDA_KEYWORDS.find((one) => one === date);
  const { from = date ?? (asked.to && today), to = from, ...others } = asked;
  const rest = sortParameters({ ...others, cursor: null, limit: null });
  if (ignored.length === 0 && (word !== undefined || from === undefined))
    return withQuery(pagePath(word ?? 'today', lang), rest);
  const range = parseDayPath(from === to ? `${from}` : `${from}${DAY_RANGE_SEPARATOR}${to}`);
  if (ignored.length === 0 && range && isAvailableRange(state, range))
    return withQuery(dayRangePath(range, lang), rest);
  return `${pagePath('search', lang)}?${query}`;
}

export const dayPickerPage = definePage<PageRequest, never>({
  name: 'jump',
  routes: routesOf(byLang(dayPickerPath), (lang) => ({ lang })),
  load: (state, { lang }, query) => redirectFound(dayPickerTarget(state, query, lang)),
  parameters: () => LIST_PARAMETER_NAMES,
});
