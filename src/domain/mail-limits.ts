// Mail limits: kinds of email, their recipients, and how many are sent at most (contract 14.24,
// 14.44).
import { toZoned } from './local-time.ts';

/**
 * Email to newsletter subscribers: the request to confirm the address, and the weekly newsletter.
 */
export const SUBSCRIBER_MAIL_KINDS = ['confirm', 'weekly'] as const;
export type SubscriberMailKind = (typeof SUBSCRIBER_MAIL_KINDS)[number];
const OTHER_MAIL_KINDS = ['urgent', 'state', 'reminder', 'receipt', 'source', 'digest'] as const;
/** Most urgent first. `state`: a submission's new status. */
export const MAIL_KINDS = [...OTHER_MAIL_KINDS, ...SUBSCRIBER_MAIL_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Email to editors; all other kinds go to senders and subscribers. */
export const EDITOR_MAIL_KINDS: readonly MailKind[] = ['urgent', 'source', 'digest'];

/**
 * Most emails per hour and per day, per recipient or in total, of one kind or of all (`kind` null).
 * Anyone can enter a foreign address for receipts and confirmation requests, and a flood of these
 * must not delay emails about decisions.
 */
export const MAIL_LIMITS = {
  receipts: { hour: 1, day: 4, is_per_recipient: true, kind: 'receipt' },
  all_receipts: { hour: 120, day: 600, is_per_recipient: false, kind: 'receipt' },
  reminders: { hour: 1, day: 1, is_per_recipient: true, kind: 'reminder' },
  questions: { hour: 1, day: 4, is_per_recipient: true, kind: 'confirm' },
  all_questions: { hour: 60, day: 300, is_per_recipient: false, kind: 'confirm' },
  all_weekly: { hour: 150, day: 800, is_per_recipient: false, kind: 'weekly' },
  address: { hour: 6, day: 20, is_per_recipient: true, kind: null },
  all: { hour: 200, day: 1000, is_per_recipient: false, kind: null },
} as const;

/**
 * Returns the date of the newsletter that is due, a Thursday, YYYY-MM-DD.
 * @returns null except in the 24 hours from Thursday noon on.
 */
export function findDueNewsletterDate(now_ms: number): string | null {
  // Noon is the start of the newsletter's day.
  const noon_shifted = toZoned(now_ms).subtract({ hours: 12 });
  return noon_shifted.dayOfWeek === 4 ? noon_shifted.toPlainDate().toString() : null;
}
