// Agenda: loads events, notices, highlights and open venues of a range of days for pages, their
// Markdown and the MCP tool `eventos_hoy` (contract 1.2), and the notice board of a day: its
// notices, grouped by the time until they start (contract 8.8).
import type { Temporal } from 'temporal-polyfill';
import {
  compareNotices,
  type NoticeBoard,
  type NoticeRecord,
  buildNoticeBoard,
} from '../domain/notice.ts';
import {
  type Agenda,
  type AskFirst,
  findAskFirst,
  type EventCard,
  type Highlights,
} from '../domain/agenda.ts';
import {
  floorToMinute,
  startOfDayMs,
  toLocalDay,
  toDayNumber,
  type DayRange,
} from '../domain/local-time.ts';
import { pickHighlights } from '../domain/highlights.ts';
import {
  hasEventOnlyFilter,
  type EventFilter,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { resolveHourKeyword } from '../domain/query/date-range.ts';
import type { Lang } from '../domain/lang.ts';
import { findEvents } from './find-events.ts';
import type { Snapshot } from './open-snapshot.ts';
import { findOpenVenues } from './find-directory.ts';
import { matchWords } from './word-index.ts';

/** Maximum events of an agenda, which has no further pages. */
export const MAX_AGENDA_EVENTS = 1_000;

/**
 * Finds the ongoing events that started last night, which a list of today does not have (contract
 * 2.3). Empty unless the filter's days start today.
 */
export function findOngoingEvents(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): readonly EventCard[] {
  const today = toLocalDay(filter.now_ms);
  const { range, hours } = filter;
  if (hours !== null || !range?.from.equals(today)) return [];
  const on_now = { ...filter, hours: resolveHourKeyword('now', filter.now_ms), after: null };
  return findEvents(snapshot, on_now, lang).cards.filter(
    ({ next }) => next !== null && next.last_day < toDayNumber(today),
  );
}

/**
 * Loads one card per event, in order of its next occurrence in the range, the notices that overlap
 * the range, and for a single day the open venues.
 * @param base_filter Further filters of the events. Open venues are omitted if it uses filters that
 * only events have (contract 4.14).
 */
export function loadAgenda(
  snapshot: Snapshot,
  range: DayRange,
  now_ms: number,
  lang: Lang,
  base_filter: EventFilter = unfilteredEventFilter(floorToMinute(now_ms), MAX_AGENDA_EVENTS),
): Agenda {
  const filter = { ...base_filter, limit: MAX_AGENDA_EVENTS, range };
  const includes_venues = range.from.equals(range.to) && !hasEventOnlyFilter(filter);
  return {
    ...range,
    events: findEvents(snapshot, filter, lang).cards,
    ongoing: findOngoingEvents(snapshot, filter, lang),
    notices: findNotices(snapshot, range.from, range.to),
    open_places: includes_venues ? findOpenVenues(snapshot, range.from, filter) : [],
  };
}

/** Finds the events to ask about on the days of a range. */
export function loadAskFirst({ index }: Snapshot, range: DayRange, now_ms: number): AskFirst {
  const stored = index.cards.map(({ event }, position) => ({
    event,
    dates: index.dates[position] ?? [],
  }));
  return findAskFirst(stored, range, now_ms);
}

/** Picks the highlights of an agenda's days. */
export const findHighlights = (
  { index }: Snapshot,
  { events, ...range }: DayRange & Pick<Agenda, 'events'>,
  now_ms: number,
): Highlights =>
  pickHighlights(events, (id) => index.dates[index.positions.get(id) ?? -1] ?? [], range, now_ms);

/**
 * Finds the notices of a range of days (`to` is inclusive): alerts first, then warnings, info, and
 * the newest.
 */
export function findNotices(
  snapshot: Snapshot,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate = from,
): readonly NoticeRecord[] {
  const [from_ms, until_ms] = [startOfDayMs(from), startOfDayMs(to.add({ days: 1 }))];
  return [...snapshot.notices.values()]
    .filter(({ start_ms, end_ms }) => start_ms < until_ms && (end_ms === null || end_ms > from_ms))
    .sort(compareNotices);
}

/** Upcoming notices end after this many days; the search finds a year of them (contract 8.8). */
const BOARD_DAYS = 60;
const SEARCH_DAYS = 365;

/** Loads the notices of a day, of the next day, and of the next 30 and 60 days. */
export const loadNoticeBoard = (
  snapshot: Snapshot,
  day: Temporal.PlainDate,
  days = BOARD_DAYS,
): NoticeBoard => buildNoticeBoard(day, findNotices(snapshot, day, day.add({ days })));

/**
 * Searches the notice board for words, in the order of the board (contract 7.13 to 7.15).
 * @param is_exact Returns no notice if words match only with a spelling correction.
 */
export function searchNotices(
  snapshot: Snapshot,
  words: readonly string[],
  day: Temporal.PlainDate,
  is_exact = false,
): readonly NoticeRecord[] {
  const ids = [...snapshot.notices.keys()];
  const { marks, spellings } = matchWords(snapshot.word_indexes.notice, words, ids.length);
  if (is_exact && spellings.length > 0) return [];
  const matching_ids = new Set(ids.filter((_, index) => marks[index] === 1));
  const { today, in_season, tomorrow, soon, later } = loadNoticeBoard(snapshot, day, SEARCH_DAYS);
  return [today, tomorrow, in_season, soon, later].flat().filter(({ id }) => matching_ids.has(id));
}
