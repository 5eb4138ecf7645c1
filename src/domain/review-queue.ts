// Review queue: sorts the items that wait for an editor's decision: requests to cancel or postpone
// first, then items that take place within 48 hours, then the rest by age; in each group, flagged
// new items come last (contract 14.21).
import { toZoned } from './local-time.ts';
import { foldText } from './text-folding.ts';

/**
 * Kind of an item. `request`: a request to cancel or postpone a published event; `change`: another
 * change of one; `new`: a submitted event; `batch`: an imported calendar; `report`: a visitor's
 * correction; `notice`: an alert of a followed source to publish; `notice_end`: one that is published
 * and that its source has ended.
 */
export type QueueItemKind =
  | 'request'
  | 'change'
  | 'new'
  | 'batch'
  | 'report'
  | 'notice'
  | 'notice_end';

/** Most urgent first: requests; items within SOON_HOURS and alerts; all others. */
export const URGENCY_GROUPS = ['urgent', 'soon', 'waiting'] as const;
export type UrgencyGroup = (typeof URGENCY_GROUPS)[number];

const SOON_HOURS = 48;

/** An item as stored, before its urgency is computed. */
export interface PendingItem {
  /** `HC-7K3M9Q`. */
  readonly reference: string;
  readonly kind: QueueItemKind;
  readonly title: string;
  /** Further search words: names, an address. */
  readonly words: readonly string[];
  /** The id of a known venue. */
  readonly venue: string | null;
  /** Name of the venue, known or typed, if any. */
  readonly place: string | null;
  /** Local start of each of its dates: `2026-12-05T20:00`, or only the day. */
  readonly starts: readonly string[];
  /** Local end of the first date, if known. */
  readonly end: string | null;
  /** The form, an agent's tool, the correction form, or a followed source. */
  readonly channel: 'form' | 'agent' | 'report' | 'source';
  /** Number of the imported calendar it belongs to, if any. */
  readonly batch: number | null;
  /** Timestamp with offset. */
  readonly received_at: string;
  /**
   * `is_doubtful`: the item is flagged, because its sender exceeded a soft limit (contract 14.6).
   */
  readonly is_doubtful: boolean;
}

export interface QueueItem extends PendingItem {
  readonly group: UrgencyGroup;
  /** Day of its next date that is not over, or else of its last: `2026-12-05`. */
  readonly day: string | null;
}

const formatLocal = (now_ms: number): string => toZoned(now_ms).toPlainDateTime().toString();

/** Returns a local time itself; for a day without a time, its last minute. */
const lastMinute = (time: string): string => (time.length > 10 ? time : `${time}T23:59`);

/**
 * Computes the urgency of an item. Requests for published events are never flagged: they carry a
 * valid token.
 */
export function assignUrgency(item: PendingItem, now_ms: number): QueueItem {
  const [now, soon] = [formatLocal(now_ms), formatLocal(now_ms + SOON_HOURS * 3_600_000)];
  const { starts, end, kind } = item;
  const [first_start] = starts;
  const has_begun = first_start !== undefined && first_start <= now;
  const is_running = has_begun && end !== null && lastMinute(end) >= now;
  const upcoming_starts = starts.filter((start) => lastMinute(start) >= now).sort();
  const next_start = is_running ? now : (upcoming_starts[0] ?? null);
  // An alert is either current or over.
  const is_alert = kind === 'notice' || kind === 'notice_end';
  const is_soon = is_alert || (next_start !== null && next_start <= soon);
  const group = is_soon ? 'soon' : 'waiting';
  const is_for_published_event = kind === 'request' || kind === 'change';
  return {
    ...item,
    day: (next_start ?? [...starts].sort().at(-1))?.slice(0, 10) ?? null,
    is_doubtful: item.is_doubtful && !is_for_published_event,
    group: kind === 'request' ? 'urgent' : group,
  };
}

/** Returns the sort keys of an item, most significant first. */
function sortKeys(item: QueueItem): readonly (string | number)[] {
  const { group, is_doubtful, received_at, reference } = item;
  const rank = [URGENCY_GROUPS.indexOf(group), Number(is_doubtful)];
  // Items of the last group are sorted by age alone; `9` sorts after every day.
  const day = group === 'waiting' ? [] : [item.day ?? '9'];
  return [...rank, ...day, received_at, reference];
}

/** Sorts the queue by the keys of its items, the most urgent first. */
export function sortQueue(items: readonly QueueItem[]): readonly QueueItem[] {
  const ranked = items.map((item) => ({ item, keys: sortKeys(item) }));
  ranked.sort((a, b) => {
    const index = a.keys.findIndex((key, i) => key !== b.keys[i]);
    const [key = 0, other = 0] = [a.keys[index], b.keys[index]];
    return key < other ? -1 : 1;
  });
  return ranked.map(({ item }) => item);
}

/** Selects the items with title, place, reference or search words that contain all words of `q`. */
export function searchQueue(items: readonly QueueItem[], q: string): readonly QueueItem[] {
  const query_words = foldText(q).split(/\s+/).filter(Boolean);
  return items.filter(({ title, words, place, reference }) => {
    const item_text = foldText([title, place ?? '', reference, ...words].join(' '));
    return query_words.every((word) => item_text.includes(word));
  });
}
