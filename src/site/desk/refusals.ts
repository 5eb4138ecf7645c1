// Why the desk cannot do something: in words, and as a status.
import type { AppError, ErrorReason } from '../../domain/app-error.ts';
import { MAX_REASON, UNDO_REFUSALS, type UndoRefusal } from '../../domain/change.ts';
import type { Lang } from '../../domain/lang.ts';
import { type Key, t } from '../../i18n/translate.ts';

const UNDO: readonly (ErrorReason | null)[] = UNDO_REFUSALS;
const isUndoRefusal = (reason: ErrorReason | null): reason is UndoRefusal => UNDO.includes(reason);

/** For any other reason, something has changed meanwhile. */
const REFUSALS: Readonly<Partial<Record<ErrorReason, Key>>> = {
  not_decided: 'desk.refused.reopen',
  event_withdrawn: 'desk.refused.withdrawn',
  no_reason: 'desk.refused.reason',
  no_words: 'desk.refused.words',
  no_such_day: 'desk.refused.reason',
  no_such_duplicate: 'desk.refused.no_duplicate',
  not_stored: 'desk.refused.not_stored',
  inbox_busy: 'desk.refused.inbox_busy',
  as_it_was: 'desk.edit.nothing',
  picture_gone: 'submit.picture.gone',
};

/** Why something could not be decided, in words for the desk. */
export function toRefusal({ reason }: AppError, lang: Lang, max: number = MAX_REASON.log): string {
  if (isUndoRefusal(reason)) return t(lang, `desk.undo.why.${reason}`);
  if (reason === 'reason_too_long') return t(lang, 'desk.refused.reason_long', { limit: max });
  return t(lang, (reason && REFUSALS[reason]) ?? 'desk.refused.state');
}

/** Whether what was typed is wrong, so that it is shown again to be put right. */
export const isTypedWrong = ({ reason }: AppError): boolean =>
  reason === 'no_reason' ||
  reason === 'no_words' ||
  reason === 'reason_too_long' ||
  reason === 'no_such_day' ||
  reason === 'as_it_was' ||
  reason === 'picture_gone' ||
  reason === 'no_such_duplicate';

/** The status of a screen that says why something could not be decided. */
export const toRefusalStatus = (error: AppError): number =>
  error.code === 'unavailable' ? 503 : isTypedWrong(error) ? 422 : 409;
