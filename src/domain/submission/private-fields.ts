// What of a submission is private, and how long the desk has it (contract 14.26).

/** For the desk alone; never published. */
export const PRIVATE_FIELDS = ['contact_email'] as const;

/** Days after an event's last date, or after the decision on what was never published. */
export const PRIVATE_DAYS = 60;

/** What is private of one thing that was sent in. */
export interface HeldWords {
  /** The last day on which it is held, YYYY-MM-DD; null where nobody knows it yet. */
  readonly until: string | null;
}
