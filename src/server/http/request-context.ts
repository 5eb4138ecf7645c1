// A request with all that its handler needs: the release that it reads, the instant, and the
// service's own settings.
import type { ReleaseNews } from '../../domain/release-news.ts';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { Health } from '../../domain/health.ts';
import type { LastBuild } from '../../releases/last-build.ts';
import type { FetchCalendar, Paint, Queues, UploadDoor } from '../heavy.ts';
import type { AccessPolicy } from '../limits.ts';
import type { Work } from '../metrics.ts';
import type { PageStore } from '../page-store.ts';
import type { ReleaseState } from './release-state.ts';

export type ReleaseRefusal = NonNullable<Health['refusal']>;

/** What is told beside the release that serves. */
export interface ReleaseWatch {
  readonly lastBuild: () => LastBuild;
  readonly refusal: () => ReleaseRefusal | null;
  /** Whether this process was told to end. */
  readonly isEnding: () => boolean;
}

/** What is the same for every request. */
export interface ServiceContext {
  readonly site: Site;
  readonly access: AccessPolicy;
  readonly rebuild_hours: number;
  /** Where submissions go; null where none are taken. */
  readonly inbox: Inbox | null;
  readonly queues: Queues;
  /** Called after what may have changed the agenda: a form, the desk, a writing tool. */
  readonly onWritten: () => void;
  readonly data_dir: string;
  readonly pages: PageStore;
  readonly paint: Paint;
  readonly uploads: UploadDoor;
  readonly fetchCalendar: FetchCalendar;
  readonly readReleaseNews: () => ReleaseNews;
  readonly watch: ReleaseWatch;
  /** Gets what happened at the desk's door, for the log. */
  readonly onNote: (event: string, details?: Readonly<Record<string, string>>) => void;
  /** Gets what was thrown and is no error of the caller. */
  readonly onError: (thrown: unknown, path: string, request_id?: string) => void;
}

/** One request and the moment it came. */
export interface RequestContext {
  readonly request: HttpRequest;
  /** The peer of the connection. */
  readonly socket_address: string | undefined;
  readonly state: ReleaseState;
  readonly now_ms: number;
  /** The body, read up to `max_bytes` and little more. */
  readonly readBody: (max_bytes: number) => Promise<Buffer>;
  /** The body in the chunks in which it comes. */
  readonly streamBody: () => AsyncIterator<Uint8Array>;
  readonly service: ServiceContext;
  readonly work: Work;
}

/** Thrown where a request ended before its end was there: nobody waits for an answer, and nothing is done. */
export class RequestCutOff extends Error {}

/** A finished response as it goes out; `extra` headers win. */
export const answer = (
  { request }: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> => encodeResponse(request, toRepresentation(response), extra);

/** One that is never asked for conditionally: it has no tag. */
export const answerOnce = (
  { request }: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> =>
  encodeResponse(request, { ...toRepresentation(response), tag: null }, extra);
