// Review queue: loads and counts the pending items of the desk (submissions, requests, corrections
// and alerts that wait for an editor), by urgency (contract 14.21).
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

/**
 * Loads the pending items that contain all words of `q` (all if it is empty), most urgent first.
 */
export async function loadReviewQueue(
  inbox: Inbox,
  snapshot: Snapshot,
  now_ms: number,
  q = '',
): Promise<readonly QueueItem[]> {
  const rows = await listQueueRows(inbox);
  const items = rows
    .map((row) => addAgendaFacts(row, snapshot, now_ms))
    .map((item) => assignUrgency(item, now_ms));
  return sortQueue(searchQueue(items, q));
}

/**
 * Adds the venue's name, and for a correction the next date of its event, which sets its urgency.
 */
function addAgendaFacts(item: QueueRow, snapshot: Snapshot, now_ms: number): PendingItem {
  // `about`: the record that a correction is about. `detail`: its event, `gone` if removed.
  const { about, venue } = item;
  const detail = about?.kind === 'event' ? getEvent(snapshot, about.id, now_ms) : null;
  if (detail === null || detail === 'gone' || detail.next === null) {
    const venue_record = venue === null ? null : getVenue(snapshot, venue);
    return venue_record === null ? item : { ...item, place: venue_record.name };
  }
  const { start, end } = detail.next;
  return {
    ...item,
    place: detail.venue?.name ?? null,
    starts: [start.slice(0, 16)],
    end: end?.slice(0, 16) ?? null,
  };
}

/**
 * Counts the pending items of each group, most urgent first; `oldest_ms`: age of the oldest, or 0.
 */
export async function countReviewQueue(inbox: Inbox, snapshot: Snapshot, now_ms: number) {
  const queue = await loadReviewQueue(inbox, snapshot, now_ms);
  return URGENCY_GROUPS.map((group) => {
    const group_items = queue.filter((item) => item.group === group);
    const [oldest_at] = group_items.map(({ received_at }) => received_at).sort();
    const received_ms = oldest_at === undefined ? now_ms : Date.parse(oldest_at);
    return { group, count: group_items.length, oldest_ms: Math.max(0, now_ms - received_ms) };
  });
}
