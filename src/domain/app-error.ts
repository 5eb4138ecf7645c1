// The one error type: a fault that the caller can mend, with a code of the interface (decisions,
// Errors).

/** Every code an answer may carry, with its HTTP status. */
export const STATUS_OF = {
  invalid_parameter: 400,
  invalid_api_key: 401,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  gone: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  invalid_submission: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/**
 * Thrown for what the caller can mend; `message` reads `param: sentence` and is safe to show to
 * anyone.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'AppError';
    this.code = code;
  }
}
