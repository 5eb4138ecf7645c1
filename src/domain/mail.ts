// What is mailed, to whom, and how much of it at most (contract 14.24).

/** The most pressing first. `state` is how what somebody sent stands. */
export const MAIL_KINDS = ['urgent', 'state', 'reminder', 'receipt', 'source', 'digest'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Those for editors; the others are for a sender. */
export const EDITOR_MAIL: readonly MailKind[] = ['urgent', 'source', 'digest'];

/**
 * Most letters in an hour and in a day: to all senders or to one reader, of all kinds or of one. Anybody may
 * have typed the address of a receipt, and a flood of receipts must delay no decision.
 */
export const MAIL_BOUNDS = {
  receipts: { hour: 1, day: 4, is_of_reader: true, of: 'receipt' },
  all_receipts: { hour: 120, day: 600, is_of_reader: false, of: 'receipt' },
  reminders: { hour: 1, day: 1, is_of_reader: true, of: 'reminder' },
  address: { hour: 6, day: 20, is_of_reader: true, of: null },
  all: { hour: 200, day: 1000, is_of_reader: false, of: null },
} as const;
