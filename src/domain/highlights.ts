// What is chosen for some days, and what is there on every day: by an editor's hand, or by how rare it is. Pure.
import type { Highlight, EventCard, Highlights } from './agenda.ts';
import { type DayRange, parseDay, toDayNumber } from './local-time.ts';
import { isNightclub, type OccurrenceRecord } from './event/event.ts';
import { getEffectiveStatus, isDateConfirmed } from './event/facts.ts';

const MAX_PICKS = 3;
/** How rare an event is, is counted in the year around a day. */
const HALF_YEAR_DAYS = 183;
/** What takes place on more days of it than a weekly market is no news. */
const MAX_RARE_DAYS = 60;
/** So many days on end are one event, whose first and last day say something. */
const MAX_SHORT_DAYS = 14;
/** What begins anew on so many days of the year, and on so many of seven, is there every day. */
const MIN_DAILY_DAYS = 31;
const DAILY_SHARE = 6 / 7;
/** Fewer need no line that folds them. */
const MIN_DAILY = 3;

const toSpan = (days: readonly number[]): number => (days.at(-1) ?? 0) - (days[0] ?? 0) + 1;

function toStanding(days: readonly number[], day: number): Highlight['standing'] {
  if (days.length > MAX_SHORT_DAYS || days.length < toSpan(days)) return null;
  if (days.length === 1) return 'only';
  return day === days[0] ? 'first' : day === days.at(-1) ? 'last' : null;
}

/** The days of the year around one on which something takes place, in order. */
function listDays(dates: readonly OccurrenceRecord[], day: number): readonly number[] {
  const on = dates.filter(({ status }) => status === 'scheduled');
  const all = on.flatMap(({ first_day, last_day }) =>
    Array.from({ length: last_day - first_day + 1 }, (_, at) => first_day + at),
  );
  return [...new Set(all)]
    .filter((one) => Math.abs(one - day) <= HALF_YEAR_DAYS)
    .sort((a, b) => a - b);
}

/** An event with the date that speaks for it: where editors chose one of these days, that of this day. */
function toCandidate(
  card: EventCard,
  next: OccurrenceRecord,
  dates: readonly OccurrenceRecord[],
  range: DayRange,
) {
  const [from, to] = [toDayNumber(range.from), toDayNumber(range.to)];
  const { featured } = card.event;
  const chosen = featured?.dates.flatMap((text) => {
    const day = parseDay(text);
    const number = day === null ? 0 : toDayNumber(day);
    return number >= from && number <= to ? [number] : [];
  });
  const is_chosen = featured !== null && (featured.dates.length === 0 || chosen?.length !== 0);
  const date = dates.find(({ first_day, last_day }) =>
    chosen?.some((day) => first_day <= day && day <= last_day),
  );
  const told = date ?? next;
  const day = Math.max(from, told.first_day);
  const days = listDays(dates, day);
  return {
    card: { ...card, next: told },
    next: told,
    why: is_chosen ? featured.why : null,
    standing: toStanding(days, day),
    days,
    is_daily:
      next.first_day === next.last_day &&
      days.length >= MIN_DAILY_DAYS &&
      days.length >= toSpan(days) * DAILY_SHARE,
  };
}

/**
 * The front of some days: what editors chose for them, then what takes place on the fewest days of the
 * year, of these first what is confirmed, then what begins first. Nothing called off, over at `now_ms`, a
 * nightclub, there every day or for weeks is rare.
 */
export function pickHighlights(
  cards: readonly EventCard[],
  datesOf: (event: string) => readonly OccurrenceRecord[],
  range: DayRange,
  now_ms: number,
): Highlights {
  const held = cards
    .flatMap((card) =>
      card.next === null || isNightclub(card.event)
        ? []
        : [toCandidate(card, card.next, datesOf(card.event.id), range)],
    )
    .filter(({ card }) => getEffectiveStatus(card.event, card.next) === null);
  const ahead = held
    .filter(({ next }) => next.end_ms > now_ms)
    .sort(
      (a, b) =>
        a.days.length - b.days.length ||
        Number(isDateConfirmed(b.card)) - Number(isDateConfirmed(a.card)) ||
        a.next.start_ms - b.next.start_ms ||
        (a.card.event.id < b.card.event.id ? -1 : 1),
    );
  const chosen = ahead.filter(({ why }) => why !== null);
  const rare = ahead.filter(
    ({ is_daily, days, next, why }) =>
      why === null &&
      !is_daily &&
      days.length <= MAX_RARE_DAYS &&
      next.last_day - next.first_day < MAX_SHORT_DAYS,
  );
  const daily = held.filter(({ is_daily }) => is_daily).map(({ card }) => card.event.id);
  return {
    picks: [...chosen, ...rare]
      .slice(0, MAX_PICKS)
      .map(({ card, why, standing }) => ({ card, why, standing })),
    daily: daily.length < MIN_DAILY ? [] : daily,
  };
}

/**
 * Up to three for a poster of some days: what is chosen, then what is not there every day, then the rest; of
 * what looks alike the first before any other. Nothing called off, no nightclub.
 */
export function pickPosterEvents(cards: readonly EventCard[], { picks, daily }: Highlights) {
  const chosen = picks.map(({ card }) => card);
  const isOther = ({ event, next }: EventCard): boolean =>
    !isNightclub(event) &&
    getEffectiveStatus(event, next) === null &&
    !chosen.some((card) => card.event.id === event.id);
  const others = cards.filter(isOther);
  const isDaily = ({ event }: EventCard): boolean => daily.includes(event.id);
  const all = [...chosen, ...others.filter((card) => !isDaily(card)), ...others.filter(isDaily)];
  const looks = all.map(({ motif, event }) => (event.image?.held ? event.id : motif?.key));
  const isFirst = (_: EventCard, at: number): boolean => looks.indexOf(looks[at]) === at;
  const unlike = all.filter(isFirst);
  return [...unlike, ...all.filter((card) => !unlike.includes(card))].slice(0, MAX_PICKS);
}
