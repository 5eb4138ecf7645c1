// The ledger: what must survive rebuilds so that updated_at, SEQUENCE, old slugs and changes stay
// true (contract 5.6, 5.7, 5.8, 8.31); and the digests by which a change is known.
import { hash } from 'node:crypto';
import type { EventStatus } from './event/event.ts';
import type { HistoriesById } from './record-history.ts';

/** What is remembered of a thing by its id. */
export interface Revision {
  readonly digest: string;
  /** In the release that renews it, the one of sources/revise.ts. */
  readonly former_digest?: string;
  readonly updated_at: string;
  /** 0 at first; one more with each change. */
  readonly sequence: number;
  /** Of events; epoch ms. A cancellation reaches only what had not ended by then. */
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
  readonly histories: HistoriesById;
}

export const EMPTY_LEDGER: Ledger = { revisions: new Map(), slugs: [], histories: new Map() };

/** The moment of a release, in both of its forms. */
export interface ReleaseMoment {
  readonly now_ms: number;
  readonly timestamp: string;
}

/** The revision after seeing a thing with this digest and status: itself where nothing changed. */
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

export const DIGEST_PREFIX = '2:';

export const digestRecord = (value: unknown): string =>
  `${DIGEST_PREFIX}${hash('sha256', JSON.stringify(toSaid(value) ?? null), 'base64url').slice(0, 22)}`;

/** Keys in order, without null and what is empty. False and 0 say something. */
function toSaid(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((one) => toSaid(one) ?? null);
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object') return value;
  const fields = new Map(Object.entries(value));
  const said: Record<string, unknown> = {};
  let is_empty = true;
  for (const key of [...fields.keys()].sort()) {
    const part = toSaid(fields.get(key));
    if (part === undefined) continue;
    said[key] = part;
    is_empty = false;
  }
  return is_empty ? undefined : said;
}
