// Agenda: groups the events of a day or range for display. A single day is grouped by part of day,
// today by the current time, a range by day, with daily events listed once. Also sorts today's
// venues by whether they are open. Pages, Markdown and MCP share these groups.
import { Temporal } from 'temporal-polyfill';
import {
  type DayRange,
  fromDayNumber,
  NIGHT_ENDS_HOUR,
  toDayNumber,
  toLocalTime,
  toZoned,
} from './local-time.ts';
import {
  admitsNewcomers,
  type EventRecord,
  separateNightclubs,
  isNightclub,
  isSeason,
  MAX_RUN_DAYS,
  separateSeasons,
  type OccurrenceRecord,
  summarizeDates,
} from './event/event.ts';
import type { Regularity } from './event/regularity.ts';
import type { LocalText } from './lang.ts';
import type { NoticeRecord } from './notice.ts';
import type { OpenPeriod, VenueDay } from './opening-hours.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { Motif } from './pictures.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/**
 * A card: an event as an entry of a list, with its related records and its date within the queried
 * range.
 */
export interface EventCard {
  readonly event: EventRecord;
  readonly category: TaxonRecord | null;
  readonly zone: TaxonRecord | null;
  readonly venue: VenueRecord | null;
  readonly organizer: OrganizerRecord | null;
  /** The event's own motif, or its category's. */
  readonly motif: Motif | null;
  /** The first occurrence in the range that has not ended (contract 7.19), if any. */
  readonly next: OccurrenceRecord | null;
  /** Number of further dates in the range (see addDate in event/event.ts). */
  readonly more_dates: number;
  /** Cancelled and postponed dates in the range, `next` too if it is one. */
  readonly called_off: readonly OccurrenceRecord[];
  /** Distance from the requested point, to ten meters; only in a list around a point. */
  readonly distance_km?: number;
}

/** A card without the fields that depend on the queried range. */
export type RangelessCard = Omit<EventCard, keyof typeof NO_DATES | 'distance_km'>;
/** The fields of a card that depend on its range, without a range. */
export const NO_DATES = { next: null, more_dates: 0, called_off: [] } as const;

/** An event on its own page, with all its dates. */
export interface EventDetail extends EventCard {
  readonly occurrences: readonly OccurrenceRecord[];
  /** Number of occurrences that have not ended, including cancelled ones. */
  readonly ahead_count: number;
  /** The rule of the upcoming dates; null if they follow none. */
  readonly regularity: Regularity | null;
  readonly is_past: boolean;
}

/** A venue that is an outing by itself (a museum, a park), with its hours on a day. */
export interface OpenVenue {
  readonly venue: VenueRecord;
  readonly zone: TaxonRecord | null;
  readonly on_day: VenueDay;
}

/** All that happens on a day or in a range of days, before it is grouped. */
export interface Agenda {
  /** First and last local day, inclusive; equal for a single day. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly events: readonly EventCard[];
  /** Last night's events that are still running this minute; empty unless the agenda is today's. */
  readonly ongoing: readonly EventCard[];
  readonly notices: readonly NoticeRecord[];
  /**
   * Venues that are an outing by themselves, closed ones included, by name; empty for several days.
   */
  readonly open_places: readonly OpenVenue[];
}

/**
 * Parts of a day in display order. `now` to `later` and `ended` exist only for today, by the
 * current time.
 */
const DAY_PART_ORDER = [
  // Highlights.
  'picks',
  // Events that are running, then nightclubs that are open.
  'now',
  'now_nightclubs',
  // Events that begin within SOON_HOURS, then those in the rest of the current part of the day.
  'soon',
  'later',
  // Whole-day events of several days (isShortRun).
  'run',
  'morning',
  'afternoon',
  'evening',
  'all_day',
  // Events that began on an earlier day, or today with an assumed end or a last entry that has
  // passed.
  'begun',
  // Events that take place every day.
  'daily',
  // Events of nature that last weeks (isSeason).
  'season',
  'nightclubs',
  'ended',
] as const;
export type DayPartKey = (typeof DAY_PART_ORDER)[number];

export interface DayPart {
  readonly key: DayPartKey;
  readonly cards: readonly EventCard[];
}

/** Local hours at which the afternoon and the evening begin, for the parts of a day. */
const NOON_HOUR = 12;
const DUSK_HOUR = 19;
const SOON_HOURS = 2;

/**
 * Returns true if the card's date covers 2 to MAX_RUN_DAYS whole days: a carnival is worth listing
 * on each of its days, a three-month exhibition is not.
 */
export const isShortRun = ({ next }: EventCard): boolean =>
  next?.all_day === true &&
  next.last_day > next.first_day &&
  next.last_day - next.first_day < MAX_RUN_DAYS;

/** Local hour from which nightlife is listed first and vague daytime events count as over. */
const EVENING_HOUR = 20;

/** Returns true from 20:00 until NIGHT_ENDS_HOUR, when nightlife is listed first. */
export const isNightTime = (now_ms: number): boolean =>
  toZoned(now_ms).hour >= EVENING_HOUR || isAfterMidnight(now_ms);

/** Returns true between midnight and NIGHT_ENDS_HOUR, when last night's parties still run. */
export const isAfterMidnight = (now_ms: number): boolean => toZoned(now_ms).hour < NIGHT_ENDS_HOUR;

function getPartOfDay(epoch_ms: number): 'morning' | 'afternoon' | 'evening' {
  const { hour } = toZoned(epoch_ms);
  if (hour < NOON_HOUR) return 'morning';
  return hour < DUSK_HOUR ? 'afternoon' : 'evening';
}

/**
 * A highlighted event: chosen by an editor, who gives the reason in `why`, or rare, with `why`
 * null.
 */
export interface Highlight {
  readonly card: EventCard;
  readonly why: LocalText | null;
  /** Position of the day within a short event; null if the event has many days. */
  readonly run_position: 'only' | 'first' | 'last' | null;
}

/**
 * `picks`: the events above a list; `daily`: ids of events on (nearly) every day, folded into one
 * line.
 */
export interface Highlights {
  readonly picks: readonly Highlight[];
  readonly daily: readonly string[];
}
export const NO_HIGHLIGHTS: Highlights = { picks: [], daily: [] };

/** Groups cards into parts in display order, without empty ones. */
function groupIntoParts(
  cards: readonly EventCard[],
  { picks, daily }: Highlights,
  getKey: (card: EventCard) => DayPartKey,
): readonly DayPart[] {
  const picked_cards = picks.flatMap(
    (pick) => cards.findLast(({ event }) => event.id === pick.card.event.id) ?? [],
  );
  const rest = cards.filter((card) => !picked_cards.includes(card));
  const by_key = Map.groupBy(rest, (card) => {
    const key = getKey(card);
    const takes_place = card.next?.status === 'scheduled' && key !== 'ended';
    return takes_place && daily.includes(card.event.id) ? 'daily' : key;
  });
  if (picked_cards.length > 0) by_key.set('picks', picked_cards);
  return DAY_PART_ORDER.flatMap((key) => {
    const part_cards = by_key.get(key);
    return part_cards ? [{ key, cards: part_cards }] : [];
  });
}

/**
 * Returns the part of a day (a day number) to which an event belongs, independent of the current
 * time.
 */
function getDayKey(card: EventCard, day: number): DayPartKey {
  const { event, next } = card;
  if (isNightclub(event)) return 'nightclubs';
  if (isSeason(card)) return 'season';
  if (isShortRun(card)) return 'run';
  if (next !== null && next.first_day < day) return 'begun';
  return next === null || next.all_day ? 'all_day' : getPartOfDay(next.start_ms);
}

/**
 * Groups a day's events by part of day, without regard to the current time; nightclubs last
 * (contract 1.11).
 */
export function groupByDayPart(
  { events, from }: Agenda,
  highlights: Highlights,
): readonly DayPart[] {
  const day = toDayNumber(from);
  return groupIntoParts(events, highlights, (card) => getDayKey(card, day));
}

/**
 * Returns the part of a timed event at `now_ms`. A cancelled one stays in the part it was announced
 * for.
 */
function getTimedKey(event: EventRecord, next: OccurrenceRecord, now_ms: number): DayPartKey {
  const is_nightclub = isNightclub(event);
  const part = getPartOfDay(next.start_ms);
  if (isCardOver({ event, next }, now_ms)) return 'ended';
  if (isOverByNight(event, next, now_ms)) return 'ended';
  if (next.end_ms <= now_ms) return 'begun';
  if (next.status === 'scheduled' && !admitsNewcomers(next, now_ms)) return 'begun';
  if (next.status === 'scheduled' && next.start_ms <= now_ms)
    return is_nightclub ? 'now_nightclubs' : 'now';
  if (is_nightclub) return 'nightclubs';
  if (next.status !== 'scheduled') return part;
  if (next.start_ms <= now_ms + SOON_HOURS * 3_600_000) return 'soon';
  return part === getPartOfDay(now_ms) && !isAfterMidnight(now_ms) ? 'later' : part;
}

/**
 * Groups today's agenda at an instant. Each event appears once, except last night's events that
 * also take place tonight. Without highlights, `now` plus `now_nightclubs` equals the timed events
 * of `date=now` (contract 2.10).
 */
export function groupTodayByTime(
  { events, ongoing, from }: Pick<Agenda, 'events' | 'ongoing' | 'from'>,
  now_ms: number,
  highlights: Highlights = NO_HIGHLIGHTS,
): readonly DayPart[] {
  const day = toDayNumber(from);
  return groupIntoParts([...ongoing, ...events], highlights, (card) => {
    const { event, next } = card;
    if (next === null) return getDayKey(card, day);
    if (!next.all_day) return getTimedKey(event, next, now_ms);
    return isOverByNight(event, next, now_ms) ? 'ended' : getDayKey(card, day);
  });
}

/** An occurrence without a known end that began earlier than this counts as over in the evening. */
const LONG_AGO_HOURS = 4;
/** Tag of daytime events: without a known hour, they count as over in the evening. */
const DAY_TAG = 'de-dia';

/**
 * Returns true in the evening for an occurrence that began long ago without a known end, or a
 * daytime event without a known hour.
 */
function isOverByNight({ tags }: EventRecord, next: OccurrenceRecord, now_ms: number): boolean {
  const { hour } = toZoned(now_ms);
  if (hour < EVENING_HOUR || next.end_known || next.status !== 'scheduled') return false;
  return next.time_known
    ? next.start_ms < now_ms - LONG_AGO_HOURS * 3_600_000
    : next.first_day === next.last_day && tags.includes(DAY_TAG);
}

/**
 * Most events listed per day, in a range of up to FEW_DAYS days and in a longer one; the day's own
 * page has all.
 */
const MAX_ROWS = { few_days: 20, more_days: 10 } as const;
const FEW_DAYS = 3;
/**
 * In a range longer than WEEK_DAYS, an event on at least this share of the days counts as daily,
 * because it may pause on holidays.
 */
const DAILY_SHARE = 1 / 2;
const WEEK_DAYS = 7;
/** An event at the same hour on this many days of the range is listed once, before the days. */
const MIN_REPEATING_DAYS = 3;

/** A day of a range, with the events that are not listed for the whole range. */
export interface RangeDay {
  readonly day: Temporal.PlainDate;
  /** Events of this day only, by time, up to the row limit. */
  readonly cards: readonly EventCard[];
  /** Today's events that are over, in the remaining rows. */
  readonly ended: readonly EventCard[];
  /** Number of events on this day, including daily ones and nightclubs, without seasons. */
  readonly count: number;
}

/** An event at the same hour on several days, with these days as day numbers. */
export interface RepeatingCard {
  readonly card: EventCard;
  readonly days: readonly number[];
}

/** An agenda of several days: events listed once for the whole range, and the rest by day. */
export interface RangeAgenda {
  /**
   * Events on every day, or on most of a long range, by time; not limited, as no other page lists
   * them.
   */
  readonly daily: readonly EventCard[];
  /**
   * `daily`: `daily` has events of every day; `most_days`: also of most days, in a range over a
   * week.
   */
  readonly daily_kind: 'daily' | 'most_days';
  /** Events at the same hour on at least MIN_REPEATING_DAYS days, but not daily. */
  readonly repeating: readonly RepeatingCard[];
  readonly days: readonly RangeDay[];
  readonly seasons: readonly EventCard[];
  readonly nightclubs: readonly EventCard[];
}

const includesDay = ({ first_day, last_day }: OccurrenceRecord, day: number): boolean =>
  first_day <= day && last_day >= day;

/** Returns true if the card's occurrence is over at `now_ms`; false if `now_ms` is null. */
export const isCardOver = (
  { event, next }: Pick<EventCard, 'event' | 'next'>,
  now_ms: number | null,
): boolean => {
  if (now_ms === null || next === null || next.end_ms > now_ms) return false;
  // After an assumed end, the event may still be running.
  return next.end_known || next.all_day || next.status !== 'scheduled' || isNightclub(event);
};

/**
 * Groups an agenda of several days by day. A day over the row limit keeps the events with the
 * fewest dates, and those that are over at `now_ms` come last.
 * @param occurrences All occurrences of the range, by time.
 * @param now_ms Null if the current time must not matter.
 */
export function groupRangeByDay(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null,
): RangeAgenda {
  const [first_day, last_day] = [toDayNumber(agenda.from), toDayNumber(agenda.to)];
  const days = Array.from({ length: last_day - first_day + 1 }, (_, index) => first_day + index);
  const max_rows = days.length <= FEW_DAYS ? MAX_ROWS.few_days : MAX_ROWS.more_days;
  const { others: countable, seasons } = separateSeasons(agenda.events);
  const { others, nightclubs } = separateNightclubs(countable);
  const season_ids = new Set(seasons.map(({ event }) => event.id));
  const dates_by_event = Map.groupBy(occurrences, ({ event }) => event);
  const daily = others.filter(({ event }) => isDaily(dates_by_event.get(event.id) ?? [], days));
  const repeating = others
    .filter((card) => !daily.includes(card))
    .map((card) => ({
      card,
      days: findRepeatingDays(dates_by_event.get(card.event.id) ?? [], now_ms),
    }))
    .filter((entry) => entry.days.length >= MIN_REPEATING_DAYS);
  const listed_once = new Set([...daily, ...repeating.map(({ card }) => card)]);
  const single_cards = new Map(
    others.filter((card) => !listed_once.has(card)).map((card) => [card.event.id, card] as const),
  );
  const selectRarest = rarestSelector(dates_by_event);
  const buildDay = (day: number): RangeDay => {
    const day_dates = occurrences.filter(
      (occurrence) => includesDay(occurrence, day) && !season_ids.has(occurrence.event),
    );
    // An event that began before the range is listed on the first day of the range.
    const starting_dates = day_dates.filter((date) => Math.max(date.first_day, first_day) === day);
    const day_cards = buildDayCards(starting_dates, single_cards, now_ms);
    const cards = selectRarest(
      day_cards.filter((card) => !isCardOver(card, now_ms)),
      max_rows,
    );
    const ended = day_cards.filter((card) => isCardOver(card, now_ms));
    return {
      day: fromDayNumber(day),
      cards,
      ended: selectRarest(ended, max_rows - cards.length),
      count: new Set(day_dates.map(({ event }) => event)).size,
    };
  };
  return {
    daily,
    daily_kind: days.length > WEEK_DAYS ? 'most_days' : 'daily',
    repeating,
    days: days.map(buildDay),
    seasons,
    nightclubs,
  };
}

/**
 * Returns true if the event takes place on every one of several days, or on most days of a long
 * range.
 */
function isDaily(dates: readonly OccurrenceRecord[], days: readonly number[]): boolean {
  const min_days = days.length > WEEK_DAYS ? days.length * DAILY_SHARE : days.length;
  return (
    days.length > 1 &&
    dates.every(({ status }) => status === 'scheduled') &&
    days.filter((day) => dates.some((date) => includesDay(date, day))).length >= min_days
  );
}

/** Returns the upcoming days of an event if all its dates have the same hour, otherwise none. */
function findRepeatingDays(
  dates: readonly OccurrenceRecord[],
  now_ms: number | null,
): readonly number[] {
  // A note or certainty of a single date must not be shown for all.
  const timeKey = (date: OccurrenceRecord): string =>
    JSON.stringify([
      date.time_known,
      date.all_day,
      // Local clock time: a day with a clock change is an hour shorter or longer.
      ...[date.start_ms, date.end_ms].map((moment_ms) => `${toLocalTime(moment_ms)}`),
      date.notes,
      date.certainty,
    ]);
  const have_same_hour = dates.every(
    (date) =>
      date.status === 'scheduled' &&
      date.first_day === date.last_day &&
      dates[0] !== undefined &&
      timeKey(date) === timeKey(dates[0]),
  );
  const upcoming_dates = dates.filter(({ end_ms }) => now_ms === null || end_ms > now_ms);
  return have_same_hour ? [...new Set(upcoming_dates.map(({ first_day }) => first_day))] : [];
}

/** Returns the cards of one day's occurrences, each with its next date of that day. */
const buildDayCards = (
  occurrences: readonly OccurrenceRecord[],
  cards: ReadonlyMap<string, EventCard>,
  now_ms: number | null,
): readonly EventCard[] =>
  [...Map.groupBy(occurrences, ({ event }) => event)].flatMap(([event, dates]) => {
    const card = cards.get(event);
    return card ? [{ ...card, ...summarizeDates(dates, now_ms ?? Number.NEGATIVE_INFINITY) }] : [];
  });

/**
 * Creates a function that selects at most `max` cards, those with the fewest dates, in their order.
 */
const rarestSelector =
  (dates_by_event: ReadonlyMap<string, readonly OccurrenceRecord[]>) =>
  (cards: readonly EventCard[], max: number): readonly EventCard[] => {
    const countDates = ({ event }: EventCard): number => dates_by_event.get(event.id)?.length ?? 0;
    const rarest = new Set([...cards].sort((a, b) => countDates(a) - countDates(b)).slice(0, max));
    return cards.filter((card) => rarest.has(card));
  };

/**
 * State of a venue on a day for newcomers, in display order: open now; opening later that day; open
 * that day at unknown hours or until an unknown hour; open, but past its last entry (`full`); closed
 * again until tomorrow (`over`); not open that day (`closed`).
 */
const OPEN_STATES = ['open', 'later', 'unknown', 'full', 'over', 'closed'] as const;
type OpenState = (typeof OPEN_STATES)[number];

/**
 * A venue with its state. `span`: the current opening period if it is open or full, the next one
 * if it opens later.
 */
export interface VenueOpenState {
  readonly place: OpenVenue;
  readonly state: OpenState;
  readonly span: OpenPeriod | null;
}

function computeOpenState(
  { on_day: { opening } }: OpenVenue,
  now_ms: number,
): Omit<VenueOpenState, 'place'> {
  const { is_open, spans } = opening;
  if (!is_open) return { state: 'closed', span: null };
  const next_period = spans.find(({ open_ms }) => open_ms > now_ms);
  const started_period = spans.findLast(({ open_ms }) => open_ms <= now_ms);
  const is_open_now = started_period?.close_ms != null && now_ms < started_period.close_ms;
  const admits = is_open_now && now_ms < (started_period.last_entry_ms ?? Number.POSITIVE_INFINITY);
  if (admits) return { state: 'open', span: started_period };
  if (next_period) return { state: 'later', span: next_period };
  if (is_open_now) return { state: 'full', span: started_period };
  if (started_period?.close_ms === null || spans.length === 0)
    return { state: 'unknown', span: started_period ?? null };
  return { state: 'over', span: null };
}

/**
 * Sorts today's venues by their state at an instant: open ones first, closed ones last. At night,
 * venues with unknown hours are left out.
 */
export function groupVenuesByOpenState(
  places: readonly OpenVenue[],
  now_ms: number,
): readonly VenueOpenState[] {
  return places
    .map((place) => ({ place, ...computeOpenState(place, now_ms) }))
    .filter(({ state }) => state !== 'unknown' || !isNightTime(now_ms))
    .sort((a, b) => OPEN_STATES.indexOf(a.state) - OPEN_STATES.indexOf(b.state));
}

/** Events without a date on some days, which visitors can ask about. */
export interface AskFirst {
  /** Repeating events that are only assumed to rest on these days. */
  readonly resting: readonly {
    readonly event: EventRecord;
    readonly days: readonly Temporal.PlainDate[];
  }[];
  /** Events of these months in earlier years whose next date is not announced. */
  readonly undated: readonly EventRecord[];
}

/** Years in which an event without a new date still counts as usual. */
const USUAL_YEARS = 3;

/** Finds the repeating events that are only assumed to rest on days of a range. */
export function findRestingEvents(
  events: readonly EventRecord[],
  { from, to }: DayRange,
): AskFirst['resting'] {
  const [first, last] = [from.toString(), to.toString()];
  return events.flatMap((event) => {
    const days = event.rest_days.filter((day) => first <= day && day <= last);
    return event.status !== 'published' || days.length === 0
      ? []
      : [{ event, days: days.map((day) => Temporal.PlainDate.from(day)) }];
  });
}

/**
 * Finds the events to ask about on the days of a range; none if no repeating event rests then.
 * @param stored Each event with all its dates.
 */
export function findAskFirst(
  stored: readonly { readonly event: EventRecord; readonly dates: readonly OccurrenceRecord[] }[],
  range: DayRange,
  now_ms: number,
): AskFirst {
  const { from, to } = range;
  const resting = findRestingEvents(
    stored.map(({ event }) => event),
    range,
  );
  if (resting.length === 0) return { resting, undated: [] };
  const months = new Set([from.month, to.month]);
  const undated = stored.filter(({ event, dates }) => {
    const last_date = dates.at(-1);
    if (event.status !== 'published' || last_date === undefined || event.confirm_note === null)
      return false;
    const { year, month } = fromDayNumber(last_date.first_day);
    return last_date.end_ms <= now_ms && months.has(month) && from.year - year < USUAL_YEARS;
  });
  return { resting, undated: undated.map(({ event }) => event) };
}
