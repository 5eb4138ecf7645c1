// The ledger: what must survive rebuilds so that updated_at, SEQUENCE, old slugs and changes stay
// true (contract 5.6, 5.7, 5.8, 8.31).
import type { EventStatus } from './event/event.ts';
import type { Histories } from './history.ts';

/**
 * What is remembered of a thing by its id: its last digest, when that came and how often it
 * changed.
 */
export interface Revision {
  readonly digest: string;
  /** In the release that renews it, the one of sources/old-digest.ts. */
  readonly former_digest?: string;
  /** Timestamp with offset. */
  readonly updated_at: string;
  /** 0 at first; one more with each change. */
  readonly sequence: number;
  /**
   * Events: the status and since when, epoch ms. A cancellation reaches only what had not ended by
   * then.
   */
  readonly status: EventStatus;
  readonly status_since_ms: number;
}

/** A slug that was published once, and whose it is. */
export interface PublishedSlug {
  readonly kind: 'event' | 'venue' | 'organizer';
  readonly slug: string;
  readonly id: string;
}

export interface Ledger {
  readonly revisions: ReadonlyMap<string, Revision>;
  readonly slugs: readonly PublishedSlug[];
  /** What became of each thing that was ever published. */
  readonly histories: Histories;
}

export const EMPTY_LEDGER: Ledger = { revisions: new Map(), slugs: [], histories: new Map() };

/** The moment of a release, in both of its forms. */
export interface Moment {
  readonly now_ms: number;
  readonly timestamp: string;
}

/** The revision after seeing a thing with this digest and status: itself where nothing changed. */
export function revise(
  before: Revision | undefined,
  digest: string,
  moment: Moment,
  status: EventStatus = 'published',
): Revision {
  if (!before)
    return {
      digest,
      updated_at: moment.timestamp,
      sequence: 0,
      status,
      status_since_ms: moment.now_ms,
    };
  if (before.digest === digest) return before;
  return {
    digest,
    updated_at: moment.timestamp,
    sequence: before.sequence + 1,
    status,
    status_since_ms: before.status === status ? before.status_since_ms : moment.now_ms,
  };
}
