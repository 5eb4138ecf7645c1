// A release that is open: captured by a request at its start, closed when no request uses it.
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Representation } from '../../http/representation.ts';
import { listHeldPictures } from '../../snapshot/list-things.ts';
import { closeSnapshot, openSnapshot, type Snapshot } from '../../snapshot/open.ts';
import type { LoadedCode } from '../site-code.ts';

/** Of answers in memory, with what they compress to. */
const ANSWER_BYTES = 32 * 1024 * 1024;

export interface ReleaseState {
  /** The digest of its snapshot. */
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly code: LoadedCode;
  /** The pictures that its events show, by digest. */
  readonly pictures: ReadonlySet<string>;
  /** Finished answers by request and minute. */
  readonly answers: LRUCache<string, Representation>;
  /** Whether a request to the API comes again: only then its answer is kept. */
  readonly isRepeated: (key: string) => boolean;
  /** How many requests use it, and whether it may be closed when none does. */
  readonly lease: { in_flight: number; is_retired: boolean };
}

/** Opens the snapshot at a path. Throws where it is none of this version. */
export function openRelease(id: string, path: string, code: LoadedCode): ReleaseState {
  const snapshot = openSnapshot(path);
  return {
    id,
    snapshot,
    code,
    pictures: new Set(listHeldPictures(snapshot)),
    answers: new LRUCache({
      maxSize: ANSWER_BYTES,
      sizeCalculation: ({ size }) => size * 2 + 1024,
    }),
    isRepeated: createRepeatFilter(),
    lease: { in_flight: 0, is_retired: false },
  };
}

/** A request begins in this state and ends in it. */
export function acquireLease(state: ReleaseState): void {
  state.lease.in_flight++;
}

export function releaseLease(state: ReleaseState): void {
  state.lease.in_flight--;
  closeIfUnused(state);
}

/** No new request will come; closes now, or with the last one in flight. */
export function retire(state: ReleaseState): void {
  state.lease.is_retired = true;
  closeIfUnused(state);
}

function closeIfUnused({ lease, snapshot, answers }: ReleaseState): void {
  if (!lease.is_retired || lease.in_flight > 0) return;
  closeSnapshot(snapshot);
  answers.clear();
}

/** A power of two; 4 bytes each. */
const FILTER_SLOTS = 16_384;

/**
 * Remembers a key and says whether it was the last of its slot: true once it comes again soon. Answers that are
 * asked for only once would otherwise push out the others.
 */
export function createRepeatFilter(): ReleaseState['isRepeated'] {
  const last = new Uint32Array(FILTER_SLOTS);
  return (key) => {
    const checksum = crc32(key);
    const slot = checksum % FILTER_SLOTS;
    const is_repeated = last[slot] === checksum;
    last[slot] = checksum;
    return is_repeated;
  };
}
