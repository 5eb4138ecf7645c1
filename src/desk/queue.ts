// The queue of the desk: all that waits, by urgency, narrowed and in pages; what comes after an item
// (contract 14.21).
import {
  narrowQueue,
  QUEUE_PAGE,
  type QueueQuestion,
  QUEUE_GROUPS,
  type QueueGroup,
  type QueueItem,
  toQueueItem,
  type Waiting,
} from '../domain/queue.ts';
import type { Inbox } from '../inbox/open.ts';
import { listWaiting, type WaitingItem } from '../inbox/changes.ts';
import { toKnown } from './known.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';

/** A page of the queue. */
export interface Queue {
  readonly items: readonly QueueItem[];
  /** How many of each group there are among what is asked for, whatever group that is. */
  readonly counts: Readonly<Record<QueueGroup, number>>;
  /** How many are asked for. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** All that waits, with its place in the queue. */
async function listItems(inbox: Inbox, snapshot: Snapshot, now_ms: number): Promise<QueueItem[]> {
  const known = toKnown(snapshot);
  const toNamed = (waiting: Waiting): Waiting => {
    const venue = waiting.venue === null ? null : known.getVenue(waiting.venue);
    return venue === null ? waiting : { ...waiting, place: venue.name };
  };
  return (await listWaiting(inbox))
    .map((item) => withDays(item, snapshot, now_ms))
    .map((waiting) => toQueueItem(toNamed(waiting), now_ms));
}

/** A report about an event is as urgent as that is. */
function withDays(report: WaitingItem, snapshot: Snapshot, now_ms: number): Waiting {
  const { about } = report;
  if (about?.kind !== 'event') return report;
  const detail = getEvent(snapshot, about.id, now_ms);
  if (detail === null || detail === 'gone' || detail.next === null) return report;
  const { start, end } = detail.next;
  return {
    ...report,
    venue: detail.venue?.id ?? null,
    starts: [start.slice(0, 16)],
    end: end?.slice(0, 16) ?? null,
  };
}

const inGroup = (items: readonly QueueItem[], { group }: QueueQuestion): readonly QueueItem[] =>
  group === null ? items : items.filter((item) => item.group === group);

/** The page that is asked for; the last where it lies beyond. */
export async function readQueue(
  inbox: Inbox,
  snapshot: Snapshot,
  question: QueueQuestion,
  now_ms: number,
): Promise<Queue> {
  const all = narrowQueue(await listItems(inbox, snapshot, now_ms), question);
  const counts: Record<QueueGroup, number> = { urgent: 0, soon: 0, waiting: 0 };
  for (const { group } of all) counts[group] += 1;
  const asked = inGroup(all, question);
  const pages = Math.max(1, Math.ceil(asked.length / QUEUE_PAGE));
  const page = Math.min(question.page, pages);
  const items = asked.slice((page - 1) * QUEUE_PAGE, page * QUEUE_PAGE);
  return { items, counts, total: asked.length, page, pages };
}

/** How much of each group waits, the most urgent first, and for how long the oldest of it; 0 for none. */
export async function countQueue(inbox: Inbox, snapshot: Snapshot, now_ms: number) {
  const items = await listItems(inbox, snapshot, now_ms);
  return QUEUE_GROUPS.map((group) => {
    const received_ms = items
      .filter((item) => item.group === group)
      .map(({ received_at }) => Date.parse(received_at));
    const oldest_ms = received_ms.reduce((a, b) => Math.min(a, b), now_ms);
    return { group, count: received_ms.length, oldest_ms: now_ms - oldest_ms };
  });
}

/** Where an item stands in the queue. */
export interface Standing {
  /** How many are asked for. */
  readonly total: number;
  /** What an editor looks at after it: the one behind it, else the first; null where nothing else waits. */
  readonly next: QueueItem | null;
}

export async function findStanding(
  inbox: Inbox,
  snapshot: Snapshot,
  question: QueueQuestion,
  now_ms: number,
  reference: string,
): Promise<Standing> {
  const all = narrowQueue(await listItems(inbox, snapshot, now_ms), question);
  const asked = inGroup(all, question);
  const at = asked.findIndex((item) => item.reference === reference);
  const next = asked[at + 1] ?? asked.find((item) => item.reference !== reference) ?? null;
  return { total: asked.length, next };
}
