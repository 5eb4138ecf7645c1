// A body on its way out: entity tags and conditional requests (RFC 9110 8.8.3 and 13),
// compression, HEAD (contract 11.3, 11.5).
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, gzip, zstdCompress, zstdCompressSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from './message.ts';
import { chooseCoding, type Coding, QUICK_CODINGS } from './negotiation.ts';
import { NO_STORE } from './response-headers.ts';

/** A body that can be had in several codings. */
export interface Representation {
  readonly status: number;
  /**
   * Names in lower case, without etag, content-encoding, content-length, last-modified. `vary`
   * names what chose this one.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Stands for the bytes (toTag); null where conditional requests are not answered. */
  readonly tag: string | null;
  readonly last_modified_ms: number | null;
  /** The codings that can be had beside identity, the favourite first. */
  readonly codings: readonly Coding[];
  /** Bytes before any coding. */
  readonly size: number;
  readonly read: (coding: Coding | 'identity') => Buffer | Promise<Buffer>;
}

/** A response as it goes out. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Null for 204, 304 and HEAD. */
  readonly body: Buffer | null;
}

/** Characters of a tag: 132 bits, far beyond chance. */
const TAG_LENGTH = 22;

/** The tag of a body's bytes before any coding, without quotes: sha-256 in base64url. */
export function toTag(bytes: Buffer | string): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH);
}

/**
 * The tag of a response made on demand: the version of what it was made from, a checksum of what
 * decides its bytes (or of the bytes themselves) and their number. Within one version an address
 * has only a few different bodies a day, so 32 bits tell them apart; a digest of a long list would
 * take longer than making it.
 */
export function toQuickTag(version: string, made_of: Buffer, size: number): string {
  return `${version}-${crc32(made_of).toString(36)}-${size.toString(36)}`;
}

/** The ETag field of one coding of a body: strong, `"…"` or `"…-br"`. */
export function toEtag(tag: string, coding: Coding | 'identity'): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

let last_date = { second: Number.NaN, text: '' };

/** An HTTP date, whole seconds. The last result is cached: the requests of a second share it. */
export function toHttpDate(epoch_ms: number): string {
  const second = Math.floor(epoch_ms / 1000);
  if (second !== last_date.second)
    last_date = { second, text: new Date(second * 1000).toUTCString() };
  return last_date.text;
}

/**
 * Whether the caller has this response already (304). If-None-Match is compared weakly, a list or
 * `*`; only where it is absent does If-Modified-Since count (RFC 9110 13.2.2). `last_modified_ms`
 * is null where it is not known.
 */
export function isNotModified(
  headers: HttpRequest['headers'],
  etag: string,
  last_modified_ms: number | null,
): boolean {
  const none_match = headers['if-none-match'];
  if (none_match !== undefined) {
    if (none_match === etag || none_match.trim() === '*') return true;
    return (none_match.match(/(?:W\/)?"[^"]*"/g) ?? []).some(
      (tag) => tag.replace(/^W\//, '') === etag,
    );
  }
  const since = headers['if-modified-since'];
  if (since === undefined || last_modified_ms === null) return false;
  const since_ms = Date.parse(since);
  return !Number.isNaN(since_ms) && Math.floor(last_modified_ms / 1000) * 1000 <= since_ms;
}

/** Smaller bodies gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 1024;
/** Text, JSON, XML, SVG and the like. */
const COMPRESSIBLE =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml)|application\/(javascript|manifest\+json)|image\/svg)/;
/** 80 kB take zstd a tenth of a millisecond, gzip and brotli one (brotli's default, 11, takes 133). */
const LEVELS = { br: 5, gzip: 6, zstd: 1 } as const;
/** Up to here zstd runs at once: going to another thread and back takes longer. */
const MAX_SYNC_BYTES = 128 * 1024;

/** The compressed form of a body; whatever takes longer is made off the main thread. */
async function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: LEVELS.gzip });
  if (coding === 'zstd') {
    const options = {
      pledgedSrcSize: body.length,
      params: { [constants.ZSTD_c_compressionLevel]: LEVELS.zstd },
    };
    return body.length <= MAX_SYNC_BYTES
      ? zstdCompressSync(body, options)
      : promisify(zstdCompress)(body, options);
  }
  return promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: LEVELS.br,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

const NO_BODY = Buffer.alloc(0);

/**
 * A representation of a finished response; compressed forms are made on first use and cached with
 * it.
 */
export function toRepresentation(
  response: HttpResponse,
  headers: Readonly<Record<string, string>> = {},
  tagOf: (bytes: Buffer) => string = toTag,
): Representation {
  const bytes =
    typeof response.body === 'string' ? Buffer.from(response.body) : (response.body ?? NO_BODY);
  const is_compressed =
    bytes.length >= MIN_COMPRESSED_BYTES &&
    COMPRESSIBLE.test(response.headers['content-type'] ?? '');
  const compressed = new Map<Coding, Promise<Buffer>>();
  const read = (coding: Coding | 'identity'): Buffer | Promise<Buffer> => {
    if (coding === 'identity') return bytes;
    const cached = compressed.get(coding) ?? compress(bytes, coding);
    compressed.set(coding, cached);
    return cached;
  };
  const is_cacheable = response.status === 200 && response.headers['cache-control'] !== NO_STORE;
  return {
    status: response.status,
    headers: { ...response.headers, ...headers },
    tag: is_cacheable ? tagOf(bytes) : null,
    last_modified_ms: null,
    codings: is_compressed ? QUICK_CODINGS : [],
    size: bytes.length,
    read,
  };
}

/**
 * The response to one request: 304 where the caller has it, else in the best coding. `extra`
 * headers win.
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
