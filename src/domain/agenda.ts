// Events as every surface is given them, and how they are told: a day by its parts, today by the clock,
// several days with what is on every day once; and the open places of today. Page, Markdown and MCP say
// the same from here.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber, NIGHT_ENDS_HOUR, toDayNumber, toLocalTime, toZoned } from './local-time.ts';
import {
  type EventRecord,
  separateNightclubs,
  isNightclub,
  type OccurrenceRecord,
  findNextDate,
} from './event/event.ts';
import type { Regularity } from './event/regularity.ts';
import type { LocalText } from './lang.ts';
import type { NoticeRecord } from './notice.ts';
import type { OpenPeriod, VenueDay } from './opening-hours.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { Motif } from './pictures.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** An event with all that stands beside it. `next` and `more_dates` are relative to the query. */
export interface EventCard {
  readonly event: EventRecord;
  readonly category: TaxonRecord | null;
  readonly zone: TaxonRecord | null;
  readonly venue: VenueRecord | null;
  readonly organizer: OrganizerRecord | null;
  /** What it is drawn as: its own motif, or its category's. */
  readonly motif: Motif | null;
  /** The first in the range still to take place (contract 7.19); null where none is. */
  readonly next: OccurrenceRecord | null;
  readonly more_dates: number;
  /** From the point that was asked for, to ten metres; only in a list around one. */
  readonly distance_km?: number;
}

export interface EventDetail extends EventCard {
  readonly occurrences: readonly OccurrenceRecord[];
  /** How many of them have not ended, called off or not. */
  readonly ahead_count: number;
  /** The rule of the dates ahead; null where they keep to none. */
  readonly regularity: Regularity | null;
  readonly is_past: boolean;
}

/** A place where simply being is a plan, with its hours on a day. */
export interface OpenVenue {
  readonly venue: VenueRecord;
  readonly zone: TaxonRecord | null;
  readonly on_day: VenueDay;
}

export interface Agenda {
  /** Inclusive local days; the same day for a day's agenda. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly events: readonly EventCard[];
  /** Last night's that go on at this minute; none where it is not today's agenda alone. */
  readonly still_on: readonly EventCard[];
  readonly notices: readonly NoticeRecord[];
  /** Places where simply being is a plan, closed ones too, by name; none where it is several days. */
  readonly open_places: readonly OpenVenue[];
}

/**
 * In the order in which they are told; `now` to `later` and `ended` only by the clock. `later` is what
 * is left of the part of the day that goes on; the nightclubs that are open stand with what is on.
 */
const ORDER = [
  'picks',
  'now',
  'now_nightclubs',
  'soon',
  'later',
  'run',
  'morning',
  'afternoon',
  'evening',
  'all_day',
  'begun',
  'daily',
  'nightclubs',
  'ended',
] as const;
export type DayPartKey = (typeof ORDER)[number];

export interface DayPart {
  readonly key: DayPartKey;
  readonly cards: readonly EventCard[];
}

const NOON = 12;
const DUSK = 19;
/** Most days of a run that is news on each of them: a carnival is, an exhibition of three months is not. */
const MAX_RUN_DAYS = 14;
const SOON_HOURS = 2;

/** Whether it is one thing of a few whole days. */
export const isShortRun = ({ next }: EventCard): boolean =>
  next?.all_day === true &&
  next.last_day > next.first_day &&
  next.last_day - next.first_day < MAX_RUN_DAYS;

const EVENING = 20;

/** Whether the night is what there is: it then stands first. */
export const isNightTime = (now_ms: number): boolean =>
  toZoned(now_ms).hour >= EVENING || isAfterMidnight(now_ms);

/** Whether the night before goes on: last night's parties are then what there is. */
export const isAfterMidnight = (now_ms: number): boolean => toZoned(now_ms).hour < NIGHT_ENDS_HOUR;

function toPartOfDay(epoch_ms: number): 'morning' | 'afternoon' | 'evening' {
  const { hour } = toZoned(epoch_ms);
  if (hour < NOON) return 'morning';
  return hour < DUSK ? 'afternoon' : 'evening';
}

/** An event chosen for some days: by an editor with a line of `why`, or for being rare. */
export interface Highlight {
  readonly card: EventCard;
  readonly why: LocalText | null;
  /** Where the day stands among those of a short event; null where it is one of many. */
  readonly standing: 'only' | 'first' | 'last' | null;
}

/** What a page says before its list, and the ids of what is there every day, which it tells in one line. */
export interface Highlights {
  readonly picks: readonly Highlight[];
  readonly daily: readonly string[];
}
export const NO_HIGHLIGHTS: Highlights = { picks: [], daily: [] };

/** A key without cards is no part. */
function toParts(
  cards: readonly EventCard[],
  { picks, daily }: Highlights,
  toKey: (card: EventCard) => DayPartKey,
): readonly DayPart[] {
  const chosen = picks.flatMap(
    (pick) => cards.findLast(({ event }) => event.id === pick.card.event.id) ?? [],
  );
  const rest = cards.filter((card) => !chosen.includes(card));
  const by_key = Map.groupBy(rest, (card) => {
    const key = toKey(card);
    return daily.includes(card.event.id) && key !== 'ended' ? 'daily' : key;
  });
  if (chosen.length > 0) by_key.set('picks', chosen);
  return ORDER.flatMap((key) => {
    const own = by_key.get(key);
    return own ? [{ key, cards: own }] : [];
  });
}

/** Where an event stands on a day whose number is `day`, whatever the hour is. */
function toDayKey(card: EventCard, day: number): DayPartKey {
  const { event, next } = card;
  if (isNightclub(event)) return 'nightclubs';
  if (isShortRun(card)) return 'run';
  if (next !== null && next.first_day < day) return 'begun';
  return next === null || next.all_day ? 'all_day' : toPartOfDay(next.start_ms);
}

/** The events of a day that no clock is needed for, the nightclubs last (contract 1.11). */
export function groupByDayPart({ events, from }: Agenda, front: Highlights): readonly DayPart[] {
  const day = toDayNumber(from);
  return toParts(events, front, (card) => toDayKey(card, day));
}

/** What is called off neither goes on nor begins: it stays with the part it was announced for. */
function toTimedKey(event: EventRecord, next: OccurrenceRecord, now_ms: number): DayPartKey {
  const is_nightclub = isNightclub(event);
  const part = toPartOfDay(next.start_ms);
  if (isCardOver({ event, next }, now_ms)) return 'ended';
  if (isOverByNight(event, next, now_ms)) return 'ended';
  if (next.end_ms <= now_ms) return 'begun';
  if (next.status === 'scheduled' && next.start_ms <= now_ms)
    return is_nightclub ? 'now_nightclubs' : 'now';
  if (is_nightclub) return 'nightclubs';
  if (next.status !== 'scheduled') return part;
  if (next.start_ms <= now_ms + SOON_HOURS * 3_600_000) return 'soon';
  return part === toPartOfDay(now_ms) && !isAfterMidnight(now_ms) ? 'later' : part;
}

/**
 * Today's agenda at an instant, each event once but for those of last night that also take place
 * tonight. Without a front, part `now` with `now_nightclubs` is what `date=now` gives of those with
 * hours (contract 2.10).
 */
export function groupTodayByTime(
  { events, still_on, from }: Pick<Agenda, 'events' | 'still_on' | 'from'>,
  now_ms: number,
  front: Highlights = NO_HIGHLIGHTS,
): readonly DayPart[] {
  const day = toDayNumber(from);
  return toParts([...still_on, ...events], front, (card) => {
    const { event, next } = card;
    if (next === null) return toDayKey(card, day);
    if (!next.all_day) return toTimedKey(event, next, now_ms);
    return isOverByNight(event, next, now_ms) ? 'ended' : toDayKey(card, day);
  });
}

/** A date that began so long ago is no plan of the night, even where nobody knows when it ends. */
const LONG_AGO_HOURS = 4;
/** The tag of what is over by the evening, though nobody knows its hour. */
const DAY_TAG = 'de-dia';

/** In the evening: what began long ago with no known end, or is of the day at an hour that nobody knows. */
function isOverByNight({ tags }: EventRecord, next: OccurrenceRecord, now_ms: number): boolean {
  const { hour } = toZoned(now_ms);
  if (hour < EVENING || next.end_known || next.status !== 'scheduled') return false;
  return next.time_known
    ? next.start_ms < now_ms - LONG_AGO_HOURS * 3_600_000
    : next.first_day === next.last_day && tags.includes(DAY_TAG);
}

/** Most rows of one day, on up to three days and on more; the rest is on the day's own page. */
const MAX_ROWS = { few_days: 20, more_days: 10 } as const;
const FEW_DAYS = 3;
/** Of a longer stretch, what is on so much of its days is told once: Christmas Day alone has less. */
const WEEK_DAYS = 7;
const MOST_DAYS = 1 / 2;
/** What is on so many of the days at one hour is told once, before them. */
const OFTEN_DAYS = 3;

export interface RangeDay {
  readonly day: Temporal.PlainDate;
  /** Its own events in order of time, as many as are shown. */
  readonly cards: readonly EventCard[];
  /** Those of today that are over, in the rows that are left. */
  readonly ended: readonly EventCard[];
  /** How many events take place on it, those of every day and the nightclubs among them. */
  readonly count: number;
}

/** An event on several of the days at one hour, with all of these days as day numbers. */
export interface RepeatingCard {
  readonly card: EventCard;
  readonly days: readonly number[];
}

export interface RangeAgenda {
  /** What takes place on every one of the days or on most, in order of time; all of it, as nothing leads to more. */
  readonly daily: readonly EventCard[];
  /** On which of the days the daily ones are: of a long stretch, on most. */
  readonly usual: 'daily' | 'most_days';
  readonly often: readonly RepeatingCard[];
  readonly days: readonly RangeDay[];
  readonly nightclubs: readonly EventCard[];
}

const touches = ({ first_day, last_day }: OccurrenceRecord, day: number): boolean =>
  first_day <= day && last_day >= day;

/** Whether a card speaks of a time that is over at an instant; never where no instant is known. */
export const isCardOver = (
  { event, next }: Pick<EventCard, 'event' | 'next'>,
  now_ms: number | null,
): boolean => {
  if (now_ms === null || next === null || next.end_ms > now_ms) return false;
  // An end that is only assumed ends nothing that anybody may still be at.
  return next.end_known || next.all_day || next.status !== 'scheduled' || isNightclub(event);
};

/**
 * The days of an agenda; `occurrences` are all of its range, in order of time. Where a day has more
 * than are shown, what it has for itself goes before what returns on other days, and what is over at
 * `now_ms` (null where no instant is known) comes last.
 */
export function groupRangeByDay(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null,
): RangeAgenda {
  const [first, last] = [toDayNumber(agenda.from), toDayNumber(agenda.to)];
  const days = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const max = days.length <= FEW_DAYS ? MAX_ROWS.few_days : MAX_ROWS.more_days;
  const { others, nightclubs } = separateNightclubs(agenda.events);
  const by_event = Map.groupBy(occurrences, ({ event }) => event);
  const is_long = days.length > WEEK_DAYS;
  const least = is_long ? days.length * MOST_DAYS : days.length;
  const isDaily = ({ event }: EventCard): boolean => {
    const own = by_event.get(event.id) ?? [];
    return (
      days.length > 1 &&
      own.every(({ status }) => status === 'scheduled') &&
      days.filter((day) => own.some((one) => touches(one, day))).length >= least
    );
  };
  const daily = others.filter(isDaily);
  const often = others
    .filter((card) => !daily.includes(card))
    .map((card) => ({ card, days: findOftenDays(by_event.get(card.event.id) ?? [], now_ms) }))
    .filter((one) => one.days.length >= OFTEN_DAYS);
  const told = new Set([...daily, ...often.map(({ card }) => card)]);
  const single = new Map(
    others.filter((card) => !told.has(card)).map((card) => [card.event.id, card] as const),
  );
  const toDay = (day: number): RangeDay => {
    const on_day = occurrences.filter((one) => touches(one, day));
    const own = on_day.filter(({ first_day }) => Math.max(first_day, first) === day);
    const firsts = toFirsts(own, single, now_ms);
    const pick = pickRarest(by_event);
    const cards = pick(
      firsts.filter((card) => !isCardOver(card, now_ms)),
      max,
    );
    const over = firsts.filter((card) => isCardOver(card, now_ms));
    return {
      day: fromDayNumber(day),
      cards,
      ended: pick(over, max - cards.length),
      count: new Set(on_day.map(({ event }) => event)).size,
    };
  };
  return {
    daily,
    usual: is_long ? 'most_days' : 'daily',
    often,
    days: days.map(toDay),
    nightclubs,
  };
}

/** The days that an event has at one hour, all of them or none; without those that are over. */
function findOftenDays(
  dates: readonly OccurrenceRecord[],
  now_ms: number | null,
): readonly number[] {
  // What one of its dates says for itself, a note or that it is confirmed, is not told of all.
  const toHour = ({ start_ms, end_ms, ...one }: OccurrenceRecord): string =>
    JSON.stringify([
      one.time_known,
      one.all_day,
      // As clocks show it: a day on which they change is an hour shorter or longer.
      ...[start_ms, end_ms].map((moment_ms) => `${toLocalTime(moment_ms)}`),
      one.notes,
      one.certainty,
    ]);
  const is_alike = dates.every(
    (one) =>
      one.status === 'scheduled' &&
      one.first_day === one.last_day &&
      dates[0] !== undefined &&
      toHour(one) === toHour(dates[0]),
  );
  const ahead = dates.filter(({ end_ms }) => now_ms === null || end_ms > now_ms);
  return is_alike ? [...new Set(ahead.map(({ first_day }) => first_day))] : [];
}

/** The events of one day, each with the date of it that speaks for it. */
const toFirsts = (
  own: readonly OccurrenceRecord[],
  cards: ReadonlyMap<string, EventCard>,
  now_ms: number | null,
): readonly EventCard[] =>
  [...Map.groupBy(own, ({ event }) => event)].flatMap(([event, dates]) => {
    const card = cards.get(event);
    return card ? [{ ...card, ...findNextDate(dates, now_ms ?? Number.NEGATIVE_INFINITY) }] : [];
  });

/** Keeps at most `max` of some events, those with the fewest dates. */
const pickRarest =
  (by_event: ReadonlyMap<string, readonly OccurrenceRecord[]>) =>
  (cards: readonly EventCard[], max: number): readonly EventCard[] => {
    const dates = ({ event }: EventCard): number => by_event.get(event.id)?.length ?? 0;
    const kept = new Set([...cards].sort((a, b) => dates(a) - dates(b)).slice(0, max));
    return cards.filter((card) => kept.has(card));
  };

/** `unknown`: it opens on that day, at hours that nobody knows, or may be open still. */
const PLACE_STATES = ['open', 'later', 'unknown', 'over', 'closed'] as const;
type PlaceState = (typeof PLACE_STATES)[number];

/** A place with how it stands, and the span that says so: the one under way or the next. */
export interface VenueOpenState {
  readonly place: OpenVenue;
  readonly state: PlaceState;
  readonly span: OpenPeriod | null;
}

function toState(
  { on_day: { opening } }: OpenVenue,
  now_ms: number,
): Omit<VenueOpenState, 'place'> {
  const { is_open, spans } = opening;
  if (!is_open) return { state: 'closed', span: null };
  const ahead = spans.find(({ open_ms }) => open_ms > now_ms);
  const begun = spans.findLast(({ open_ms }) => open_ms <= now_ms);
  if (begun && begun.close_ms !== null && now_ms < begun.close_ms)
    return { state: 'open', span: begun };
  if (ahead) return { state: 'later', span: ahead };
  if (begun?.close_ms === null || spans.length === 0)
    return { state: 'unknown', span: begun ?? null };
  return { state: 'over', span: null };
}

/**
 * The places of today at an instant: those that are open first, those that are not last; by night without
 * those that nobody knows to be open.
 */
export function groupVenuesByOpenState(
  places: readonly OpenVenue[],
  now_ms: number,
): readonly VenueOpenState[] {
  return places
    .map((place) => ({ place, ...toState(place, now_ms) }))
    .filter(({ state }) => state !== 'unknown' || !isNightTime(now_ms))
    .sort((a, b) => PLACE_STATES.indexOf(a.state) - PLACE_STATES.indexOf(b.state));
}
