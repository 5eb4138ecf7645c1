// Cross-origin rules of what is read: open to every origin (decisions, HTTP 1). Forms and the
// review desk are not.
import type { HttpResponse } from './message.ts';

const EXPOSED = [
  'ETag',
  'Link',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Content-Signal',
  'Deprecation',
  'Sunset',
].join(', ');

/** Chromium keeps a preflight no longer than this. */
const PREFLIGHT_SECONDS = 7200;

/** On pages and files, which every origin may read. */
export const OPEN_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** On API answers: the same, and the headers that a program needs. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...OPEN_HEADERS,
  'access-control-expose-headers': EXPOSED,
};

/**
 * The answer to OPTIONS, a preflight or not: 204, nothing counted, no key asked for (decisions,
 * Limits 3).
 */
export function toPreflightResponse(allow: string): HttpResponse {
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
