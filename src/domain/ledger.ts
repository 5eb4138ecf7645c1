// Ledger: ids, slugs and modification times that are carried from release to release, so that
// updated_at, SEQUENCE of iCalendar, old slugs and the change log stay correct (contract 5.6, 5.7,
// 5.8, 8.31). Also computes the digest of a record, by which two releases are compared.
import { hash } from 'node:crypto';
import type { EventStatus } from './event/event.ts';
import type { HistoriesById } from './record-history.ts';

/** The current version of a record, identified by its digest. */
export interface Revision {
  readonly digest: string;
  /** Timestamp of the release in which the digest last changed. */
  readonly updated_at: string;
  /** Starts at 0 and grows with each change. */
  readonly sequence: number;
  /** Status of an event; `published` for other records. */
  readonly status: EventStatus;
  /**
   * Epoch ms of that status. A cancellation affects only occurrences that had not ended by then.
   */
  readonly status_since_ms: number;
}

/**
 * A slug that was ever published, with the id of its record. Ids are slugs too: the id of a merged
 * duplicate has the id of the record that it was merged into.
 */
export interface PublishedSlug {
  readonly kind: 'event' | 'venue' | 'organizer';
  readonly slug: string;
  readonly id: string;
}

/** `revisions` are by id of the record. */
export interface Ledger {
  readonly revisions: ReadonlyMap<string, Revision>;
  readonly slugs: readonly PublishedSlug[];
  /** History of each record that was ever published. */
  readonly histories: HistoriesById;
}

export const EMPTY_LEDGER: Ledger = { revisions: new Map(), slugs: [], histories: new Map() };

/** The time of a release, as epoch ms and as timestamp. */
export interface ReleaseMoment {
  readonly now_ms: number;
  readonly timestamp: string;
}

/**
 * Returns the next revision of a record with this digest and status; `before` itself if the digest
 * is unchanged.
 */
export function nextRevision(
  before: Revision | undefined,
  digest: string,
  moment: ReleaseMoment,
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

/** Version of the digest algorithm. A new one would give every record a new revision (contract 5.8). */
const DIGEST_PREFIX = '2:';

/**
 * Computes the digest of a record or of its inputs, independent of key order and of empty values.
 */
export const digestRecord = (value: unknown): string =>
  `${DIGEST_PREFIX}${hash('sha256', JSON.stringify(normalizeForDigest(value) ?? null), 'base64url').slice(0, 22)}`;

/** Sorts keys and drops null and empty values; false and 0 count as values. */
function normalizeForDigest(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => normalizeForDigest(item) ?? null);
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object') return value;
  const fields = new Map(Object.entries(value));
  const normalized: Record<string, unknown> = {};
  let is_empty = true;
  for (const key of [...fields.keys()].sort()) {
    const part = normalizeForDigest(fields.get(key));
    if (part === undefined) continue;
    normalized[key] = part;
    is_empty = false;
  }
  return is_empty ? undefined : normalized;
}
