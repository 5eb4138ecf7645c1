// How today's events are told by the clock: what is on, what begins soon, what comes
// later, what is over. Page, Markdown and MCP say the same from here. Pure.
import type { Agenda, EventCard } from '../agenda.ts';
import { NIGHT_ENDS_HOUR, toCancun, toDayNumber } from '../cancun-time.ts';
import { isNightclub } from '../event/nightclub.ts';
import {
  type DayPartKey,
  isRun,
  type Part,
  toDayPartKey,
  toPartOfDay,
  toParts,
} from './day-parts.ts';

/** What begins within so many hours begins soon. */
const SOON_HOURS = 2;

/**
 * `later` is what is left of the part of the day that goes on; the nightclubs that are open stand
 * with what is on, the others last but for what has ended.
 */
export type HourPartKey = DayPartKey | 'now' | 'now_nightclubs' | 'soon' | 'later' | 'ended';
export type HourPart = Part<HourPartKey>;

const ORDER = [
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
  'nightclubs',
  'ended',
] as const;

/** Whether the night before goes on: last night's parties are then what there is. */
export const isSmallHours = (now_ms: number): boolean => toCancun(now_ms).hour < NIGHT_ENDS_HOUR;

/** Whether the hours of an occurrence are known, so that it can be on, to come or over. */
const isTimed = ({ next }: EventCard): boolean => next !== null && !next.all_day;

/**
 * Where an event with hours stands at an instant. What was cancelled or postponed neither goes on nor
 * begins: it stays, marked, with the part of the day that it was announced for.
 */
function toTimedKey(card: EventCard, now_ms: number): HourPartKey {
  const { start_ms = 0, end_ms = 0, status } = card.next ?? {};
  if (end_ms <= now_ms) return 'ended';
  if (status !== 'scheduled') return isNightclub(card.event) ? 'nightclubs' : toDayPartKey(card);
  if (start_ms <= now_ms) return isNightclub(card.event) ? 'now_nightclubs' : 'now';
  if (isNightclub(card.event)) return 'nightclubs';
  if (start_ms <= now_ms + SOON_HOURS * 3_600_000) return 'soon';
  const part = toDayPartKey(card);
  return part === toPartOfDay(now_ms) && !isSmallHours(now_ms) ? 'later' : part;
}

/**
 * Today's agenda at an instant, each event once but for those of last night that also take place
 * tonight. Part `now` with `now_nightclubs` is what `date=now` gives of those with hours
 * (contract 2.10).
 */
export function splitByHour(
  { events, still_on, from }: Pick<Agenda, 'events' | 'still_on' | 'from'>,
  now_ms: number,
): readonly HourPart[] {
  const day = toDayNumber(from);
  return toParts<HourPartKey>(ORDER, [...still_on, ...events], (card) => {
    if (isTimed(card)) return toTimedKey(card, now_ms);
    if (isNightclub(card.event)) return 'nightclubs';
    if (isRun(card)) return 'run';
    return card.next !== null && card.next.first_day < day ? 'begun' : 'all_day';
  });
}
