// What waits at the desk, each as one item whatever it is, and how urgent it is: cancellations and postponements
// first, then what takes place within 48 hours, then age; of the new ones in each of these the doubtful come after
// the clear (contract 14.21). And what an editor asks to see of it, as a query and back.
import { parseDay, toCancun } from './cancun-time.ts';
import { toCleanLine } from './clean-text.ts';
import { fold } from './folding.ts';

/** What an item asks for; a batch is a calendar that was brought in. */
export const QUEUE_KINDS = ['request', 'change', 'new', 'batch', 'report'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** Where an item came in: the form, a tool, as what a reader reports, or a source that is followed. */
export const QUEUE_CHANNELS = ['form', 'agent', 'report', 'source'] as const;
export type QueueChannel = (typeof QUEUE_CHANNELS)[number];

/** From the most urgent on. */
export const QUEUE_GROUPS = ['urgent', 'soon', 'waiting'] as const;
export type QueueGroup = (typeof QUEUE_GROUPS)[number];

/** The orders that an editor may choose. */
export const QUEUE_SORTS = ['urgency', 'day', 'place', 'age'] as const;
type QueueSort = (typeof QUEUE_SORTS)[number];

const SOON_HOURS = 48;

export interface Waiting {
  /** `HC-7K3M9Q`. */
  readonly reference: string;
  readonly kind: QueueKind;
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
  readonly channel: QueueChannel;
  /** Timestamp. */
  readonly received_at: string;
  /** It came beyond what is usual (contract 14.6). */
  readonly is_doubtful: boolean;
}

export interface QueueItem extends Waiting {
  readonly group: QueueGroup;
  /** The next of its days that is not over, or its last: `2026-12-05`; null where it has none. */
  readonly day: string | null;
}

const toLocal = (now_ms: number): string => toCancun(now_ms).toPlainDateTime().toString();

/** Of a day alone, its last moment. */
const toLast = (moment: string): string => (moment.length > 10 ? moment : `${moment}T23:59`);

/** How urgent it is, seen now. What bears the token of something published is never doubtful. */
export function toQueueItem(waiting: Waiting, now_ms: number): QueueItem {
  const [now, soon] = [toLocal(now_ms), toLocal(now_ms + SOON_HOURS * 3_600_000)];
  const { starts, end, kind } = waiting;
  const [first] = starts;
  const is_on = first !== undefined && end !== null && first <= now && toLast(end) >= now;
  const ahead = starts.filter((start) => toLast(start) >= now).sort();
  const next = is_on ? now : (ahead[0] ?? null);
  const is_soon = next !== null && next <= soon;
  return {
    ...waiting,
    day: (next ?? [...starts].sort().at(-1))?.slice(0, 10) ?? null,
    is_doubtful: waiting.is_doubtful && kind !== 'request' && kind !== 'change',
    group: kind === 'request' ? 'urgent' : is_soon ? 'soon' : 'waiting',
  };
}

/** What an item is ordered by; the first in which two differ decides. */
function toRank(item: QueueItem, sort: QueueSort): readonly (string | number)[] {
  const { group, is_doubtful, place } = item;
  const age = [item.received_at, item.reference];
  const day = item.day ?? '9';
  if (sort === 'age') return age;
  if (sort === 'day') return [day, ...age];
  if (sort === 'place') return [Number(place === null), fold(place ?? ''), day, ...age];
  const rank = [QUEUE_GROUPS.indexOf(group), Number(is_doubtful)];
  return group === 'waiting' ? [...rank, ...age] : [...rank, day, ...age];
}

export function sortQueue(
  items: readonly QueueItem[],
  sort: QueueSort = 'urgency',
): readonly QueueItem[] {
  const ranked = items.map((item) => ({ item, rank: toRank(item, sort) }));
  ranked.sort((a, b) => {
    const at = a.rank.findIndex((one, index) => one !== b.rank[index]);
    const [one = 0, other = 0] = [a.rank[at], b.rank[at]];
    return one < other ? -1 : 1;
  });
  return ranked.map(({ item }) => item);
}

const MAX_WORDS = 100;

export interface QueueQuestion {
  /** Words that an item must have; empty for all. */
  readonly q: string;
  readonly group: QueueGroup | null;
  readonly kind: QueueKind | null;
  readonly channel: QueueChannel | null;
  /** `2026-12-05`: one of its days. */
  readonly day: string | null;
  readonly sort: QueueSort;
  /** From 1. */
  readonly page: number;
}

const oneOf = <T extends string>(known: readonly T[], text: string | undefined): T | null =>
  known.find((one) => one === text) ?? null;

/** What it says; what it says wrong is passed over. */
export function readQueueQuestion(
  fields: Readonly<Record<string, string | undefined>>,
): QueueQuestion {
  const day = (fields.day ?? '').trim();
  const page = Number(fields.page);
  return {
    q: toCleanLine(fields.q ?? '').slice(0, MAX_WORDS),
    group: oneOf(QUEUE_GROUPS, fields.group),
    kind: oneOf(QUEUE_KINDS, fields.kind),
    channel: oneOf(QUEUE_CHANNELS, fields.channel),
    day: parseDay(day) === null ? null : day,
    sort: oneOf(QUEUE_SORTS, fields.sort) ?? 'urgency',
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

/** The same as a query, without what is usual; empty where all of it is. */
export function toQueueQuery({ sort, page, ...others }: QueueQuestion): string {
  const usual = { ...others, sort: sort === 'urgency' ? '' : sort, page: page > 1 ? page : '' };
  return new URLSearchParams(
    Object.entries(usual).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  ).toString();
}

/** Whether it leaves anything out. */
export const isNarrowed = ({ q, group, kind, channel, day }: QueueQuestion): boolean =>
  [q, group, kind, channel, day].some(Boolean);

/** Those that it asks for but for the group, in its order. */
export function narrowQueue(
  items: readonly QueueItem[],
  { q, kind, channel, day, sort }: QueueQuestion,
): readonly QueueItem[] {
  const wanted = fold(q).split(/\s+/).filter(Boolean);
  const hasWords = ({ title, words, place, reference }: QueueItem): boolean => {
    const text = fold([title, place ?? '', reference, ...words].join(' '));
    return wanted.every((word) => text.includes(word));
  };
  const asked = items.filter(
    (item) =>
      (kind === null || item.kind === kind) &&
      (channel === null || item.channel === channel) &&
      (day === null || item.starts.some((start) => start.startsWith(day))) &&
      (wanted.length === 0 || hasWords(item)),
  );
  return sortQueue(asked, sort);
}
