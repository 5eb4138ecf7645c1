// Lists of events, ready to print: which stand under which heading of a page, in order, where the marks along the
// water lead, and what a row says of when, what, where and for how much (contract 3.8).
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

/** What the column of a row says: the hours, the day too, until when it goes on, or its last day. */
export type RowColumn = 'hour' | 'day' | 'now' | 'until';

export interface EventGroup {
  /** Unique on the page; the heading's id. */
  readonly key: string;
  readonly title: string;
  readonly column: RowColumn;
  readonly cards: readonly EventCard[];
  /** The first day of its page, day number: what began before says until when it goes on. */
  readonly from?: number;
  /** Closed, so that what is for everybody stands before it; or open, where it may be closed. */
  readonly fold?: 'closed' | 'open';
  readonly for_adults?: true;
  /** On which of several days each is, in words. */
  readonly on_days?: ReadonlyMap<EventCard, string>;
  /** What is folded in words, in place of its count. */
  readonly names?: string;
  readonly count?: number;
  readonly rest?: { readonly href: string; readonly text: string } | null;
  readonly empty?: string;
}

const COLUMNS: Readonly<Partial<Record<DayPartKey, RowColumn>>> = {
  now: 'now',
  now_nightclubs: 'now',
  run: 'until',
  begun: 'until',
};

/** A part of a day under its heading; nightclubs are folded but where they are what there is. */
function toGroup(
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
 * The groups of an agenda's page; `occurrences` are all of its range, `now_ms` the minute of one that begins
 * today and null for any other. Each of several days has its count and a way to the rest.
 */
export function groupAgenda(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null,
  is_today: boolean,
  lang: Lang,
  front: Highlights = NO_HIGHLIGHTS,
): readonly EventGroup[] {
  if (agenda.from.equals(agenda.to)) {
    const has_hour = now_ms !== null;
    const parts = has_hour
      ? groupTodayByTime(agenda, now_ms, front)
      : groupByDayPart(agenda, front);
    const fold_now = has_hour && isAfterMidnight(now_ms) ? 'open' : 'closed';
    return unfoldAlone(parts.map((part) => toGroup(part, fold_now, has_hour || is_today, lang)));
  }
  const { daily, usual, often, days, nightclubs } = groupRangeByDay(agenda, occurrences, now_ms);
  const groups: readonly EventGroup[] = [
    groupPicks(front, agenda, lang),
    ...groupStillOn(agenda, now_ms, lang),
    groupOften(often, lang),
    ...groupDays(days, usual === 'most_days', lang),
    foldDaily({ title: t(lang, `agenda.${usual}`), cards: daily }, lang),
    groupClubs(nightclubs, lang),
  ];
  return groups.filter(({ cards, empty }) => cards.length > 0 || empty !== undefined);
}

/** The same several days with every event once: by the day of its next date, or the first where that began before. */
export function groupByNextDate(
  agenda: Agenda,
  now_ms: number | null,
  lang: Lang,
  front: Highlights = NO_HIGHLIGHTS,
): readonly EventGroup[] {
  const { others: all, nightclubs } = separateNightclubs(agenda.events);
  const isPick = ({ event }: EventCard): boolean =>
    front.picks.some(({ card }) => card.event.id === event.id);
  const others = all.filter((card) => !isPick(card));
  const first = toDayNumber(agenda.from);
  const by_day = Map.groupBy(others, ({ next }) => Math.max(first, next?.first_day ?? first));
  const days = [...by_day].flatMap(([number, cards]): EventGroup[] => {
    const day = fromDayNumber(number);
    const ahead = cards.filter((card) => !isCardOver(card, now_ms));
    const over = cards.filter((card) => isCardOver(card, now_ms));
    const title = capitalize(formatLongDay(day, lang));
    return [{ key: `d${day}`, title, column: 'hour', cards: ahead }, groupOver(over, lang)];
  });
  return [
    groupPicks(front, agenda, lang),
    ...groupStillOn(agenda, now_ms, lang),
    ...days,
    groupClubs(nightclubs, lang),
  ].filter(({ cards }) => cards.length > 0);
}

const groupPicks = ({ picks }: Highlights, { from }: Agenda, lang: Lang): EventGroup => ({
  key: 'picks',
  title: t(lang, 'agenda.picks'),
  column: 'day',
  from: toDayNumber(from),
  cards: picks.map(({ card }) => card),
});

/** What is there every day in one line, `8 planes: Jolly Roger, Xoximilco`. */
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

/** Where a day has nothing but what is there every day, that is its list. */
function unfoldAlone(groups: readonly EventGroup[]): readonly EventGroup[] {
  const is_alone = groups.every(({ key, fold }) => key === 'daily' || fold !== undefined);
  return groups.map((group) =>
    is_alone && group.key === 'daily' ? { ...group, fold: 'open' } : group,
  );
}

/** What goes on since last night, before several days. */
const groupStillOn = (
  { still_on, from }: Agenda,
  now_ms: number | null,
  lang: Lang,
): readonly EventGroup[] =>
  now_ms === null
    ? []
    : groupTodayByTime({ events: [], still_on, from }, now_ms).map((part) => ({
        ...toGroup(part, 'open', true, lang),
        ...(part.key === 'now' && { title: t(lang, 'agenda.last_night') }),
      }));

/** What takes place at one hour on several of the days, once. */
const groupOften = (often: readonly RepeatingCard[], lang: Lang): EventGroup => ({
  key: 'often',
  title: t(lang, 'agenda.often'),
  column: 'hour',
  cards: often.map(({ card }) => card),
  on_days: new Map(often.map(({ card, days }) => [card, capitalize(toOnDays(days, lang))])),
});

/** Each day with its own; of a long stretch the days that have nothing of their own are one sentence. */
function groupDays(days: readonly RangeDay[], is_long: boolean, lang: Lang): readonly EventGroup[] {
  const isQuiet = ({ cards, ended }: RangeDay): boolean =>
    is_long && cards.length + ended.length === 0;
  const quiet = days.filter(isQuiet);
  const toEmpty = (count: number): string =>
    t(lang, count === 0 ? 'agenda.day_empty' : 'agenda.day_usual');
  return [
    ...days
      .filter((one) => !isQuiet(one))
      .flatMap(({ day, cards, ended, count }): EventGroup[] => [
        {
          key: `d${day}`,
          title: formatLongDayNoYear(day, lang),
          column: 'hour',
          cards,
          count,
          rest: cards.length + ended.length === count ? null : toRest(day, count, lang),
          empty: toEmpty(count),
        },
        groupOver(ended, lang),
      ]),
    {
      key: 'quiet',
      title: t(lang, 'agenda.other_days'),
      column: 'hour',
      cards: [],
      ...(quiet.length > 0 && { empty: toEmpty(Math.max(...quiet.map(({ count }) => count))) }),
    },
  ];
}

const groupOver = (cards: readonly EventCard[], lang: Lang): EventGroup => ({
  key: 'ended',
  title: t(lang, 'agenda.ended_today'),
  column: 'hour',
  cards,
  count: cards.length,
  fold: 'closed',
});

const groupClubs = (cards: readonly EventCard[], lang: Lang): EventGroup => ({
  key: 'nightclubs',
  title: t(lang, 'agenda.nightclubs'),
  column: 'day',
  cards,
  count: cards.length,
  fold: 'closed',
  for_adults: true,
});

const toRest = (day: Temporal.PlainDate, count: number, lang: Lang) => ({
  href: dayPath(day.toString(), lang),
  text: t(lang, 'agenda.rest', { count, weekday: formatWeekday(day, lang) }),
});

/** `Antros abiertos ahora (18+)`, `Ya terminó (3)`: a heading of a document. */
export function groupHeading({ key, title, for_adults, count }: EventGroup, lang: Lang): string {
  if (key === 'ended') return `${title} (${count})`;
  return for_adults ? `${title} (${t(lang, 'agenda.adults')})` : title;
}

/**
 * Whatever comes up from a day on, by the month of its next occurrence; what began earlier stands
 * around it, but last night's party with its own day.
 */
export function groupByMonth(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
): readonly EventGroup[] {
  const from = toDayNumber(today);
  const toKey = (card: EventCard): string => {
    const { first_day = from, last_day = from } = card.next ?? {};
    if (first_day >= from || last_day < from)
      return `m${fromDayNumber(first_day).toPlainYearMonth()}`;
    return isShortRun(card) ? 'run' : 'begun';
  };
  const { run, begun, ...months } = Object.groupBy(
    cards.filter(({ next }) => next !== null),
    toKey,
  );
  const toBegun = (key: 'run' | 'begun', some: readonly EventCard[] = []): EventGroup => ({
    key,
    title: t(lang, `agenda.${key}`),
    cards: some,
    column: 'until',
  });
  return [
    toBegun('run', run),
    ...Object.entries(months).map(([key, own = []]): EventGroup => {
      const day = Temporal.PlainYearMonth.from(key.slice(1)).toPlainDate({ day: 1 });
      return { key, title: formatMonthAndYear(day, lang), cards: own, column: 'day' };
    }),
    toBegun('begun', begun),
  ].filter((group) => group.cards.length > 0);
}

/** One mark along the water, in the middle of its part; `link` says where it leads on the page. */
interface Mark {
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

export interface TideMarks {
  readonly kind: 'hours' | 'days';
  readonly marks: readonly Mark[];
  readonly ids: ReadonlyMap<EventCard, string>;
}

/** Far enough apart for a thumb on the narrowest telephone; each speaks for the hours up to the next. */
const MARK_HOURS = [4, 8, 12, 16, 20] as const;
const STEP_HOURS = 4;

export const buildTideMarks = (
  range: DayRange,
  groups: readonly EventGroup[],
  now_ms: number | null,
  lang: Lang,
): TideMarks =>
  countDays(range) === 1
    ? toHourMarks(range.from, groups, now_ms, lang)
    : toDayMarks(range, groups, lang);

/** What begins at a known hour between two instants and is not over, in order of time. */
const listBetween = (groups: readonly EventGroup[], from_ms: number, until_ms: number) =>
  groups
    .filter(({ key }) => key !== 'ended' && key !== 'begun')
    .flatMap((group) =>
      group.cards.flatMap((card) => {
        const start_ms = card.next?.all_day === false ? card.next.start_ms : null;
        const is_in = start_ms !== null && start_ms >= from_ms && start_ms < until_ms;
        return is_in ? [{ card, group, start_ms }] : [];
      }),
    )
    .sort((a, b) => a.start_ms - b.start_ms);

/**
 * The hours of one day, each with what begins from it up to the next. What is folded cannot be scrolled to,
 * so its heading stands for it; where nothing begins, or all is over, an hour leads nowhere.
 */
function toHourMarks(
  day: Temporal.PlainDate,
  groups: readonly EventGroup[],
  now_ms: number | null,
  lang: Lang,
): TideMarks {
  const ids = new Map<EventCard, string>();
  const marks = MARK_HOURS.map((hour): Mark => {
    const text = formatTime(new Temporal.PlainTime(hour), lang);
    const from_ms = epochMsAt(toDayNumber(day), hour * 60);
    const until_ms = epochMsAt(toDayNumber(day), (hour + STEP_HOURS) * 60);
    const begins = listBetween(groups, from_ms, until_ms);
    const first = begins.find(({ group }) => group.fold === undefined) ?? begins[0];
    if (!first || (now_ms !== null && until_ms <= now_ms)) return { text, link: null };
    const label = t(lang, 'tide.from', {
      hour: text,
      until: formatTime(toLocalTime(until_ms), lang),
      events: tPlural(lang, 'events.count', begins.length),
    });
    const is_folded = first.group.fold !== undefined;
    if (!is_folded) ids.set(first.card, `h${hour}`);
    return { text, link: { href: is_folded ? `#${first.group.key}` : `#h${hour}`, label } };
  });
  return { kind: 'hours', marks, ids };
}

/** As many as stand beside one another on a telephone; of a longer stretch every second day, third, … */
const MAX_DAY_MARKS = 8;

function toDayMarks(range: DayRange, groups: readonly EventGroup[], lang: Lang): TideMarks {
  const count = countDays(range);
  const step = Math.ceil(count / MAX_DAY_MARKS);
  const marks = Array.from({ length: Math.ceil(count / step) }, (_, at): Mark => {
    const day = range.from.add({ days: at * step });
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
  /** Whether the page tells what begins and ends while it is open. */
  readonly is_live?: boolean;
  /** What the page says already: its place or zone is not repeated in each row. */
  readonly said?: readonly string[];
  readonly toMore?: (card: EventCard) => string | null;
  readonly ids?: ReadonlyMap<EventCard, string>;
  readonly on_days?: EventGroup['on_days'] | undefined;
  readonly from?: number | undefined;
}

export type EventListView = ReturnType<typeof buildEventListView>;
export type EventRowView = EventListView['rows'][number];

export function buildEventListView(group: EventGroup, options: RowOptions) {
  const { lang, said = [] } = options;
  const { cards, column, count, for_adults, names } = group;
  const adults = for_adults ? [t(lang, 'agenda.adults')] : [];
  const events = count === undefined ? [] : [tPlural(lang, 'events.count', count)];
  const row = { ...options, said: [...said, ...adults], on_days: group.on_days, from: group.from };
  return {
    ...group,
    aside: names ?? [...adults, ...events].join(' · '),
    rows: cards.map((card) => printRow(card, column, row)),
  };
}

/** All that comes up somewhere, by month, with what is said once of rows that are not sure. */
export function buildUpcomingView(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
  said: readonly string[] = [],
) {
  const groups = groupByMonth(cards, today, lang);
  const toMore = (card: EventCard): string | null => formatMoreDates(card, lang);
  return {
    legend: formatListLegend(cards, lang),
    lists: groups.map((group) => buildEventListView(group, { lang, said, toMore })),
    empty: groups.length === 0 ? t(lang, 'places.empty') : null,
  };
}
export type UpcomingView = ReturnType<typeof buildUpcomingView>;

/** Above so many dates, that there are many says more than their number. */
const MAX_COUNTED = 30;

export function formatMoreDates({ more_dates }: EventCard, lang: Lang): string | null {
  if (more_dates > MAX_COUNTED) return t(lang, 'dates.many');
  return more_dates > 0 ? tPlural(lang, 'dates.more', more_dates) : null;
}

/** `de martes a sábado`, `los domingos`; `5 días` where some of these weekdays are left out. */
function toOnDays(days: readonly number[], lang: Lang): string {
  const weekdays = [...new Set(days.map((day) => fromDayNumber(day).dayOfWeek))].sort();
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((day) =>
    weekdays.includes(fromDayNumber(day).dayOfWeek),
  );
  return all.length === days.length
    ? formatWeekdays(weekdays, lang)
    : tPlural(lang, 'dates.days', days.length);
}

/** `también domingo y de martes a viernes`, from every occurrence of at most a week. */
export function createFurtherDaysFormatter(occurrences: readonly OccurrenceRecord[], lang: Lang) {
  const by_event = Map.groupBy(occurrences, ({ event }) => event);
  return ({ event, next }: EventCard): string | null => {
    const later = (by_event.get(event.id) ?? []).filter(
      ({ status, first_day }) => status === 'scheduled' && next && first_day > next.first_day,
    );
    return formatAlsoOn([...new Set(later.map((one) => one.first_day))], lang);
  };
}

function printRow(card: EventCard, listed: RowColumn, options: RowOptions) {
  const { lang, said = [], ids, toMore = () => null, is_live = false, from = 0 } = options;
  const { event, next } = card;
  const column = toColumn(listed, next, from);
  const original = findUntranslatedTexts(event, lang).title;
  const status = getEffectiveStatus(event, next);
  const note = placeDateNote(next, status, column, lang);
  const is_told = isPriceKnown(event.price);
  // Beside an amount there is no room for a note.
  const beside = is_told && !event.price.is_free ? null : note.beside;
  return {
    id: ids?.get(card),
    event: event.id,
    status,
    when: printWhen(next, column, is_live, note.of_hour, lang),
    thumb: thumbnailUrl(card),
    path: recordPath('event', event.slug, lang),
    title: event.title[lang],
    original,
    is_sure: isDateConfirmed(card),
    marks: [
      ...[options.on_days?.get(card)].flatMap((text) => (text ? { kind: 'on-days', text } : [])),
      ...listMarks(card, status, lang, said),
    ],
    place: [...listPlaces(card, lang, said), toMore(card), beside]
      .filter((text) => text !== null)
      .join(' · '),
    price: { text: formatShortPrice(event.price, lang), is_told, is_free: event.price.is_free },
    note: note.below ?? formatConfirmedBy(next, lang),
  };
}

/** What lasts for days says its last day on a list of hours, and where it began before the page's first day, `from`. */
function toColumn(column: RowColumn, occurrence: OccurrenceRecord | null, from: number): RowColumn {
  if (occurrence === null || occurrence.last_day === occurrence.first_day) return column;
  const has_begun = column === 'day' && occurrence.first_day < from;
  return has_begun || (column === 'hour' && occurrence.all_day) ? 'until' : column;
}

/** Cancelled or postponed, in another language, for adults; not what stands in `said`. */
function listMarks(
  { event }: EventCard,
  status: 'cancelled' | 'postponed' | null,
  lang: Lang,
  said: readonly string[],
) {
  const adults = t(lang, 'agenda.adults');
  const is_adult = /\b18\b/.test(event.age_restriction?.[lang] ?? '') && !said.includes(adults);
  const original = findUntranslatedTexts(event, lang).title;
  return [
    { kind: 'status', text: status && t(lang, `status.${status}`) },
    { kind: 'adults', text: is_adult ? adults : null },
    { kind: 'original', text: original && t(lang, `original.row.${original}`) },
  ].filter(({ text }) => text);
}

/** Where it is and how far, without what is said already. */
function listPlaces(
  { event, venue, zone: taxon, distance_km }: EventCard,
  lang: Lang,
  said: readonly string[],
): readonly string[] {
  const zone = taxon?.name[lang] ?? venue?.locality ?? null;
  const heard = [event.title[lang], ...said];
  const note = event.location_note && stripTrailingPeriod(event.location_note[lang]);
  // What is too long is cut at its end: the zone stands before a whole sentence.
  const where = venue
    ? listUnmentioned([stripTrailingParentheses(venue.name), zone], heard)
    : listUnmentioned([note, zone], heard).toReversed();
  return distance_km === undefined
    ? where
    : [...where, formatDistance(distance_km, venue?.coordinates ?? null, lang)];
}

/**
 * The note of a date in the one place that it has: instead of an hour that nobody knows, behind the place, or
 * on a line of its own why something does not take place. One date of many says none behind the place.
 */
export function placeDateNote(
  occurrence: OccurrenceRecord | null,
  status: string | null,
  column: RowColumn,
  lang: Lang,
): Readonly<Record<'of_hour' | 'beside' | 'below', string | null>> {
  const none = { of_hour: null, beside: null, below: null };
  const note = occurrence?.notes?.[lang];
  if (!note) return none;
  if (status !== null) return { ...none, below: note };
  const is_of_hour = !occurrence.time_known && column !== 'until';
  if (column === 'day' && !is_of_hour) return none;
  return { ...none, [is_of_hour ? 'of_hour' : 'beside']: stripTrailingPeriod(note) };
}

/** The column that says when; `hour_note` stands for an hour that nobody knows. */
function printWhen(
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
  // Of a list of days only what has an hour on the last of them says until when it goes on.
  const until = column === 'day' && all_day ? null : formatUntil(occurrence, lang);
  const has_begun = column === 'now' || column === 'until';
  const is_vague = all_day && !until && (column !== 'day' || !time_known);
  return {
    /** For the script of a page that is open: when it ends, and whether that is only assumed. */
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
