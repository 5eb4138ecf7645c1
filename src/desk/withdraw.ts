// Taking a published event off every surface, for legal reasons: it answers 410 from the next
// release on (decisions, Resources 4).
import { toCancunDay } from '../domain/cancun-time.ts';
import { AppError } from '../domain/app-error.ts';
import { toCleanLine } from '../domain/clean-text.ts';
import type { Inbox } from '../inbox/open.ts';
import { MAX_WITHDRAWAL_REASON } from '../sources/inbox/override.ts';
import { overrideEvent } from './override.ts';

/** Throws AppError without a reason, or with one that is too long. */
export function withdrawEvent(
  inbox: Inbox,
  event: string,
  editor: string,
  said: string,
  now_ms: number,
): void {
  const reason = toCleanLine(said);
  if (reason === '') throw new AppError('invalid_parameter', 'reason: say why it must vanish');
  if (reason.length > MAX_WITHDRAWAL_REASON)
    throw new AppError('invalid_parameter', `reason: at most ${MAX_WITHDRAWAL_REASON} characters`);
  const override = { status: 'withdrawn', date: toCancunDay(now_ms).toString(), reason };
  overrideEvent(inbox, { editor, action: 'withdraw', reason, now_ms }, event, '', override);
}
