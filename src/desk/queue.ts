// The queue of the desk: all that waits, by urgency (contract 14.21).
import {
  QUEUE_GROUPS,
  type QueueItem,
  searchQueue,
  sortQueue,
  toQueueItem,
  type Waiting,
} from '../domain/queue.ts';
import { listWaiting, type WaitingItem } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { getEvent, getVenue } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';

/** What has all the words of `q`; empty for all that waits. */
export async function readQueue(
  inbox: Inbox,
  snapshot: Snapshot,
  now_ms: number,
  q = '',
): Promise<readonly QueueItem[]> {
  const waiting = (await listWaiting(inbox)).map((item) => withPlace(item, snapshot, now_ms));
  const items = waiting.map((item) => toQueueItem(item, now_ms));
  return sortQueue(searchQueue(items, q));
}

/** With the name of a known place; a report about an event is as urgent as that is. */
function withPlace(item: WaitingItem, snapshot: Snapshot, now_ms: number): Waiting {
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
export async function countQueue(inbox: Inbox, snapshot: Snapshot, now_ms: number) {
  const waiting = await readQueue(inbox, snapshot, now_ms);
  return QUEUE_GROUPS.map((group) => {
    const own = waiting.filter((item) => item.group === group);
    const [oldest] = own.map(({ received_at }) => received_at).sort();
    const oldest_ms = oldest === undefined ? now_ms : Date.parse(oldest);
    return { group, count: own.length, oldest_ms: Math.max(0, now_ms - oldest_ms) };
  });
}
