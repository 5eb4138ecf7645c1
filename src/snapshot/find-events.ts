// Event search: finds a page of events that match a filter, sorted by their next occurrence, or all
// matching occurrences in order of time for calendar feeds (contract 7, 7.19, 7.20, 8.2, 8.3).
import { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../domain/agenda.ts';
import { toLocalDay, toDayNumber } from '../domain/local-time.ts';
import { computeDistanceKm } from '../domain/distance.ts';
import { addDate, type OccurrenceRecord, type DateSummary } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { isOccurrenceInHours } from '../domain/query/date-range.ts';
import {
  type EventCursor,
  EVENT_FILTERS,
  type EventFilter,
  matchesDateStatus,
} from '../domain/query/event-query.ts';
import type { SpellingCorrection } from '../domain/word-matching.ts';
import { getStoredCard } from './get-record.ts';
import type { Snapshot, StoredCard } from './open-snapshot.ts';
import { matchWords, type WordIndex, type WordMatches } from './word-index.ts';

/**
 * Returns the positions in `index.occurrences` of the occurrences that match a filter, in order of
 * start. Ignores the filter's cursor and limit.
 */
function scanOccurrences(snapshot: Snapshot, filter: EventFilter): readonly number[] {
  const { occurrences, cards, event_positions } = snapshot.index;
  const matching_events = markMatchingEvents(snapshot, filter);
  const { startsAfter, contains } = buildTimeWindow(filter);
  const matching_positions: number[] = [];
  for (let position = 0; position < occurrences.length; position += 1) {
    const occurrence = occurrences[position];
    if (occurrence === undefined || startsAfter(occurrence)) break;
    const event_position = event_positions[position] ?? 0;
    const card = cards[event_position];
    if (
      card &&
      contains(occurrence, card) &&
      matchesDateStatus(filter, occurrence) &&
      (matching_events?.[event_position] ?? true)
    )
      matching_positions.push(position);
  }
  return matching_positions;
}

/**
 * Lists each event with an occurrence that matches a filter once, on all pages, in order of that
 * occurrence.
 * @param isCounted A further condition on event and occurrence.
 */
export function scanEvents(
  snapshot: Snapshot,
  filter: EventFilter,
  isCounted: (date: Pick<EventCard, 'event' | 'next'>) => boolean = () => true,
): readonly StoredCard[] {
  const { cards, event_positions, occurrences } = snapshot.index;
  const matches = new Set<StoredCard>();
  for (const position of scanOccurrences(snapshot, filter)) {
    const card = cards[event_positions[position] ?? 0];
    if (card && isCounted({ event: card.event, next: occurrences[position] ?? null }))
      matches.add(card);
  }
  return [...matches];
}

interface TimeWindow {
  /** Tests an occurrence that does not start after the window. */
  readonly contains: (occurrence: OccurrenceRecord, card: StoredCard) => boolean;
  /** Tests whether an occurrence, and so every later one, starts after the window. */
  readonly startsAfter: (occurrence: OccurrenceRecord) => boolean;
}

/**
 * Builds the window from the filter's hours or else its range of days; without both, it begins now
 * and has no end.
 */
function buildTimeWindow({ hours, range, now_ms }: EventFilter): TimeWindow {
  if (hours !== null)
    return {
      startsAfter: ({ start_ms }) => start_ms >= hours.until_ms,
      contains: (occurrence, { event }) => isOccurrenceInHours(hours, occurrence, event),
    };
  if (range === null)
    return { startsAfter: () => false, contains: ({ end_ms }) => end_ms > now_ms };
  const [range_start, range_end] = [toDayNumber(range.from), toDayNumber(range.to)];
  return {
    startsAfter: ({ first_day }) => first_day > range_end,
    contains: ({ last_day }) => last_day >= range_start,
  };
}

/** Cached matches by the array of words, which the filters derived from one request share. */
const MATCH_CACHE = new WeakMap<readonly string[], { index: WordIndex; matches: WordMatches }>();

/** Finds the events that contain a request's words. */
function findWordMatches(
  { word_indexes: { event: index }, index: { cards } }: Snapshot,
  words: readonly string[],
) {
  const cached = MATCH_CACHE.get(words);
  if (cached?.index === index) return cached.matches;
  const matches = matchWords(index, words, cards.length);
  MATCH_CACHE.set(words, { index, matches });
  return matches;
}

/** Returns the corrections of misspelled words in `q`; empty if an event has them as written. */
export const findSpellings = (
  snapshot: Snapshot,
  { words }: EventFilter,
): readonly SpellingCorrection[] =>
  words === null ? [] : findWordMatches(snapshot, words).spellings;

/**
 * Tests every event against the filters that do not depend on dates.
 * @returns true for each matching event, by event position; null if no such filter is set, so that
 * all events match.
 */
export function markMatchingEvents(
  snapshot: Snapshot,
  filter: EventFilter,
): readonly boolean[] | null {
  const { words } = filter;
  const marks = words && findWordMatches(snapshot, words).marks;
  const active_filters = EVENT_FILTERS.filter(({ isOn }) => isOn(filter));
  if (active_filters.length === 0) return null;
  return snapshot.index.cards.map(
    (card, position) =>
      (marks?.[position] ?? 1) === 1 && active_filters.every(({ passes }) => passes(card, filter)),
  );
}

export interface EventResults {
  /** Events of the page. */
  readonly cards: readonly EventCard[];
  /** Cursor of the next page; null on the last one. */
  readonly next: EventCursor | null;
  /** Number of events on all pages. */
  readonly total: number;
}

/**
 * Lists each matching event once. `event` is its position; `next`, the occurrence to show, and
 * `called_off` are positions of matching occurrences (see DateSummary).
 */
function listMatches(snapshot: Snapshot, filter: EventFilter) {
  const { occurrences, event_positions } = snapshot.index;
  const { range, now_ms } = filter;
  const is_past_range =
    range !== null && Temporal.PlainDate.compare(range.to, toLocalDay(now_ms)) < 0;
  const by_event = new Map<number, DateSummary<number>>();
  for (const position of scanOccurrences(snapshot, filter)) {
    const event = event_positions[position] ?? 0;
    const occurrence = occurrences[position];
    if (occurrence === undefined) continue;
    const summary = by_event.get(event);
    by_event.set(event, addDate(summary, position, occurrence, now_ms, is_past_range));
  }
  return [...by_event].map(([event, summary]) => ({ event, ...summary }));
}

/** Finds the page of events after the filter's cursor, sorted by start, then by title in `lang`. */
export function findEvents(snapshot: Snapshot, filter: EventFilter, lang: Lang): EventResults {
  const { rank, occurrences, positions, cards } = snapshot.index;
  const { after, now_ms, limit, near } = filter;
  // The start of an occurrence and the title rank of an event, both by position.
  const startOf = (position: number): number => occurrences[position]?.start_ms ?? 0;
  const rankOf = (event: number): number => rank[lang][event] ?? -1;
  const matches = listMatches(snapshot, filter);
  // `after` is the last event of the previous page.
  const last_rank = rankOf(positions.get(after?.id ?? '') ?? -1);
  const remaining = matches
    .filter(({ event, next }) => {
      const ms_after_cursor = startOf(next) - (after?.start_ms ?? Number.NEGATIVE_INFINITY);
      return ms_after_cursor > 0 || (ms_after_cursor === 0 && rankOf(event) > last_rank);
    })
    .sort((a, b) => startOf(a.next) - startOf(b.next) || rankOf(a.event) - rankOf(b.event));
  const page = remaining.slice(0, limit);
  const last_match = page.at(-1);
  return {
    cards: page.map(({ event, next, more_dates, called_off }) => {
      const card = getStoredCard(snapshot, event);
      const distance_km = near && (computeDistanceKm(near, card.venue) ?? 0);
      return {
        ...card,
        next: occurrences[next] ?? null,
        more_dates,
        called_off: called_off.flatMap((position) => occurrences[position] ?? []),
        ...(distance_km !== null && { distance_km }),
      };
    }),
    total: matches.length,
    next:
      last_match && remaining.length > page.length
        ? {
            now_ms,
            start_ms: startOf(last_match.next),
            id: cards[last_match.event]?.event.id ?? '',
          }
        : null,
  };
}

/** An occurrence with its event. */
export interface OccurrenceResult {
  readonly card: StoredCard;
  readonly occurrence: OccurrenceRecord;
}

/** Finds at most `filter.limit` occurrences with their events; `is_truncated` if more match. */
export function findOccurrences(
  snapshot: Snapshot,
  filter: EventFilter,
): { readonly items: readonly OccurrenceResult[]; readonly is_truncated: boolean } {
  const { occurrences, event_positions } = snapshot.index;
  const positions = scanOccurrences(snapshot, filter);
  const items = positions.slice(0, filter.limit).flatMap((position) => {
    const occurrence = occurrences[position];
    return occurrence
      ? [{ occurrence, card: getStoredCard(snapshot, event_positions[position] ?? 0) }]
      : [];
  });
  return { items, is_truncated: positions.length > filter.limit };
}
