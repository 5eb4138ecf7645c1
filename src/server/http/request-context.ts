// Request context: combines a request with the release that it reads, its time and the service. A release stays open
// until no request uses it any more.
import { LRUCache } from 'lru-cache';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  createRepresentation,
} from '../../http/representation.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { ServiceHealth, ReleaseStatus } from '../../domain/health.ts';
import type { LastBuild } from '../../releases/last-build.ts';
import type { WorkQueues } from '../work-queues.ts';
import type { ConsumeAllowance } from '../rate-limits.ts';
import type { RequestWork } from '../metrics.ts';
import type { PageCache } from '../page-cache.ts';
import { listStoredPictures } from '../../snapshot/list-records.ts';
import { closeSnapshot, openSnapshot, type Snapshot } from '../../snapshot/open-snapshot.ts';
import type { SourceReader } from '../../site/visitor-request.ts';
import type { LoadedCode } from '../load-site-code.ts';

/** Size of the response cache of a release, including compressed forms. */
const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024;

export interface OpenRelease {
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly code: LoadedCode;
  /** Digests of the stored pictures that the snapshot refers to. */
  readonly pictures: ReadonlySet<string>;
  /** Responses of the current minute. */
  readonly response_cache: LRUCache<string, Representation>;
  /** Number of requests that use the release; once retired, it closes when there are none left. */
  readonly lease: { in_flight: number; is_retired: boolean };
}

/** Opens the snapshot at a path. @throws if it is not a snapshot of this version. */
export const openRelease = (id: string, path: string, code: LoadedCode): OpenRelease =>
  createOpenRelease(id, openSnapshot(path), code);

/** Creates a release from an open snapshot. @param id Digest of the snapshot. */
export function createOpenRelease(id: string, snapshot: Snapshot, code: LoadedCode): OpenRelease {
  return {
    id,
    snapshot,
    code,
    pictures: new Set(listStoredPictures(snapshot)),
    response_cache: new LRUCache({
      maxSize: RESPONSE_CACHE_BYTES,
      sizeCalculation: ({ size }) => size * 2 + 1024,
    }),
    lease: { in_flight: 0, is_retired: false },
  };
}

/** Runs a task that reads a release, and keeps the release open until the task ends. */
export async function withOpenRelease<T>(state: OpenRelease, task: () => Promise<T>): Promise<T> {
  state.lease.in_flight++;
  try {
    return await task();
  } finally {
    state.lease.in_flight--;
    closeIfUnused(state);
  }
}

/** Closes a release that gets no new requests, now or when the last one in flight ends. */
export function retireRelease(state: OpenRelease): void {
  state.lease.is_retired = true;
  closeIfUnused(state);
}

function closeIfUnused({ lease, snapshot, response_cache }: OpenRelease): void {
  if (!lease.is_retired || lease.in_flight > 0) return;
  closeSnapshot(snapshot);
  response_cache.clear();
}

export type ReleaseRejection = NonNullable<ServiceHealth['refusal']>;

export interface ServiceContext extends WorkQueues {
  readonly site: Site;
  readonly consumeAllowance: ConsumeAllowance;
  /** Checks an API key by its hash. */
  readonly isLiveKey: (hash: string) => Promise<boolean>;
  readonly trusted_proxies: number;
  readonly rebuild_hours: number;
  readonly inbox: Inbox | null;
  /** Called after a request that may have changed the agenda: a form, the desk or a writing tool. */
  readonly onInboxWrite: () => void;
  readonly data_dir: string;
  /**
   * Fetches a file below DATA_DIR from other machines; false if none has it. Null if this is the only machine.
   */
  readonly fetchShared: ((path: string) => Promise<boolean>) | null;
  /** Lists problems of this machine that are not about its release, for /statusz. */
  readonly listWarnings: () => readonly string[];
  readonly getCachedPage: PageCache;
  readonly getReleaseStatus: () => Promise<ReleaseStatus>;
  readonly sources: SourceReader;
  readonly getLastBuild: () => LastBuild;
  readonly getRejection: () => ReleaseRejection | null;
  readonly isStopping: () => boolean;
  readonly logEvent: (event: string, details?: Readonly<Record<string, string>>) => void;
  /** Logs an unexpected error; a 500 response contains its request id. */
  readonly onError: (error: unknown, path: string, request_id: string) => void;
}

export interface RequestContext {
  readonly request: HttpRequest;
  /** The client as counted by rate limits: an address or a network (client-address.ts). */
  readonly sender: string;
  readonly state: OpenRelease;
  readonly now_ms: number;
  readonly readBody: (max_bytes: number) => Promise<Buffer>;
  readonly streamBody: () => AsyncIterator<Uint8Array>;
  readonly service: ServiceContext;
  /** Set by the handlers, for the metrics. */
  readonly work: RequestWork;
  /** Logs an unexpected error. */
  readonly onError: (error: unknown, path: string) => void;
}

/**
 * Thrown if the client closes the connection before the request is complete: no response is sent, no action taken.
 */
export class RequestAbortedError extends Error {}

export const encodeForRequest = (
  { request }: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> => encodeResponse(request, createRepresentation(response), extra);
