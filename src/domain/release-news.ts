// How releases go, for who waits for one: requested, being built, the last that came, the last that
// failed.
import type { ContentFault } from './content-fault.ts';

/** What a release brought: events, and how long it took. */
export interface ReleaseChanges {
  readonly read: number;
  readonly new: number;
  readonly changed: number;
  readonly cancelled: number;
  readonly gone: number;
  readonly duration_s: number;
}

export interface ReleaseNews {
  /** Decided, and not in what serves. */
  readonly is_wanted: boolean;
  readonly is_building: boolean;
  /** Timestamps with offset. `changes` is null where an older version built it. */
  readonly last: { readonly at: string; readonly changes: ReleaseChanges | null } | null;
  /** Since then; `reason` is for the operator. */
  readonly failure: { readonly at: string; readonly reason: string } | null;
  /** Files of content that could not be taken as they stand. */
  readonly faults: readonly ContentFault[];
}

/** Where nothing is built. */
export const NO_NEWS: ReleaseNews = {
  is_wanted: false,
  is_building: false,
  last: null,
  failure: null,
  faults: [],
};
