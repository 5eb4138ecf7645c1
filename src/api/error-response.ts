// An error as the contract's JSON (contract 9.2), with the headers that its status demands.
import { AppError, type ErrorCode, HTTP_STATUS_BY_CODE } from '../domain/app-error.ts';
import type { Site } from '../domain/site.ts';
import { type HttpResponse, createJsonResponse } from '../http/message.ts';
import { serializeError } from '../serializers/wire/meta.ts';

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Seconds after which a caller may try again when the service is unavailable. */
const UNAVAILABLE_SECONDS = 30;

/** What a status demands of its response beside the body (RFC 9110 15.5.2, 10.2.3). */
const DEMANDED: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  invalid_api_key: { 'www-authenticate': 'ApiKey realm="api", header="x-api-key"' },
  method_not_allowed: { allow: ALLOWED_METHODS },
  unavailable: { 'retry-after': String(UNAVAILABLE_SECONDS) },
};

/**
 * The response to an error, never stored by a cache. `pointer` is a JSON Pointer into the OpenAPI
 * description, as a fragment without `#` (`/paths/~1api~1v1~1events/get`); empty points at the
 * whole.
 */
export function createErrorResponse(
  code: ErrorCode,
  message: string,
  site: Pick<Site, 'url'>,
  pointer = '',
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return createJsonResponse(
    HTTP_STATUS_BY_CODE[code],
    serializeError(code, message, site, pointer),
    {
      'cache-control': 'no-store',
      ...DEMANDED[code],
      ...headers,
    },
  );
}

/**
 * The response to anything thrown: an AppError says itself, the rest is `internal_error` and
 * discloses nothing.
 */
export function errorToResponse(
  thrown: unknown,
  site: Pick<Site, 'url'>,
  pointer = '',
): HttpResponse {
  if (thrown instanceof AppError)
    return createErrorResponse(thrown.code, thrown.message, site, pointer);
  return createErrorResponse(
    'internal_error',
    'server: something failed here. It has been logged. Try again later',
    site,
    pointer,
  );
}
