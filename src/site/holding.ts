// Until when a page that a release has ready says what it would say if it were rendered anew
// (contract 11.10).
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { fromDayNumber, startOfDayMs, toCancunDay, toDayNumber } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { findRegularity } from '../domain/event/regularity.ts';
import { SITEMAP_PATH, toPagePath } from '../i18n/paths.ts';
import { LANGS } from '../domain/lang.ts';
import { listWithEvents } from '../snapshot/count-events.ts';
import type { AgendaRequest } from './agenda.ts';
import { resolvePath } from './answer.ts';
import { toPageOf } from './answer-digest.ts';
import { parsePagePath } from './page-request.ts';
import type { SiteState } from './state.ts';

type Asked = Pick<SiteState, 'snapshot' | 'now_ms'>;

/** The pages of the docs whose examples are of events ahead, and what lists the days ahead. */
const OF_TODAY: ReadonlySet<string> = new Set([
  SITEMAP_PATH,
  ...LANGS.flatMap((lang) => [toPagePath('docs', lang), toPagePath('docs_calendars', lang)]),
]);

/** The beginning of a day in Cancún, so many days after that of an instant. */
const toMidnight = (now_ms: number, days: number): number =>
  startOfDayMs(toCancunDay(now_ms).add({ days }));

const earliest = (instants: Iterable<number>): number => {
  let first = Number.POSITIVE_INFINITY;
  for (const instant of instants) if (instant < first) first = instant;
  return first;
};

/** When the first of some dates ends that has not. */
const findEnd = (dates: readonly OccurrenceRecord[], now_ms: number): number =>
  earliest(dates.map(({ end_ms }) => end_ms).filter((end_ms) => end_ms > now_ms));

/** What an event keeps to is told from today on: the first of two midnights at which it is another. */
function findRuleTurn({ event, occurrences, regularity }: EventDetail, now_ms: number): number {
  if (event.habit.length === 0) return Number.POSITIVE_INFINITY;
  const next_ms = toMidnight(now_ms, 1);
  const then = findRegularity(event.habit, occurrences, next_ms);
  return JSON.stringify(then) === JSON.stringify(regularity) ? toMidnight(now_ms, 2) : next_ms;
}

/** An event: until a date ends, what it keeps to turns, or a year that stood in no date does. */
function findEventTurn(detail: EventDetail, now_ms: number): number {
  const end_ms = findEnd(detail.occurrences, now_ms);
  const year_ms = startOfDayMs(toCancunDay(now_ms).with({ month: 12, day: 31 }).add({ days: 1 }));
  const known_ms = Math.min(end_ms, year_ms);
  return known_ms <= toMidnight(now_ms, 1)
    ? known_ms
    : Math.min(known_ms, findRuleTurn(detail, now_ms));
}

/** A list of what comes up: until a date of one of them ends, or one of several days has begun. */
function findListTurn(
  { snapshot: { index, occurrences_of, positionOf }, now_ms }: Asked,
  cards: readonly EventCard[],
): number {
  const turns = cards.flatMap(({ event, next }) => {
    const position = positionOf(event.id) ?? -1;
    const { members, offsets } = occurrences_of;
    const dates = members.subarray(offsets[position] ?? 0, offsets[position + 1] ?? 0);
    const ends = Array.from(dates, (date) => index.end_ms[date] ?? 0);
    const is_long = next !== null && next.last_day > next.first_day;
    return is_long ? [...ends, startOfDayMs(fromDayNumber(next.first_day + 1))] : ends;
  });
  return earliest(turns.filter((turn_ms) => turn_ms > now_ms));
}

/** Epoch ms; infinite for what the clock does not decide. */
function findTurn(state: SiteState, path: string): number {
  const { now_ms } = state;
  if (OF_TODAY.has(path)) return toMidnight(now_ms, 1);
  const result = resolvePath(state, path);
  switch (result?.kind) {
    case 'event':
    case 'dates':
      return findEventTurn(result.page.detail, now_ms);
    case 'venue':
    case 'organizer':
      return findListTurn(state, result.page.cards);
    case 'taxon':
      // Which of the others have any is of the day.
      return Math.min(findListTurn(state, result.page.cards), toMidnight(now_ms, 1));
    case 'agenda':
      return toMidnight(now_ms, 1);
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** Pages that say nothing of what is elsewhere. */
const EXACT: ReadonlySet<string> = new Set(['event', 'venue', 'organizer', 'notices', 'data']);

/** The categories and zones with something ahead, which stand in every list, as one text. */
export const toWaysIn = (state: Asked): string => JSON.stringify([...listWithEvents(state)]);

/**
 * Whether a page or document stays the same to the byte as long as it holds, at any instant, or at this
 * one as at the one when its ways in were `ways_before`: days ahead hold with those. Lists that begin
 * today and docs say numbers and examples that may lag behind within a day.
 */
export function holdsExactly(state: SiteState, path: string, ways_before: string): boolean {
  const page = toPageOf(path);
  const request = parsePagePath(page, state.now_ms);
  if (request === null) return !OF_TODAY.has(page);
  return request.kind === 'agenda'
    ? isAhead(request, state.now_ms) && toWaysIn(state) === ways_before
    : EXACT.has(request.kind);
}

/** Nothing of it can have ended before its first midnight. */
const isAhead = ({ range }: AgendaRequest, now_ms: number): boolean =>
  toDayNumber(range.from) > toDayNumber(toCancunDay(now_ms));

/**
 * The instant at which the page at a path, rendered at `state.now_ms`, or its Markdown, is to be
 * rendered anew, epoch ms; null where only another release changes it. Within a day the ways in
 * at their foot may lag behind.
 */
export function holdsUntil(state: SiteState, path: string): number | null {
  const turn_ms = findTurn(state, toPageOf(path));
  return Number.isFinite(turn_ms) ? turn_ms : null;
}
