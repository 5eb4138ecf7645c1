// The queue of the desk: all that waits, by urgency (contract 14.21).
import {
  URGENCY_GROUPS,
  type QueueItem,
  searchQueue,
  sortQueue,
  assignUrgency,
  type PendingItem,
} from '../domain/review-queue.ts';
import { listQueueRows, type QueueRow } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { getEvent, getVenue } from '../snapshot/get-record.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';

/** What has all the words of `q`; empty for all that waits. */
export async function loadReviewQueue(
  inbox: Inbox,
  snapshot: Snapshot,
  now_ms: number,
  q = '',
): Promise<readonly QueueItem[]> {
  const waiting = (await listQueueRows(inbox)).map((item) => withPlace(item, snapshot, now_ms));
  const items = waiting.map((item) => assignUrgency(item, now_ms));
  return sortQueue(searchQueue(items, q));
}

/** With the name of a known place; a report about an event is as urgent as that is. */
function withPlace(item: QueueRow, snapshot: Snapshot, now_ms: number): PendingItem {
  const { about, venue } = item;
  const detail = about?.kind === 'event' ? getEvent(snapshot, about.id, now_ms) : null;
  if (detail === null || detail === 'gone' || detail.next === null) {
    const known = venue === null ? null : getVenue(snapshot, venue);
    return known === null ? item : { ...item, place: known.name };
  }
  const { start, end } = detail.next;
  return {
    ...item,
    place: detail.venue?.name ?? null,
    starts: [start.slice(0, 16)],
    end: end?.slice(0, 16) ?? null,
  };
}

/** How much of each group waits, the most urgent first, and for how long the oldest of it; 0 for none. */
export async function countReviewQueue(inbox: Inbox, snapshot: Snapshot, now_ms: number) {
  const waiting = await loadReviewQueue(inbox, snapshot, now_ms);
  return URGENCY_GROUPS.map((group) => {
    const own = waiting.filter((item) => item.group === group);
    const [oldest] = own.map(({ received_at }) => received_at).sort();
    const oldest_ms = oldest === undefined ? now_ms : Date.parse(oldest);
    return { group, count: own.length, oldest_ms: Math.max(0, now_ms - oldest_ms) };
  });
}
