// An error as the contract's JSON (contract 9.2), with the headers that its status demands.
import { AppError, type ErrorCode, STATUS_OF } from '../domain/app-error.ts';
import type { Site } from '../domain/site.ts';
import { type HttpResponse, toJsonResponse } from '../http/message.ts';
import { toErrorBody } from '../serializers/wire/meta.ts';

export const ALLOW = 'GET, HEAD, OPTIONS';

/** Seconds after which a caller may try again when the service is unavailable. */
const UNAVAILABLE_SECONDS = 30;

/** What a status demands of its response beside the body (RFC 9110 15.5.2, 10.2.3). */
const DEMANDED: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  invalid_api_key: { 'www-authenticate': 'ApiKey realm="api", header="x-api-key"' },
  method_not_allowed: { allow: ALLOW },
  unavailable: { 'retry-after': String(UNAVAILABLE_SECONDS) },
};

/**
 * The response to an error, never stored by a cache. `pointer` is a JSON Pointer into the OpenAPI
 * description, as a fragment without `#` (`/paths/~1api~1v1~1events/get`); empty points at the
 * whole.
 */
export function toErrorResponse(
  code: ErrorCode,
  message: string,
  site: Pick<Site, 'url'>,
  pointer = '',
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return toJsonResponse(STATUS_OF[code], toErrorBody(code, message, site, pointer), {
    'cache-control': 'no-store',
    ...DEMANDED[code],
    ...headers,
  });
}

/**
 * The response to anything thrown: an AppError says itself, the rest is `internal_error` and
 * discloses nothing.
 */
export function toThrownResponse(
  thrown: unknown,
  site: Pick<Site, 'url'>,
  pointer = '',
): HttpResponse {
  if (thrown instanceof AppError)
    return toErrorResponse(thrown.code, thrown.message, site, pointer);
  return toErrorResponse(
    'internal_error',
    'server: something failed here. It has been logged. Try again later',
    site,
    pointer,
  );
}
