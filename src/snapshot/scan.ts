// The scan: where the occurrences of a filter lie and which of them match, over the memory index
// alone.
import { toDayNumber } from '../domain/cancun-time.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { Snapshot } from './open.ts';
import { listPassing } from './pass-events.ts';

/**
 * Numbers to look at instead of functions to call, so that a pass over every occurrence stays a
 * plain loop.
 */
export interface Scan {
  /**
   * The first position that can reach into the range, and the one after the last that begins in it.
   */
  readonly from: number;
  readonly until: number;
  /** An occurrence matches where its reach is at least `least` … */
  readonly reach: Float64Array | Int32Array;
  readonly least: number;
  /** … which every one from this position on does, for it begins in the range … */
  readonly sure: number;
  /** … and its event is one of these positions; null where the filter does not look at events. */
  readonly passing: readonly number[] | null;
}

/** The first position whose value is at least `least`, in an array that never falls. */
export function firstReaching(array: Float64Array | Int32Array, least: number): number {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((array[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The scan of a filter: a range of days, or what has not ended by now. */
export function toScan(snapshot: Snapshot, filter: EventFilter): Scan {
  const { index } = snapshot;
  const passing = listPassing(snapshot, filter);
  if (filter.range === null) {
    // Ends are whole minutes, so "after now" is "at least a millisecond after".
    const least = filter.now_ms + 1;
    return {
      from: firstReaching(index.end_ms_so_far, least),
      until: index.start_ms.length,
      reach: index.end_ms,
      least,
      sure: firstReaching(index.start_ms, least),
      passing,
    };
  }
  const [first, last] = [toDayNumber(filter.range.from), toDayNumber(filter.range.to)];
  return {
    from: firstReaching(index.last_day_so_far, first),
    until: firstReaching(index.first_day, last + 1),
    reach: index.last_day,
    least: first,
    sure: firstReaching(index.first_day, first),
    passing,
  };
}

/** 1 for each event that passes, by position; null where all do. */
export function toPassingMarks({ passing }: Scan, event_count: number): Uint8Array | null {
  if (passing === null) return null;
  const marks = new Uint8Array(event_count);
  for (const event of passing) marks[event] = 1;
  return marks;
}
