// A stranger's link fetched: a public address only, few redirects, few bytes, little time.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { type FetchFailure, PictureError } from './picture-error.ts';
import { findPublicAddress, type Resolve, resolveByDns } from './public-address.ts';

/** Bytes of a picture, however it comes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 10_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ORDINARY_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);

export interface DownloadOptions {
  /** `host:port` that may be private, for tests and for a picture server of one's own. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
  readonly timeout_ms?: number;
  /** Bytes; those of a picture where it says nothing. */
  readonly max_bytes?: number;
  /** What is asked for; pictures where it says nothing. */
  readonly accept?: string;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** The bytes behind a link. Throws a PictureError that says what is wrong. */
export async function download(url: string, options: DownloadOptions): Promise<Buffer> {
  const timeout_ms = options.timeout_ms ?? TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeout_ms);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    return await orAborted(follow(url, options, signal), signal);
  } catch (thrown) {
    if (thrown instanceof PictureError) throw thrown;
    if (signal.aborted) throw fail('too_slow', `it did not arrive within ${timeout_ms / 1000} s`);
    throw fail('not_fetched', `it could not be fetched (${toCode(thrown)})`);
  }
}

const fail = (failure: FetchFailure, sentence: string): PictureError =>
  new PictureError(sentence, null, failure);

const toCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';

/** A name may take long to be looked up, and nothing stops that. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);

async function follow(
  first: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  let url = first;
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
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw fail('not_address', 'its address must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw fail('not_address', 'its address must not hold a name and a password');
  return url;
}

/** The address to connect to: checked, unless this very host and port is allowed by the settings. */
async function toAddress(url: URL, { allowed, resolve }: DownloadOptions): Promise<string> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  if (allowed.includes(url.host)) return name;
  if (!ORDINARY_PORTS.has(url.port)) throw fail('not_public', `port ${url.port} is not asked`);
  return findPublicAddress(name, resolve ?? resolveByDns);
}

async function send(
  url: URL,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const address = await toAddress(url, options);
  signal.throwIfAborted();
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, {
      // The connection goes to what was checked; the name is only said.
      host: address,
      agent: false,
      signal,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      headers: {
        host: url.host,
        accept: options.accept ?? 'image/webp, image/jpeg, image/png',
        'accept-encoding': 'identity',
        'user-agent': 'HoyCancun/1.0',
      },
    })
      .once('response', resolve)
      .once('error', reject)
      .end();
  });
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
