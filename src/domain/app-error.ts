// The one error type: an issue that the caller can mend, with a code of the contract
// (contract 9.3)
// and, where somebody must tell two apart, a reason.
import type { UndoRefusal } from './change.ts';

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

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(STATUS_OF, text);

export const ERROR_CODES: readonly ErrorCode[] = Object.keys(STATUS_OF).filter(isErrorCode);

/** Why the desk refuses something: for the caller, who must not read the sentence. */
export type ErrorReason =
  | UndoRefusal
  | 'as_it_was'
  | 'bad_name'
  | 'bad_record'
  | 'wrong_password'
  | 'wrong_code'
  | 'weak_password'
  | 'no_such_session'
  | 'no_such_editor'
  | 'last_editor'
  | 'factor_there'
  | 'busy'
  | 'inbox_busy'
  | 'event_withdrawn'
  | 'no_dates'
  | 'no_message'
  | 'no_reason'
  | 'no_words'
  | 'no_such_correction'
  | 'no_such_day'
  | 'no_such_duplicate'
  | 'no_such_edit'
  | 'no_such_notice'
  | 'no_such_submission'
  | 'no_such_thing'
  | 'not_asked_for'
  | 'not_decided'
  | 'not_newest'
  | 'nothing_chosen'
  | 'not_pending'
  | 'not_published'
  | 'not_stored'
  | 'picture_gone'
  | 'reason_too_long'
  | 'text_changed'
  | 'too_many_changes'
  | 'too_many_submissions';

/**
 * Thrown for what the caller can mend; `message` reads `param: sentence` and is safe to show to
 * anyone. Nothing decides by the message: what must be told apart has a `reason`.
 */
export class AppError extends Error {
  /** The pages are built with a copy of this module: theirs and ours are one. */
  static [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'AppError';
  }
  readonly code: ErrorCode;
  readonly reason: ErrorReason | null;
  readonly retry_at_ms: number | null;
  constructor(
    code: ErrorCode,
    message: string,
    reason: ErrorReason | null = null,
    { cause, retry_at_ms = null }: { cause?: unknown; retry_at_ms?: number | null } = {},
  ) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = reason;
    this.retry_at_ms = retry_at_ms;
  }
}
