// Events as finished JSON bytes, cached as long as their snapshot: a list is then a copy of bytes
// with `next` and `more_dates` behind. Many short texts stand in a few large blocks, for thousands
// of small buffers would cost memory and the collecting of garbage.
import type { Near } from '../domain/filters/near.ts';
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { MAX_BYTES } from '../serializers/bytes.ts';
import { toEventFields, toNextFields } from '../serializers/wire/event.ts';
import type { ListMeta } from '../serializers/wire/meta.ts';
import { type Hit, toDistance } from '../snapshot/find-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readCard } from '../snapshot/get-thing.ts';

const BLOCK_BYTES = 512 * 1024;
/**
 * Numbers for each position: its block plus 1, or 0 where there is no text; where the text begins
 * in it; how long it is.
 */
const NUMBERS = 3;

interface Heap {
  /** Bytes of the text at a position; 0 where none was put. */
  readonly lengthOf: (position: number) => number;
  /** Stores a text as UTF-8 at a position, once. */
  readonly put: (position: number, text: string) => void;
  /** Copies the bytes at a position into a buffer; gives where they end there. */
  readonly copyTo: (position: number, target: Buffer, at: number) => number;
}

/** A heap with room for texts at the positions from 0 to before `count`. */
function createHeap(count: number): Heap {
  const blocks: Buffer[] = [];
  let used = BLOCK_BYTES;
  const places = new Int32Array(count * NUMBERS);
  const lengthOf = (position: number): number => places[position * NUMBERS + 2] ?? 0;
  return {
    lengthOf,
    put: (position, text) => {
      const length = Buffer.byteLength(text);
      if (used + length > BLOCK_BYTES) {
        blocks.push(Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length)));
        used = 0;
      }
      blocks.at(-1)?.write(text, used);
      places.set([blocks.length, used, length], position * NUMBERS);
      used += length;
    },
    copyTo: (position, target, at) => {
      const begin = places[position * NUMBERS + 1] ?? 0;
      return (
        at +
        (blocks[(places[position * NUMBERS] ?? 0) - 1]?.copy(
          target,
          at,
          begin,
          begin + lengthOf(position),
        ) ?? 0)
      );
    },
  };
}

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
    nexts: createHeap(snapshot.index.occurrences.length),
  };
  CACHE.set(snapshot, cached);
  return cached;
}

function heapFor({ events }: FragmentCache, snapshot: Snapshot, lang: Lang, site: Site): Heap {
  const key = `${lang} ${site.url}`;
  const heap = events.get(key) ?? createHeap(snapshot.index.cards.length);
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
  `,${JSON.stringify(toNextFields({ next: snapshot.index.occurrences[next] ?? null, more_dates: 0 }, lang)).slice(1, -'0}'.length)}`;

const HEAD = '{"data":[';
/** Digits of a count, of a distance with its name, the closing brace and a comma. */
const COUNT_ROOM = 48;

/** `,"distance_km":1.25` of an event around a point; nothing in any other list. */
const toDistanceText = (snapshot: Snapshot, near: Near | null, event: number) =>
  near === null ? '' : `,"distance_km":${toDistance(snapshot, near, event)}`;

/**
 * The bytes of `JSON.stringify({ data, meta })`, where data are the hits as PublicEvent (a test
 * compares them).
 */
export function writeEventList(
  snapshot: Snapshot,
  { hits, near }: { readonly hits: readonly Hit[]; readonly near: Near | null },
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
    if (snapshot.index.occurrences[next]?.notes) noted.set(next, toNext(snapshot, next, lang));
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
    const distance = toDistanceText(snapshot, near, event);
    at += whole.write(`${more_dates}${distance}${i < hits.length - 1 ? '},' : '}'}`, at);
  });
  return whole.subarray(0, at + whole.write(foot, at));
}
