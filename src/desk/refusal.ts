// Why something was decided, in the words of whoever decides, as it is stored.
import { refusal } from '../domain/app-error.ts';
import { MAX_REASON } from '../domain/change.ts';
import { toCleanText } from '../domain/clean-text.ts';

/** Null for none. One that is too long is refused: what is cut says something else. */
export function toReason(words: string): string | null {
  const text = toCleanText(words);
  if (text.length > MAX_REASON)
    throw refusal('reason_too_long', `reason: at most ${MAX_REASON} characters`);
  return text || null;
}

/** One that must be there: for its sender, who reads it (`no_words`), or for the log. */
export function needReason(words: string, missing: 'no_reason' | 'no_words' = 'no_reason'): string {
  const reason = toReason(words);
  if (reason === null) throw refusal(missing);
  return reason;
}
