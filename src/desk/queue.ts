// The queue of the desk: all that waits, by urgency, narrowed and in pages (contract 14.21).
import {
  narrowQueue,
  QUEUE_GROUPS,
  type QueueGroup,
  type QueueQuestion,
  readQueueQuestion,
  toQueueItem,
  type Waiting,
} from '../domain/queue.ts';
import { listWaiting, type WaitingItem } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { getEvent, getVenue } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';

/** Items on a page. */
const PAGE = 25;

export async function readQueue(
  inbox: Inbox,
  snapshot: Snapshot,
  question: QueueQuestion,
  now_ms: number,
) {
  const waiting = (await listWaiting(inbox)).map((item) => withPlace(item, snapshot, now_ms));
  const items = waiting.map((item) => toQueueItem(item, now_ms));
  const all = narrowQueue(items, question);
  const counts: Record<QueueGroup, number> = { urgent: 0, soon: 0, waiting: 0 };
  for (const { group } of all) counts[group] += 1;
  const asked = all.filter(({ group }) => question.group === null || group === question.group);
  const pages = Math.max(1, Math.ceil(asked.length / PAGE));
  const page = Math.min(question.page, pages);
  return {
    /** All that is asked for. */
    asked,
    /** Those of its page; of the last where that lies beyond. */
    items: asked.slice((page - 1) * PAGE, page * PAGE),
    /** How many of each group there are, whatever group is asked for. */
    counts,
    page,
    pages,
  };
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
  const { asked } = await readQueue(inbox, snapshot, readQueueQuestion({}), now_ms);
  return QUEUE_GROUPS.map((group) => {
    const own = asked.filter((item) => item.group === group);
    const [oldest] = own.map(({ received_at }) => received_at).sort();
    const oldest_ms = oldest === undefined ? now_ms : Date.parse(oldest);
    return { group, count: own.length, oldest_ms: Math.max(0, now_ms - oldest_ms) };
  });
}
