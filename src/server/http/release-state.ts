// Everything that one release is served from: opened together, captured by a request at its start,
// closed when no request uses it.
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Representation } from '../../http/representation.ts';
import { digestFile } from '../../releases/digests.ts';
import { toReleasePaths } from '../../releases/layout.ts';
import { type FileEntry, readManifest } from '../../releases/manifest.ts';
import { type ReleaseFacts, readReleaseFacts } from '../../releases/release-facts.ts';
import { closeSnapshot, openSnapshot, type Snapshot } from '../../snapshot/open.ts';
import type { LoadBundle, RenderPage } from './site-bundle.ts';

/** Bytes of stored responses, with what they compress to. */
const RESPONSE_BYTES = 32 * 1024 * 1024;
/** Bytes of files in memory. */
const FILE_BYTES = 32 * 1024 * 1024;

/** An open release with what is cached of it. */
export interface ReleaseState {
  readonly id: string;
  readonly facts: ReleaseFacts;
  readonly snapshot: Snapshot;
  readonly files: ReadonlyMap<string, FileEntry>;
  /** Where the bytes of its files lie. */
  readonly store_dir: string;
  readonly render: RenderPage;
  /** Sources for `style-src`: what styles stand in its pages. */
  readonly style_hashes: readonly string[];
  /** Finished responses by request and moment. */
  readonly responses: LRUCache<string, Representation>;
  /** Whether a request to the API comes again: only then its response is stored. */
  readonly isRepeated: IsRepeated;
  /** File contents by path. */
  readonly bytes: LRUCache<string, Buffer>;
  readonly lease: Lease;
}

/** How many requests use a state, and whether it may be closed when none does. */
interface Lease {
  in_flight: number;
  is_retired: boolean;
}

/**
 * Opens the release in a folder. Throws where a part of it is missing or broken; nothing stays open
 * then.
 */
export async function openRelease(dir: string, loadBundle: LoadBundle): Promise<ReleaseState> {
  const paths = toReleasePaths(dir);
  const facts = readReleaseFacts(paths.facts);
  if (digestFile(paths.snapshot) !== facts.snapshot)
    throw new Error(`The snapshot of release ${facts.id} is damaged`);
  const files = await readManifest(paths.files);
  const { render, style_hashes } = await loadBundle(paths.entry, facts.bundle);
  return {
    id: facts.id,
    facts,
    files,
    render,
    style_hashes,
    store_dir: paths.store,
    snapshot: openSnapshot(paths.snapshot),
    responses: new LRUCache({
      maxSize: RESPONSE_BYTES,
      sizeCalculation: (cached) => cached.size * 2 + 1024,
    }),
    isRepeated: createRepeatFilter(),
    bytes: new LRUCache({ maxSize: FILE_BYTES, sizeCalculation: (bytes) => bytes.length + 1 }),
    lease: { in_flight: 0, is_retired: false },
  };
}

/** A request begins in this state and ends in it. */
export function acquireLease(state: ReleaseState): void {
  state.lease.in_flight++;
}

/** The request has ended. */
export function releaseLease(state: ReleaseState): void {
  state.lease.in_flight--;
  closeIfUnused(state);
}

/** No new request will come; closes now, or with the last one in flight. */
export function retire(state: ReleaseState): void {
  state.lease.is_retired = true;
  closeIfUnused(state);
}

function closeIfUnused({ lease, snapshot, responses, bytes }: ReleaseState): void {
  if (!lease.is_retired || lease.in_flight > 0) return;
  closeSnapshot(snapshot);
  responses.clear();
  bytes.clear();
}

/** A power of two; 4 bytes each. */
const FILTER_SLOTS = 16_384;

/**
 * Remembers a key and says whether it was the last of its slot: true once it comes again soon,
 * hardly ever by chance.
 */
export type IsRepeated = (key: string) => boolean;

/**
 * A filter of recent requests, roughly and in little room. Responses that are requested only
 * once would otherwise push out the others, and collecting them costs more than making them.
 */
export function createRepeatFilter(): IsRepeated {
  const last = new Uint32Array(FILTER_SLOTS);
  return (key) => {
    const hash = crc32(key);
    const slot = hash % FILTER_SLOTS;
    const is_repeated = last[slot] === hash;
    last[slot] = hash;
    return is_repeated;
  };
}
