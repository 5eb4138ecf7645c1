// What waits at the desk, each as one item whatever it is, and how urgent it is: cancellations and postponements
// first, then what takes place within 48 hours, then age; of the new ones in each of these the doubtful come after
// the clear (contract 14.21).
import { toZoned } from './local-time.ts';
import { foldText } from './text-folding.ts';

/** What an item asks for; a batch is a calendar that was brought in, a notice the alert of a source. */
export type QueueItemKind = 'request' | 'change' | 'new' | 'batch' | 'report' | 'notice';

/** From the most urgent on. */
export const URGENCY_GROUPS = ['urgent', 'soon', 'waiting'] as const;
export type UrgencyGroup = (typeof URGENCY_GROUPS)[number];

const SOON_HOURS = 48;

export interface PendingItem {
  /** `HC-7K3M9Q`. */
  readonly reference: string;
  readonly kind: QueueItemKind;
  readonly title: string;
  /** What else is found of it: names, an address. */
  readonly words: readonly string[];
  /** The id of a known venue. */
  readonly venue: string | null;
  /** The name of its place; null where that is not known. */
  readonly place: string | null;
  /** When it begins, on each of its days: `2026-12-05T20:00`, or the day alone. */
  readonly starts: readonly string[];
  /** When the first of them ends, where that is known. */
  readonly end: string | null;
  /** Where it came in: the form, a tool, as what a reader reports, or a source that is followed. */
  readonly channel: 'form' | 'agent' | 'report' | 'source';
  /** The number of the calendar that it came with. */
  readonly batch: number | null;
  /** Timestamp. */
  readonly received_at: string;
  /** It came beyond what is usual (contract 14.6). */
  readonly is_doubtful: boolean;
}

export interface QueueItem extends PendingItem {
  readonly group: UrgencyGroup;
  /** The next of its days that is not over, or its last: `2026-12-05`; null where it has none. */
  readonly day: string | null;
}

const toLocal = (now_ms: number): string => toZoned(now_ms).toPlainDateTime().toString();

/** Of a day alone, its last moment. */
const toLast = (moment: string): string => (moment.length > 10 ? moment : `${moment}T23:59`);

/** How urgent it is, seen now. What bears the token of something published is never doubtful. */
export function assignUrgency(waiting: PendingItem, now_ms: number): QueueItem {
  const [now, soon] = [toLocal(now_ms), toLocal(now_ms + SOON_HOURS * 3_600_000)];
  const { starts, end, kind } = waiting;
  const [first] = starts;
  const is_on = first !== undefined && end !== null && first <= now && toLast(end) >= now;
  const ahead = starts.filter((start) => toLast(start) >= now).sort();
  const next = is_on ? now : (ahead[0] ?? null);
  // An alert holds now, or is over.
  const is_soon = kind === 'notice' || (next !== null && next <= soon);
  return {
    ...waiting,
    day: (next ?? [...starts].sort().at(-1))?.slice(0, 10) ?? null,
    is_doubtful: waiting.is_doubtful && kind !== 'request' && kind !== 'change',
    group: kind === 'request' ? 'urgent' : is_soon ? 'soon' : 'waiting',
  };
}

/** What an item is ordered by; the first in which two differ decides. */
function toRank(item: QueueItem): readonly (string | number)[] {
  const { group, is_doubtful, received_at, reference } = item;
  const rank = [URGENCY_GROUPS.indexOf(group), Number(is_doubtful)];
  const day = group === 'waiting' ? [] : [item.day ?? '9'];
  return [...rank, ...day, received_at, reference];
}

export function sortQueue(items: readonly QueueItem[]): readonly QueueItem[] {
  const ranked = items.map((item) => ({ item, rank: toRank(item) }));
  ranked.sort((a, b) => {
    const at = a.rank.findIndex((one, index) => one !== b.rank[index]);
    const [one = 0, other = 0] = [a.rank[at], b.rank[at]];
    return one < other ? -1 : 1;
  });
  return ranked.map(({ item }) => item);
}

/** Those that have all the words of `q`. */
export function searchQueue(items: readonly QueueItem[], q: string): readonly QueueItem[] {
  const wanted = foldText(q).split(/\s+/).filter(Boolean);
  return items.filter(({ title, words, place, reference }) => {
    const text = foldText([title, place ?? '', reference, ...words].join(' '));
    return wanted.every((word) => text.includes(word));
  });
}
