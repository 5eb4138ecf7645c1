// The scan: which events a filter lets pass, and which of their dates are in (contract 7).
import { toDayNumber } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { EVENT_FILTERS, type EventFilter } from '../domain/query/event-query.ts';
import { isWithin } from '../domain/query/days.ts';
import type { Spelling } from '../domain/search.ts';
import type { Snapshot, StoredCard } from './open.ts';
import { matchWords, type WordIndex, type WordMatches } from './word-index.ts';

/** The positions of the occurrences that match, in order, which is order of start. */
export function scan(snapshot: Snapshot, filter: EventFilter): readonly number[] {
  const { occurrences, cards, event_of } = snapshot.index;
  const passing = markPassing(snapshot, filter);
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

interface Span {
  readonly isIn: (occurrence: OccurrenceRecord, card: StoredCard) => boolean;
  /** Whether it begins after the end, as all that follow do. */
  readonly isOver: (occurrence: OccurrenceRecord) => boolean;
}

/** Hours, a range of days, or what has not ended by now. */
function toSpan({ hours, range, now_ms }: EventFilter): Span {
  if (hours !== null)
    return {
      isOver: (o) => o.start_ms >= hours.until_ms,
      isIn: (o, { event }) => isWithin(hours, o, event),
    };
  if (range === null) return { isOver: () => false, isIn: (o) => o.end_ms > now_ms };
  const [first, last] = [toDayNumber(range.from), toDayNumber(range.to)];
  return { isOver: (o) => o.first_day > last, isIn: (o) => o.last_day >= first };
}

/** What the words of a request found: a filter and those made of it share one list of them. */
const MATCHES = new WeakMap<readonly string[], { index: WordIndex; matches: WordMatches }>();

function findMatches({ word_index: index, index: { cards } }: Snapshot, words: readonly string[]) {
  const known = MATCHES.get(words);
  if (known?.index === index) return known.matches;
  const matches = matchWords(index, words, cards.length);
  MATCHES.set(words, { index, matches });
  return matches;
}

/** How `q` was read where nothing has its words as they stand; empty otherwise (contract 7.15). */
export const findSpellings = (snapshot: Snapshot, { words }: EventFilter): readonly Spelling[] =>
  words === null ? [] : findMatches(snapshot, words).spellings;

/** By event position; null where the filter asks nothing of events. */
export function markPassing(snapshot: Snapshot, filter: EventFilter): readonly boolean[] | null {
  const { words } = filter;
  const marks = words && findMatches(snapshot, words).marks;
  const on = EVENT_FILTERS.filter(({ isOn }) => isOn(filter));
  if (on.length === 0) return null;
  return snapshot.index.cards.map(
    (card, at) => (marks?.[at] ?? 1) === 1 && on.every(({ passes }) => passes(card, filter)),
  );
}
