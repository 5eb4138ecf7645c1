// Taking a published event off every surface, for legal reasons: it answers 410 from the next release on (decisions, Resources 4).
import { toCancunDay } from '../../domain/cancun-time.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Inbox } from '../../submissions/open-inbox.ts';
import { putOverride } from '../../submissions/published.ts';

/** Throws AppError without a reason. */
export function withdrawEvent(inbox: Inbox, event: string, editor: string, reason: string, now_ms: number): void {
  if (reason.trim() === '') throw new AppError('invalid_parameter', 'reason: say why it must vanish');
  const override = { status: 'withdrawn', date: toCancunDay(now_ms).toString(), reason };
  putOverride(inbox, { editor, action: 'withdraw', reason, now_ms }, event, '', override);
}
