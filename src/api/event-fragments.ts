// Events as finished JSON bytes, kept as long as their snapshot: a list is then a copy of bytes
// with `next` and `more_dates` behind.
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { MAX_BYTES } from '../serializers/bytes.ts';
import { toEventFields, toNextFields } from '../serializers/wire/event.ts';
import type { ListMeta } from '../serializers/wire/meta.ts';
import type { Hit } from '../snapshot/find-hits.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readCard, readOccurrence } from '../snapshot/read-records.ts';
import { createHeap, type Heap } from './byte-heap.ts';

interface FragmentCache {
  /**
   * By language and base address: an event's JSON without `next`, `more_dates` and the closing
   * brace, by its position.
   */
  readonly events: Map<string, Heap>;
  /**
   * By occurrence position: the `next` of those without notes, which is the same in both languages.
   */
  readonly nexts: Heap;
}

/** By snapshot, so that nothing outlives the data it was made from. */
const CACHE = new WeakMap<Snapshot, FragmentCache>();

function cacheFor(snapshot: Snapshot): FragmentCache {
  const cached = CACHE.get(snapshot) ?? {
    events: new Map<string, Heap>(),
    nexts: createHeap(snapshot.index.event.length),
  };
  CACHE.set(snapshot, cached);
  return cached;
}

function heapFor({ events }: FragmentCache, snapshot: Snapshot, lang: Lang, site: Site): Heap {
  const key = `${lang} ${site.url}`;
  const heap = events.get(key) ?? createHeap(snapshot.event_count);
  events.set(key, heap);
  return heap;
}

/** Puts the event's JSON into the heap, where it is not yet. */
function ensureFragment(
  snapshot: Snapshot,
  heap: Heap,
  position: number,
  lang: Lang,
  site: Site,
): void {
  if (heap.lengthOf(position) > 0) return;
  const card = { ...readCard(snapshot, position), next: null, more_dates: 0 };
  heap.put(position, JSON.stringify(toEventFields(card, lang, site)).slice(0, -1));
}

/** `,"next":{…},"more_dates":`, to be followed by the count. */
const toNext = (snapshot: Snapshot, next: number, lang: Lang): string =>
  `,${JSON.stringify(toNextFields({ next: readOccurrence(snapshot, next), more_dates: 0 }, lang)).slice(1, -'0}'.length)}`;

const HEAD = '{"data":[';
/** Digits of a count, the closing brace and a comma. */
const COUNT_ROOM = 12;

/**
 * The bytes of `JSON.stringify({ data, meta })`, where data are the hits as PublicEvent (a test
 * compares them).
 */
export function writeEventList(
  snapshot: Snapshot,
  hits: readonly Hit[],
  meta: ListMeta,
  lang: Lang,
  site: Site,
): Buffer {
  const cached = cacheFor(snapshot);
  const events = heapFor(cached, snapshot, lang, site);
  const { nexts } = cached;
  const foot = `],"meta":${JSON.stringify(meta)}}`;
  const noted = new Map<number, string>();
  let room = HEAD.length + foot.length * MAX_BYTES;
  for (const { event, next } of hits) {
    ensureFragment(snapshot, events, event, lang, site);
    if (snapshot.notes.has(next)) noted.set(next, toNext(snapshot, next, lang));
    else if (nexts.lengthOf(next) === 0) nexts.put(next, toNext(snapshot, next, lang));
    room +=
      events.lengthOf(event) +
      nexts.lengthOf(next) +
      (noted.get(next)?.length ?? 0) * MAX_BYTES +
      COUNT_ROOM;
  }
  const whole = Buffer.allocUnsafe(room);
  let at = whole.write(HEAD);
  hits.forEach(({ event, next, more_dates }, i) => {
    at = events.copyTo(event, whole, at);
    const ending = noted.get(next);
    at = ending === undefined ? nexts.copyTo(next, whole, at) : at + whole.write(ending, at);
    at += whole.write(i < hits.length - 1 ? `${more_dates}},` : `${more_dates}}`, at);
  });
  return whole.subarray(0, at + whole.write(foot, at));
}
