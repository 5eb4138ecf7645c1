// Why something was decided, in the words of whoever decides, as it is stored: for the sender who reads
// it, or for the log.
import { AppError } from '../domain/app-error.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { MAX_REASON } from '../domain/decision.ts';

/**
 * A reason as it is stored; empty where none was given. Throws AppError where it is longer than who
 * reads it (`sender`, `log`) is shown: what is cut says something else.
 */
export function checkReason(text: string, reader: keyof typeof MAX_REASON): string {
  const max = MAX_REASON[reader];
  if (text.length > max)
    throw new AppError(
      'invalid_parameter',
      `reason: at most ${max} characters, it has ${text.length}`,
      'reason_too_long',
    );
  return text;
}

function need(reason: string, sentence: string, code: 'no_reason' | 'no_words'): string {
  if (reason === '') throw new AppError('invalid_parameter', `reason: ${sentence}`, code);
  return reason;
}

/** The reason that stays in the log. Throws AppError without one, or with one that is too long. */
export const toLogReason = (words: string): string =>
  need(checkReason(toCleanLine(words), 'log'), 'say why; it stays in the log', 'no_reason');

/** The reason that the sender reads. Throws AppError without one, or with one that is too long. */
export const toSenderReason = (words: string): string =>
  need(checkReason(toCleanText(words), 'sender'), 'say why; the sender reads it', 'no_words');
