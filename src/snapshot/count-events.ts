// How many events a filter lets pass, and how many there would be with one more category, zone or
// flag: what the links that narrow a page say.
import { floorToMinute } from '../domain/cancun-time.ts';
import { FAMILY_CATEGORY } from '../domain/event/event.ts';
import { category } from '../domain/filters/category.ts';
import { type EventFilter, toOpenFilter } from '../domain/filters/event-filter.ts';
import { family } from '../domain/filters/family.ts';
import { FLAG_FILTERS, TAXON_FILTERS } from '../domain/filters/filters.ts';
import { toFlags } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { type Scan, toPassingMarks, toScan } from './scan.ts';

/** Numbers of events, each one counted once however often it takes place. */
export interface EventCounts {
  /** What the filter lets pass. */
  readonly total: number;
  /** By filter and key: what there is with that key in place of those asked for. */
  readonly by_key: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By filter: what there is with that flag on too. */
  readonly with_flag: ReadonlyMap<string, number>;
}

/** 1 for each event with an occurrence that matches, by position. */
function markMatching(snapshot: Snapshot, scan: Scan): Uint8Array {
  const { from, until, reach, least, sure } = scan;
  const passing = toPassingMarks(scan, snapshot.event_count);
  const { event } = snapshot.index;
  const marks = new Uint8Array(snapshot.event_count);
  for (let o = from; o < until; o += 1) {
    if (o < sure && (reach[o] ?? 0) < least) continue;
    const e = event[o] ?? 0;
    if (passing === null || passing[e] === 1) marks[e] = 1;
  }
  return marks;
}

/** Without the filters that are counted; the days, the point and the words stay. */
const toOpen = (filter: EventFilter): EventFilter =>
  Object.assign({}, filter, ...[...TAXON_FILTERS, ...FLAG_FILTERS].map(({ off }) => off));

/** The wanted keys of each taxon filter as positions; null where all are meant. */
const listWanted = (filter: EventFilter): readonly (ReadonlySet<number> | null)[] =>
  TAXON_FILTERS.map(({ keys, keysOf }) => {
    const wanted = keysOf(filter);
    return wanted && new Set(wanted.map((key) => keys.indexOf(key)));
  });

/** Counts in one pass over what matches without the filters that are counted. */
export function countEvents(snapshot: Snapshot, filter: EventFilter): EventCounts {
  const { codes, flags } = snapshot.index;
  const marks = markMatching(snapshot, toScan(snapshot, toOpen(filter)));
  const wanted = listWanted(filter);
  const wanted_flags = toFlags(({ isOn }) => isOn(filter));
  const key_counts = TAXON_FILTERS.map(({ keys }) => new Uint32Array(keys.length));
  const flag_counts = new Uint32Array(FLAG_FILTERS.length);
  let total = 0;
  for (let e = marks.indexOf(1); e >= 0; e = marks.indexOf(1, e + 1)) {
    if (((flags[e] ?? 0) & wanted_flags) !== wanted_flags) continue;
    const misses = wanted.map((set, at) => set !== null && !set.has(codes[at]?.[e] ?? 255));
    const missed = misses.filter(Boolean).length;
    key_counts.forEach((counts, at) => {
      const code = codes[at]?.[e] ?? 255;
      if (code < counts.length && missed === (misses[at] ? 1 : 0))
        counts[code] = (counts[code] ?? 0) + 1;
    });
    if (missed > 0) continue;
    total += 1;
    FLAG_FILTERS.forEach((_, at) => {
      if (((flags[e] ?? 0) >> at) & 1) flag_counts[at] = (flag_counts[at] ?? 0) + 1;
    });
  }
  return {
    total,
    by_key: new Map(
      TAXON_FILTERS.map(({ name, keys }, at) => [
        name,
        new Map(keys.map((key, code) => [key, key_counts[at]?.[code] ?? 0])),
      ]),
    ),
    with_flag: new Map(FLAG_FILTERS.map(({ name }, at) => [name, flag_counts[at] ?? 0])),
  };
}

/**
 * How many events match all else but have no place of their own, so that `near` leaves them out;
 * null where it is not asked (contract 7.24).
 */
export function countUnplaced(snapshot: Snapshot, filter: EventFilter): number | null {
  if (filter.near === null) return null;
  const { lat, lng } = snapshot.index;
  const scan = toScan(snapshot, { ...filter, near: null });
  const marks = markMatching(snapshot, scan);
  return marks.reduce(
    (count, mark, e) =>
      mark === 1 && Number.isNaN((lat[e] ?? Number.NaN) + (lng[e] ?? Number.NaN))
        ? count + 1
        : count,
    0,
  );
}

/** 1 for each event that is still to end at an instant, by position. */
export const markUpcoming = (snapshot: Snapshot, now_ms: number): Uint8Array =>
  markMatching(snapshot, toScan(snapshot, toOpenFilter(now_ms, 1)));

type Asked = { readonly snapshot: Snapshot; readonly now_ms: number };

/** The last of each snapshot: every list names what is ahead at its minute. */
const open_counts = new WeakMap<
  Snapshot,
  { readonly minute_ms: number; readonly counts: EventCounts }
>();

function countOpen({ snapshot, now_ms }: Asked): EventCounts {
  const minute_ms = floorToMinute(now_ms);
  const last = open_counts.get(snapshot);
  if (last?.minute_ms === minute_ms) return last.counts;
  const counts = countEvents(snapshot, toOpenFilter(minute_ms, 1));
  open_counts.set(snapshot, { minute_ms, counts });
  return counts;
}

/** Upcoming events at an instant by category and by zone, as the filter of each gives them. */
export const countUpcoming = (asked: Asked): EventCounts['by_key'] => countOpen(asked).by_key;

/** The same, as many as the page of each lists: that of families has all plans for them. */
export function countListed(asked: Asked): EventCounts['by_key'] {
  const { by_key, with_flag } = countOpen(asked);
  const families = [FAMILY_CATEGORY, with_flag.get(family.name) ?? 0] as const;
  return new Map(
    [...by_key].map(([name, counts]) => [
      name,
      name === category.name ? new Map([...counts, families]) : counts,
    ]),
  );
}

/** By `category` and `zone`, the keys whose pages have something to list. */
export type WithEvents = ReadonlyMap<string, readonly string[]>;

export const listWithEvents = (asked: Asked): WithEvents =>
  new Map(
    [...countListed(asked)].map(([name, counts]) => [
      name,
      [...counts].flatMap(([key, count]) => (count > 0 ? [key] : [])),
    ]),
  );
