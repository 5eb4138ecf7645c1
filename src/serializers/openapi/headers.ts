// The response headers that mean something to a caller, for `#/components/headers`.
import type { Lang } from '../../domain/lang.ts';
import { type Key, t } from '../../i18n/translate.ts';
import type { Json } from './schemas.ts';

const SECONDS = { type: 'integer', minimum: 0 } as const;
const TEXT = { type: 'string' } as const;

const DESCRIBED = [
  ['ETag', 'openapi.header.etag', TEXT],
  ['Link', 'openapi.header.link', TEXT],
  ['RateLimit-Limit', 'openapi.header.rate_limit', SECONDS],
  ['RateLimit-Remaining', 'openapi.header.rate_remaining', SECONDS],
  ['RateLimit-Reset', 'openapi.header.rate_reset', SECONDS],
  ['Retry-After', 'openapi.header.retry_after', SECONDS],
  ['Allow', 'openapi.header.allow', TEXT],
  ['WWW-Authenticate', 'openapi.header.authenticate', TEXT],
] as const satisfies readonly (readonly [string, Key, Json])[];

/** By name. */
export const toHeaders = (lang: Lang): Json =>
  Object.fromEntries(
    DESCRIBED.map(([name, key, schema]) => [name, { description: t(lang, key), schema }]),
  );
