// A request with all that its handler needs: the release that it reads, the instant, and the
// service's own settings.
import type { ReleaseNews } from '../../domain/release-news.ts';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { Paint } from '../../pictures/painter.ts';
import type { Queues } from './admit.ts';
import type { AccessPolicy } from './authorize.ts';
import type { Work } from '../metrics/request-meter.ts';
import type { ReleaseWatch } from './health.ts';
import type { ReleaseState } from './release-state.ts';
import type { CalendarDoor } from './calendar-door.ts';
import type { UploadDoor } from './uploads.ts';

/** What is the same for every request. */
export interface ServiceContext {
  readonly site: Site;
  readonly access: AccessPolicy;
  readonly rebuild_hours: number;
  /** Where submissions go; null where none are taken. */
  readonly inbox: Inbox | null;
  /** What takes its turn. */
  readonly queues: Queues;
  /** Requests a release now. */
  readonly requestRelease: () => void;
  /** Draws the pictures that links are shared with. */
  readonly paint: Paint;
  /** Takes in pictures that are uploaded. */
  readonly uploads: UploadDoor;
  /** Takes in calendars, by file or by address. */
  readonly calendars: CalendarDoor;
  readonly readReleaseNews: () => ReleaseNews;
  /** What /healthz, /readyz and /statusz tell beside the release that serves. */
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
  /** For whoever measures. */
  readonly work: Work;
}
