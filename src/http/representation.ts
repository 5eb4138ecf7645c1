// A body that can be had in several codings, and the answer made of it: conditional, compressed,
// HEAD (decisions, HTTP 2 and 3).
import { chooseCoding, type Coding, QUICK_CODINGS } from './accept-encoding.ts';
import { NO_STORE } from './cache-control.ts';
import { compress, isCompressible, MIN_COMPRESSED_BYTES } from './compression.ts';
import { isNotModified, toEtag, toHttpDate, toTag } from './etag.ts';
import type { HttpResponse, HttpRequest } from './message.ts';

export interface Representation {
  readonly status: number;
  /**
   * Names in lower case, without etag, content-encoding, content-length, last-modified. `vary`
   * names what chose this one.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Stands for the bytes (toTag); null where an answer is not to be asked for conditionally. */
  readonly tag: string | null;
  readonly last_modified_ms: number | null;
  /** The codings that can be had beside identity, the favourite first. */
  readonly codings: readonly Coding[];
  /** Bytes before any coding. */
  readonly size: number;
  readonly read: (coding: Coding | 'identity') => Buffer | Promise<Buffer>;
}

/** An answer as it goes out. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Null for 204, 304 and HEAD. */
  readonly body: Buffer | null;
}

const NO_BODY = Buffer.alloc(0);

/**
 * A representation of a finished answer; compressed forms are made when first asked for and kept
 * with it.
 */
export function toRepresentation(
  response: HttpResponse,
  headers: Readonly<Record<string, string>> = {},
  tagOf: (bytes: Buffer) => string = toTag,
): Representation {
  const bytes =
    typeof response.body === 'string' ? Buffer.from(response.body) : (response.body ?? NO_BODY);
  const shrinks =
    bytes.length >= MIN_COMPRESSED_BYTES && isCompressible(response.headers['content-type'] ?? '');
  const made = new Map<Coding, Promise<Buffer>>();
  const read = (coding: Coding | 'identity'): Buffer | Promise<Buffer> => {
    if (coding === 'identity') return bytes;
    const cached = made.get(coding) ?? compress(bytes, coding);
    made.set(coding, cached);
    return cached;
  };
  const is_cacheable = response.status === 200 && response.headers['cache-control'] !== NO_STORE;
  return {
    status: response.status,
    headers: { ...response.headers, ...headers },
    tag: is_cacheable ? tagOf(bytes) : null,
    last_modified_ms: null,
    codings: shrinks ? QUICK_CODINGS : [],
    size: bytes.length,
    read,
  };
}

/**
 * The answer to one question: 304 where the caller has it, else the best coding; `extra` headers
 * win.
 */
export async function encodeResponse(
  request: HttpRequest,
  representation: Representation,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> {
  const coding = chooseCoding(request.headers['accept-encoding'], representation.codings);
  const headers: Record<string, string | number> = { ...representation.headers, ...extra };
  if (representation.codings.length > 0)
    headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding';
  if (representation.last_modified_ms !== null)
    headers['last-modified'] = toHttpDate(representation.last_modified_ms);
  if (representation.tag !== null) {
    const etag = toEtag(representation.tag, coding);
    headers.etag = etag;
    if (isNotModified(request.headers, etag, representation.last_modified_ms)) {
      delete headers['content-type'];
      return { status: 304, headers, body: null };
    }
  }
  if (representation.status === 204) return { status: 204, headers, body: null };
  const body = await representation.read(coding);
  if (coding !== 'identity') headers['content-encoding'] = coding;
  headers['content-length'] = body.length;
  return { status: representation.status, headers, body: request.method === 'HEAD' ? null : body };
}
