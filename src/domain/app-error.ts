// Application error: the one error type for problems that the caller can fix, with an error code
// (contract 9.3) and, for callers that must tell errors apart, a reason.
import { PASSWORD_LENGTH } from './password-policy.ts';

/** HTTP status by error code of the API. */
export const HTTP_STATUS_BY_CODE = {
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

export type ErrorCode = keyof typeof HTTP_STATUS_BY_CODE;

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(HTTP_STATUS_BY_CODE, text);

export const ERROR_CODES: readonly ErrorCode[] =
  Object.keys(HTTP_STATUS_BY_CODE).filter(isErrorCode);

/** Message of `invalid_api_key`; programs often send an empty or invented key unasked. */
export const INVALID_KEY_MESSAGE =
  'x-api-key: not a live key. Leave the header out: reading needs no key';

/** Messages for tools and the command line. The desk has its own texts. */
const REFUSAL_MESSAGES = {
  bad_name: 'name: 2 to 40 letters, digits, spaces, dots or hyphens',
  last_editor: 'name: the last editor cannot be removed. Add another editor first',
  no_dates: 'dates: empty. Give at least one date, or omit it for all',
  no_message: 'message: missing. Explain what happened',
  no_such_editor: 'name: no editor has this name',
  no_such_submission: 'reference: no submission has this reference',
  not_pending: 'state: the submission is no longer pending',
  not_published: 'state: the submission is not published, so it cannot be changed',
  no_such_day: 'dates: the event has no date on that day',
  nothing_chosen: 'pick: choose at least one event',
  factor_there: 'factor: two-step verification is already on',
  no_such_session: 'session: no session has this id',
  weak_password: `password: at least ${PASSWORD_LENGTH.min} characters, six of them different, and not the name`,
  wrong_code: 'code: wrong or already used',
  wrong_password: 'password: not the current password',
} as const;

/** Why the desk rejects a request. Callers decide by this, never by the message. */
export type RefusalReason =
  | keyof typeof REFUSAL_MESSAGES
  | 'as_it_was'
  | 'busy'
  | 'event_withdrawn'
  | 'inbox_busy'
  | 'no_reason'
  | 'no_words'
  | 'no_such_duplicate'
  | 'no_such_edit'
  | 'no_such_notice'
  | 'no_such_thing'
  | 'not_asked_for'
  | 'not_decided'
  | 'not_stored'
  | 'picture_gone'
  | 'reason_too_long'
  | 'text_changed'
  | 'too_many_changes'
  | 'too_many_submissions'
  | 'no_such_decision'
  | 'undone_already'
  | 'nothing_to_undo'
  | 'decided_since'
  | 'sender_has_answered'
  | 'changed_since'
  | 'public_already'
  | 'release_under_way';

/**
 * Error for problems that the caller can fix. `message` has the form `param: sentence` and is safe
 * to show to anyone. Code that must tell errors apart uses `reason`, never the message.
 */
export class AppError extends Error {
  /** Matches by name: the page bundle has its own copy of this module. */
  static [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'AppError';
  }
  readonly code: ErrorCode;
  readonly reason: RefusalReason | null;
  /** Epoch ms from which the caller may try again; null if that is unknown. */
  readonly retry_at_ms: number | null;
  constructor(
    code: ErrorCode,
    message: string,
    reason: RefusalReason | null = null,
    { cause, retry_at_ms = null }: { cause?: unknown; retry_at_ms?: number | null } = {},
  ) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = reason;
    this.retry_at_ms = retry_at_ms;
  }
}

const MESSAGE_BY_REASON: Readonly<Partial<Record<RefusalReason, string>>> = REFUSAL_MESSAGES;

/**
 * Creates the error of a rejected request.
 * @param sentence Replaces the default message of the reason.
 */
export const refusal = (
  reason: RefusalReason,
  sentence: string = MESSAGE_BY_REASON[reason] ?? reason.replaceAll('_', ' '),
): AppError =>
  new AppError(
    reason === 'no_such_submission' ? 'not_found' : 'invalid_parameter',
    sentence,
    reason,
  );
