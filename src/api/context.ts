// What every operation is given: the data, the instant, the site; and the question as it came.
import type { Site } from '../domain/site.ts';
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import type { Snapshot } from '../snapshot/open.ts';

export interface ApiContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the question. */
  readonly now_ms: number;
  readonly site: Site;
  /** Told of what was thrown and is no AppError; the client never sees it. */
  readonly onError?: (issue: unknown) => void;
}

/** One call of an operation. */
export interface Call {
  readonly request: HttpRequest;
  /** The path's identifier, percent-decoded; empty where the path has none. */
  readonly id: string;
  readonly context: ApiContext;
}

/** Gives the answer to a GET; throws AppError for what the caller can mend. */
export type Operation = (call: Call) => HttpResponse;
