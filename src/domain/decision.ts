// What a person decided at the desk: who, when, on what (decisions, Submissions 2).

export const DECISIONS = [
  'approve',
  'ask',
  'reject',
  'cancel',
  'postpone',
  'restore',
  'withdraw',
  'change_date',
  'write_notice',
  'close_notice',
  'undo',
] as const;
export type DecisionAction = (typeof DECISIONS)[number];

export interface Decision {
  readonly id: number;
  /** Timestamp. */
  readonly at: string;
  readonly editor: string;
  readonly action: DecisionAction;
  readonly subject: string;
  readonly reason: string | null;
  readonly undone_at: string | null;
}
