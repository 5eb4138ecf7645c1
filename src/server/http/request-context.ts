// A request with all that its handler needs: the release that it reads, open from its start until no request uses
// it, the instant, and the service's own settings.
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

/** Of answers in memory, with what they compress to. */
const ANSWER_BYTES = 32 * 1024 * 1024;

export interface OpenRelease {
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly code: LoadedCode;
  readonly pictures: ReadonlySet<string>;
  readonly answers: LRUCache<string, Representation>;
  /** How many requests use it, and whether it may be closed when none does. */
  readonly lease: { in_flight: number; is_retired: boolean };
}

/** Opens the snapshot at a path. Throws where it is none of this version. */
export const openRelease = (id: string, path: string, code: LoadedCode): OpenRelease =>
  createOpenRelease(id, openSnapshot(path), code);

/** An open snapshot as it serves: `id` is its digest. */
export function createOpenRelease(id: string, snapshot: Snapshot, code: LoadedCode): OpenRelease {
  return {
    id,
    snapshot,
    code,
    pictures: new Set(listStoredPictures(snapshot)),
    answers: new LRUCache({
      maxSize: ANSWER_BYTES,
      sizeCalculation: ({ size }) => size * 2 + 1024,
    }),
    lease: { in_flight: 0, is_retired: false },
  };
}

/** Runs what reads a release, which stays open until then. */
export async function withOpenRelease<T>(state: OpenRelease, work: () => Promise<T>): Promise<T> {
  state.lease.in_flight++;
  try {
    return await work();
  } finally {
    state.lease.in_flight--;
    closeIfUnused(state);
  }
}

/** No new request will come; closes now, or with the last one in flight. */
export function retireRelease(state: OpenRelease): void {
  state.lease.is_retired = true;
  closeIfUnused(state);
}

function closeIfUnused({ lease, snapshot, answers }: OpenRelease): void {
  if (!lease.is_retired || lease.in_flight > 0) return;
  closeSnapshot(snapshot);
  answers.clear();
}

export type ReleaseRejection = NonNullable<ServiceHealth['refusal']>;

export interface ServiceContext extends WorkQueues {
  readonly site: Site;
  readonly take: ConsumeAllowance;
  /** Whether a key is live, by its hash. */
  readonly isLiveKey: (hash: string) => Promise<boolean>;
  readonly trusted_proxies: number;
  readonly rebuild_hours: number;
  readonly inbox: Inbox | null;
  /** Called after what may have changed the agenda: a form, the desk, a writing tool. */
  readonly onWritten: () => void;
  readonly data_dir: string;
  /** Brings a file below DATA_DIR from other machines; false where none has it. Null where there is one. */
  readonly bring: ((path: string) => Promise<boolean>) | null;
  /** What of this machine wants attention beside its release. */
  readonly listWorries: () => readonly string[];
  readonly pages: PageCache;
  readonly readReleaseNews: () => Promise<ReleaseStatus>;
  readonly sources: SourceReader;
  readonly lastBuild: () => LastBuild;
  readonly refusal: () => ReleaseRejection | null;
  readonly isEnding: () => boolean;
  readonly onNote: (event: string, details?: Readonly<Record<string, string>>) => void;
  /** Gets what was thrown for a request, which a 500 names. */
  readonly onError: (thrown: unknown, path: string, request_id: string) => void;
}

export interface RequestContext {
  readonly request: HttpRequest;
  /** As what its client is counted (client-address.ts). */
  readonly sender: string;
  readonly state: OpenRelease;
  readonly now_ms: number;
  readonly readBody: (max_bytes: number) => Promise<Buffer>;
  readonly streamBody: () => AsyncIterator<Uint8Array>;
  readonly service: ServiceContext;
  readonly work: RequestWork;
  /** Gets what was thrown and is no error of the caller, for the log. */
  readonly onError: (thrown: unknown, path: string) => void;
}

/** Thrown where a request ended before its end was there: nobody waits for an answer, and nothing is done. */
export class RequestAbortedError extends Error {}

export const encodeForRequest = (
  { request }: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> => encodeResponse(request, createRepresentation(response), extra);
