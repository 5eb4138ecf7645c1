// What is mailed, to whom, and how much of it at most (contract 14.24).

/**
 * The most pressing first. `urgent` and `digest` go to editors, the others to senders: `state` says how what
 * they sent stands after a decision, or after one was undone.
 */
export const MAIL_KINDS = ['urgent', 'state', 'reminder', 'receipt', 'digest'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Those for editors; the others are for a sender. */
export const EDITOR_MAIL: readonly MailKind[] = ['urgent', 'digest'];

/**
 * Most messages in an hour and in a day: receipts to one address, which anybody may have typed, and to all of
 * them, so that a flood of them delays no decision; all to one address; to all senders together.
 */
export const MAIL_BOUNDS = {
  receipts: { hour: 1, day: 4 },
  all_receipts: { hour: 120, day: 600 },
  address: { hour: 6, day: 20 },
  all: { hour: 200, day: 1000 },
} as const;

/** Minutes before a decision is mailed, within which it can be taken back and nobody is told. */
export const GRACE_MINUTES = 5;
/** Days after which a message that cannot be delivered is given up. */
export const GIVE_UP_DAYS = 4;
/** Days for which the desk is told of one that was. */
export const FAILED_DAYS = 30;

export interface MailHealth {
  readonly waiting: number;
  /** How long the oldest that waits has waited; null where none does. */
  readonly oldest_seconds: number | null;
  /** Given up in the last FAILED_DAYS. */
  readonly failed: number;
}

export interface FailedMail {
  readonly kind: MailKind;
  /** The reference of the submission or the calendar; a day for a digest. */
  readonly subject: string;
  readonly is_batch: boolean;
  /** What the mail server answered; null where it did not. */
  readonly code: number | null;
}
