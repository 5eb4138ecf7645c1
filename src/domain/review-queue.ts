// Review queue: sorts pending items by urgency: cancellations and postponements first, then items that take
// place within 48 hours, then by age; in each group, flagged new items come last (contract 14.21).
import { toZoned } from './local-time.ts';
import { foldText } from './text-folding.ts';

/** Kind of an item. `batch`: an imported calendar; `notice`: an alert of a source. */
export type QueueItemKind = 'request' | 'change' | 'new' | 'batch' | 'report' | 'notice';

/** Most urgent first. */
export const URGENCY_GROUPS = ['urgent', 'soon', 'waiting'] as const;
export type UrgencyGroup = (typeof URGENCY_GROUPS)[number];

const SOON_HOURS = 48;

export interface PendingItem {
  /** `HC-7K3M9Q`. */
  readonly reference: string;
  readonly kind: QueueItemKind;
  readonly title: string;
  /** Further search words: names, an address. */
  readonly words: readonly string[];
  /** The id of a known venue. */
  readonly venue: string | null;
  /** Name of its place, if known. */
  readonly place: string | null;
  /** Start on each of its days: `2026-12-05T20:00`, or only the day. */
  readonly starts: readonly string[];
  /** End of the first of them, if known. */
  readonly end: string | null;
  /** The form, an agent's tool, the correction form, or a followed source. */
  readonly channel: 'form' | 'agent' | 'report' | 'source';
  /** Number of the imported calendar it belongs to, if any. */
  readonly batch: number | null;
  /** Timestamp. */
  readonly received_at: string;
  /** It exceeded a soft limit (contract 14.6). */
  readonly is_doubtful: boolean;
}

export interface QueueItem extends PendingItem {
  readonly group: UrgencyGroup;
  /** Its next day that is not over, or else its last: `2026-12-05`. */
  readonly day: string | null;
}

const formatLocal = (now_ms: number): string => toZoned(now_ms).toPlainDateTime().toString();

/** Returns the time itself; for a day without time, its last minute. */
const lastMinute = (time: string): string => (time.length > 10 ? time : `${time}T23:59`);

/** Computes the urgency of an item. Requests for published events are never flagged: they carry a valid token. */
export function assignUrgency(item: PendingItem, now_ms: number): QueueItem {
  const [now, soon] = [formatLocal(now_ms), formatLocal(now_ms + SOON_HOURS * 3_600_000)];
  const { starts, end, kind } = item;
  const [first] = starts;
  const is_running = first !== undefined && end !== null && first <= now && lastMinute(end) >= now;
  const ahead = starts.filter((start) => lastMinute(start) >= now).sort();
  const next = is_running ? now : (ahead[0] ?? null);
  // An alert is either current or over.
  const is_soon = kind === 'notice' || (next !== null && next <= soon);
  return {
    ...item,
    day: (next ?? [...starts].sort().at(-1))?.slice(0, 10) ?? null,
    is_doubtful: item.is_doubtful && kind !== 'request' && kind !== 'change',
    group: kind === 'request' ? 'urgent' : is_soon ? 'soon' : 'waiting',
  };
}

/** Returns the sort keys of an item, most significant first. */
function sortKeys(item: QueueItem): readonly (string | number)[] {
  const { group, is_doubtful, received_at, reference } = item;
  const rank = [URGENCY_GROUPS.indexOf(group), Number(is_doubtful)];
  const day = group === 'waiting' ? [] : [item.day ?? '9'];
  return [...rank, ...day, received_at, reference];
}

export function sortQueue(items: readonly QueueItem[]): readonly QueueItem[] {
  const ranked = items.map((item) => ({ item, keys: sortKeys(item) }));
  ranked.sort((a, b) => {
    const index = a.keys.findIndex((key, i) => key !== b.keys[i]);
    const [key = 0, other = 0] = [a.keys[index], b.keys[index]];
    return key < other ? -1 : 1;
  });
  return ranked.map(({ item }) => item);
}

/** Selects the items that contain all words of `q`. */
export function searchQueue(items: readonly QueueItem[], q: string): readonly QueueItem[] {
  const query_words = foldText(q).split(/\s+/).filter(Boolean);
  return items.filter(({ title, words, place, reference }) => {
    const text = foldText([title, place ?? '', reference, ...words].join(' '));
    return query_words.every((word) => text.includes(word));
  });
}
