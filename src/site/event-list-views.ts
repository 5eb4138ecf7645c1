// Event list views: group the events of a page under headings, and build their rows with date,
// title, place and price (contract 3.8). A card is an event with its next occurrence. Also builds
// the marks along the tide, the drawn sea below a page's heading, whose waves are high when many
// events are on.
import { Temporal } from 'temporal-polyfill';
import {
  type Agenda,
  type RangeDay,
  type EventCard,
  type Highlights,
  isCardOver,
  isShortRun,
  isAfterMidnight,
  NO_HIGHLIGHTS,
  type RepeatingCard,
  type DayPart,
  type DayPartKey,
  groupTodayByTime,
  groupByDayPart,
  groupRangeByDay,
} from '../domain/agenda.ts';
import {
  countDays,
  type DayRange,
  fromDayNumber,
  toLocalTime,
  toDayNumber,
  epochMsAt,
} from '../domain/local-time.ts';
import {
  findUntranslatedTexts,
  separateNightclubs,
  separateSeasons,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { getEffectiveStatus, isDateConfirmed } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import {
  listUnmentioned,
  stripTrailingParentheses,
  stripTrailingPeriod,
} from '../domain/place-text.ts';
import {
  formatAlsoOn,
  formatLongDayNoYear,
  formatTime,
  formatHourColumn,
  formatLongDay,
  formatMonthAndYear,
  formatShortDay,
  formatShortWeekday,
  formatUntil,
  formatWeekday,
} from '../i18n/format-dates.ts';
import {
  formatAttendanceNote,
  formatCalledOffDates,
  formatConfirmedBy,
  formatDistance,
  formatListDoubt,
} from '../i18n/format-facts.ts';
import { dayPath, recordPath } from '../i18n/paths.ts';
import { isPriceKnown, formatShortPrice } from '../i18n/format-price.ts';
import { formatWeekdays } from '../i18n/format-recurrence.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { thumbnailUrl } from './picture-views.ts';

/**
 * Content of the first column of a row. `hour`: the hours; `day`: the day and the hours; `now`: the
 * end of an event that is on now; `until`: the last day of an event that began earlier.
 */
export type RowColumn = 'hour' | 'day' | 'now' | 'until';

/** Events under one heading. */
export interface EventGroup {
  /**
   * Unique on the page; the HTML id of the heading. `d2026-11-21` is a day, `m2026-11` a month,
   * `picks` the highlights, `begun` the events that began earlier and last long, `run` those that
   * last up to two weeks; the other keys come from DayPartKey and from the functions below.
   */
  readonly key: string;
  readonly title: string;
  readonly column: RowColumn;
  readonly cards: readonly EventCard[];
  /** Day number of the page's first day. Events that began earlier show their last day. */
  readonly from_day_number?: number;
  /** Set if the list can be folded: its initial state. */
  readonly fold?: 'closed' | 'open';
  readonly for_adults?: true;
  /** Days of each repeating event, as text: `Los domingos`. */
  readonly on_days?: ReadonlyMap<EventCard, string>;
  /** Summary of a folded list, such as `8 planes: Jolly Roger, Xoximilco`; replaces the count. */
  readonly names?: string;
  /** Number of events, shown beside the title. May exceed `cards`: see `rest_link`. */
  readonly count?: number;
  /** Link to the page of the day; null if `cards` has all its events. */
  readonly rest_link?: { readonly href: string; readonly text: string } | null;
  /** Sentence for a group without cards; absent if such a group is left out. */
  readonly empty_message?: string;
}

/** Columns of the parts of a day that do not show hours. */
const COLUMNS: Readonly<Partial<Record<DayPartKey, RowColumn>>> = {
  now: 'now',
  now_nightclubs: 'now',
  run: 'until',
  season: 'until',
  begun: 'until',
};

/**
 * Builds the group of a part of a day. Ended events, daily events and nightclubs are folded.
 * @param fold_now Initial state of the nightclubs that are open now.
 */
function groupDayPart(
  { key, cards }: DayPart,
  fold_now: 'closed' | 'open',
  is_today: boolean,
  lang: Lang,
): EventGroup {
  const title = t(lang, `agenda.${key === 'nightclubs' && is_today ? 'nightclubs.tonight' : key}`);
  const group = { key, title, cards, column: COLUMNS[key] ?? 'hour' };
  const folded = { ...group, fold: 'closed', count: cards.length } as const;
  if (key === 'daily') return foldDaily(group, lang);
  if (key === 'ended') return folded;
  if (key === 'nightclubs') return { ...folded, for_adults: true };
  return key === 'now_nightclubs' ? { ...folded, fold: fold_now, for_adults: true } : group;
}

/**
 * Groups the events of an agenda page: a single day by time, several days by day. Each day of
 * several shows its count, and links to its page if it has more events than the group.
 * @param occurrences All occurrences in the range.
 * @param now_ms The current minute if the page starts today, otherwise null.
 */
export function groupAgenda(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null,
  is_today: boolean,
  lang: Lang,
  highlights: Highlights = NO_HIGHLIGHTS,
): readonly EventGroup[] {
  if (agenda.from.equals(agenda.to)) {
    const starts_today = now_ms !== null;
    const parts = starts_today
      ? groupTodayByTime(agenda, now_ms, highlights)
      : groupByDayPart(agenda, highlights);
    const fold_now = starts_today && isAfterMidnight(now_ms) ? 'open' : 'closed';
    return unfoldOnlyDaily(
      parts.map((part) => groupDayPart(part, fold_now, starts_today || is_today, lang)),
    );
  }
  const { daily, daily_kind, repeating, days, seasons, nightclubs } = groupRangeByDay(
    agenda,
    occurrences,
    now_ms,
  );
  // `most_days`: a long range, whose daily events need not take place on each day.
  const groups: readonly EventGroup[] = [
    groupHighlights(highlights, agenda, lang),
    ...groupOngoing(agenda, now_ms, lang),
    groupRepeating(repeating, lang),
    ...groupDays(days, daily_kind === 'most_days', lang),
    foldDaily({ title: t(lang, `agenda.${daily_kind}`), cards: daily }, lang),
    groupSeasons(seasons, lang),
    groupNightclubs(nightclubs, lang),
  ];
  return groups.filter(
    ({ cards, empty_message }) => cards.length > 0 || empty_message !== undefined,
  );
}

/**
 * Groups the events of several days for the Markdown version, with each event once: under its next
 * date, or under the first day if it began earlier.
 */
export function groupByNextDate(
  agenda: Agenda,
  now_ms: number | null,
  lang: Lang,
  highlights: Highlights = NO_HIGHLIGHTS,
): readonly EventGroup[] {
  const { others: countable, seasons } = separateSeasons(agenda.events);
  const { others: all_others, nightclubs } = separateNightclubs(countable);
  const isHighlight = ({ event }: EventCard): boolean =>
    highlights.picks.some(({ card }) => card.event.id === event.id);
  const others = all_others.filter((card) => !isHighlight(card));
  const first_day_number = toDayNumber(agenda.from);
  const by_day = Map.groupBy(others, ({ next }) =>
    Math.max(first_day_number, next?.first_day ?? first_day_number),
  );
  const days = [...by_day].flatMap(([day_number, cards]): EventGroup[] => {
    const day = fromDayNumber(day_number);
    const upcoming = cards.filter((card) => !isCardOver(card, now_ms));
    const ended = cards.filter((card) => isCardOver(card, now_ms));
    const title = capitalize(formatLongDay(day, lang));
    return [{ key: `d${day}`, title, column: 'hour', cards: upcoming }, groupEnded(ended, lang)];
  });
  return [
    groupHighlights(highlights, agenda, lang),
    ...groupOngoing(agenda, now_ms, lang),
    ...days,
    groupSeasons(seasons, lang),
    groupNightclubs(nightclubs, lang),
  ].filter(({ cards }) => cards.length > 0);
}

/** Groups the highlights: events that an editor picked, or that are rare. */
const groupHighlights = ({ picks }: Highlights, { from }: Agenda, lang: Lang): EventGroup => ({
  key: 'picks',
  title: t(lang, 'agenda.picks'),
  column: 'day',
  from_day_number: toDayNumber(from),
  cards: picks.map(({ card }) => card),
});

/** Folds the daily events into one line, such as `8 planes: Jolly Roger, Xoximilco`. */
const foldDaily = (
  { title, cards }: Pick<EventGroup, 'title' | 'cards'>,
  lang: Lang,
): EventGroup => ({
  key: 'daily',
  title,
  column: 'hour',
  cards,
  fold: 'closed',
  names: tPlural(lang, 'agenda.plans', cards.length, {
    names: cards.map(({ event }) => event.title[lang]).join(', '),
  }),
});

/** Opens the daily events if a day has no other unfolded group. */
function unfoldOnlyDaily(groups: readonly EventGroup[]): readonly EventGroup[] {
  const has_only_daily = groups.every(({ key, fold }) => key === 'daily' || fold !== undefined);
  return groups.map((group) =>
    has_only_daily && group.key === 'daily' ? { ...group, fold: 'open' } : group,
  );
}

/** Groups the ongoing events of last night, which come before several days. */
const groupOngoing = (
  { ongoing, from }: Agenda,
  now_ms: number | null,
  lang: Lang,
): readonly EventGroup[] =>
  now_ms === null
    ? []
    : groupTodayByTime({ events: [], ongoing, from }, now_ms).map((part) => ({
        ...groupDayPart(part, 'open', true, lang),
        ...(part.key === 'now' && { title: t(lang, 'agenda.last_night') }),
      }));

/** Groups the events that repeat at the same hour on several of the days, each once. */
const groupRepeating = (repeating: readonly RepeatingCard[], lang: Lang): EventGroup => ({
  key: 'often',
  title: t(lang, 'agenda.often'),
  column: 'hour',
  cards: repeating.map(({ card }) => card),
  on_days: new Map(repeating.map(({ card, days }) => [card, capitalize(formatOnDays(days, lang))])),
});

/** Days without events are named up to this number. */
const MAX_NAMED_EMPTY_DAYS = 8;

/** Formats the sentences on days without events of their own: daily events only, or none at all. */
function formatQuietDays(quiet: readonly RangeDay[], lang: Lang): string {
  const empty = quiet.filter(({ count }) => count === 0);
  if (empty.length === quiet.length) return t(lang, 'agenda.day_empty');
  const names = empty.map(({ day }) => formatShortDay(day, lang));
  return [
    t(lang, 'agenda.day_usual'),
    ...(names.length > 0 && names.length <= MAX_NAMED_EMPTY_DAYS
      ? [t(lang, 'agenda.days_empty', { days: names.join(', ') })]
      : []),
  ].join(' ');
}

/**
 * Groups by day.
 * @param is_long_range All days without events of their own then share one sentence at the end.
 */
function groupDays(
  days: readonly RangeDay[],
  is_long_range: boolean,
  lang: Lang,
): readonly EventGroup[] {
  const isQuiet = ({ cards, ended }: RangeDay): boolean =>
    is_long_range && cards.length + ended.length === 0;
  const quiet = days.filter(isQuiet);
  // A day without events of its own can still have daily events, which `count` includes.
  const formatEmpty = (count: number): string =>
    t(lang, count === 0 ? 'agenda.day_empty' : 'agenda.day_usual');
  return [
    ...days
      .filter((day) => !isQuiet(day))
      .flatMap(({ day, cards, ended, count }): EventGroup[] => [
        {
          key: `d${day}`,
          title: formatLongDayNoYear(day, lang),
          column: 'hour',
          cards,
          count,
          rest_link: cards.length + ended.length === count ? null : buildRestLink(day, count, lang),
          empty_message: formatEmpty(count),
        },
        groupEnded(ended, lang),
      ]),
    {
      key: 'quiet',
      title: t(lang, 'agenda.other_days'),
      column: 'hour',
      cards: [],
      ...(quiet.length > 0 && { empty_message: formatQuietDays(quiet, lang) }),
    },
  ];
}

const groupEnded = (cards: readonly EventCard[], lang: Lang): EventGroup => ({
  key: 'ended',
  title: t(lang, 'agenda.ended_today'),
  column: 'hour',
  cards,
  count: cards.length,
  fold: 'closed',
});

/** Groups the seasons, which last longer than the page's days. */
const groupSeasons = (cards: readonly EventCard[], lang: Lang): EventGroup => ({
  key: 'season',
  title: t(lang, 'agenda.season'),
  column: 'until',
  cards,
});

const groupNightclubs = (cards: readonly EventCard[], lang: Lang): EventGroup => ({
  key: 'nightclubs',
  title: t(lang, 'agenda.nightclubs'),
  column: 'day',
  cards,
  count: cards.length,
  fold: 'closed',
  for_adults: true,
});

const buildRestLink = (day: Temporal.PlainDate, count: number, lang: Lang) => ({
  href: dayPath(day.toString(), lang),
  text: t(lang, 'agenda.rest', { count, weekday: formatWeekday(day, lang) }),
});

/** Returns the Markdown heading of a group: `Antros abiertos ahora (18+)`, `Ya terminó (3)`. */
export function groupHeading({ key, title, for_adults, count }: EventGroup, lang: Lang): string {
  if (key === 'ended') return `${title} (${count})`;
  return for_adults ? `${title} (${t(lang, 'agenda.adults')})` : title;
}

/**
 * Groups upcoming events by the month of their next date. Runs that began earlier come first, other
 * begun events last; an event that started last night is in the month of its date.
 */
export function groupByMonth(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
): readonly EventGroup[] {
  const today_number = toDayNumber(today);
  const keyOf = (card: EventCard): string => {
    const { first_day = today_number, last_day = today_number } = card.next ?? {};
    const began_earlier_and_lasts = first_day < today_number && last_day >= today_number;
    if (!began_earlier_and_lasts) return `m${fromDayNumber(first_day).toPlainYearMonth()}`;
    return isShortRun(card) ? 'run' : 'begun';
  };
  const { run, begun, ...months } = Object.groupBy(
    cards.filter(({ next }) => next !== null),
    keyOf,
  );
  const groupBegun = (
    key: 'run' | 'begun',
    begun_cards: readonly EventCard[] = [],
  ): EventGroup => ({
    key,
    title: t(lang, `agenda.${key}`),
    cards: begun_cards,
    column: 'until',
  });
  return [
    groupBegun('run', run),
    ...Object.entries(months).map(([key, month_cards = []]): EventGroup => {
      const day = Temporal.PlainYearMonth.from(key.slice(1)).toPlainDate({ day: 1 });
      return { key, title: formatMonthAndYear(day, lang), cards: month_cards, column: 'day' };
    }),
    groupBegun('begun', begun),
  ].filter((group) => group.cards.length > 0);
}

/**
 * A label along the tide, such as `16:00` or `sáb`, in the middle of its hours or day. `link`
 * targets a row or a heading of the page; null if the hours or the day have no events.
 */
interface TideMark {
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

/** The marks of a page: hours of a single day, or days. */
export interface TideMarks {
  readonly kind: 'hours' | 'days';
  readonly marks: readonly TideMark[];
  /** HTML ids of the rows that marks link to; empty for days, whose marks link to headings. */
  readonly ids: ReadonlyMap<EventCard, string>;
}

/**
 * Marked hours, far enough apart to be tapped on the narrowest phone. Each covers the hours up to
 * the next.
 */
const MARK_HOURS = [4, 8, 12, 16, 20] as const;
const MARK_INTERVAL_HOURS = 4;

export const buildTideMarks = (
  range: DayRange,
  groups: readonly EventGroup[],
  now_ms: number | null,
  lang: Lang,
): TideMarks =>
  countDays(range) === 1
    ? buildHourMarks(range.from, groups, now_ms, lang)
    : buildDayMarks(range, groups, lang);

/** Lists the events that start at a known hour between two instants and are not over, by start. */
const listStartingBetween = (groups: readonly EventGroup[], from_ms: number, until_ms: number) =>
  groups
    .filter(({ key }) => key !== 'ended' && key !== 'begun')
    .flatMap((group) =>
      group.cards.flatMap((card) => {
        const start_ms = card.next?.all_day === false ? card.next.start_ms : null;
        const is_between = start_ms !== null && start_ms >= from_ms && start_ms < until_ms;
        return is_between ? [{ card, group, start_ms }] : [];
      }),
    )
    .sort((a, b) => a.start_ms - b.start_ms);

/**
 * Builds the hour marks of a day, each linked to the first event that starts before the next mark.
 * Rows in a folded group cannot be scrolled to, so the mark links to the group's heading. Hours
 * without events, or over, have no link.
 */
function buildHourMarks(
  day: Temporal.PlainDate,
  groups: readonly EventGroup[],
  now_ms: number | null,
  lang: Lang,
): TideMarks {
  const ids = new Map<EventCard, string>();
  const marks = MARK_HOURS.map((hour): TideMark => {
    const text = formatTime(new Temporal.PlainTime(hour), lang);
    const from_ms = epochMsAt(toDayNumber(day), hour * 60);
    const until_ms = epochMsAt(toDayNumber(day), (hour + MARK_INTERVAL_HOURS) * 60);
    const starting = listStartingBetween(groups, from_ms, until_ms);
    const target = starting.find(({ group }) => group.fold === undefined) ?? starting[0];
    if (!target || (now_ms !== null && until_ms <= now_ms)) return { text, link: null };
    const label = t(lang, 'tide.from', {
      hour: text,
      until: formatTime(toLocalTime(until_ms), lang),
      events: tPlural(lang, 'events.count', starting.length),
    });
    const is_folded = target.group.fold !== undefined;
    if (!is_folded) ids.set(target.card, `h${hour}`);
    return { text, link: { href: is_folded ? `#${target.group.key}` : `#h${hour}`, label } };
  });
  return { kind: 'hours', marks, ids };
}

/**
 * Most day marks that fit in a row on a phone; longer ranges mark every second day, third day, and
 * so on.
 */
const MAX_DAY_MARKS = 8;

function buildDayMarks(range: DayRange, groups: readonly EventGroup[], lang: Lang): TideMarks {
  const count = countDays(range);
  const step = Math.ceil(count / MAX_DAY_MARKS);
  const marks = Array.from({ length: Math.ceil(count / step) }, (_, index): TideMark => {
    const day = range.from.add({ days: index * step });
    const text = step === 1 ? formatShortWeekday(day, lang) : `${day.day}`;
    const group = groups.find(({ key }) => key === `d${day}`);
    if (!group) return { text, link: null };
    const events = tPlural(lang, 'events.count', group.count ?? 0);
    const label = t(lang, 'tide.day_of', {
      day: `${formatShortWeekday(day, lang)} ${day.day}`,
      events,
    });
    return { text, link: { href: `#${group.key}`, label } };
  });
  return { kind: 'days', marks, ids: new Map() };
}

/** Context of the rows of a group. */
interface RowOptions {
  readonly lang: Lang;
  /** Set if the page's script updates the row while the page is open. */
  readonly is_live?: boolean;
  /** Venue or zone names that the page shows already; rows do not repeat them. */
  readonly mentioned?: readonly string[];
  /** Formats the further dates of an event, such as `también domingo`; null if it has none. */
  readonly formatFurther?: (card: EventCard) => string | null;
  /** HTML ids of rows that a tide mark links to. */
  readonly ids?: TideMarks['ids'];
  readonly on_days?: EventGroup['on_days'] | undefined;
  readonly from_day_number?: EventGroup['from_day_number'] | undefined;
}

export type EventListView = ReturnType<typeof buildEventListView>;
export type EventRowView = EventListView['rows'][number];

/** Builds a group with its rows and the note beside its title. */
export function buildEventListView(group: EventGroup, options: RowOptions) {
  const { lang, mentioned = [] } = options;
  const { cards, column, count, for_adults, names } = group;
  const adults = for_adults ? [t(lang, 'agenda.adults')] : [];
  const events = count === undefined ? [] : [tPlural(lang, 'events.count', count)];
  const row_options = {
    ...options,
    mentioned: [...mentioned, ...adults],
    on_days: group.on_days,
    from_day_number: group.from_day_number,
  };
  return {
    ...group,
    /** Shown beside the title: the names of a folded list, or `18+` and the number of events. */
    heading_note: names ?? [...adults, ...events].join(' · '),
    rows: cards.map((card) => buildRow(card, column, row_options)),
  };
}

/**
 * Builds the upcoming events of a profile, a feed or a search, by month, with the warning of
 * uncertain dates, or else a legend for the mark of confirmed ones.
 * @param mentioned Names that the page shows already; rows do not repeat them.
 */
export function buildUpcomingView(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
  mentioned: readonly string[] = [],
) {
  const groups = groupByMonth(cards, today, lang);
  const formatFurther = (card: EventCard): string | null => formatMoreDates(card, lang);
  return {
    ...formatListDoubt(cards, lang),
    lists: groups.map((group) => buildEventListView(group, { lang, mentioned, formatFurther })),
    empty_message: groups.length === 0 ? t(lang, 'places.empty') : null,
  };
}
export type UpcomingView = ReturnType<typeof buildUpcomingView>;

/** Above this many further dates, the row says "many" instead of the number. */
const MAX_COUNTED_DATES = 30;

/** Formats the number of further dates, or null if there are none. */
export function formatMoreDates({ more_dates }: EventCard, lang: Lang): string | null {
  if (more_dates > MAX_COUNTED_DATES) return t(lang, 'dates.many');
  return more_dates > 0 ? tPlural(lang, 'dates.more', more_dates) : null;
}

/**
 * Formats days as `de martes a sábado` or `los domingos`; as `5 días` if the days between the first
 * and the last include other days of these weekdays.
 * @param days Day numbers, in order.
 */
function formatOnDays(days: readonly number[], lang: Lang): string {
  const weekdays = [...new Set(days.map((day) => fromDayNumber(day).dayOfWeek))].sort();
  const [first_day = 0, last_day = 0] = [days[0], days.at(-1)];
  const days_on_weekdays = Array.from(
    { length: last_day - first_day + 1 },
    (_, offset) => first_day + offset,
  ).filter((day) => weekdays.includes(fromDayNumber(day).dayOfWeek));
  return days_on_weekdays.length === days.length
    ? formatWeekdays(weekdays, lang)
    : tPlural(lang, 'dates.days', days.length);
}

/**
 * Creates a formatter of an event's later days, such as `también domingo y de martes a viernes`.
 * @param occurrences All occurrences of at most a week.
 */
export function createFurtherDaysFormatter(occurrences: readonly OccurrenceRecord[], lang: Lang) {
  const by_event = Map.groupBy(occurrences, ({ event }) => event);
  return ({ event, next }: EventCard): string | null => {
    const later = (by_event.get(event.id) ?? []).filter(
      ({ status, first_day }) => status === 'scheduled' && next && first_day > next.first_day,
    );
    return formatAlsoOn([...new Set(later.map(({ first_day }) => first_day))], lang);
  };
}

/** Builds the row of an event. Row components put it in two lines, beside its thumbnail. */
function buildRow(card: EventCard, list_column: RowColumn, options: RowOptions) {
  const {
    lang,
    mentioned = [],
    ids,
    formatFurther = () => null,
    is_live = false,
    from_day_number = 0,
  } = options;
  const { event, next } = card;
  const column = chooseColumn(list_column, next, from_day_number);
  const title_lang = findUntranslatedTexts(event, lang).title;
  const status = getEffectiveStatus(event, next);
  const date_note = placeDateNote(next, status, column, lang);
  const is_price_known = isPriceKnown(event.price);
  // An amount leaves no room for a note in the same line.
  const shows_amount = is_price_known && !event.price.is_free;
  const place_note = shows_amount ? null : date_note.after_place;
  return {
    /** HTML id, if a tide mark links to the row. */
    element_id: ids?.get(card),
    event_id: event.id,
    /** Null for a scheduled event. */
    status,
    when: buildWhen(next, column, is_live, date_note.as_hour, lang),
    thumbnail_path: thumbnailUrl(card),
    path: recordPath('event', event.slug, lang),
    title: event.title[lang],
    /** Language of the title, if not the page's. */
    title_lang,
    is_confirmed: isDateConfirmed(card),
    /** Short texts before the place, such as `cancelado`; `kind` is their CSS class. */
    labels: [
      ...[options.on_days?.get(card)].flatMap((text) => (text ? { kind: 'on-days', text } : [])),
      ...listLabels(card, status, lang, mentioned),
    ],
    /** Venue, zone, distance, further dates and note in one line. */
    place: [...listPlaceTexts(card, lang, mentioned), formatFurther(card), place_note]
      .filter((text) => text !== null)
      .join(' · '),
    price: {
      text: formatShortPrice(event.price, lang),
      is_known: is_price_known,
      is_free: event.price.is_free,
    },
    /**
     * Last line: the reason of a cancellation, or the organizer's confirmation and the facts to confirm, and
     * further dates that are called off. Null for most rows.
     */
    note: joinNotes(
      date_note.own_line,
      formatConfirmedBy(next, lang),
      formatAttendanceNote(card, lang, 'row'),
      formatCalledOffDates(card, lang),
    ),
  };
}

/** Joins the notes of a row in one line; null without any. */
export const joinNotes = (...notes: readonly (string | null)[]): string | null =>
  notes.filter((note) => note !== null).join(' · ') || null;

/**
 * Chooses the column of a row. An all-day event of several days shows its last day in a list of
 * hours; so does an event that began before the page's first day in a list of days.
 */
function chooseColumn(
  column: RowColumn,
  occurrence: OccurrenceRecord | null,
  from_day_number: number,
): RowColumn {
  if (occurrence === null || occurrence.last_day === occurrence.first_day) return column;
  const began_before_page = column === 'day' && occurrence.first_day < from_day_number;
  const has_no_hours = column === 'hour' && occurrence.all_day;
  return began_before_page || has_no_hours ? 'until' : column;
}

/**
 * Lists the labels of a row: cancelled or postponed; adults only, unless `mentioned`; and the
 * language of a title that is not translated.
 */
function listLabels(
  { event }: EventCard,
  status: 'cancelled' | 'postponed' | null,
  lang: Lang,
  mentioned: readonly string[],
) {
  const adults = t(lang, 'agenda.adults');
  const is_for_adults = /\b18\b/.test(event.age_restriction?.[lang] ?? '');
  const title_lang = findUntranslatedTexts(event, lang).title;
  return [
    { kind: 'status', text: status && t(lang, `status.${status}`) },
    { kind: 'adults', text: is_for_adults && !mentioned.includes(adults) ? adults : null },
    { kind: 'original', text: title_lang && t(lang, `original.row.${title_lang}`) },
  ].filter(({ text }) => text);
}

/**
 * Lists the venue, zone and distance of a row, without names that the title or the page mentions.
 */
function listPlaceTexts(
  { event, venue, zone: zone_record, distance_km }: EventCard,
  lang: Lang,
  mentioned: readonly string[],
): readonly string[] {
  const zone = zone_record?.name[lang] ?? venue?.locality ?? null;
  const shown_texts = [event.title[lang], ...mentioned];
  const note = event.location_note && stripTrailingPeriod(event.location_note[lang]);
  // A long line is cut at its end, so the zone comes before a location note, which is a whole
  // sentence.
  const location = venue
    ? listUnmentioned([stripTrailingParentheses(venue.name), zone], shown_texts)
    : listUnmentioned([note, zone], shown_texts).toReversed();
  return distance_km === undefined
    ? location
    : [...location, formatDistance(distance_km, venue?.coordinates ?? null, lang)];
}

/**
 * Assigns the note of a date to one place in the row: `as_hour`, instead of an unknown hour;
 * `after_place`; or `own_line`, as the reason of a cancellation. The other places are null. Rows of
 * a list of days have no note after the place.
 */
export function placeDateNote(
  occurrence: OccurrenceRecord | null,
  status: string | null,
  column: RowColumn,
  lang: Lang,
): Readonly<Record<'as_hour' | 'after_place' | 'own_line', string | null>> {
  const none = { as_hour: null, after_place: null, own_line: null };
  const note = occurrence?.notes?.[lang];
  if (!note) return none;
  if (status !== null) return { ...none, own_line: note };
  const replaces_hour = !occurrence.time_known && column !== 'until';
  if (column === 'day' && !replaces_hour) return none;
  return { ...none, [replaces_hour ? 'as_hour' : 'after_place']: stripTrailingPeriod(note) };
}

/**
 * Builds the first column of a row. Each part of it is null if it is not shown; `start` and
 * `end_hour` exclude each other.
 * @param is_live Whether the page's script updates the row while the page is open.
 * @param hour_note Replaces an unknown hour.
 * @returns null if the event has no next date.
 */
function buildWhen(
  occurrence: OccurrenceRecord | null,
  column: RowColumn,
  is_live: boolean,
  hour_note: string | null,
  lang: Lang,
) {
  if (occurrence === null) return null;
  const { all_day, time_known, end, end_known } = occurrence;
  const first_day = fromDayNumber(occurrence.first_day);
  const hours = formatHourColumn(occurrence, lang);
  const end_hour = column === 'now' ? (hours?.end ?? null) : null;
  // In a list of days, whole days do not show their last day.
  const last_day_text = column === 'day' && all_day ? null : formatUntil(occurrence, lang);
  const has_begun = column === 'now' || column === 'until';
  const replaces_start = end_hour !== null || (has_begun && last_day_text !== null);
  const has_no_hours = all_day && last_day_text === null && (column !== 'day' || !time_known);
  const ends_while_open = (column === 'now' || column === 'hour') && !all_day;
  return {
    /** End as an ISO timestamp, for the script of an open page; undefined if it need not know. */
    ends_at: is_live && ends_while_open ? end : undefined,
    /** True if the end is not published, and `ends_at` is an estimate. */
    is_end_assumed: !end_known,
    /** Day badge: `sáb 21`. */
    day:
      column === 'day'
        ? {
            date: first_day.toString(),
            weekday: formatShortWeekday(first_day, lang),
            number: first_day.day,
          }
        : null,
    /** Start hour: `18:00`. */
    start: hours && !replaces_start ? { datetime: hours.timestamp, text: hours.start } : null,
    /** End hour of an event that is on now; stands alone, without a start: `23:00`. */
    end_hour: end_hour && { datetime: end, text: end_hour },
    /** End hour after a start hour: `a 20:00`. */
    to_hour_text: hours?.end && !end_hour ? t(lang, 'agenda.to_hour', { hour: hours.end }) : null,
    /** End of an event of several days: `hasta el dom 22 nov`, with the hour if it has one. */
    last_day: last_day_text && {
      datetime: all_day ? fromDayNumber(occurrence.last_day).toString() : end,
      text: last_day_text,
    },
    /**
     * Replaces the hours: `todo el día`, `hora por confirmar`, or a note such as `al atardecer`.
     */
    no_hours_text:
      hour_note ?? (has_no_hours ? t(lang, time_known ? 'time.all_day' : 'time.unknown') : null),
  };
}
