// A question at the moment it was asked: with the release it is answered from, the instant and the
// house's rules.
import type { ReleaseNews } from '../../domain/release-news.ts';
import type { AccessPolicy } from './authorize.ts';
import type { HttpRequest, Site } from '../../http/message.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { Watch } from './health.ts';
import type { ReleaseState } from './release-state.ts';

/** What is the same for every question. */
export interface ServiceContext {
  readonly site: Site;
  readonly access: AccessPolicy;
  readonly rebuild_hours: number;
  /** Where submissions go; null where none are taken. */
  readonly inbox: Inbox | null;
  /** Asks for a release now. */
  readonly requestRelease: () => void;
  readonly readReleaseNews: () => ReleaseNews;
  /** What /healthz and /readyz tell beside the release that serves. */
  readonly watch: Watch;
  /** Told of what was thrown and is no fault of the caller. */
  readonly onError: (thrown: unknown, path: string, request_id?: string) => void;
}

export interface RequestContext {
  readonly request: HttpRequest;
  /** The peer of the connection. */
  readonly socket_address: string | undefined;
  readonly state: ReleaseState;
  readonly now_ms: number;
  /** What was sent with it, read up to `max_bytes` and little more. */
  readonly readBody: (max_bytes: number) => Promise<Buffer>;
  readonly service: ServiceContext;
}
