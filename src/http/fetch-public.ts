// A stranger's address fetched, of a picture, a calendar or a source: public ones only, few redirects, few bytes,
// little time (contract 16.4). What is known already is not sent again.
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { TOWN } from '../town.ts';
import type { ImportProblem } from '../domain/imported-events.ts';

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** As what robots.txt names us. */
export const USER_AGENT = TOWN.key.replace(/(^|-)(.)/g, (_, _hyphen, letter: string) =>
  letter.toUpperCase(),
);
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 10_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ORDINARY_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
/** Global unicast of IPv6 is all below 2000::/3. */
const GLOBAL_V6 = ipaddr.IPv6.parse('2000::');

type Resolve = (name: string) => Promise<readonly string[]>;

export interface DownloadOptions {
  /** `host:port` that may be private, for tests and for a picture server of one's own. */
  readonly allowed: readonly string[];
  /** Gives every address of a name; by DNS where it says nothing. */
  readonly resolve?: Resolve;
  readonly timeout_ms?: number;
  readonly max_bytes?: number;
  readonly accept?: string;
  /** The public address of the service, said to whoever is asked. */
  readonly from?: string;
  /** What a server said of the bytes that are here already. */
  readonly known?: CacheValidators | undefined;
  /** Awaited before each request, those of redirects too; throws a DownloadError where it may not be made. */
  readonly admit?: (url: URL) => Promise<void>;
  readonly signal?: AbortSignal;
}

interface CacheValidators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

export interface FetchedBody extends CacheValidators {
  /** Null where they are those that are known. */
  readonly bytes: Buffer | null;
}

/** Why nothing comes from an address: its form, where it leads, what its server does. */
export class DownloadError extends Error {
  readonly failure: ImportProblem;
  /** What the server answered; 0 where it did not. */
  readonly status: number;
  /** Its `Retry-After`; null for none. */
  readonly retry_after: string | null;
  constructor(failure: ImportProblem, message: string, status = 0, retry_after?: string) {
    super(message);
    this.failure = failure;
    this.status = status;
    this.retry_after = retry_after ?? null;
  }
}

const fail = (failure: ImportProblem, sentence: string): DownloadError =>
  new DownloadError(failure, sentence);

/** The bytes behind a link. Throws a DownloadError. */
export const downloadPublic = async (url: string, options: DownloadOptions): Promise<Buffer> =>
  (await fetchPublic(url, options)).bytes ?? Buffer.alloc(0);

/** The bytes behind a link, with what its server says of them. Throws a DownloadError. */
export async function fetchPublic(url: string, options: DownloadOptions): Promise<FetchedBody> {
  const { timeout_ms = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeout_ms);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  // A name may take long to be looked up, and nothing stops that.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([follow(url, options, signal), aborted]);
  } catch (thrown) {
    if (thrown instanceof DownloadError) throw thrown;
    if (signal.aborted) throw fail('too_slow', `it did not arrive within ${timeout_ms / 1000} s`);
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    throw fail('not_fetched', `it could not be fetched (${code})`);
  }
}

async function follow(
  link: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<FetchedBody> {
  let url = link;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const address = parseLink(url);
    await options.admit?.(address);
    const response = await send(address, options, signal);
    const status = response.statusCode ?? 0;
    const { location, etag = null, 'last-modified': last_modified = null } = response.headers;
    const said = { etag, last_modified };
    if (status === 200)
      return { ...said, bytes: await readBytes(response, options.max_bytes ?? MAX_PICTURE_BYTES) };
    response.destroy();
    if (status === 304 && options.known) {
      const { known } = options;
      return { etag: known.etag, last_modified: known.last_modified, bytes: null };
    }
    if (!REDIRECTS.has(status) || location === undefined)
      throw new DownloadError(
        status >= 500 || status === 429 ? 'not_fetched' : 'not_found',
        `its server answers ${status}`,
        status,
        response.headers['retry-after'],
      );
    if (!URL.canParse(location, url)) throw fail('not_fetched', 'it redirects to no address');
    url = new URL(location, url).href;
  }
  throw fail('not_fetched', `it redirects more than ${MAX_REDIRECTS} times`);
}

function parseLink(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw fail('not_address', 'its address must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw fail('not_address', 'its address must not hold a name and a password');
  return url;
}

async function send(
  url: URL,
  { allowed, resolve = resolveByDns, accept, from, known }: DownloadOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const is_allowed = allowed.includes(url.host);
  if (!is_allowed && !ORDINARY_PORTS.has(url.port))
    throw fail('not_public', `port ${url.port} is not asked`);
  const address = is_allowed ? name : await findPublicAddress(name, resolve);
  signal.throwIfAborted();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((found, reject) => {
    request(url, {
      // The connection goes to what was checked; the name is only said.
      host: address,
      agent: false,
      signal,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      headers: {
        host: url.host,
        accept: accept ?? 'image/webp, image/jpeg, image/png',
        'accept-encoding': 'gzip, identity;q=0.5',
        'user-agent': from ? `${USER_AGENT}/1.0 (+${from})` : `${USER_AGENT}/1.0`,
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
      },
    })
      .once('response', found)
      .once('error', reject)
      .end();
  });
}

const resolveByDns: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Whether an address is one of the public internet: not of this machine, its network or a special use. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6, 3);
}

/**
 * The address to connect to for a name. Where one of several is not public none is taken, and
 * whoever connects uses this very address: the name may mean another a moment later.
 */
async function findPublicAddress(name: string, resolve: Resolve): Promise<string> {
  const addresses = isIP(name) === 0 ? await resolve(name).catch(() => null) : [name];
  if (addresses === null) throw fail('not_found', `${name} cannot be found`);
  const [first] = [...addresses].sort((a, b) => isIP(a) - isIP(b));
  if (first === undefined) throw fail('not_found', `${name} has no address`);
  const hidden = addresses.find((address) => !isPublicAddress(address));
  if (hidden !== undefined)
    throw fail('not_public', `${name} leads to ${hidden}, which is not a public address`);
  return first;
}

/** As they were before they were packed; the limit is that of what comes out. */
async function readBytes(response: IncomingMessage, max_bytes: number): Promise<Buffer> {
  const too_large = fail('too_large', `it is larger than ${max_bytes / 1024 / 1024} MB`);
  const coding = response.headers['content-encoding'] ?? 'identity';
  try {
    // What is no coding at all, which some servers write, packs nothing.
    if (/^(br|deflate|zstd|compress|x-compress)\b/i.test(coding))
      throw fail('not_fetched', `it is packed as ${coding.slice(0, 20)}`);
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
