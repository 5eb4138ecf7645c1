// Event search: finds a page of events that match a filter, sorted by their next occurrence, or all matching occurrences
// in order of time for calendar feeds (contract 7, 7.19, 7.20, 8.2, 8.3).
import { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../domain/agenda.ts';
import { toLocalDay, toDayNumber } from '../domain/local-time.ts';
import { computeDistanceKm } from '../domain/distance.ts';
import {
  countDate,
  isUpcoming,
  type OccurrenceRecord,
  type NextDate,
} from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { isOccurrenceInHours } from '../domain/query/date-range.ts';
import { type EventCursor, EVENT_FILTERS, type EventFilter } from '../domain/query/event-query.ts';
import type { SpellingCorrection } from '../domain/word-matching.ts';
import { getStoredCard } from './get-record.ts';
import type { Snapshot, StoredCard } from './open-snapshot.ts';
import { matchWords, type WordIndex, type WordMatches } from './word-index.ts';

/** Returns the positions of the matching occurrences, which are in order of start. */
function scan(snapshot: Snapshot, filter: EventFilter): readonly number[] {
  const { occurrences, cards, event_positions } = snapshot.index;
  const matching_events = markMatchingEvents(snapshot, filter);
  const { startsAfter, contains } = buildTimeWindow(filter);
  const matching_positions: number[] = [];
  for (let position = 0; position < occurrences.length; position += 1) {
    const occurrence = occurrences[position];
    if (occurrence === undefined || startsAfter(occurrence)) break;
    const at = event_positions[position] ?? 0;
    const card = cards[at];
    if (card && contains(occurrence, card) && (matching_events?.[at] ?? true))
      matching_positions.push(position);
  }
  return matching_positions;
}

export function scanEvents(snapshot: Snapshot, filter: EventFilter): readonly StoredCard[] {
  const { cards, event_positions } = snapshot.index;
  const positions = new Set(
    scan(snapshot, filter).map((position) => event_positions[position] ?? 0),
  );
  return [...positions].flatMap((event) => cards[event] ?? []);
}

interface TimeWindow {
  /** Tests an occurrence that does not start after the window. */
  readonly contains: (occurrence: OccurrenceRecord, card: StoredCard) => boolean;
  /** Tests whether an occurrence, and so every later one, starts after the window. */
  readonly startsAfter: (occurrence: OccurrenceRecord) => boolean;
}

/** Builds the window from the filter's hours, or from its range, or from now on. */
function buildTimeWindow({ hours, range, now_ms }: EventFilter): TimeWindow {
  if (hours !== null)
    return {
      startsAfter: ({ start_ms }) => start_ms >= hours.until_ms,
      contains: (occurrence, { event }) => isOccurrenceInHours(hours, occurrence, event),
    };
  if (range === null)
    return { startsAfter: () => false, contains: ({ end_ms }) => end_ms > now_ms };
  const [first, last] = [toDayNumber(range.from), toDayNumber(range.to)];
  return {
    startsAfter: ({ first_day }) => first_day > last,
    contains: ({ last_day }) => last_day >= first,
  };
}

/** Cached matches of a request's words. The filters derived from one request share the array of words. */
const MATCH_CACHE = new WeakMap<readonly string[], { index: WordIndex; matches: WordMatches }>();

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

/** Returns the corrections of `q`, if no event has its words as written; else empty (contract 7.15). */
export const findSpellings = (
  snapshot: Snapshot,
  { words }: EventFilter,
): readonly SpellingCorrection[] =>
  words === null ? [] : findWordMatches(snapshot, words).spellings;

/** Tests every event, by position, against the filters that do not depend on dates. @returns null if none is on. */
export function markMatchingEvents(
  snapshot: Snapshot,
  filter: EventFilter,
): readonly boolean[] | null {
  const { words } = filter;
  const marks = words && findWordMatches(snapshot, words).marks;
  const active_filters = EVENT_FILTERS.filter(({ isOn }) => isOn(filter));
  if (active_filters.length === 0) return null;
  return snapshot.index.cards.map(
    (card, at) =>
      (marks?.[at] ?? 1) === 1 && active_filters.every(({ passes }) => passes(card, filter)),
  );
}

/** A page of events, the cursor of the next page (null on the last one), and the total of all pages. */
export interface EventResults {
  readonly cards: readonly EventCard[];
  readonly next: EventCursor | null;
  readonly total: number;
}

/** Lists each matching event once, with its next date and the number of further ones. */
function listMatches(snapshot: Snapshot, filter: EventFilter) {
  const { occurrences, event_positions } = snapshot.index;
  const { range, now_ms } = filter;
  const is_over = range !== null && Temporal.PlainDate.compare(range.to, toLocalDay(now_ms)) < 0;
  const by_event = new Map<number, NextDate<number>>();
  for (const position of scan(snapshot, filter)) {
    const event = event_positions[position] ?? 0;
    const occurrence = occurrences[position];
    const is_ahead = occurrence !== undefined && isUpcoming(occurrence, now_ms);
    const summary = by_event.get(event);
    if (summary) countDate(summary, position, is_ahead, is_over);
    else by_event.set(event, { next: position, is_ahead, more_dates: 0 });
  }
  return [...by_event].map(([event, { next, more_dates }]) => ({ event, next, more_dates }));
}

export function findEvents(snapshot: Snapshot, filter: EventFilter, lang: Lang): EventResults {
  const { rank, occurrences, positions, cards } = snapshot.index;
  const { after, now_ms, limit, near } = filter;
  const startOf = (position: number): number => occurrences[position]?.start_ms ?? 0;
  const rankOf = (event: number): number => rank[lang][event] ?? -1;
  const all = listMatches(snapshot, filter);
  const last_rank = rankOf(positions.get(after?.id ?? '') ?? -1);
  const remaining = all
    .filter(({ event, next }) => {
      const later_ms = startOf(next) - (after?.start_ms ?? Number.NEGATIVE_INFINITY);
      return later_ms > 0 || (later_ms === 0 && rankOf(event) > last_rank);
    })
    .sort((a, b) => startOf(a.next) - startOf(b.next) || rankOf(a.event) - rankOf(b.event));
  const page = remaining.slice(0, limit);
  const last = page.at(-1);
  return {
    cards: page.map(({ event, next, more_dates }) => {
      const card = getStoredCard(snapshot, event);
      const distance_km = near && (computeDistanceKm(near, card.venue) ?? 0);
      const date = occurrences[next] ?? null;
      return { ...card, next: date, more_dates, ...(distance_km !== null && { distance_km }) };
    }),
    total: all.length,
    next:
      last && remaining.length > page.length
        ? { now_ms, start_ms: startOf(last.next), id: cards[last.event]?.event.id ?? '' }
        : null,
  };
}

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
  const positions = scan(snapshot, filter);
  const items = positions.slice(0, filter.limit).flatMap((position) => {
    const occurrence = occurrences[position];
    return occurrence
      ? [{ occurrence, card: getStoredCard(snapshot, event_positions[position] ?? 0) }]
      : [];
  });
  return { items, is_truncated: positions.length > filter.limit };
}
