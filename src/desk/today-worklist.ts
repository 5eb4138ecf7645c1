// Today worklist: lists the tasks of an editor with an hour a day, the most urgent first, from the
// inbox and the live snapshot (contract 14.43).
import { floorToMinute, fromDayNumber, toLocalDay, toDayNumber } from '../domain/local-time.ts';
import { isUpcoming } from '../domain/event/event.ts';
import { type FactDue, computeDecay } from '../domain/fact-freshness.ts';
import { unfilteredEventFilter } from '../domain/query/event-query.ts';
import type { QueueItem } from '../domain/review-queue.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { isStillFollowed, listSourceStates, listTakenSenders } from '../inbox/followed-sources.ts';
import type { Inbox } from '../inbox/open.ts';
import { findOccurrences, type OccurrenceResult } from '../snapshot/find-events.ts';
import { listFactsDue } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { SOURCE_DEAD_AFTER_MS } from './import-source.ts';
import { loadReviewQueue } from './review-queue.ts';

/** Unconfirmed events that start within this time are listed. */
const SOON_MS = 48 * 3_600_000;
/** A usual category without an event in this many days is a gap. */
export const GAP_DAYS = 14;
/** A category needs this many events in a zone, on any day, to count as usual there. */
export const USUAL_MIN_EVENTS = 2;
/** A day with fewer events is listed as thin. */
const THIN_DAY_EVENTS = 3;
/** Limit of the query for the next 14 days. */
const MAX_OCCURRENCES = 20_000;

/**
 * Loads the worklist: `requests` to cancel or postpone, `unconfirmed` events that start soon,
 * `sources` with pending items or problems, other `waiting` items, facts `due` for review, and
 * `gaps` and `thin_days`: categories without events and days with few.
 */
export async function loadTodayWorklist(inbox: Inbox, snapshot: Snapshot, now_ms: number) {
  const queue = await loadReviewQueue(inbox, snapshot, now_ms);
  const sources = listSourceUpdates(await listSourceStates(inbox), queue, now_ms);
  const source_items = new Set(sources.flatMap(({ items }) => items));
  const waiting = queue.filter((item) => item.group !== 'urgent' && !source_items.has(item));
  const today = toLocalDay(now_ms);
  const { overdue, soon } = listFactsDue(snapshot, today);
  // Facts that lose certainty soonest come first; those that already have are last ('9').
  const nextDecayDay = (fact: FactDue) => computeDecay(fact, today)?.next?.from.toString() ?? '9';
  const upcoming = findUpcoming(snapshot, now_ms);
  return {
    requests: queue.filter(({ group }) => group === 'urgent'),
    unconfirmed: listUnconfirmed(upcoming, now_ms),
    sources,
    waiting,
    due: [...overdue, ...soon].toSorted((a, b) => (nextDecayDay(a) < nextDecayDay(b) ? -1 : 1)),
    gaps: listGaps(snapshot, upcoming),
    thin_days: listThinDays(upcoming, now_ms),
  };
}

/** Lists the sources with pending items or problems; `batch`: the import of a source's events. */
function listSourceUpdates(
  sources: Awaited<ReturnType<typeof listSourceStates>>,
  queue: readonly QueueItem[],
  now_ms: number,
) {
  return sources.flatMap((source) => {
    const { key, batch, problem, failing_ms } = source;
    const taken_senders = isStillFollowed(source, now_ms) ? listTakenSenders(source) : [];
    const items = queue.filter((item) => item.group !== 'urgent' && item.batch === (batch ?? 0));
    const is_dead = failing_ms !== null && now_ms - failing_ms >= SOURCE_DEAD_AFTER_MS;
    const is_failing = problem !== null || failing_ms !== null;
    const has_update = items.length > 0 || is_failing || taken_senders.length > 0;
    return has_update ? [{ key, items, problem, failing_ms, is_dead, taken_senders }] : [];
  });
}

/** Finds the upcoming occurrences of the next 14 days. */
function findUpcoming(snapshot: Snapshot, now_ms: number): readonly OccurrenceResult[] {
  const today = toLocalDay(now_ms);
  const range = { from: today, to: today.add({ days: GAP_DAYS - 1 }) };
  const filter = unfilteredEventFilter(floorToMinute(now_ms), MAX_OCCURRENCES);
  const { items } = findOccurrences(snapshot, { ...filter, range });
  return items.filter(({ occurrence }) => isUpcoming(occurrence, now_ms));
}

/**
 * Lists unconfirmed events that start within 48 hours, once each, those with the fewest dates
 * first.
 */
function listUnconfirmed(upcoming: readonly OccurrenceResult[], now_ms: number) {
  const isSoon = (start_ms: number) => start_ms > now_ms && start_ms <= now_ms + SOON_MS;
  const by_event = Map.groupBy(upcoming, ({ card }) => card.event.id);
  return [...by_event.values()]
    .flatMap((event_dates) => {
      const soon = event_dates.find(
        ({ occurrence: { start_ms, certainty, time_known } }) =>
          isSoon(start_ms) && (certainty !== 'confirmed' || !time_known),
      );
      return soon ? [{ ...soon, dates: event_dates.length }] : [];
    })
    .sort((a, b) => a.dates - b.dates || a.occurrence.start_ms - b.occurrence.start_ms);
}

/**
 * Lists usual categories of each zone without an event in the next 14 days, the most usual first.
 */
function listGaps({ index: { cards }, taxonomy }: Snapshot, upcoming: readonly OccurrenceResult[]) {
  const belongsTo = (
    zone: TaxonRecord,
    category: TaxonRecord,
    { event }: OccurrenceResult['card'],
  ) => event.zone === zone.key && event.category === category.key;
  return taxonomy.zones
    .flatMap((zone) =>
      taxonomy.categories.map((category) => ({
        zone,
        category,
        count: cards.filter((card) => belongsTo(zone, category, card)).length,
      })),
    )
    .filter(({ count }) => count >= USUAL_MIN_EVENTS)
    .filter(({ zone, category }) => !upcoming.some(({ card }) => belongsTo(zone, category, card)))
    .sort((a, b) => b.count - a.count);
}

/** Lists the next 14 days with fewer than three events, with their number of events. */
function listThinDays(upcoming: readonly OccurrenceResult[], now_ms: number) {
  const today = toDayNumber(toLocalDay(now_ms));
  return Array.from({ length: GAP_DAYS }, (_, offset) => today + offset)
    .map((day) => {
      const occurrences = upcoming.filter(
        ({ occurrence: { first_day, last_day } }) => first_day <= day && last_day >= day,
      );
      const events = new Set(occurrences.map(({ card }) => card.event.id));
      return { day: fromDayNumber(day), count: events.size };
    })
    .filter(({ count }) => count < THIN_DAY_EVENTS);
}
