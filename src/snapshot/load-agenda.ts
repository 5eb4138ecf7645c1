// The agenda of a range of days: what pages, their Markdown and `eventos_hoy` say (contract 1.2). The notices
// that touch it, and the board of a day (contract 8.8).
import type { Temporal } from 'temporal-polyfill';
import {
  compareNotices,
  type NoticeBoard,
  type NoticeRecord,
  buildNoticeBoard,
} from '../domain/notice.ts';
import type { Agenda, EventCard, Highlights } from '../domain/agenda.ts';
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

export const MAX_AGENDA_EVENTS = 1_000;

/**
 * What of last night goes on at the filter's instant, which no list of today has (contract 2.3);
 * none where the days of the filter do not begin today.
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
 * One card an event, in order of its next occurrence in the range, with the notices that touch the
 * range. `narrowed` is what else is asked of the events; the places that are open are left out where
 * it asks for what only events have (contract 4.14).
 */
export function loadAgenda(
  snapshot: Snapshot,
  range: DayRange,
  now_ms: number,
  lang: Lang,
  narrowed: EventFilter = unfilteredEventFilter(floorToMinute(now_ms), MAX_AGENDA_EVENTS),
): Agenda {
  const filter = { ...narrowed, limit: MAX_AGENDA_EVENTS, range };
  const has_places = range.from.equals(range.to) && !hasEventOnlyFilter(filter);
  return {
    ...range,
    events: findEvents(snapshot, filter, lang).cards,
    still_on: findOngoingEvents(snapshot, filter, lang),
    notices: findNotices(snapshot, range.from, range.to),
    open_places: has_places ? findOpenVenues(snapshot, range.from, filter) : [],
  };
}

/** What is chosen for the days of an agenda, and what is there on each of them. */
export const findHighlights = (
  { index }: Snapshot,
  { events, ...range }: DayRange & Pick<Agenda, 'events'>,
  now_ms: number,
): Highlights =>
  pickHighlights(events, (id) => index.dates[index.positions.get(id) ?? -1] ?? [], range, now_ms);

/** Alert, warning, info, then newest. `to` is inclusive and `from` itself where it is left out. */
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

/** Today's notices, tomorrow's new ones, seasons, what comes in the next 30 days, and within a year. */
export const loadNoticeBoard = (snapshot: Snapshot, day: Temporal.PlainDate): NoticeBoard =>
  buildNoticeBoard(day, findNotices(snapshot, day, day.add({ years: 1 })));

/** What of the board has the words, in its order (contract 7.13 to 7.15); `is_exact`: as they are written. */
export function searchNotices(
  snapshot: Snapshot,
  words: readonly string[],
  day: Temporal.PlainDate,
  is_exact = false,
): readonly NoticeRecord[] {
  const ids = [...snapshot.notices.keys()];
  const { marks, spellings } = matchWords(snapshot.word_indexes.notice, words, ids.length);
  if (is_exact && spellings.length > 0) return [];
  const found = new Set(ids.filter((_, at) => marks[at] === 1));
  const { today, in_season, tomorrow, soon, later } = loadNoticeBoard(snapshot, day);
  return [today, tomorrow, in_season, soon, later].flat().filter(({ id }) => found.has(id));
}
