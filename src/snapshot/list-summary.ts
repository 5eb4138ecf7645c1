// List summary: computes the metadata of a list of events, the same for REST and MCP (contract
// 3.3), and the hints for an empty list (contract 7.25): filters to remove, the next match, partial
// matches (`nearly`) and past matches.
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toDayNumber, toLocalDay, type DayRange } from '../domain/local-time.ts';
import {
  NO_FILTERS,
  EVENT_FILTERS,
  type EventFilter,
  matchesDateStatus,
} from '../domain/query/event-query.ts';
import type { NearCaveats } from '../domain/distance.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { removeStopWords, matchesName, type SpellingCorrection } from '../domain/word-matching.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { type AskFirst, findRestingEvents } from '../domain/agenda.ts';
import { countEvents, findNearCaveats } from './count-events.ts';
import {
  findEvents,
  findSpellings,
  type EventResults,
  type OccurrenceResult,
  markMatchingEvents,
} from './find-events.ts';
import { getStoredCard } from './get-record.ts';
import type { Snapshot } from './open-snapshot.ts';
import { matchWords } from './word-index.ts';

export interface ListSummary {
  /** Number of events on this page. */
  readonly count: number;
  /** Number of events on all pages. */
  readonly total: number;
  /** Requested days; null if none are requested. */
  readonly range: DayRange | null;
  /** Corrections of misspelled search words. */
  readonly spellings: readonly SpellingCorrection[];
  /** Caveats of the distances; null for a list without a point. */
  readonly near: NearCaveats | null;
  /** Matches that usually take place on the requested days, but are assumed to rest (2.11). */
  readonly ask_first: AskFirst['resting'];
  /** Hints for an empty list; null unless the whole list is empty. */
  readonly nothing: EmptyResultHints | null;
}

/** Summarizes a page with `count` events of `total`; `next` is the cursor of the next page. */
export function summarizeList(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
  { count, next, total }: Pick<ListSummary, 'count' | 'total'> & Pick<EventResults, 'next'>,
): ListSummary {
  const is_only_page = next === null && filter.after === null;
  return {
    count,
    total,
    range: filter.range,
    spellings: findSpellings(snapshot, filter),
    near: findNearCaveats(snapshot, filter),
    ask_first: findRestingMatches(snapshot, filter),
    nothing: is_only_page && count === 0 ? findEmptyResultHints(snapshot, filter, lang) : null,
  };
}

/** Maximum events in `ask_first`. */
const MAX_RESTING = 20;

/** Finds the matches that usually take place on the requested days, but are assumed to rest. */
export function findRestingMatches(snapshot: Snapshot, filter: EventFilter): AskFirst['resting'] {
  const { range, after } = filter;
  const has_dates = range !== null && after === null;
  if (!has_dates || !matchesDateStatus(filter, { status: 'scheduled' })) return [];
  const marks = markMatchingEvents(snapshot, filter);
  const events = snapshot.index.cards.map(({ event }) => event);
  const matches = events.filter((_, position) => marks?.[position] ?? true);
  return findRestingEvents(matches, range).slice(0, MAX_RESTING);
}

export interface EmptyResultHints {
  /** Filters to remove, each with the number of events found without it. */
  readonly without: readonly { readonly parameter: string; readonly count: number }[];
  /**
   * For a query with days: the first match after them, or else on any day, which may be before them
   * (`is_earlier`); null if none.
   */
  readonly next: (OccurrenceResult & { readonly is_earlier: boolean }) | null;
  /** Upcoming events with some of the search words; `missing` are the others. */
  readonly nearly: readonly (OccurrenceResult & { readonly missing: readonly string[] })[];
  /**
   * Matches without upcoming dates, with their last date, the latest first, then those without any
   * date; only if no match is upcoming.
   */
  readonly past: readonly (Pick<OccurrenceResult, 'card'> & {
    readonly occurrence: OccurrenceRecord | null;
  })[];
  /** The past matches have only some of the search words. */
  readonly is_past_partial: boolean;
}

/** Maximum events of each kind of hint. */
const MAX_SUGGESTIONS = 3;
/** Maximum events among which findPartialMatches searches. */
const MAX_CANDIDATES = 2_000;
const NO_DAYS = { range: null, hours: null } as const;

/**
 * Finds the hints for a filter without matches. A search for the title of a past event gets no
 * partial matches.
 */
export function findEmptyResultHints(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): EmptyResultHints {
  const first_page = { ...filter, after: null };
  const next = findNextMatch(snapshot, first_page, lang);
  const past = next === null ? getCards(snapshot, listPastMatches(snapshot, first_page)) : [];
  const is_title_search = past.some(({ card: { event } }) =>
    LANGS.some((title_lang) => matchesName(event.title[title_lang], filter.words ?? [])),
  );
  const nearly = is_title_search ? [] : listPartialMatches(snapshot, first_page, lang);
  const has_hints = next !== null || past.length + nearly.length > 0;
  return {
    without: countWithoutEachFilter(snapshot, first_page),
    next,
    nearly,
    past: has_hints ? past : getCards(snapshot, listPartialPastMatches(snapshot, first_page)),
    is_past_partial: !has_hints,
  };
}

/** Counts the matches without each filter that is set; omits filters if there are still none. */
const countWithoutEachFilter = (
  snapshot: Snapshot,
  filter: EventFilter,
): EmptyResultHints['without'] =>
  EVENT_FILTERS.filter(({ isOn }) => isOn(filter)).flatMap(({ name, field }) => {
    const count = countEvents(snapshot, { ...filter, [field]: NO_FILTERS[field] });
    return count === 0 ? [] : [{ parameter: name, count }];
  });

/** Finds the next match after the requested days, or else on any day; null without days. */
function findNextMatch(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): EmptyResultHints['next'] {
  if (filter.range === null && filter.hours === null) return null;
  const first_requested = toDayNumber(filter.range?.from ?? toLocalDay(filter.now_ms));
  const findFirst = (range: DayRange | null): EmptyResultHints['next'] => {
    const [card] = findEvents(snapshot, { ...filter, hours: null, range, limit: 1 }, lang).cards;
    if (!card?.next) return null;
    const is_earlier = card.next.first_day < first_requested;
    return { card, occurrence: card.next, is_earlier };
  };
  const days_after = computeDaysAfter(snapshot, filter);
  return (days_after && findFirst(days_after)) ?? findFirst(null);
}

/**
 * Computes the range from the day after the requested days, or from today, to the last day with an
 * event.
 * @returns null if that last day is earlier.
 */
function computeDaysAfter(
  { index }: Snapshot,
  { range, hours, now_ms }: EventFilter,
): DayRange | null {
  const today = toLocalDay(now_ms);
  // The hours of a night extend into the next day, which is searched as a day of its own.
  const last_requested = hours === null ? range?.to : range?.from;
  const day_after = last_requested?.add({ days: 1 }) ?? today;
  const from = Temporal.PlainDate.compare(day_after, today) < 0 ? today : day_after;
  const to = fromDayNumber(index.span?.last ?? 0);
  return Temporal.PlainDate.compare(from, to) > 0 ? null : { from, to };
}

/** Lists the distinct search words, without stop words and single characters (too unspecific). */
const listSignificantWords = ({ words }: EventFilter): readonly string[] => [
  ...new Set(removeStopWords(words ?? []).filter((word) => word.length > 1)),
];

/** Lists the events with the most search words on the requested days, or else on any day. */
function listPartialMatches(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): EmptyResultHints['nearly'] {
  const words = listSignificantWords(filter);
  if (words.length < 2) return [];
  const searched_words = words.map((word) => countWord(snapshot, word));
  const on_requested_days = findPartialMatches(snapshot, filter, searched_words, lang);
  return on_requested_days.length > 0
    ? on_requested_days
    : findPartialMatches(snapshot, { ...filter, ...NO_DAYS }, searched_words, lang);
}

interface SearchedWord {
  readonly word: string;
  /** By event position: 1 if the event contains the word, otherwise 0. */
  readonly marks: Uint8Array;
  /** Number of events that contain it. */
  readonly frequency: number;
}

function countWord({ index, word_indexes }: Snapshot, word: string): SearchedWord {
  const { marks } = matchWords(word_indexes.event, [word], index.cards.length);
  return { word, marks, frequency: marks.reduce((sum, mark) => sum + mark, 0) };
}

/**
 * Finds the events on the filter's days that lack the fewest search words, at least one but not all
 * of them.
 */
function findPartialMatches(
  snapshot: Snapshot,
  filter: EventFilter,
  searched_words: readonly SearchedWord[],
  lang: Lang,
): EmptyResultHints['nearly'] {
  const without_words = { ...filter, words: null, limit: MAX_CANDIDATES };
  const candidates = findEvents(snapshot, without_words, lang).cards.map((card) => {
    const position = snapshot.index.positions.get(card.event.id) ?? -1;
    return { card, missing: searched_words.filter(({ marks }) => marks[position] !== 1) };
  });
  const fewest_missing = Math.min(...candidates.map(({ missing }) => missing.length));
  if (fewest_missing === 0 || fewest_missing === searched_words.length) return [];
  // Prefer events that lack frequent words: for `noche de museos`, any museum before a night out.
  const sumFrequencies = (missing: readonly SearchedWord[]): number =>
    missing.reduce((sum, { frequency }) => sum + frequency, 0);
  return candidates
    .filter(({ missing }) => missing.length === fewest_missing)
    .sort((a, b) => sumFrequencies(b.missing) - sumFrequencies(a.missing))
    .slice(0, MAX_SUGGESTIONS)
    .flatMap(({ card, missing }) =>
      card.next ? [{ card, occurrence: card.next, missing: missing.map(({ word }) => word) }] : [],
    );
}

interface PastEvent {
  /** Event position. */
  readonly event: number;
  /** Null for an event without any date. */
  readonly occurrence: OccurrenceRecord | null;
}

/**
 * Lists the events that match the filters other than days and are over or have no date, with their
 * last scheduled date, the latest first.
 */
function listPastMatches(snapshot: Snapshot, filter: EventFilter): readonly PastEvent[] {
  // A date that took place is not one that was called off.
  if (!matchesDateStatus(filter, { status: 'scheduled' })) return [];
  return (markMatchingEvents(snapshot, filter) ?? [])
    .flatMap((is_match, event) => {
      const dates = (is_match && snapshot.index.dates[event]) || [];
      const has_ended = dates.every(({ end_ms }) => end_ms <= filter.now_ms);
      if (!is_match || !has_ended) return [];
      const occurrence = dates.findLast(({ status }) => status === 'scheduled') ?? null;
      return occurrence || dates.length === 0 ? [{ event, occurrence }] : [];
    })
    .sort(
      (a, b) => (b.occurrence?.start_ms ?? 0) - (a.occurrence?.start_ms ?? 0) || a.event - b.event,
    );
}

const getCards = (snapshot: Snapshot, past: readonly PastEvent[]): EmptyResultHints['past'] =>
  past
    .slice(0, MAX_SUGGESTIONS)
    .map(({ event, occurrence }) => ({ card: getStoredCard(snapshot, event), occurrence }));

/** Lists the past events with the most search words. */
function listPartialPastMatches(snapshot: Snapshot, filter: EventFilter): readonly PastEvent[] {
  const matches = listSignificantWords(filter).flatMap((word) =>
    listPastMatches(snapshot, { ...filter, words: [word] }),
  );
  // Each event once per search word that it contains.
  const groups = [...Map.groupBy(matches, ({ event }) => event).values()];
  const most_words = Math.max(...groups.map(({ length }) => length));
  return groups
    .filter(({ length }) => length === most_words)
    .flatMap(([first_match]) => first_match ?? []);
}
