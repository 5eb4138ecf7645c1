// The answers that are no success, for `#/components/responses`, each with an example (interface 7; decisions, Errors).
import { type ErrorCode, STATUS_OF } from '../../domain/app-error.ts';
import type { Site } from '../../domain/site.ts';
import { type Json, refTo } from './schemas.ts';

/** What each means, and a message as the service would write it. */
const DESCRIBED = {
  invalid_parameter: ['One or several parameters are wrong. The message names them all.', "date: '2026-02-30' is not accepted. Use today, tomorrow, weekend, week or a day as YYYY-MM-DD"],
  invalid_api_key: ['The x-api-key header is there and is not a live key.', 'x-api-key: is not a live key. Leave the header out to read without one'],
  not_found: ['There is no such resource.', 'idOrSlug: no event has this id or slug'],
  gone: ['The event has been withdrawn for legal reasons.', 'idOrSlug: this event has been withdrawn'],
  method_not_allowed: ['Only GET, HEAD and OPTIONS are answered. The Allow header names them.', 'method: POST is not answered here. Use GET, HEAD, OPTIONS'],
  rate_limited: ['Too many requests in this minute. Retry-After says how many seconds to wait.', 'rate: more than 60 requests in a minute. Wait 42 seconds'],
  internal_error: ['Something failed on our side.', 'server: something failed here. It has been logged. Try again later'],
  unavailable: ['The service cannot answer at the moment. Retry-After says how many seconds to wait.', 'server: cannot answer at the moment. Try again later'],
} as const satisfies Partial<Record<ErrorCode, readonly [string, string]>>;
export type DescribedFault = keyof typeof DESCRIBED;
const CODES = [
  'invalid_parameter', 'invalid_api_key', 'not_found', 'gone', 'method_not_allowed', 'rate_limited', 'internal_error', 'unavailable',
] as const satisfies readonly DescribedFault[];

const headerRefs = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const HEADERS: Partial<Record<DescribedFault, Json>> = {
  rate_limited: headerRefs('Retry-After', ...RATE),
  unavailable: headerRefs('Retry-After'),
  method_not_allowed: headerRefs('Allow'),
  invalid_api_key: headerRefs('WWW-Authenticate'),
};

/** One response for each code, by the code. */
export function toFaultResponses(site: Site): Json {
  const documentation_url = `${site.url}/api/openapi.json`;
  return Object.fromEntries(CODES.map((code) => [code, {
    description: DESCRIBED[code][0],
    headers: { ...HEADERS[code] },
    content: { 'application/json': { schema: refTo('Error'), example: { error: { code, message: DESCRIBED[code][1], documentation_url } } } },
  }]));
}

/** References by status, for one operation. */
export function toFaultRefs(codes: readonly DescribedFault[]): Json {
  return Object.fromEntries(codes.map((code) => [String(STATUS_OF[code]), { $ref: `#/components/responses/${code}` }]));
}
