// Error responses: build the contract's error JSON (contract 9.2) with the headers that the status
// requires.
import { AppError, type ErrorCode, HTTP_STATUS_BY_CODE } from '../domain/app-error.ts';
import type { Site } from '../domain/site.ts';
import { type HttpResponse, createJsonResponse } from '../http/message.ts';
import { serializeError } from '../serializers/wire/meta.ts';

/** Methods of every API route, for the Allow header. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Retry-After when the service is unavailable. */
const UNAVAILABLE_RETRY_SECONDS = 30;

/** Headers that a status requires (RFC 9110, 15.5.2, 15.5.6, 10.2.3), by error code. */
const REQUIRED_HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  invalid_api_key: { 'www-authenticate': 'ApiKey realm="api", header="x-api-key"' },
  method_not_allowed: { allow: ALLOWED_METHODS },
  unavailable: { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) },
};

/**
 * Creates an error response that caches never store, with the HTTP status of the code.
 * @param pointer JSON Pointer into the OpenAPI document, as a fragment without `#`
 * (`/paths/~1api~1v1~1events/get`); empty for the whole document.
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
      ...REQUIRED_HEADERS[code],
      ...headers,
    },
  );
}

/**
 * Converts a thrown value to a response: an AppError gives its code and message; any other
 * error becomes `internal_error`, without details. `pointer` is as in createErrorResponse.
 */
export function errorToResponse(
  error: unknown,
  site: Pick<Site, 'url'>,
  pointer = '',
): HttpResponse {
  if (error instanceof AppError)
    return createErrorResponse(error.code, error.message, site, pointer);
  return createErrorResponse(
    'internal_error',
    'server: internal error. It was logged. Try again later',
    site,
    pointer,
  );
}
