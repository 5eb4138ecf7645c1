// What is mailed, to whom, and how much of it at most (contract 14.24, 14.44).
import { toZoned } from './local-time.ts';

/** For readers of Thursday's letter: whether they want it, and that letter. */
export const SUBSCRIBER_MAIL_KINDS = ['confirm', 'weekly'] as const;
export type SubscriberMailKind = (typeof SUBSCRIBER_MAIL_KINDS)[number];
const SENT_MAIL = ['urgent', 'state', 'reminder', 'receipt', 'source', 'digest'] as const;
/** The most pressing first. `state` is how what somebody sent stands. */
export const MAIL_KINDS = [...SENT_MAIL, ...SUBSCRIBER_MAIL_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Those for editors; the others are for senders and readers. */
export const EDITOR_MAIL_KINDS: readonly MailKind[] = ['urgent', 'source', 'digest'];

/**
 * Most letters in an hour and in a day: to all or to one reader, of all kinds or of one alone. Anybody may have typed
 * the address of a receipt or a question, and a flood of them must delay no decision.
 */
export const MAIL_LIMITS = {
  receipts: { hour: 1, day: 4, is_of_reader: true, of: 'receipt' },
  all_receipts: { hour: 120, day: 600, is_of_reader: false, of: 'receipt' },
  reminders: { hour: 1, day: 1, is_of_reader: true, of: 'reminder' },
  questions: { hour: 1, day: 4, is_of_reader: true, of: 'confirm' },
  all_questions: { hour: 60, day: 300, is_of_reader: false, of: 'confirm' },
  all_weekly: { hour: 150, day: 800, is_of_reader: false, of: 'weekly' },
  address: { hour: 6, day: 20, is_of_reader: true, of: null },
  all: { hour: 200, day: 1000, is_of_reader: false, of: null },
} as const;

/** The Thursday whose letter is due, YYYY-MM-DD: from noon on, for a day; null at any other time. */
export function findDueNewsletterDate(now_ms: number): string | null {
  const since = toZoned(now_ms).subtract({ hours: 12 });
  return since.dayOfWeek === 4 ? since.toPlainDate().toString() : null;
}
