// What a list says of itself beside its events, the same for REST and MCP (contract 3.3).
import type { Cursor } from '../domain/filters/cursor.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { DayRange } from '../domain/filters/range.ts';
import type { Lang } from '../domain/lang.ts';
import type { Spelling } from '../domain/search-words.ts';
import { countUnplaced } from './count-events.ts';
import { findNothing, type Nothing } from './find-nothing.ts';
import type { Snapshot } from './open.ts';
import { findSpellings } from './scan.ts';

export interface ListFacts {
  /** How many are on this page, and on all. */
  readonly count: number;
  readonly total: number;
  readonly range: DayRange | null;
  readonly spellings: readonly Spelling[];
  /** Null without `near`. */
  readonly without_place: number | null;
  /** Only where nothing matches. */
  readonly nothing: Nothing | null;
}

/** Of the page with `count` events of `total`, which goes on at `next`. */
export function readListFacts(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
  {
    count,
    next,
    total,
  }: { readonly count: number; readonly next: Cursor | null; readonly total: number },
): ListFacts {
  const is_whole = next === null && filter.after === null;
  return {
    count,
    total,
    range: filter.range,
    spellings: findSpellings(snapshot, filter),
    without_place: countUnplaced(snapshot, filter),
    nothing: is_whole && count === 0 ? findNothing(snapshot, filter, lang) : null,
  };
}
