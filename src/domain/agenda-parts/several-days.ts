// How several days are told: what there is on every day once, then each day with what it has of its
// own, the nightclubs last. Pure.
import type { Temporal } from 'temporal-polyfill';
import type { Agenda, EventCard } from '../agenda.ts';
import { fromDayNumber, toDayNumber } from '../cancun-time.ts';
import { type OccurrenceRecord, pickNext } from '../event/event.ts';
import { foldNightclubs } from '../event/nightclub.ts';

/** Most rows of one day, on up to three days and on more; the rest is on the day's own page. */
const MAX_ROWS = { few_days: 20, more_days: 10 } as const;
const FEW_DAYS = 3;

export interface DayOfSeveral {
  readonly day: Temporal.PlainDate;
  /** Its own events in order of time, as many as are shown. */
  readonly cards: readonly EventCard[];
  /** Those of today that are over, in the rows that are left. */
  readonly ended: readonly EventCard[];
  /** How many events take place on it, those of every day and the nightclubs among them. */
  readonly count: number;
}

export interface SeveralDays {
  /** What takes place on every one of the days, in order of time, as many as are shown. */
  readonly daily: readonly EventCard[];
  /** How many do, shown or not. */
  readonly daily_count: number;
  readonly days: readonly DayOfSeveral[];
  readonly nightclubs: readonly EventCard[];
}

const touches = ({ first_day, last_day }: OccurrenceRecord, day: number): boolean =>
  first_day <= day && last_day >= day;

/** Whether a card speaks of a time that is over at an instant; never where no instant is known. */
export const isOver = ({ next }: EventCard, now_ms: number | null): boolean =>
  now_ms !== null && next !== null && next.end_ms <= now_ms;

/**
 * The days of an agenda; `occurrences` are all of its range, in order of time. Where a day has more
 * than are shown, what it has for itself goes before what returns on other days, and what is over at
 * `now_ms` (null where no instant is known) comes last.
 */
export function splitDays(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null = null,
): SeveralDays {
  const [first, last] = [toDayNumber(agenda.from), toDayNumber(agenda.to)];
  const days = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const max = days.length <= FEW_DAYS ? MAX_ROWS.few_days : MAX_ROWS.more_days;
  const { others, nightclubs } = foldNightclubs(agenda.events);
  const by_event = Map.groupBy(occurrences, ({ event }) => event);
  const isDaily = ({ event }: EventCard): boolean => {
    const own = by_event.get(event.id) ?? [];
    return (
      days.length > 1 &&
      own.every(({ status }) => status === 'scheduled') &&
      days.every((day) => own.some((one) => touches(one, day)))
    );
  };
  const daily = others.filter(isDaily);
  const single = new Map(
    others.filter((card) => !daily.includes(card)).map((card) => [card.event.id, card] as const),
  );
  const toDay = (day: number): DayOfSeveral => {
    const on_day = occurrences.filter((one) => touches(one, day));
    const own = on_day.filter(({ first_day }) => Math.max(first_day, first) === day);
    const firsts = toFirsts(own, single, now_ms);
    const pick = pickRarest(by_event);
    const cards = pick(
      firsts.filter((card) => !isOver(card, now_ms)),
      max,
    );
    const over = firsts.filter((card) => isOver(card, now_ms));
    return {
      day: fromDayNumber(day),
      cards,
      ended: pick(over, max - cards.length),
      count: new Set(on_day.map(({ event }) => event)).size,
    };
  };
  return {
    daily: daily.slice(0, max),
    daily_count: daily.length,
    days: days.map(toDay),
    nightclubs,
  };
}

/** The events of one day, each with the date of it that speaks for it. */
const toFirsts = (
  own: readonly OccurrenceRecord[],
  cards: ReadonlyMap<string, EventCard>,
  now_ms: number | null,
): readonly EventCard[] =>
  [...Map.groupBy(own, ({ event }) => event)].flatMap(([event, dates]) => {
    const card = cards.get(event);
    return card ? [{ ...card, ...pickNext(dates, now_ms ?? Number.NEGATIVE_INFINITY) }] : [];
  });

/** Keeps at most `max` of some events, those with the fewest dates. */
const pickRarest =
  (by_event: ReadonlyMap<string, readonly OccurrenceRecord[]>) =>
  (cards: readonly EventCard[], max: number): readonly EventCard[] => {
    const dates = ({ event }: EventCard): number => by_event.get(event.id)?.length ?? 0;
    const kept = new Set([...cards].sort((a, b) => dates(a) - dates(b)).slice(0, max));
    return cards.filter((card) => kept.has(card));
  };
