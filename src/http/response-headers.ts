// What responses say beside their body: how long they may be cached (RFC 9111, RFC 5861), who may
// read them (CORS), and what they may load or be used for.
import type { HttpResponse } from './message.ts';

/** Files whose name changes with their content. */
export const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files with a name that stays: icons, robots.txt. */
export const CACHE_ASSET = 'public, max-age=3600, stale-while-revalidate=86400';
/** Pages that say the same all day; short, because a status may change to cancelled (contract 1.5). */
export const CACHE_PAGE = 'public, max-age=300, stale-while-revalidate=600';
/** Pages that know the hour. */
export const CACHE_MINUTE_PAGE = 'public, max-age=30, stale-while-revalidate=60';
export const CACHE_NO_STORE = 'no-store';
/** A form that anybody may open: kept by the reader's own browser alone, for the way back. */
export const CACHE_PRIVATE = 'private, no-cache';

const FRESH = /max-age=(\d+)/;
const STALE = /stale-while-revalidate=(\d+)/;
const readSeconds = (value: string, directive: RegExp): number =>
  Number(directive.exec(value)?.[1] ?? 0);

/** No value that is capped reaches further, so most of the day there is nothing to do. */
const LONGEST_MS = 3_600_000;

export function capCacheControl(value: string, now_ms: number, until_ms: number): string {
  if (until_ms - now_ms >= LONGEST_MS) return value;
  const left = Math.floor((until_ms - now_ms) / 1000);
  const fresh = Math.min(left, readSeconds(value, FRESH));
  const stale = Math.min(left - fresh, readSeconds(value, STALE));
  const capped = value.replace(FRESH, `max-age=${fresh}`);
  if (stale > 0) return capped.replace(STALE, `stale-while-revalidate=${stale}`);
  return capped.replace(STALE, 'must-revalidate');
}

const EXPOSED = [
  'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining',
  'RateLimit-Reset, Content-Signal, Deprecation, Sunset',
].join(', ');

/** Chromium stores a preflight no longer than this. */
const PREFLIGHT_SECONDS = 7200;

/** On pages and files, which every origin may read (contract 11.1); forms and the desk have none. */
export const PUBLIC_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** On API responses: the same, and the headers that a program needs. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...PUBLIC_HEADERS,
  'access-control-expose-headers': EXPOSED,
};

/** The response to OPTIONS, a preflight or not: not counted, no key needed (contract 10.6). */
export function createPreflightResponse(allow: string): HttpResponse {
  return {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'x-api-key, content-type, if-none-match, if-modified-since',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      'cache-control': `public, max-age=${PREFLIGHT_SECONDS}`,
    },
    body: null,
  };
}

/** Whether a page stands alone, shows a frame of ours, or may be put in anybody's. */
export type FramePolicy = 'alone' | 'framing' | 'framed';

interface PageTraits {
  readonly framing?: FramePolicy | undefined;
  /** Sources for `style-src`: the hashes of the styles that may stand inside it (CSP3, 8.3). */
  readonly style_hashes?: readonly string[];
}

/** What is no page loads nothing at all; a script may ask this site. */
function toPolicy(type: string, { framing = 'alone', style_hashes = [] }: PageTraits): string {
  if (type.startsWith('text/javascript'))
    return "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";
  if (!type.startsWith('text/html'))
    return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
  const own = [
    "script-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(framing === 'framing' ? ["frame-src 'self'"] : []),
  ];
  return [
    "default-src 'none'",
    ["style-src 'self'", ...style_hashes].join(' '),
    // The list that anybody may put in a frame: words, pictures and our sheet, nothing else.
    ...(framing === 'framed' ? ["img-src 'self'", "form-action 'none'", 'frame-ancestors *'] : own),
    "base-uri 'none'",
  ].join('; ');
}

const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'camera=(), geolocation=(self), microphone=(), payment=(), usb=(), browsing-topics=()',
  // contentsignals.org, and draft-ietf-aipref-attach: reading and citing are welcome, training is
  // not (contract 1.5).
  'content-signal': 'ai-train=no, search=yes, ai-input=yes',
  'content-usage': 'train-ai=n, search=y',
};

/** A year; sent only where the site is on https (RFC 6797). */
const HSTS = 'max-age=31536000';

/** What every response says about safety and use: no scripts but ours, no frames, no training. */
export function securityHeaders(
  content_type: string,
  site_url: string,
  page: PageTraits = {},
): Readonly<Record<string, string>> {
  return {
    ...ALWAYS,
    'content-security-policy': toPolicy(content_type, page),
    ...(site_url.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  };
}
