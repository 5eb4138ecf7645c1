// A stranger's link fetched: a public address only, few redirects, few bytes, little time.
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { FeedProblem } from '../domain/feed.ts';

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
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
  readonly signal?: AbortSignal;
}

/** Why nothing comes from an address: its form, where it leads, what its server does. */
export class DownloadError extends Error {
  readonly failure: FeedProblem;
  constructor(failure: FeedProblem, message: string) {
    super(message);
    this.failure = failure;
  }
}

const fail = (failure: FeedProblem, sentence: string): DownloadError =>
  new DownloadError(failure, sentence);

/** The bytes behind a link. Throws a DownloadError. */
export async function download(url: string, options: DownloadOptions): Promise<Buffer> {
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

async function follow(link: string, options: DownloadOptions, signal: AbortSignal) {
  let url = link;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await send(parseLink(url), options, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status === 200) return await readBytes(response, options.max_bytes ?? MAX_PICTURE_BYTES);
    response.destroy();
    if (!REDIRECTS.has(status) || location === undefined)
      throw fail(status >= 500 ? 'not_fetched' : 'not_found', `its server answers ${status}`);
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
  { allowed, resolve = resolveByDns, accept }: DownloadOptions,
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
        'accept-encoding': 'identity',
        'user-agent': 'HoyCancun/1.0',
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

async function readBytes(response: IncomingMessage, max_bytes: number): Promise<Buffer> {
  const too_large = fail('too_large', `it is larger than ${max_bytes / 1024 / 1024} MB`);
  try {
    if (Number(response.headers['content-length'] ?? 0) > max_bytes) throw too_large;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
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
