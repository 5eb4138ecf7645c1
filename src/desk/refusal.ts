// What the desk refuses, each with its sentence; and why something was decided, in the words of whoever decides, as
// it is stored: for the sender who reads it, or for the log.
import { AppError } from '../domain/app-error.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { MAX_REASON } from '../domain/change.ts';
import { PASSWORD_LENGTH } from '../domain/editor.ts';

const NOT_FOUND = {
  no_such_submission: 'reference: there is no such submission',
  no_such_correction: 'reference: there is no such correction',
  no_such_decision: 'undo: there is no such decision',
  no_such_edit: 'edit: it is as its source has it',
  no_such_editor: 'name: there is no editor of that name',
  no_such_notice: 'notice: there is no such notice, or it is closed already',
  no_such_session: 'session: there is no such session',
  no_such_thing: 'thing: there is none with this id',
} as const;

const SENTENCES = {
  ...NOT_FOUND,
  as_it_was: 'edit: says what is said already',
  bad_name: 'name: 2 to 40 letters, digits, spaces, dots or hyphens',
  bad_record: 'override: it is not as it must be',
  event_withdrawn: 'event: it was withdrawn for legal reasons. Undo that first',
  factor_there: 'factor: there is one already',
  last_editor: 'name: the last editor stays. Add somebody else first',
  no_dates: 'dates: say which',
  no_message: 'message: say what happened',
  no_reason: 'reason: say why; it stays in the log',
  no_such_day: 'date: it does not take place then',
  no_words: 'reason: say why; the sender reads it',
  not_asked_for: 'asks: it asks for no cancellation',
  not_decided: 'state: it waits already',
  not_pending: 'state: it does not wait any more',
  not_published: 'state: it is not published, so there is nothing to change',
  nothing_chosen: 'pick: choose at least one event',
  reason_too_long: 'reason: too long',
  text_changed: 'revision: the sender has changed it meanwhile. Look at it again',
  undone_already: 'undo: it was undone already',
  nothing_to_undo: 'undo: it changed nothing that could be put back',
  decided_since: 'undo: a newer decision changed the same. Undo that one first',
  sender_has_answered: 'undo: the sender has answered it meanwhile. Look at it again',
  changed_since: 'undo: it does not stand as the decision left it',
  public_already:
    'undo: a release has shown it, and nothing that was published is deleted. Cancel or withdraw the event, close the notice, or reopen the submission to mend its text',
  release_under_way:
    'undo: a release is being built, which may show it. Try again when it is there',
  weak_password: `password: at least ${PASSWORD_LENGTH.min} characters, six of them different, and not the name`,
  wrong_code: 'code: it is not the right one',
  wrong_password: 'password: it is not the current one',
} as const;

/** The error of what is refused; `sentence` where there is more to say. */
export const refusal = (
  reason: keyof typeof SENTENCES,
  sentence: string = SENTENCES[reason],
): AppError =>
  new AppError(reason in NOT_FOUND ? 'not_found' : 'invalid_parameter', sentence, reason);

/** As it is stored; null for none. One longer than its reader is shown is refused: what is cut says something else. */
export function toReason(text: string, reader: keyof typeof MAX_REASON): string | null {
  const max = MAX_REASON[reader];
  if (text.length > max)
    throw refusal('reason_too_long', `reason: at most ${max} characters, it has ${text.length}`);
  return text || null;
}

/** One that stays in the log, where there is one. */
export const toLogNote = (words: string): string | null => toReason(toCleanLine(words), 'log');

/** The reason that stays in the log. Throws AppError without one, or with one that is too long. */
export function toLogReason(words: string): string {
  const reason = toLogNote(words);
  if (reason === null) throw refusal('no_reason');
  return reason;
}

/** The reason that the sender reads. Throws AppError without one, or with one that is too long. */
export function toSenderReason(words: string): string {
  const reason = toReason(toCleanText(words), 'sender');
  if (reason === null) throw refusal('no_words');
  return reason;
}
