// What several operations respond with: the errors, each with an example, for
// `#/components/responses` (contract 9.1, 9.3), and the headers that mean something to
// a caller, for `#/components/headers`.
import { type ErrorCode, STATUS_OF } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toErrorBody } from '../wire/error.ts';
import { type Json, refTo } from './schemas.ts';

/** A message as the service writes it, in the language of all its messages. */
export const MESSAGES = {
  invalid_parameter:
    "date: '2026-02-30' is not accepted. Use today, tomorrow, weekend, week, now, tonight or a day as YYYY-MM-DD. Today is 2026-11-21 in Cancún",
  invalid_api_key: 'x-api-key: is not a live key. Leave the header out to read without one',
  not_found: 'idOrSlug: no event has this id or slug',
  gone: 'idOrSlug: this event has been withdrawn',
  method_not_allowed: 'method: POST is not answered here. Use GET, HEAD, OPTIONS',
  request_timeout: 'request: did not arrive in time',
  uri_too_long: 'url: is too long. Ask for less at once',
  headers_too_large: 'headers: are too large. Send fewer or shorter ones',
  rate_limited: 'rate: more than 60 requests in a minute. Try again in 42 seconds',
  internal_error: 'server: something failed here. It has been logged. Try again later',
  unavailable: 'server: cannot answer at the moment. Try again later',
} as const satisfies Partial<Record<ErrorCode, string>>;
/** The codes that operations name one by one. */
export const CODES = [
  'invalid_parameter',
  'not_found',
  'gone',
] as const satisfies readonly (keyof typeof MESSAGES)[];
export type DescribedError = (typeof CODES)[number];
/** Those that any operation may answer, said once for all. */
export const OTHER_CODES = [
  'invalid_api_key',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly (keyof typeof MESSAGES)[];

export const toHeaderRefs = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** A calendar; one response for each code, by the code; all other errors. */
export const toSharedResponses = (site: Site, lang: Lang): Json => ({
  calendar: {
    description: t(lang, 'openapi.calendar.ok'),
    content: { 'text/calendar': { schema: { type: 'string' } } },
  },
  ...Object.fromEntries(
    CODES.map((code) => [
      code,
      {
        description: t(lang, `openapi.error.${code}`),
        content: {
          'application/json': {
            schema: refTo('Error'),
            example: toErrorBody(code, MESSAGES[code], site),
          },
        },
      },
    ]),
  ),
  other: {
    description: OTHER_CODES.map(
      (code) => `${STATUS_OF[code]} ${code}: ${t(lang, `openapi.error.${code}`)}`,
    ).join(' '),
    headers: toHeaderRefs(...DESCRIBED.flatMap(([name]) => (name === 'Link' ? [] : name))),
    content: {
      'application/json': {
        schema: refTo('Error'),
        example: toErrorBody('rate_limited', MESSAGES.rate_limited, site),
      },
    },
  },
});

export function toErrorRefs(codes: readonly DescribedError[]): Json {
  return Object.fromEntries(
    codes.map((code) => [String(STATUS_OF[code]), { $ref: `#/components/responses/${code}` }]),
  );
}

const SECONDS = { type: 'integer', minimum: 0 } as const;
const TEXT = { type: 'string' } as const;

const DESCRIBED = [
  ['Link', 'openapi.header.link', TEXT],
  ['RateLimit-Limit', 'openapi.header.rate_limit', SECONDS],
  ['RateLimit-Remaining', 'openapi.header.rate_remaining', SECONDS],
  ['RateLimit-Reset', 'openapi.header.rate_reset', SECONDS],
  ['Retry-After', 'openapi.header.retry_after', SECONDS],
  ['Allow', 'openapi.header.allow', TEXT],
  ['WWW-Authenticate', 'openapi.header.authenticate', TEXT],
] as const satisfies readonly (readonly [string, Key, Json])[];

export const toHeaders = (lang: Lang): Json =>
  Object.fromEntries(
    DESCRIBED.map(([name, key, schema]) => [name, { description: t(lang, key), schema }]),
  );
