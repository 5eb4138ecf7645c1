// What a filter lets pass (contract 7): the scan of dates, the events of a list, one item each in order of
// their next occurrence, a page of them; or every occurrence in order of time, which is what a calendar feed
// holds (contract 7.19, 7.20, 8.2, 8.3).
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

/** The positions of the occurrences that match, in order, which is order of start. */
function scan(snapshot: Snapshot, filter: EventFilter): readonly number[] {
  const { occurrences, cards, event_of } = snapshot.index;
  const passing = markMatchingEvents(snapshot, filter);
  const { isOver, isIn } = toSpan(filter);
  const found: number[] = [];
  for (let position = 0; position < occurrences.length; position += 1) {
    const occurrence = occurrences[position];
    if (occurrence === undefined || isOver(occurrence)) break;
    const at = event_of[position] ?? 0;
    const card = cards[at];
    if (card && isIn(occurrence, card) && (passing?.[at] ?? true)) found.push(position);
  }
  return found;
}

export function scanEvents(snapshot: Snapshot, filter: EventFilter): readonly StoredCard[] {
  const { cards, event_of } = snapshot.index;
  const found = new Set(scan(snapshot, filter).map((position) => event_of[position] ?? 0));
  return [...found].flatMap((event) => cards[event] ?? []);
}

interface TimeWindow {
  readonly isIn: (occurrence: OccurrenceRecord, card: StoredCard) => boolean;
  /** Whether it begins after the end, as all that follow do. */
  readonly isOver: (occurrence: OccurrenceRecord) => boolean;
}

/** Hours, a range of days, or what has not ended by now. */
function toSpan({ hours, range, now_ms }: EventFilter): TimeWindow {
  if (hours !== null)
    return {
      isOver: (o) => o.start_ms >= hours.until_ms,
      isIn: (o, { event }) => isOccurrenceInHours(hours, o, event),
    };
  if (range === null) return { isOver: () => false, isIn: (o) => o.end_ms > now_ms };
  const [first, last] = [toDayNumber(range.from), toDayNumber(range.to)];
  return { isOver: (o) => o.first_day > last, isIn: (o) => o.last_day >= first };
}

/** What the words of a request found: a filter and those made of it share one list of them. */
const MATCHES = new WeakMap<readonly string[], { index: WordIndex; matches: WordMatches }>();

function findMatches(
  { word_indexes: { event: index }, index: { cards } }: Snapshot,
  words: readonly string[],
) {
  const known = MATCHES.get(words);
  if (known?.index === index) return known.matches;
  const matches = matchWords(index, words, cards.length);
  MATCHES.set(words, { index, matches });
  return matches;
}

/** How `q` was read where nothing has its words as they stand; empty otherwise (contract 7.15). */
export const findSpellings = (
  snapshot: Snapshot,
  { words }: EventFilter,
): readonly SpellingCorrection[] => (words === null ? [] : findMatches(snapshot, words).spellings);

/** By event position; null where the filter asks nothing of events. */
export function markMatchingEvents(
  snapshot: Snapshot,
  filter: EventFilter,
): readonly boolean[] | null {
  const { words } = filter;
  const marks = words && findMatches(snapshot, words).marks;
  const on = EVENT_FILTERS.filter(({ isOn }) => isOn(filter));
  if (on.length === 0) return null;
  return snapshot.index.cards.map(
    (card, at) => (marks?.[at] ?? 1) === 1 && on.every(({ passes }) => passes(card, filter)),
  );
}

/** A page of events, where the next page goes on, null at the end, and how many all pages have. */
export interface EventResults {
  readonly cards: readonly EventCard[];
  readonly next: EventCursor | null;
  readonly total: number;
}

function listHits(snapshot: Snapshot, filter: EventFilter) {
  const { occurrences, event_of } = snapshot.index;
  const { range, now_ms } = filter;
  const is_over = range !== null && Temporal.PlainDate.compare(range.to, toLocalDay(now_ms)) < 0;
  const told = new Map<number, NextDate<number>>();
  for (const position of scan(snapshot, filter)) {
    const event = event_of[position] ?? 0;
    const occurrence = occurrences[position];
    const is_ahead = occurrence !== undefined && isUpcoming(occurrence, now_ms);
    const known = told.get(event);
    if (known) countDate(known, position, is_ahead, is_over);
    else told.set(event, { next: position, is_ahead, more_dates: 0 });
  }
  return [...told].map(([event, { next, more_dates }]) => ({ event, next, more_dates }));
}

export function findEvents(snapshot: Snapshot, filter: EventFilter, lang: Lang): EventResults {
  const { rank, occurrences, positions, cards } = snapshot.index;
  const { after, now_ms, limit, near } = filter;
  const startOf = (position: number): number => occurrences[position]?.start_ms ?? 0;
  const rankOf = (event: number): number => rank[lang][event] ?? -1;
  const all = listHits(snapshot, filter);
  const last_rank = rankOf(positions.get(after?.id ?? '') ?? -1);
  const hits = all
    .filter(({ event, next }) => {
      const later_ms = startOf(next) - (after?.start_ms ?? Number.NEGATIVE_INFINITY);
      return later_ms > 0 || (later_ms === 0 && rankOf(event) > last_rank);
    })
    .sort((a, b) => startOf(a.next) - startOf(b.next) || rankOf(a.event) - rankOf(b.event));
  const page = hits.slice(0, limit);
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
      last && hits.length > page.length
        ? { now_ms, start_ms: startOf(last.next), id: cards[last.event]?.event.id ?? '' }
        : null,
  };
}

export interface OccurrenceResult {
  readonly card: StoredCard;
  readonly occurrence: OccurrenceRecord;
}

/** At most `filter.limit` occurrences with their events; `cut` says whether more matched. */
export function findOccurrences(
  snapshot: Snapshot,
  filter: EventFilter,
): { readonly items: readonly OccurrenceResult[]; readonly cut: boolean } {
  const { occurrences, event_of } = snapshot.index;
  const found = scan(snapshot, filter);
  const items = found.slice(0, filter.limit).flatMap((position) => {
    const occurrence = occurrences[position];
    return occurrence
      ? [{ occurrence, card: getStoredCard(snapshot, event_of[position] ?? 0) }]
      : [];
  });
  return { items, cut: found.length > filter.limit };
}
