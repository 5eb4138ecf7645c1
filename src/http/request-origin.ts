// Request origin: checks Host and Origin against our own names and verifies that a form comes from
// our own page. Also parses cookies and names the visitor's browser.
import { isIP } from 'node:net';
import type { Site } from '../domain/site.ts';
import { isPublicAddress } from './fetch-public.ts';
import type { HttpRequest } from './message.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST_PATTERN = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

const isOurUrl = (url: string, site: Site): boolean => {
  const name = URL.parse(url)?.hostname;
  return name !== undefined && [...LOOPBACK, URL.parse(site.url)?.hostname].includes(name);
};

/**
 * Returns true if the public address of a site is one that only its own network reaches: the
 * loopback, a private address, or a name without a domain.
 */
export function isLocalSite({ url }: Pick<Site, 'url'>): boolean {
  const name = (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0) return !isPublicAddress(name);
  return !name.includes('.') || /\.(?:localhost|local|internal|lan)$/.test(name);
}

/**
 * Returns true if a Host header is a single name with an optional port, or empty (RFC 9112, 3.2).
 */
export const isValidHost = (host: string): boolean => host === '' || HOST_PATTERN.test(host);

/** Returns true if a Host header names this site or the loopback, at any port. */
export const isOurHost = (host: string | undefined, site: Site): boolean =>
  host !== undefined && HOST_PATTERN.test(host) && isOurUrl(`http://${host}`, site);

/** Returns true if an Origin header is absent, or names this site or the loopback, at any port. */
export const isOurOrigin = (origin: string | undefined, site: Site): boolean =>
  origin === undefined || (/^https?:\/\//.test(origin) && isOurUrl(origin, site));

/**
 * Returns true for this site or an IP address. A foreign name that resolves to us (DNS rebinding)
 * is rejected.
 */
function isTrustedFormHost(host: string | undefined, site: Site): boolean {
  if (isOurHost(host, site)) return true;
  if (host === undefined || !HOST_PATTERN.test(host)) return false;
  return isIP((URL.parse(`http://${host}`)?.hostname ?? '').replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Returns true if a form was submitted from a page of the same origin: by Sec-Fetch-Site, and by
 * Origin, which browsers always send with a form (Fetch 3.2). A client that sends neither is not a
 * browser and has no visitor's cookies.
 */
export function isSameOriginForm({ headers }: HttpRequest, site: Site): boolean {
  const fetch_site = headers['sec-fetch-site'];
  if (fetch_site !== undefined && fetch_site !== 'same-origin' && fetch_site !== 'none')
    return false;
  const { origin, host } = headers;
  if (origin === undefined || origin === site.url) return true;
  const from = URL.parse(origin);
  if (from === null || from.host !== host) return false;
  const { protocol, hostname } = new URL(site.url);
  // An http page under the name of an https site may be from an attacker on the visitor's network.
  if (from.hostname === hostname && protocol === 'https:') return from.protocol === protocol;
  return isTrustedFormHost(host, site);
}

export function parseCookie(header: string | undefined, name: string): string | null {
  const pair = (header ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

/**
 * Formats browser and system from User-Agent, e.g. `Firefox, Linux`; empty if unknown. Stores no
 * other detail.
 */
export function describeUserAgent(agent = ''): string {
  const text = agent.slice(0, 512);
  return [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([pattern]) => pattern.test(text))?.[1] ?? [])
    .join(', ');
}
