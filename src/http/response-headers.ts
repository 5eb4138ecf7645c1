// Response headers: set caching (RFC 9111, RFC 5861), cross-origin access (CORS), content security
// policy and usage preferences.
import type { HttpResponse } from './message.ts';

/** Files whose name changes with their content. */
export const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files with a stable name: icons, robots.txt. */
export const CACHE_ASSET = 'public, max-age=3600, stale-while-revalidate=86400';
/** Pages that are the same all day; short, because an event may be cancelled (contract 1.5). */
export const CACHE_PAGE = 'public, max-age=300, stale-while-revalidate=600';
/** Pages that depend on the time of day. */
export const CACHE_MINUTE_PAGE = 'public, max-age=30, stale-while-revalidate=60';
export const CACHE_NO_STORE = 'no-store';
/** Public forms: cached by the visitor's browser only, for the Back button. */
export const CACHE_PRIVATE = 'private, no-cache';

const MAX_AGE = /max-age=(\d+)/;
const STALE_WHILE_REVALIDATE = /stale-while-revalidate=(\d+)/;
const parseSeconds = (value: string, directive: RegExp): number =>
  Number(directive.exec(value)?.[1] ?? 0);

/** No capped value is longer, so most of the day there is nothing to cap. */
const MAX_CAPPED_MS = 3_600_000;

/** Shortens the lifetime of a Cache-Control value so that it ends at `until_ms`. */
export function capCacheControl(value: string, now_ms: number, until_ms: number): string {
  if (until_ms - now_ms >= MAX_CAPPED_MS) return value;
  const remaining = Math.floor((until_ms - now_ms) / 1000);
  const fresh = Math.min(remaining, parseSeconds(value, MAX_AGE));
  const stale = Math.min(remaining - fresh, parseSeconds(value, STALE_WHILE_REVALIDATE));
  const capped = value.replace(MAX_AGE, `max-age=${fresh}`);
  if (stale > 0) return capped.replace(STALE_WHILE_REVALIDATE, `stale-while-revalidate=${stale}`);
  return capped.replace(STALE_WHILE_REVALIDATE, 'must-revalidate');
}

const EXPOSED_HEADERS = [
  'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining',
  'RateLimit-Reset, Content-Signal, Deprecation, Sunset',
].join(', ');

/** Chromium caches a preflight no longer than this. */
const PREFLIGHT_MAX_AGE_SECONDS = 7200;

/**
 * Headers of pages and files, which every origin may read (contract 11.1). Forms and the desk do
 * not get them.
 */
export const PUBLIC_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Headers of API responses: PUBLIC_HEADERS, and the list of headers that scripts may read. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...PUBLIC_HEADERS,
  'access-control-expose-headers': EXPOSED_HEADERS,
};

/**
 * Creates the response to OPTIONS, preflight or not. It is not rate-limited and needs no key
 * (contract 10.6).
 */
export function createPreflightResponse(allow: string): HttpResponse {
  return {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'x-api-key, content-type, if-none-match, if-modified-since',
      'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
      'cache-control': `public, max-age=${PREFLIGHT_MAX_AGE_SECONDS}`,
    },
    body: null,
  };
}

/** Frame policy of a page: no frames, contains a frame of ours, or may be embedded by any site. */
export type FramePolicy = 'alone' | 'framing' | 'framed';

interface PageTraits {
  readonly framing?: FramePolicy | undefined;
  /** Hashes of the allowed inline styles, for `style-src` (CSP3, 8.3). */
  readonly style_hashes?: readonly string[];
}

/**
 * Builds the Content-Security-Policy: only pages may load anything, and scripts may connect to this
 * site.
 */
function buildContentSecurityPolicy(
  type: string,
  { framing = 'alone', style_hashes = [] }: PageTraits,
): string {
  if (type.startsWith('text/javascript'))
    return "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";
  if (!type.startsWith('text/html'))
    return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
  const page_directives = [
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
    // The embeddable list: text, pictures and our style sheet, nothing else.
    ...(framing === 'framed'
      ? ["img-src 'self'", "form-action 'none'", 'frame-ancestors *']
      : page_directives),
    "base-uri 'none'",
  ].join('; ');
}

const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'camera=(), geolocation=(self), microphone=(), payment=(), usb=(), browsing-topics=()',
  // contentsignals.org and draft-ietf-aipref-attach: reading and citing are allowed, training is
  // not (contract 1.5).
  'content-signal': 'ai-train=no, search=yes, ai-input=yes',
  'content-usage': 'train-ai=n, search=y',
};

/** One year; sent only if the site uses https (RFC 6797). */
const HSTS = 'max-age=31536000';

/**
 * Returns the security and usage headers of every response: no foreign scripts, no frames, no
 * training.
 */
export function securityHeaders(
  content_type: string,
  site_url: string,
  page: PageTraits = {},
): Readonly<Record<string, string>> {
  return {
    ...COMMON_HEADERS,
    'content-security-policy': buildContentSecurityPolicy(content_type, page),
    ...(site_url.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  };
}
