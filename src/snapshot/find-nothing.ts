// What can be said where a list has nothing: what there is without each filter, on which day
// something would match, what nearly does, what did and is over (contract 7.25).
import { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../domain/agenda.ts';
import { fromDayNumber, toCancunDay } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { DayRange } from '../domain/filters/range.ts';
import { EVENT_FILTERS } from '../domain/filters/filters.ts';
import type { Lang } from '../domain/lang.ts';
import { dropSilent } from '../domain/search-words.ts';
import { countHits, findEvents, findHits } from './find-events.ts';
import { readCard, readOccurrence } from './get-thing.ts';
import { SCHEDULED } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { toScan } from './scan.ts';
import { matchWords } from './word-index.ts';

/** An event and the date that is told of it. */
interface Told {
  readonly card: Omit<EventCard, 'next' | 'more_dates'>;
  readonly occurrence: OccurrenceRecord;
}

/** What is said in place of a list. */
export interface Nothing {
  /** The filters without which there is something, and how many events there are then. */
  readonly without: readonly { readonly parameter: string; readonly count: number }[];
  /** Where days were asked for, the first that matches after them, else on any; null where none does. */
  readonly next: Told | null;
  /** Ahead and with some of the words: `missing` are those they do not have. */
  readonly nearly: readonly (Told & { readonly missing: readonly string[] })[];
  /** Over, the last first, each with the last time it took place; only where none is ahead. */
  readonly past: readonly Told[];
}

/** Most events of each kind. */
const MOST = 3;
/** Most events among which those with the most words are looked for. */
const MOST_LOOKED_AT = 2_000;
const NO_DAYS = { range: null, hours: null } as const;

/** What to say where a filter finds nothing on its first page. */
export function findNothing(snapshot: Snapshot, filter: EventFilter, lang: Lang): Nothing {
  const first = { ...filter, after: null };
  const next = findNext(snapshot, first, lang);
  return {
    without: listWithout(snapshot, first),
    next,
    nearly: listNearly(snapshot, first, lang),
    past: next === null ? listPast(snapshot, first) : [],
  };
}

const listWithout = (snapshot: Snapshot, filter: EventFilter): Nothing['without'] =>
  EVENT_FILTERS.flatMap(({ name, off, isOn }) => {
    if (!isOn(filter)) return [];
    const count = countHits(snapshot, { ...filter, ...off });
    return count === 0 ? [] : [{ parameter: name, count }];
  });

/** After the days that were asked for, else on any. */
function findNext(snapshot: Snapshot, filter: EventFilter, lang: Lang): Told | null {
  if (filter.range === null && filter.hours === null) return null;
  const find = (range: DayRange | null): Told | null => {
    const [card] = findEvents(snapshot, { ...filter, hours: null, range, limit: 1 }, lang).cards;
    return card?.next ? { card, occurrence: card.next } : null;
  };
  const after = toDaysAfter(snapshot, filter);
  return (after && find(after)) ?? find(null);
}

/** From the day after those that were asked for, or from today, to the last that has an event; null where that is over. */
function toDaysAfter(
  { index: { last_day_so_far } }: Snapshot,
  { range, now_ms }: EventFilter,
): DayRange | null {
  const today = toCancunDay(now_ms);
  const asked = range === null ? today : range.to.add({ days: 1 });
  const from = Temporal.PlainDate.compare(asked, today) < 0 ? today : asked;
  const to = fromDayNumber(last_day_so_far.at(-1) ?? 0);
  return Temporal.PlainDate.compare(from, to) > 0 ? null : { from, to };
}

/** On the days that were asked for, else on any: those that have the most of the words. */
function listNearly(snapshot: Snapshot, filter: EventFilter, lang: Lang): Nothing['nearly'] {
  const words = [...new Set(dropSilent(filter.words ?? []))];
  if (words.length < 2) return [];
  const marks = words.map((word) => matchWords(snapshot.word_index, [word], snapshot.event_count));
  const isThere = (event: number, at: number): boolean => marks[at]?.marks[event] === 1;
  const rank = (days: Partial<EventFilter>): Nothing['nearly'] => {
    const open = { ...filter, ...days, words: null, limit: MOST_LOOKED_AT };
    const hits = findHits(snapshot, open, lang).hits.map((hit) => ({
      ...hit,
      missing: words.filter((_, at) => !isThere(hit.event, at)),
    }));
    const fewest = Math.min(...hits.map(({ missing }) => missing.length));
    return hits
      .filter(({ missing }) => missing.length === fewest && fewest < words.length)
      .slice(0, MOST)
      .map(({ event, next, missing }) => ({ ...readTold(snapshot, event, next), missing }));
  };
  const on_days = rank({});
  return on_days.length > 0 ? on_days : rank(NO_DAYS);
}

/** What took place for the last time before now, of those that the filters other than days let pass. */
function listPast(snapshot: Snapshot, filter: EventFilter): readonly Told[] {
  const { first_day, start_ms } = snapshot.index;
  const from = first_day[0];
  const today = toCancunDay(filter.now_ms);
  if (from === undefined) return [];
  const range = { from: fromDayNumber(from), to: today };
  const { passing } = toScan(snapshot, { ...filter, hours: null, range });
  return (passing ?? [])
    .flatMap((event) => {
      const last = findLast(snapshot, event, filter.now_ms);
      return last === null ? [] : [{ event, last }];
    })
    .sort((a, b) => (start_ms[b.last] ?? 0) - (start_ms[a.last] ?? 0) || a.event - b.event)
    .slice(0, MOST)
    .map(({ event, last }) => readTold(snapshot, event, last));
}

/** The last occurrence that took place, of an event that is over; null where it is not, or never did. */
function findLast(
  { index: { end_ms, status }, occurrences_of: { members, offsets } }: Snapshot,
  event: number,
  now_ms: number,
): number | null {
  const own = members.subarray(offsets[event], offsets[event + 1]);
  if (own.some((at) => (end_ms[at] ?? 0) > now_ms)) return null;
  return own.findLast((at) => status[at] === SCHEDULED) ?? null;
}

const readTold = (snapshot: Snapshot, event: number, occurrence: number): Told => ({
  card: readCard(snapshot, event),
  occurrence: readOccurrence(snapshot, occurrence),
});
