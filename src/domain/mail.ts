// What is mailed, to whom, and how much of it at most (contract 14.24).

/** The most pressing first. `state` is how what somebody sent stands. */
export const MAIL_KINDS = ['urgent', 'state', 'reminder', 'receipt', 'digest'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Those for editors; the others are for a sender. */
export const EDITOR_MAIL: readonly MailKind[] = ['urgent', 'digest'];

/**
 * Most letters in an hour and in a day. Anybody may have typed the address of a receipt, and a flood of receipts must
 * delay no decision.
 */
export const MAIL_BOUNDS = {
  receipts: { hour: 1, day: 4 },
  all_receipts: { hour: 120, day: 600 },
  address: { hour: 6, day: 20 },
  all: { hour: 200, day: 1000 },
};
