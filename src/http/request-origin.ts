// Where a request comes from and whom it asks: our own names in Host and Origin, the page that sent a form,
// a cookie, the visitor's device.
import { isIP } from 'node:net';
import type { Site } from '../domain/site.ts';
import type { HttpRequest } from './message.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** The name in an address, whether it is a site's own or the loopback's. */
const isOurs = (url: string, site: Site): boolean => {
  const name = URL.parse(url)?.hostname;
  return name !== undefined && [...LOOPBACK, URL.parse(site.url)?.hostname].includes(name);
};

/** Whether a Host field is one name, with or without a port (RFC 9112, 3.2); it may be empty. */
export const isValidHost = (host: string): boolean => host === '' || HOST.test(host);

/** Whether a Host field names this site or the loopback, at any port. */
export const isOurHost = (host: string | undefined, site: Site): boolean =>
  host !== undefined && HOST.test(host) && isOurs(`http://${host}`, site);

/** Whether an Origin field is absent, or of this site or the loopback, at any port. */
export const isOurOrigin = (origin: string | undefined, site: Site): boolean =>
  origin === undefined || (/^https?:\/\//.test(origin) && isOurs(origin, site));

/** This site or an address of the network; a name made to lead here (DNS rebinding) is neither. */
function isHostOfForms(host: string | undefined, site: Site): boolean {
  if (isOurHost(host, site)) return true;
  if (host === undefined || !HOST.test(host)) return false;
  return isIP((URL.parse(`http://${host}`)?.hostname ?? '').replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Whether a form was sent from a page of this very host: by Origin, which browsers always send with
 * a form (Fetch 3.2); by Sec-Fetch-Site where that says more. A client that sends neither is no
 * browser and has no cookies of a visitor.
 */
export function isSameOriginForm({ headers }: HttpRequest, site: Site): boolean {
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin' && from !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined || origin === site.url) return true;
  return URL.parse(origin)?.host === host && isHostOfForms(host, site);
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

/** `Firefox, Linux`, by the start of User-Agent; empty where neither is known. Nothing more is kept. */
export function describeUserAgent(agent = ''): string {
  const text = agent.slice(0, 512);
  return [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([pattern]) => pattern.test(text))?.[1] ?? [])
    .join(', ');
}
