// What a list says of itself beside its events, the same for REST and MCP (contract 3.3); and what can be said
// where it has nothing (contract 7.25).
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toLocalDay, type DayRange } from '../domain/local-time.ts';
import { NO_FILTERS, EVENT_FILTERS, type EventFilter } from '../domain/query/event-query.ts';
import type { NearCaveats } from '../domain/distance.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { removeStopWords, matchesName, type SpellingCorrection } from '../domain/word-matching.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
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
  readonly count: number;
  readonly total: number;
  readonly range: DayRange | null;
  readonly spellings: readonly SpellingCorrection[];
  readonly near: NearCaveats | null;
  readonly nothing: EmptyResultHints | null;
}

/** Of the page with `count` events of `total`, which goes on at `next`. */
export function summarizeList(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
  { count, next, total }: Pick<ListSummary, 'count' | 'total'> & Pick<EventResults, 'next'>,
): ListSummary {
  const is_whole = next === null && filter.after === null;
  return {
    count,
    total,
    range: filter.range,
    spellings: findSpellings(snapshot, filter),
    near: findNearCaveats(snapshot, filter),
    nothing: is_whole && count === 0 ? findEmptyResultHints(snapshot, filter, lang) : null,
  };
}

export interface EmptyResultHints {
  /** The filters without which there is something, and how many events there are then. */
  readonly without: readonly { readonly parameter: string; readonly count: number }[];
  /** Where days were asked for, the first that matches after them, else on any; null where none does. */
  readonly next: OccurrenceResult | null;
  /** Ahead and with some of the words: `missing` are those they do not have. */
  readonly nearly: readonly (OccurrenceResult & { readonly missing: readonly string[] })[];
  /** Over, the last first, each with the last time it took place; only where none is ahead. */
  readonly past: readonly OccurrenceResult[];
  /** Those that are over have some of the words only. */
  readonly is_past_near: boolean;
}

const MOST = 3;
/** Most events among which those with the most words are looked for. */
const MOST_LOOKED_AT = 2_000;
const NO_DAYS = { range: null, hours: null } as const;

export function findEmptyResultHints(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): EmptyResultHints {
  const first = { ...filter, after: null };
  const next = findNext(snapshot, first, lang);
  const past = next === null ? readPast(snapshot, listPast(snapshot, first)) : [];
  // Who asks for a thing by its name is not shown others.
  const is_meant = past.some(({ card: { event } }) =>
    LANGS.some((one) => matchesName(event.title[one], filter.words ?? [])),
  );
  const nearly = is_meant ? [] : listNearly(snapshot, first, lang);
  const is_any = next !== null || past.length + nearly.length > 0;
  return {
    without: listWithout(snapshot, first),
    next,
    nearly,
    past: is_any ? past : readPast(snapshot, listPastNearly(snapshot, first)),
    is_past_near: !is_any,
  };
}

const listWithout = (snapshot: Snapshot, filter: EventFilter): EmptyResultHints['without'] =>
  EVENT_FILTERS.filter(({ isOn }) => isOn(filter)).flatMap(({ name, sets }) => {
    const count = countEvents(snapshot, { ...filter, [sets]: NO_FILTERS[sets] });
    return count === 0 ? [] : [{ parameter: name, count }];
  });

/** After the days that were asked for, else on any. */
function findNext(snapshot: Snapshot, filter: EventFilter, lang: Lang): OccurrenceResult | null {
  if (filter.range === null && filter.hours === null) return null;
  const find = (range: DayRange | null): OccurrenceResult | null => {
    const [card] = findEvents(snapshot, { ...filter, hours: null, range, limit: 1 }, lang).cards;
    return card?.next ? { card, occurrence: card.next } : null;
  };
  const after = toDaysAfter(snapshot, filter);
  return (after && find(after)) ?? find(null);
}

/** From the day after those that were asked for, or from today, to the last that has an event; null where that is over. */
function toDaysAfter({ index }: Snapshot, { range, hours, now_ms }: EventFilter): DayRange | null {
  const today = toLocalDay(now_ms);
  // The hours of a night reach into the day after, which has its own.
  const last = hours === null ? range?.to : range?.from;
  const asked = last?.add({ days: 1 }) ?? today;
  const from = Temporal.PlainDate.compare(asked, today) < 0 ? today : asked;
  const to = fromDayNumber(index.span?.last ?? 0);
  return Temporal.PlainDate.compare(from, to) > 0 ? null : { from, to };
}

/** A letter or a digit alone begins too many words. */
const listTelling = ({ words }: EventFilter): readonly string[] => [
  ...new Set(removeStopWords(words ?? []).filter((word) => word.length > 1)),
];

/** On the days that were asked for, else on any: those that have the most of the words. */
function listNearly(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): EmptyResultHints['nearly'] {
  const words = listTelling(filter);
  if (words.length < 2) return [];
  const { index, word_indexes } = snapshot;
  const marks = words.map(
    (word) => matchWords(word_indexes.event, [word], index.cards.length).marks,
  );
  const holders = new Map(
    words.map((word, at) => [word, marks[at]?.reduce((sum, mark) => sum + mark, 0) ?? 0]),
  );
  const rank = (days: Partial<EventFilter>): EmptyResultHints['nearly'] => {
    const open = { ...filter, ...days, words: null, limit: MOST_LOOKED_AT };
    const found = findEvents(snapshot, open, lang).cards.map((card) => {
      const position = index.positions.get(card.event.id) ?? -1;
      return { card, missing: words.filter((_, at) => marks[at]?.[position] !== 1) };
    });
    const fewest = Math.min(...found.map(({ missing }) => missing.length));
    // Of `noche de museos` a museum by day is nearer than any night out.
    const toCommon = (missing: readonly string[]): number =>
      missing.reduce((sum, word) => sum + (holders.get(word) ?? 0), 0);
    return found
      .filter(({ missing }) => missing.length === fewest && fewest > 0 && fewest < words.length)
      .sort((a, b) => toCommon(b.missing) - toCommon(a.missing))
      .slice(0, MOST)
      .flatMap(({ card, missing }) =>
        card.next ? [{ card, occurrence: card.next, missing }] : [],
      );
  };
  const on_days = rank({});
  return on_days.length > 0 ? on_days : rank(NO_DAYS);
}

interface Over {
  readonly event: number;
  readonly occurrence: OccurrenceRecord;
}

/** Of those that the filters other than days let pass and that are over, when they took place last. */
const listPast = (snapshot: Snapshot, filter: EventFilter): readonly Over[] =>
  (markMatchingEvents(snapshot, filter) ?? [])
    .flatMap((passes, event) => {
      const dates = (passes && snapshot.index.dates[event]) || [];
      const is_over = dates.every(({ end_ms }) => end_ms <= filter.now_ms);
      const occurrence = is_over && dates.findLast(({ status }) => status === 'scheduled');
      return occurrence ? [{ event, occurrence }] : [];
    })
    .sort((a, b) => b.occurrence.start_ms - a.occurrence.start_ms || a.event - b.event);

const readPast = (snapshot: Snapshot, over: readonly Over[]): EmptyResultHints['past'] =>
  over
    .slice(0, MOST)
    .map(({ event, occurrence }) => ({ card: getStoredCard(snapshot, event), occurrence }));

/** Of those that are over, those that have the most of the words. */
function listPastNearly(snapshot: Snapshot, filter: EventFilter): readonly Over[] {
  const found = listTelling(filter).flatMap((word) =>
    listPast(snapshot, { ...filter, words: [word] }),
  );
  const by_event = [...Map.groupBy(found, ({ event }) => event).values()];
  const most = Math.max(...by_event.map(({ length }) => length));
  return by_event.filter(({ length }) => length === most).flatMap(([first]) => first ?? []);
}
