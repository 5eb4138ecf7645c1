// A body on its way out: entity tags and conditional requests (RFC 9110 8.8.3 and 13),
// compression, HEAD (contract 11.3, 11.5).
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from './message.ts';
import { negotiateCoding, type ContentCoding, ON_THE_FLY_CODINGS } from './negotiation.ts';
import { CACHE_NO_STORE, CACHE_PRIVATE } from './response-headers.ts';

export interface Representation {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Stands for the bytes (computeTag); null where conditional requests are not answered. */
  readonly tag: string | null;
  readonly last_modified_ms: number | null;
  /** The codings that can be had beside identity, the favourite first. */
  readonly codings: readonly ContentCoding[];
  readonly size: number;
  readonly read: (coding: ContentCoding | 'identity') => Buffer | Promise<Buffer>;
}

export interface EncodedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Null for 204, 304 and HEAD. */
  readonly body: Buffer | null;
}

/** The tag of a body's bytes before any coding, without quotes: 132 bits, far beyond chance. */
export const computeTag = (bytes: Buffer | string): string =>
  hash('sha256', bytes, 'base64url').slice(0, 22);

/** The ETag field of one coding of a body: strong, `"…"` or `"…-br"`. */
export const formatEtag = (tag: string, coding: ContentCoding | 'identity'): string =>
  coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;

export const formatHttpDate = (epoch_ms: number): string => new Date(epoch_ms).toUTCString();

/**
 * Whether the caller has this response already (304). If-None-Match is compared weakly; only where it
 * is absent does If-Modified-Since count (RFC 9110 13.2.2).
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

/** Of a finished response; compressed forms are made on first use and cached with it. */
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
    const made = compressed.get(coding) ?? compress(bytes, coding, 'quick');
    compressed.set(coding, made);
    return made;
  };
  const is_own = [CACHE_NO_STORE, CACHE_PRIVATE].includes(response.headers['cache-control'] ?? '');
  return {
    status: response.status,
    headers: { ...response.headers, ...headers },
    tag: response.status === 200 && !is_own ? computeTag(bytes) : null,
    last_modified_ms: null,
    codings: isCompressible(type, bytes.length) ? ON_THE_FLY_CODINGS : [],
    size: bytes.length,
    read,
  };
}

/** The response to one request: 304 where the caller has it, else in the best coding; `extra` wins. */
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

const MIN_BYTES = 1024;
const COMPRESSIBLE =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml)|application\/(javascript|manifest\+json|vnd\.sqlite3)|image\/svg)/;
/** 80 kB take zstd a tenth of a millisecond at its quick level; brotli's default, 11, takes 133. */
const LEVELS = { quick: { br: 5, gzip: 6, zstd: 1 }, well: { br: 7, gzip: 7, zstd: 8 } } as const;
/** Up to here quick zstd runs at once: going to another thread and back takes longer. */
const MAX_SYNC_BYTES = 128 * 1024;
/** From here on the last percents cost twice as long. */
const LARGE_BYTES = 1024 * 1024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const zstd = promisify(zstdCompress);

export const isCompressible = (type: string, size: number): boolean =>
  size >= MIN_BYTES && COMPRESSIBLE.test(type);

/** The body in a coding; what takes longer is made off the main thread. */
export async function compress(
  body: Buffer,
  coding: ContentCoding,
  effort: keyof typeof LEVELS,
): Promise<Buffer> {
  const levels = LEVELS[effort === 'well' && body.length >= LARGE_BYTES ? 'quick' : effort];
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
      // A window no wider than the body: with the default one, 30 ms go on clearing memory.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}
