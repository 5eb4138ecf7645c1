// How much is mailed at most: anybody can type anybody's address, so that nobody is flooded through us (contract 14.25).
import { EDITOR_MAIL, MAIL_BOUNDS, MAIL_KINDS, type MailKind } from '../domain/mail.ts';
import type { Inbox } from '../inbox/open.ts';
import { countSentMail } from '../inbox/outbox.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TO_SENDERS = MAIL_KINDS.filter((kind) => !EDITOR_MAIL.includes(kind));

/** Whether one more may go to a reader (a keyed digest) now; editors are not counted among senders. */
export function mayMail(inbox: Inbox, reader: string, kind: MailKind, now_ms: number): boolean {
  const isWithin = (
    bound: { readonly hour: number; readonly day: number },
    who: string | null,
    kinds: readonly MailKind[],
  ): boolean =>
    countSentMail(inbox, who, kinds, now_ms - HOUR_MS) < bound.hour &&
    countSentMail(inbox, who, kinds, now_ms - DAY_MS) < bound.day;
  if (EDITOR_MAIL.includes(kind)) return true;
  return (
    (kind !== 'receipt' ||
      (isWithin(MAIL_BOUNDS.receipts, reader, ['receipt']) &&
        isWithin(MAIL_BOUNDS.all_receipts, null, ['receipt']))) &&
    isWithin(MAIL_BOUNDS.address, reader, TO_SENDERS) &&
    isWithin(MAIL_BOUNDS.all, null, TO_SENDERS)
  );
}
