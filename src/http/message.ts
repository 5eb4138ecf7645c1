// An HTTP request and its response as plain values, without sockets.

/** A request: what node:http or a test gives. */
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

/** A response before it is encoded (representation.ts). */
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
