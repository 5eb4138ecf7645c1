// "Today, 60 minutes": what an editor with an hour a day has to do, the most pressing first, from the inbox and the
// agenda that serves (contract 14.43).
import { floorToMinute, fromDayNumber, toLocalDay, toDayNumber } from '../domain/local-time.ts';
import { isUpcoming } from '../domain/event/event.ts';
import { type FactDue, computeDecay } from '../domain/fact-freshness.ts';
import { unfilteredEventFilter } from '../domain/query/event-query.ts';
import type { QueueItem } from '../domain/review-queue.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { listSourceStates } from '../inbox/followed-sources.ts';
import type { Inbox } from '../inbox/open.ts';
import { findOccurrences, type OccurrenceResult } from '../snapshot/find-events.ts';
import { listFactsDue } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { SOURCE_DEAD_AFTER_MS } from './import-source.ts';
import { loadReviewQueue } from './review-queue.ts';

const SOON_MS = 48 * 3_600_000;
/** The days in which nothing of a kind is a gap. */
export const GAP_DAYS = 14;
/** A town has something usually of which the agenda has so many events, of whatever day. */
export const USUAL_MIN_EVENTS = 2;
/** A day with fewer events is thin. */
const THIN = 3;
const MOST_DATES = 20_000;

export async function loadTodayWorklist(inbox: Inbox, snapshot: Snapshot, now_ms: number) {
  const queue = await loadReviewQueue(inbox, snapshot, now_ms);
  const sources = toSourceNews(await listSourceStates(inbox), queue, now_ms);
  const told = new Set(sources.flatMap(({ items }) => items));
  const rest = queue.filter((item) => item.group !== 'urgent' && !told.has(item));
  const today = toLocalDay(now_ms);
  const { overdue, soon } = listFactsDue(snapshot, today);
  // What falls soonest is the most pressing; what has fallen already says nothing false.
  const toFallDay = (fact: FactDue) => computeDecay(fact, today)?.next?.from.toString() ?? '9';
  const ahead = listAhead(snapshot, now_ms);
  return {
    requests: queue.filter(({ group }) => group === 'urgent'),
    unconfirmed: listUnconfirmed(ahead, now_ms),
    sources,
    waiting: rest,
    due: [...overdue, ...soon].toSorted((a, b) => (toFallDay(a) < toFallDay(b) ? -1 : 1)),
    gaps: listGaps(snapshot, ahead),
    thin_days: listThinDays(ahead, now_ms),
  };
}

/** What a source has brought that waits, and how reading it fails; nothing of one that neither asks nor fails. */
function toSourceNews(
  sources: Awaited<ReturnType<typeof listSourceStates>>,
  queue: readonly QueueItem[],
  now_ms: number,
) {
  return sources.flatMap(({ key, batch, problem, failing_ms }) => {
    const items = queue.filter((item) => item.group !== 'urgent' && item.batch === (batch ?? 0));
    const is_dead = failing_ms !== null && now_ms - failing_ms >= SOURCE_DEAD_AFTER_MS;
    const is_quiet = items.length === 0 && problem === null && failing_ms === null;
    return is_quiet ? [] : [{ key, items, problem, failing_ms, is_dead }];
  });
}

/** The dates of the coming fortnight that are on. */
function listAhead(snapshot: Snapshot, now_ms: number): readonly OccurrenceResult[] {
  const from = toLocalDay(now_ms);
  const range = { from, to: from.add({ days: GAP_DAYS - 1 }) };
  const open = unfilteredEventFilter(floorToMinute(now_ms), MOST_DATES);
  const { items } = findOccurrences(snapshot, { ...open, range });
  return items.filter(({ occurrence }) => isUpcoming(occurrence, now_ms));
}

/** What begins within 48 hours and no source confirms, each event once: first what takes place least often. */
function listUnconfirmed(ahead: readonly OccurrenceResult[], now_ms: number) {
  const by_event = Map.groupBy(ahead, ({ card }) => card.event.id);
  return [...by_event.values()]
    .flatMap((dates) => {
      const soon = dates.find(
        ({ occurrence: { start_ms, certainty, time_known } }) =>
          start_ms > now_ms &&
          start_ms <= now_ms + SOON_MS &&
          (certainty !== 'confirmed' || !time_known),
      );
      return soon ? [{ ...soon, dates: dates.length }] : [];
    })
    .sort((a, b) => a.dates - b.dates || a.occurrence.start_ms - b.occurrence.start_ms);
}

/** Categories in a zone of which the town usually has something, and now nothing for a fortnight: the usual first. */
function listGaps({ index: { cards }, taxonomy }: Snapshot, ahead: readonly OccurrenceResult[]) {
  const isOf = (zone: TaxonRecord, category: TaxonRecord, { event }: OccurrenceResult['card']) =>
    event.zone === zone.key && event.category === category.key;
  return taxonomy.zones
    .flatMap((zone) =>
      taxonomy.categories.map((category) => ({
        zone,
        category,
        count: cards.filter((card) => isOf(zone, category, card)).length,
      })),
    )
    .filter(({ zone, category, count }) => {
      return count >= USUAL_MIN_EVENTS && !ahead.some(({ card }) => isOf(zone, category, card));
    })
    .sort((a, b) => b.count - a.count);
}

function listThinDays(ahead: readonly OccurrenceResult[], now_ms: number) {
  const today = toDayNumber(toLocalDay(now_ms));
  return Array.from({ length: GAP_DAYS }, (_, at) => today + at)
    .map((day) => {
      const on = ahead.filter(
        ({ occurrence: { first_day, last_day } }) => first_day <= day && last_day >= day,
      );
      const events = new Set(on.map(({ card }) => card.event.id));
      return { day: fromDayNumber(day), count: events.size };
    })
    .filter(({ count }) => count < THIN);
}
