// What an editor wants to see of the queue: words, filters, an order, a page; as a query and back.
import { parseDay } from '../cancun-time.ts';
import { toCleanLine } from '../clean-text.ts';
import { fold } from '../folding.ts';
import {
  QUEUE_CHANNELS,
  QUEUE_GROUPS,
  QUEUE_KINDS,
  QUEUE_SORTS,
  type QueueChannel,
  type QueueGroup,
  type QueueItem,
  type QueueKind,
  type QueueSort,
} from './waiting.ts';

/** Items on a page. */
export const QUEUE_PAGE = 25;
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

export const QUEUE_SORT_NAMES = ['urgency', 'day', 'place', 'age'] as const satisfies QueueSort[];

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
    sort: oneOf(QUEUE_SORT_NAMES, fields.sort) ?? 'urgency',
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

/** The same as a query, without what is usual; empty where all of it is. */
export function toQueueQuery(question: QueueQuestion): string {
  const { sort, page, ...others } = question;
  const usual = { ...others, sort: sort === 'urgency' ? '' : sort, page: page > 1 ? page : '' };
  return new URLSearchParams(
    Object.entries(usual).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  ).toString();
}

/** Whether it leaves anything out. */
export const isNarrowed = ({ q, group, kind, channel, day }: QueueQuestion): boolean =>
  q !== '' || group !== null || kind !== null || channel !== null || day !== null;

/** All that an item is found by. */
const toHay = ({ title, words, place, reference }: QueueItem): string =>
  fold([title, place ?? '', reference, ...words].join(' '));

/** Those that it asks for but for the group, in its order. */
export function narrowQueue(
  items: readonly QueueItem[],
  { q, kind, channel, day, sort }: QueueQuestion,
): readonly QueueItem[] {
  const words = fold(q)
    .split(/\s+/)
    .filter((word) => word !== '');
  return items
    .filter(
      (item) =>
        (kind === null || item.kind === kind) &&
        (channel === null || item.channel === channel) &&
        (day === null || item.starts.some((start) => start.startsWith(day))) &&
        (words.length === 0 || words.every((word) => toHay(item).includes(word))),
    )
    .sort(QUEUE_SORTS[sort]);
}
