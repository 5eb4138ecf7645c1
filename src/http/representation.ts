// Response encoding: turns a representation (a response body with its headers, in every available
// content coding) into the response to one request. Adds entity tags, answers conditional requests
// (RFC 9110 8.8.3 and 13) and HEAD, and compresses bodies (contract 11.3, 11.5).
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from './message.ts';
import { negotiateCoding, type ContentCoding, ON_THE_FLY_CODINGS } from './negotiation.ts';
import { CACHE_NO_STORE, CACHE_PRIVATE } from './response-headers.ts';

/** Response that can be sent to any client: its body can be read in each of its codings. */
export interface Representation {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Digest of the bytes (computeTag); null if conditional requests are not supported. */
  readonly tag: string | null;
  /** Epoch ms for Last-Modified; null to omit the header. */
  readonly last_modified_ms: number | null;
  /** Available codings besides identity, in order of preference. */
  readonly codings: readonly ContentCoding[];
  /** Bytes of the plain body. */
  readonly size: number;
  /** Returns the body in one of `codings`, or as plain bytes. */
  readonly read: (coding: ContentCoding | 'identity') => Buffer | Promise<Buffer>;
}

/** Response to one request, ready to be sent. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Null for 204, 304 and HEAD. */
  readonly body: Buffer | null;
}

/**
 * Computes the tag of an uncompressed body, without quotes: 132 bits of SHA-256, so collisions do
 * not occur.
 */
export const computeTag = (bytes: Buffer | string): string =>
  hash('sha256', bytes, 'base64url').slice(0, 22);

/** Formats the strong ETag of one coding of a body: `"…"` or `"…-br"`. */
export const formatEtag = (tag: string, coding: ContentCoding | 'identity'): string =>
  coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;

export const formatHttpDate = (epoch_ms: number): string => new Date(epoch_ms).toUTCString();

/**
 * Returns true if the client's copy is current (304). If-None-Match is compared weakly;
 * If-Modified-Since counts only if it is absent (RFC 9110 13.2.2).
 */
export function isNotModified(
  headers: HttpRequest['headers'],
  etag: string,
  last_modified_ms: number | null,
): boolean {
  const none_match = headers['if-none-match'];
  if (none_match !== undefined) {
    const tags = none_match.match(/"[^"]*"/g) ?? [];
    return none_match.trim() === '*' || tags.some((tag) => tag === etag);
  }
  const since = headers['if-modified-since'];
  if (since === undefined || last_modified_ms === null) return false;
  return Math.floor(last_modified_ms / 1000) * 1000 <= Date.parse(since);
}

/**
 * Creates the representation of a complete response. It is compressed on first use, and the result
 * is cached.
 */
export function createRepresentation(
  response: HttpResponse,
  headers: Readonly<Record<string, string>> = {},
): Representation {
  const body = response.body ?? '';
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const type = response.headers['content-type'] ?? '';
  const compressed = new Map<ContentCoding, Promise<Buffer>>();
  const read = (coding: ContentCoding | 'identity'): Buffer | Promise<Buffer> => {
    if (coding === 'identity') return bytes;
    const encoded = compressed.get(coding) ?? compress(bytes, coding, 'quick');
    compressed.set(coding, encoded);
    return encoded;
  };
  const is_private = [CACHE_NO_STORE, CACHE_PRIVATE].includes(
    response.headers['cache-control'] ?? '',
  );
  return {
    status: response.status,
    headers: { ...response.headers, ...headers },
    tag: response.status === 200 && !is_private ? computeTag(bytes) : null,
    last_modified_ms: null,
    codings: isCompressible(type, bytes.length) ? ON_THE_FLY_CODINGS : [],
    size: bytes.length,
    read,
  };
}

/**
 * Encodes the response to one request: 304 if the client's copy is current, otherwise the body in
 * the best coding.
 * @param extra Headers that override the others.
 */
export async function encodeResponse(
  request: HttpRequest,
  representation: Representation,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> {
  const coding = negotiateCoding(request.headers['accept-encoding'], representation.codings);
  const headers: Record<string, string | number> = { ...representation.headers, ...extra };
  if (representation.codings.length > 0)
    headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding';
  if (representation.last_modified_ms !== null)
    headers['last-modified'] = formatHttpDate(representation.last_modified_ms);
  if (representation.tag !== null) {
    const etag = formatEtag(representation.tag, coding);
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

/** Smaller bodies are not compressed. */
const MIN_COMPRESSIBLE_BYTES = 1024;
const COMPRESSIBLE_TYPE =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml)|application\/(javascript|manifest\+json|vnd\.sqlite3)|image\/svg)/;
/**
 * Levels of each coding. `quick`: while a visitor waits; `best`: for cached files. zstd compresses
 * 80 kB in 0.1 ms at its quick level; brotli's default level, 11, takes 133 ms.
 */
const COMPRESSION_LEVELS = {
  quick: { br: 5, gzip: 6, zstd: 1 },
  best: { br: 7, gzip: 7, zstd: 8 },
} as const;
/**
 * Up to this size quick zstd runs on the main thread: the switch to another thread takes longer.
 */
const MAX_SYNC_BYTES = 128 * 1024;
/** From this size on the quick level is used: the last few percent would take twice as long. */
const LARGE_BODY_BYTES = 1024 * 1024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const zstd = promisify(zstdCompress);

export const isCompressible = (type: string, size: number): boolean =>
  size >= MIN_COMPRESSIBLE_BYTES && COMPRESSIBLE_TYPE.test(type);

/** Compresses a body; larger ones off the main thread. */
export async function compress(
  body: Buffer,
  coding: ContentCoding,
  effort: keyof typeof COMPRESSION_LEVELS,
): Promise<Buffer> {
  const level_name = body.length >= LARGE_BODY_BYTES ? 'quick' : effort;
  const levels = COMPRESSION_LEVELS[level_name];
  if (coding === 'gzip') return gzipped(body, { level: levels.gzip });
  if (coding === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: levels.zstd };
    const options = { pledgedSrcSize: body.length, params };
    const is_sync = effort === 'quick' && body.length <= MAX_SYNC_BYTES;
    return is_sync ? zstdCompressSync(body, options) : zstd(body, options);
  }
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: levels.br,
      // A window no larger than the body: clearing the default one takes 30 ms.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}
