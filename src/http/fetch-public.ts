// Public fetch: downloads pictures, calendars and sources from URLs that strangers give us.
// Connects to public addresses only, with limits on redirects, bytes and time (contract 16.4).
// Supports conditional requests.
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { TOWN } from '../town.ts';
import type { ImportProblem } from '../domain/imported-events.ts';
import { MAX_PICTURE_BYTES } from '../domain/pictures.ts';

/** Our product token in User-Agent and robots.txt, e.g. `HoyMerida`. */
export const USER_AGENT = TOWN.key.replace(/(^|-)(.)/g, (_, _hyphen, letter: string) =>
  letter.toUpperCase(),
);
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 10_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ORDINARY_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
/** All global unicast addresses of IPv6 are in 2000::/3. */
const GLOBAL_V6 = ipaddr.IPv6.parse('2000::');

type ResolveName = (name: string) => Promise<readonly string[]>;

export interface DownloadOptions {
  /**
   * `host:port` of servers that may have a private address, for tests and the operator's own
   * picture server.
   */
  readonly allowed: readonly string[];
  /** Returns all addresses of a host name. Default: DNS. */
  readonly resolve?: ResolveName;
  readonly timeout_ms?: number;
  readonly max_bytes?: number;
  readonly accept?: string;
  /** Public URL of the service, sent in User-Agent. */
  readonly contact_url?: string;
  /** Validators of the stored copy, for a conditional request. */
  readonly cached?: CacheValidators | undefined;
  /**
   * Awaited before each request, including redirects. Throws a DownloadError if the request is not
   * allowed.
   */
  readonly beforeRequest?: (url: URL) => Promise<void>;
  readonly signal?: AbortSignal;
}

interface CacheValidators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

export interface FetchedBody extends CacheValidators {
  /** Null if the stored copy is current (304). */
  readonly bytes: Buffer | null;
  /** Value of `Content-Type`; null if absent. */
  readonly content_type: string | null;
}

/** A failed download: invalid URL, non-public address, or a failure of the server. */
export class DownloadError extends Error {
  readonly failure: ImportProblem;
  /** HTTP status of the response; 0 if there was no response. */
  readonly status: number;
  /** Value of `Retry-After`; null if absent. */
  readonly retry_after: string | null;
  constructor(failure: ImportProblem, message: string, status = 0, retry_after?: string) {
    super(message);
    this.failure = failure;
    this.status = status;
    this.retry_after = retry_after ?? null;
  }
}

const downloadError = (failure: ImportProblem, message: string): DownloadError =>
  new DownloadError(failure, message);

/** Downloads the body of a URL. @throws DownloadError */
export const downloadPublic = async (url: string, options: DownloadOptions): Promise<Buffer> =>
  (await fetchPublic(url, options)).bytes ?? Buffer.alloc(0);

/** Downloads the body of a URL with its cache validators. @throws DownloadError */
export async function fetchPublic(url: string, options: DownloadOptions): Promise<FetchedBody> {
  const { timeout_ms = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeout_ms);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  // A DNS lookup cannot be aborted, so race it against the timeout.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([fetchFollowingRedirects(url, options, signal), aborted]);
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    if (signal.aborted)
      throw downloadError('too_slow', `it did not arrive within ${timeout_ms / 1000} s`);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw downloadError('not_fetched', `it could not be fetched (${code})`);
  }
}

async function fetchFollowingRedirects(
  link: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<FetchedBody> {
  let url = link;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const target = parseHttpUrl(url);
    await options.beforeRequest?.(target);
    const response = await sendRequest(target, options, signal);
    const status = response.statusCode ?? 0;
    const { location, etag = null, 'last-modified': last_modified = null } = response.headers;
    const { 'content-type': content_type = null } = response.headers;
    if (status === 200)
      return {
        etag,
        last_modified,
        content_type,
        bytes: await readBody(response, options.max_bytes ?? MAX_PICTURE_BYTES),
      };
    response.destroy();
    if (status === 304 && options.cached) {
      const { cached } = options;
      return { etag: cached.etag, last_modified: cached.last_modified, content_type, bytes: null };
    }
    if (!REDIRECTS.has(status) || location === undefined)
      throw new DownloadError(
        status >= 500 || status === 429 ? 'not_fetched' : 'not_found',
        `its server responded with ${status}`,
        status,
        response.headers['retry-after'],
      );
    if (!URL.canParse(location, url))
      throw downloadError('not_fetched', 'it redirects to an invalid URL');
    url = new URL(location, url).href;
  }
  throw downloadError('not_fetched', `it redirects more than ${MAX_REDIRECTS} times`);
}

function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw downloadError('not_address', 'its address must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw downloadError('not_address', 'its address must not contain a user name or password');
  return url;
}

async function sendRequest(
  url: URL,
  { allowed, resolve = resolveByDns, accept, contact_url, cached }: DownloadOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const is_allowed = allowed.includes(url.host);
  if (!is_allowed && !ORDINARY_PORTS.has(url.port))
    throw downloadError('not_public', `port ${url.port} is not allowed`);
  const address = is_allowed ? name : await findPublicAddress(name, resolve);
  signal.throwIfAborted();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolveResponse, reject) => {
    request(url, {
      // Connect to the address that was checked; the name is only sent in Host and SNI.
      host: address,
      agent: false,
      signal,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      headers: {
        host: url.host,
        accept: accept ?? 'image/webp, image/jpeg, image/png',
        'accept-encoding': 'gzip, identity;q=0.5',
        'user-agent': contact_url ? `${USER_AGENT}/1.0 (+${contact_url})` : `${USER_AGENT}/1.0`,
        ...(cached?.etag && { 'if-none-match': cached.etag }),
        ...(cached?.last_modified && { 'if-modified-since': cached.last_modified }),
      },
    })
      .once('response', resolveResponse)
      .once('error', reject)
      .end();
  });
}

const resolveByDns: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Returns true for a public internet address: not loopback, private or of special use. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6, 3);
}

/**
 * Resolves a host name to the address to connect to, and rejects it if any of its addresses is not
 * public. The caller must connect to this address: the name may resolve to another one a moment
 * later (DNS rebinding).
 */
async function findPublicAddress(name: string, resolve: ResolveName): Promise<string> {
  const addresses = isIP(name) === 0 ? await resolve(name).catch(() => null) : [name];
  if (addresses === null) throw downloadError('not_found', `${name} cannot be found`);
  // IPv4 first.
  const [preferred_address] = [...addresses].sort((a, b) => isIP(a) - isIP(b));
  if (preferred_address === undefined) throw downloadError('not_found', `${name} has no address`);
  const private_address = addresses.find((address) => !isPublicAddress(address));
  if (private_address !== undefined)
    throw downloadError(
      'not_public',
      `${name} resolves to ${private_address}, which is not a public address`,
    );
  return preferred_address;
}

/** Reads and decompresses a body. The limit applies to the decompressed bytes. */
async function readBody(response: IncomingMessage, max_bytes: number): Promise<Buffer> {
  const too_large = downloadError('too_large', `it is larger than ${max_bytes / 1024 / 1024} MB`);
  const coding = response.headers['content-encoding'] ?? 'identity';
  try {
    // Ignore unknown content codings: some servers send one with a plain body.
    if (/^(br|deflate|zstd|compress|x-compress)\b/i.test(coding))
      throw downloadError('not_fetched', `it has the content coding ${coding.slice(0, 20)}`);
    if (Number(response.headers['content-length'] ?? 0) > max_bytes) throw too_large;
    const plain: Readable = /gzip/i.test(coding)
      ? pipeline(response, createGunzip(), () => {})
      : response;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of plain) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > max_bytes) throw too_large;
      chunks.push(bytes);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}
