// A question over HTTP and its answer as plain values: Request in, Response out, without sockets.

export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** The path as sent, still percent-encoded. */
  readonly path: string;
  /** What follows the question mark, as sent, without it; empty where there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface HttpResponse {
  readonly status: number;
  /**
   * Names in lower case. No content-length, etag, content-encoding: the front server adds those.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there is none (304, 204). */
  readonly body: Buffer | string | null;
  /**
   * What decides the body within one snapshot, where that is much less than the body: the tag is
   * made of it.
   */
  readonly made_of?: Buffer;
}

export type { Site } from '../domain/site.ts';
