// Request context: combines a request with the release that it reads, its time and the service, for
// all handlers. An open release is a snapshot with the code that renders its pages; it stays open
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

/** Size of the response cache of a release, including compressed encodings. */
const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024;

export interface OpenRelease {
  /** Name of the snapshot: the digest of its bytes. */
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly code: LoadedCode;
  /** Digests of the stored pictures that the snapshot refers to. */
  readonly pictures: ReadonlySet<string>;
  /** Responses of the API and pages of the current minute, by path, query and minute. */
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
export async function withOpenRelease<T>(release: OpenRelease, task: () => Promise<T>): Promise<T> {
  release.lease.in_flight++;
  try {
    return await task();
  } finally {
    release.lease.in_flight--;
    closeIfUnused(release);
  }
}

/** Closes a release that gets no new requests, now or when the last one in flight ends. */
export function retireRelease(release: OpenRelease): void {
  release.lease.is_retired = true;
  closeIfUnused(release);
}

function closeIfUnused({ lease, snapshot, response_cache }: OpenRelease): void {
  if (!lease.is_retired || lease.in_flight > 0) return;
  closeSnapshot(snapshot);
  response_cache.clear();
}

/** A release that should be live, and why it is not. `refusal` is its public name in /statusz. */
export type ReleaseRejection = NonNullable<ServiceHealth['refusal']>;

/** Parts of the service that handlers use, the same for all requests of the process. */
export interface ServiceContext extends WorkQueues {
  readonly site: Site;
  readonly consumeAllowance: ConsumeAllowance;
  /** Checks an API key by its hash. */
  readonly isLiveKey: (hash: string) => Promise<boolean>;
  /** Number of proxies in front of the service whose X-Forwarded-For entries are trusted. */
  readonly trusted_proxies: number;
  /** Hours between scheduled releases; 0 if there are none. */
  readonly rebuild_hours: number;
  /** Null for requests without an inbox, such as the static export. */
  readonly inbox: Inbox | null;
  /**
   * Called after a request that may have changed the agenda: a form, the desk or a writing tool.
   */
  readonly onInboxWrite: () => void;
  readonly data_dir: string;
  /**
   * Fetches a file below DATA_DIR from other machines; false if none has it. Null if this is the
   * only machine.
   */
  readonly fetchShared: ((path: string) => Promise<boolean>) | null;
  /** Lists problems of this machine that are not about its release, for /statusz. */
  readonly listWarnings: () => readonly string[];
  readonly getCachedPage: PageCache;
  /** Progress of releases, for the desk. */
  readonly getReleaseStatus: () => Promise<ReleaseStatus>;
  /** Lists and fetches followed sources, for the desk. */
  readonly sources: SourceReader;
  readonly getLastBuild: () => LastBuild;
  /** Null if the release that should be live is. */
  readonly getRejection: () => ReleaseRejection | null;
  readonly isStopping: () => boolean;
  readonly logEvent: (event: string, details?: Readonly<Record<string, string>>) => void;
  /** Logs an unexpected error; a 500 response contains its request id. */
  readonly onError: (error: unknown, path: string, request_id: string) => void;
}

/** One request, with everything that its handler needs. */
export interface RequestContext {
  readonly request: HttpRequest;
  /** The client as counted by rate limits: an address or a network (client-address.ts). */
  readonly sender: string;
  readonly release: OpenRelease;
  readonly now_ms: number;
  /** Reads the body, until it exceeds `max_bytes`. */
  readonly readBody: (max_bytes: number) => Promise<Buffer>;
  readonly streamBody: () => AsyncIterator<Uint8Array>;
  readonly service: ServiceContext;
  /** Set by the handlers, for the metrics. */
  readonly work: RequestWork;
  /** Logs an unexpected error. */
  readonly onError: (error: unknown, path: string) => void;
}

/**
 * Thrown if the client closes the connection before the request is complete: no response is sent,
 * no action taken.
 */
export class RequestAbortedError extends Error {}

/** Encodes a response for its request. @param extra Headers that override the others. */
export const encodeForRequest = (
  { request }: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> => encodeResponse(request, createRepresentation(response), extra);
