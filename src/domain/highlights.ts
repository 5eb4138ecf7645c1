// Highlights: picks up to three events for the top of an agenda, those that an editor featured
// first, then rare ones (on few days of the year); and finds the events that take place every day.
import type { Highlight, EventCard, Highlights } from './agenda.ts';
import { type DayRange, parseDay, toDayNumber } from './local-time.ts';
import {
  admitsNewcomers,
  closesSoon,
  isNightclub,
  isSeason,
  type OccurrenceRecord,
} from './event/event.ts';
import { getEffectiveStatus, isDateConfirmed } from './event/facts.ts';

/** Most highlights of an agenda, and most pictures on a poster. */
const MAX_HIGHLIGHTS = 3;
/** Rarity counts the days of an event in the year around a day: this many before and after it. */
const RARITY_WINDOW_DAYS = 183;
/** An event on more days of that year is not rare: slightly more than a weekly market. */
const MAX_RARE_DAYS = 60;
/**
 * An event on up to this many consecutive days has its first and last day marked; a longer one is
 * not rare.
 */
const MAX_SHORT_DAYS = 14;
/**
 * An event counts as daily if it begins on at least this many days of the year, and on this share
 * of their span.
 */
const MIN_DAILY_DAYS = 31;
const DAILY_SHARE = 6 / 7;
/** With fewer daily events, the agenda lists each instead of folding them into one line. */
const MIN_DAILY_EVENTS = 3;

/** Counts the days from the first to the last of sorted day numbers, with the gaps between them. */
const spanLength = (days: readonly number[]): number => (days.at(-1) ?? 0) - (days[0] ?? 0) + 1;

/**
 * Returns the position of a day in an event of few consecutive days; null if it has more days, or
 * gaps.
 */
function findRunPosition(days: readonly number[], day: number): Highlight['run_position'] {
  if (days.length > MAX_SHORT_DAYS || days.length < spanLength(days)) return null;
  if (days.length === 1) return 'only';
  if (day === days[0]) return 'first';
  return day === days.at(-1) ? 'last' : null;
}

/** Lists the distinct day numbers of the scheduled dates in the year around `day`, in order. */
function listDays(dates: readonly OccurrenceRecord[], day: number): readonly number[] {
  const scheduled = dates.filter(({ status }) => status === 'scheduled');
  const all_days = scheduled.flatMap(({ first_day, last_day }) =>
    Array.from({ length: last_day - first_day + 1 }, (_, index) => first_day + index),
  );
  return [...new Set(all_days)]
    .filter((other) => Math.abs(other - day) <= RARITY_WINDOW_DAYS)
    .sort((a, b) => a - b);
}

/**
 * Builds a candidate for a highlight: an event with a date and the days by which its rarity is
 * measured. The date is the featured one, if it is in the range, or else `next`. A featured event
 * without listed dates is featured on each of its days.
 */
function buildCandidate(
  card: EventCard,
  next: OccurrenceRecord,
  dates: readonly OccurrenceRecord[],
  range: DayRange,
) {
  const [from, to] = [toDayNumber(range.from), toDayNumber(range.to)];
  const { featured } = card.event;
  const featured_days = featured?.dates.flatMap((text) => {
    const day = parseDay(text);
    const number = day === null ? 0 : toDayNumber(day);
    return number >= from && number <= to ? [number] : [];
  });
  const is_featured =
    featured !== null && (featured.dates.length === 0 || featured_days?.length !== 0);
  const featured_date = dates.find(({ first_day, last_day }) =>
    featured_days?.some((day) => first_day <= day && day <= last_day),
  );
  const date = featured_date ?? next;
  const day = Math.max(from, date.first_day);
  const days = listDays(dates, day);
  return {
    card: { ...card, next: date },
    next: date,
    why: is_featured ? featured.why : null,
    run_position: findRunPosition(days, day),
    days,
    is_daily:
      next.first_day === next.last_day &&
      days.length >= MIN_DAILY_DAYS &&
      days.length >= spanLength(days) * DAILY_SHARE,
  };
}

/**
 * Picks the highlights of a range: featured events first, then those on the fewest days of the
 * year; confirmed before unconfirmed, then by start; last, the events that close soon. Events that
 * are cancelled, closed to newcomers at `now_ms`, nightclubs, seasons, daily or weeks long are not rare.
 */
export function pickHighlights(
  cards: readonly EventCard[],
  datesOf: (event: string) => readonly OccurrenceRecord[],
  range: DayRange,
  now_ms: number,
): Highlights {
  const candidates = cards
    .flatMap((card) =>
      card.next === null || isNightclub(card.event) || isSeason(card)
        ? []
        : [buildCandidate(card, card.next, datesOf(card.event.id), range)],
    )
    .filter(({ card }) => getEffectiveStatus(card.event, card.next) === null);
  const upcoming = candidates
    .filter(({ next }) => admitsNewcomers(next, now_ms))
    .sort(
      (a, b) =>
        a.days.length - b.days.length ||
        Number(isDateConfirmed(b.card)) - Number(isDateConfirmed(a.card)) ||
        a.next.start_ms - b.next.start_ms ||
        (a.card.event.id < b.card.event.id ? -1 : 1),
    );
  const featured = upcoming.filter(({ why }) => why !== null);
  const rare = upcoming.filter(
    ({ is_daily, days, next, why }) =>
      why === null &&
      !is_daily &&
      days.length <= MAX_RARE_DAYS &&
      next.last_day - next.first_day < MAX_SHORT_DAYS,
  );
  const isAlmostOver = ({ next }: (typeof upcoming)[number]): boolean =>
    closesSoon(next.start_ms, next.last_entry_ms ?? next.end_ms, now_ms);
  const daily = candidates.filter(({ is_daily }) => is_daily).map(({ card }) => card.event.id);
  return {
    picks: [...featured, ...rare]
      .toSorted((a, b) => Number(isAlmostOver(a)) - Number(isAlmostOver(b)))
      .slice(0, MAX_HIGHLIGHTS)
      .map(({ card, why, run_position }) => ({ card, why, run_position })),
    daily: daily.length < MIN_DAILY_EVENTS ? [] : daily,
  };
}

/**
 * Picks up to three events for a poster: highlights, then non-daily events, then daily ones. An
 * event with a picture or motif already picked comes after all others. Cancelled events and
 * nightclubs are left out.
 */
export function pickPosterEvents(cards: readonly EventCard[], { picks, daily }: Highlights) {
  const highlighted = picks.map(({ card }) => card);
  const isOther = ({ event, next }: EventCard): boolean =>
    !isNightclub(event) &&
    !isSeason({ event, next }) &&
    getEffectiveStatus(event, next) === null &&
    !highlighted.some((card) => card.event.id === event.id);
  const others = cards.filter(isOther);
  const isDaily = ({ event }: EventCard): boolean => daily.includes(event.id);
  const all = [
    ...highlighted,
    ...others.filter((card) => !isDaily(card)),
    ...others.filter(isDaily),
  ];
  // Events without a picture of their own share their motif.
  const picture_keys = all.map(({ motif, event }) => (event.image?.held ? event.id : motif?.key));
  const hasNewPicture = (_: EventCard, index: number): boolean =>
    picture_keys.indexOf(picture_keys[index]) === index;
  const distinct = all.filter(hasNewPicture);
  return [...distinct, ...all.filter((card) => !distinct.includes(card))].slice(0, MAX_HIGHLIGHTS);
}
