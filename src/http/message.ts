// An HTTP request and its response as plain values, without sockets; and responses that carry JSON.

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

/** The content type of every JSON response. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** A JSON response of any status; `headers` are added to its content type. */
export function toJsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...headers },
    body: JSON.stringify(value),
  };
}

/** `{data, meta}` with status 200 (contract 3.1). */
export function toEnvelopeResponse(
  data: unknown,
  meta: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return toJsonResponse(200, { data, meta }, headers);
}
