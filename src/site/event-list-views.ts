// Event list views: group the events of a page under headings, build the marks along the tide, and build the rows with
// date, title, place and price (contract 3.8).
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
  formatShortWeekday,
  formatUntil,
  formatWeekday,
} from '../i18n/format-dates.ts';
import { formatConfirmedBy, formatDistance, formatListLegend } from '../i18n/format-facts.ts';
import { dayPath, recordPath } from '../i18n/paths.ts';
import { isPriceKnown, formatShortPrice } from '../i18n/format-price.ts';
import { formatWeekdays } from '../i18n/format-recurrence.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { thumbnailUrl } from './picture-views.ts';

/** Content of a row's first column: the hours; day and hours; the end of an event that is on now; or its last day. */
export type RowColumn = 'hour' | 'day' | 'now' | 'until';

export interface EventGroup {
  /** Unique on the page; the id of the heading. */
  readonly key: string;
  readonly title: string;
  readonly column: RowColumn;
  readonly cards: readonly EventCard[];
  /** Day number of the page's first day. Events that began earlier show their last day. */
  readonly from?: number;
  /** Set if the list can be folded: its initial state. */
  readonly fold?: 'closed' | 'open';
  readonly for_adults?: true;
  /** Days of each repeating event, as text. */
  readonly on_days?: ReadonlyMap<EventCard, string>;
  /** Summary of a folded list; replaces the count. */
  readonly names?: string;
  readonly count?: number;
  /** Link to the other events of the day. */
  readonly rest?: { readonly href: string; readonly text: string } | null;
  readonly empty?: string;
}

const COLUMNS: Readonly<Partial<Record<DayPartKey, RowColumn>>> = {
  now: 'now',
  now_nightclubs: 'now',
  run: 'until',
  begun: 'until',
};

/**
 * Builds the group of a part of a day.
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
 * Groups the events of an agenda page: a single day by time, several days by day, each with its count and a link to the
 * rest.
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
  const { daily, daily_kind, repeating, days, nightclubs } = groupRangeByDay(
    agenda,
    occurrences,
    now_ms,
  );
  const groups: readonly EventGroup[] = [
    groupPicks(highlights, agenda, lang),
    ...groupOngoing(agenda, now_ms, lang),
    groupRepeating(repeating, lang),
    ...groupDays(days, daily_kind === 'most_days', lang),
    foldDaily({ title: t(lang, `agenda.${daily_kind}`), cards: daily }, lang),
    groupNightclubs(nightclubs, lang),
  ];
  return groups.filter(({ cards, empty }) => cards.length > 0 || empty !== undefined);
}

/** Groups the events of several days with each event once: by its next date, or on the first day if it began earlier. */
export function groupByNextDate(
  agenda: Agenda,
  now_ms: number | null,
  lang: Lang,
  highlights: Highlights = NO_HIGHLIGHTS,
): readonly EventGroup[] {
  const { others: all_others, nightclubs } = separateNightclubs(agenda.events);
  const isPick = ({ event }: EventCard): boolean =>
    highlights.picks.some(({ card }) => card.event.id === event.id);
  const others = all_others.filter((card) => !isPick(card));
  const first = toDayNumber(agenda.from);
  const by_day = Map.groupBy(others, ({ next }) => Math.max(first, next?.first_day ?? first));
  const days = [...by_day].flatMap(([day_number, cards]): EventGroup[] => {
    const day = fromDayNumber(day_number);
    const upcoming = cards.filter((card) => !isCardOver(card, now_ms));
    const ended = cards.filter((card) => isCardOver(card, now_ms));
    const title = capitalize(formatLongDay(day, lang));
    return [{ key: `d${day}`, title, column: 'hour', cards: upcoming }, groupEnded(ended, lang)];
  });
  return [
    groupPicks(highlights, agenda, lang),
    ...groupOngoing(agenda, now_ms, lang),
    ...days,
    groupNightclubs(nightclubs, lang),
  ].filter(({ cards }) => cards.length > 0);
}

const groupPicks = ({ picks }: Highlights, { from }: Agenda, lang: Lang): EventGroup => ({
  key: 'picks',
  title: t(lang, 'agenda.picks'),
  column: 'day',
  from: toDayNumber(from),
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

/** Groups by day. On long ranges, all days without events of their own share one sentence. */
function groupDays(days: readonly RangeDay[], is_long: boolean, lang: Lang): readonly EventGroup[] {
  const isQuiet = ({ cards, ended }: RangeDay): boolean =>
    is_long && cards.length + ended.length === 0;
  const quiet = days.filter(isQuiet);
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
          rest: cards.length + ended.length === count ? null : buildRestLink(day, count, lang),
          empty: formatEmpty(count),
        },
        groupEnded(ended, lang),
      ]),
    {
      key: 'quiet',
      title: t(lang, 'agenda.other_days'),
      column: 'hour',
      cards: [],
      ...(quiet.length > 0 && { empty: formatEmpty(Math.max(...quiet.map(({ count }) => count))) }),
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
 * Groups upcoming events by the month of their next date. Runs that began earlier come first, other begun events last;
 * an event that started last night is in the month of its date.
 */
export function groupByMonth(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
): readonly EventGroup[] {
  const from = toDayNumber(today);
  const keyOf = (card: EventCard): string => {
    const { first_day = from, last_day = from } = card.next ?? {};
    if (first_day >= from || last_day < from)
      return `m${fromDayNumber(first_day).toPlainYearMonth()}`;
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

/** A mark along the tide, in the middle of its part. `link` targets a row or heading of the page. */
interface TideMark {
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

export interface TideMarks {
  readonly kind: 'hours' | 'days';
  readonly marks: readonly TideMark[];
  /** Ids of the rows that marks link to. */
  readonly ids: ReadonlyMap<EventCard, string>;
}

/** Far enough apart to be tapped on the narrowest phone. Each mark covers the hours up to the next. */
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
 * Builds the hour marks of a day, each linked to the first event that starts before the next mark. Rows in a folded
 * group cannot be scrolled to, so the mark links to the group's heading. Hours without events, or over, have no link.
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
    const first = starting.find(({ group }) => group.fold === undefined) ?? starting[0];
    if (!first || (now_ms !== null && until_ms <= now_ms)) return { text, link: null };
    const label = t(lang, 'tide.from', {
      hour: text,
      until: formatTime(toLocalTime(until_ms), lang),
      events: tPlural(lang, 'events.count', starting.length),
    });
    const is_folded = first.group.fold !== undefined;
    if (!is_folded) ids.set(first.card, `h${hour}`);
    return { text, link: { href: is_folded ? `#${first.group.key}` : `#h${hour}`, label } };
  });
  return { kind: 'hours', marks, ids };
}

/** Most day marks that fit in a row on a phone; longer ranges mark every second day, third day, and so on. */
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

interface RowOptions {
  readonly lang: Lang;
  /** Set if the page's script updates the row while the page is open. */
  readonly is_live?: boolean;
  /** Venue or zone names that the page shows already; rows do not repeat them. */
  readonly mentioned?: readonly string[];
  /** Formats the further dates of an event. */
  readonly formatFurther?: (card: EventCard) => string | null;
  readonly ids?: ReadonlyMap<EventCard, string>;
  readonly on_days?: EventGroup['on_days'] | undefined;
  readonly from?: number | undefined;
}

export type EventListView = ReturnType<typeof buildEventListView>;
export type EventRowView = EventListView['rows'][number];

export function buildEventListView(group: EventGroup, options: RowOptions) {
  const { lang, mentioned = [] } = options;
  const { cards, column, count, for_adults, names } = group;
  const adults = for_adults ? [t(lang, 'agenda.adults')] : [];
  const events = count === undefined ? [] : [tPlural(lang, 'events.count', count)];
  const row_options = {
    ...options,
    mentioned: [...mentioned, ...adults],
    on_days: group.on_days,
    from: group.from,
  };
  return {
    ...group,
    aside: names ?? [...adults, ...events].join(' · '),
    rows: cards.map((card) => buildRow(card, column, row_options)),
  };
}

/** Builds the upcoming events of a profile, a feed or a search, by month, with a legend for uncertain dates. */
export function buildUpcomingView(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
  mentioned: readonly string[] = [],
) {
  const groups = groupByMonth(cards, today, lang);
  const formatFurther = (card: EventCard): string | null => formatMoreDates(card, lang);
  return {
    legend: formatListLegend(cards, lang),
    lists: groups.map((group) => buildEventListView(group, { lang, mentioned, formatFurther })),
    empty: groups.length === 0 ? t(lang, 'places.empty') : null,
  };
}
export type UpcomingView = ReturnType<typeof buildUpcomingView>;

/** Above this many further dates, the row says "many" instead of the number. */
const MAX_COUNTED_DATES = 30;

export function formatMoreDates({ more_dates }: EventCard, lang: Lang): string | null {
  if (more_dates > MAX_COUNTED_DATES) return t(lang, 'dates.many');
  return more_dates > 0 ? tPlural(lang, 'dates.more', more_dates) : null;
}

/** Formats days as `de martes a sábado` or `los domingos`; as `5 días` if not all of these weekdays are included. */
function formatOnDays(days: readonly number[], lang: Lang): string {
  const weekdays = [...new Set(days.map((day) => fromDayNumber(day).dayOfWeek))].sort();
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const days_on_weekdays = Array.from(
    { length: last - first + 1 },
    (_, offset) => first + offset,
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

function buildRow(card: EventCard, list_column: RowColumn, options: RowOptions) {
  const {
    lang,
    mentioned = [],
    ids,
    formatFurther = () => null,
    is_live = false,
    from = 0,
  } = options;
  const { event, next } = card;
  const column = chooseColumn(list_column, next, from);
  const title_lang = findUntranslatedTexts(event, lang).title;
  const status = getEffectiveStatus(event, next);
  const note = placeDateNote(next, status, column, lang);
  const is_known = isPriceKnown(event.price);
  // An amount leaves no room for a note in the same line.
  const place_note = is_known && !event.price.is_free ? null : note.after_place;
  return {
    id: ids?.get(card),
    event: event.id,
    status,
    when: buildWhen(next, column, is_live, note.as_hour, lang),
    thumb: thumbnailUrl(card),
    path: recordPath('event', event.slug, lang),
    title: event.title[lang],
    title_lang,
    is_confirmed: isDateConfirmed(card),
    labels: [
      ...[options.on_days?.get(card)].flatMap((text) => (text ? { kind: 'on-days', text } : [])),
      ...listLabels(card, status, lang, mentioned),
    ],
    place: [...listPlaceTexts(card, lang, mentioned), formatFurther(card), place_note]
      .filter((text) => text !== null)
      .join(' · '),
    price: { text: formatShortPrice(event.price, lang), is_known, is_free: event.price.is_free },
    note: note.own_line ?? formatConfirmedBy(next, lang),
  };
}

/**
 * Chooses the column of a row: all-day events of several days show their last day in a list of hours; so do events that
 * began before the page's first day, `from`, in a list of days.
 */
function chooseColumn(
  column: RowColumn,
  occurrence: OccurrenceRecord | null,
  from: number,
): RowColumn {
  if (occurrence === null || occurrence.last_day === occurrence.first_day) return column;
  const has_begun = column === 'day' && occurrence.first_day < from;
  return has_begun || (column === 'hour' && occurrence.all_day) ? 'until' : column;
}

/** Lists the labels of a row: cancelled or postponed, adults only unless `mentioned`, and title in another language. */
function listLabels(
  { event }: EventCard,
  status: 'cancelled' | 'postponed' | null,
  lang: Lang,
  mentioned: readonly string[],
) {
  const adults = t(lang, 'agenda.adults');
  const is_adult =
    /\b18\b/.test(event.age_restriction?.[lang] ?? '') && !mentioned.includes(adults);
  const title_lang = findUntranslatedTexts(event, lang).title;
  return [
    { kind: 'status', text: status && t(lang, `status.${status}`) },
    { kind: 'adults', text: is_adult ? adults : null },
    { kind: 'original', text: title_lang && t(lang, `original.row.${title_lang}`) },
  ].filter(({ text }) => text);
}

/** Lists the venue, zone and distance of a row, without names that the title or the page mentions. */
function listPlaceTexts(
  { event, venue, zone: taxon, distance_km }: EventCard,
  lang: Lang,
  mentioned: readonly string[],
): readonly string[] {
  const zone = taxon?.name[lang] ?? venue?.locality ?? null;
  const shown_texts = [event.title[lang], ...mentioned];
  const note = event.location_note && stripTrailingPeriod(event.location_note[lang]);
  // A long line is cut at its end, so the zone comes before a location note, which is a whole sentence.
  const location = venue
    ? listUnmentioned([stripTrailingParentheses(venue.name), zone], shown_texts)
    : listUnmentioned([note, zone], shown_texts).toReversed();
  return distance_km === undefined
    ? location
    : [...location, formatDistance(distance_km, venue?.coordinates ?? null, lang)];
}

/**
 * Assigns the note of a date to its place in a row: instead of an unknown hour, after the place, or on its own line as
 * the reason of a cancellation. Rows of a list of days have no note after the place.
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
 * Builds the first column of a row.
 * @param hour_note Replaces an unknown hour.
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
  const first = fromDayNumber(occurrence.first_day);
  const hours = formatHourColumn(occurrence, lang);
  const ends_at = column === 'now' ? (hours?.end ?? null) : null;
  // In a list of days, only events with an end hour show their end.
  const until = column === 'day' && all_day ? null : formatUntil(occurrence, lang);
  const has_begun = column === 'now' || column === 'until';
  const is_vague = all_day && !until && (column !== 'day' || !time_known);
  return {
    /** End of the event, for the script of an open page. */
    ends: is_live && (column === 'now' || column === 'hour') && !all_day ? end : undefined,
    is_end_assumed: !end_known,
    day:
      column === 'day'
        ? { date: first.toString(), weekday: formatShortWeekday(first, lang), number: first.day }
        : null,
    start:
      hours && !ends_at && !(has_begun && until)
        ? { datetime: hours.timestamp, text: hours.start }
        : null,
    end: ends_at && { datetime: end, text: ends_at },
    to: hours?.end && !ends_at ? t(lang, 'agenda.to_hour', { hour: hours.end }) : null,
    until: until && {
      datetime: all_day ? fromDayNumber(occurrence.last_day).toString() : end,
      text: until,
    },
    vague: hour_note ?? (is_vague ? t(lang, time_known ? 'time.all_day' : 'time.unknown') : null),
  };
}
