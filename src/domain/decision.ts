// What a person decided at the desk: who, when, on what, why (contract 14.2).

/** Those on who may use the desk; their subject is an editor's name. Old logs have those on roles. */
export const ACCESS_DECISIONS = [
  'add_editor',
  'remove_editor',
  'make_administrator',
  'make_editor',
  'new_password',
  'factor_on',
  'factor_off',
  'end_sessions',
] as const;

/** Old logs have `merge` and `split`. */
export const DECISIONS = [
  'approve',
  'grant',
  'ask',
  'reject',
  'cancel',
  'postpone',
  'restore',
  'withdraw',
  'change_date',
  'write_notice',
  'close_notice',
  'done',
  'dismiss',
  'reopen',
  'erase',
  'edit',
  'use_source',
  'keep_edit',
  'end_edit',
  'merge',
  'split',
  ...ACCESS_DECISIONS,
  'undo',
] as const;
export type DecisionAction = (typeof DECISIONS)[number];

const ACCESS: readonly DecisionAction[] = ACCESS_DECISIONS;
export const isAccessDecision = (action: DecisionAction): boolean => ACCESS.includes(action);

export interface Actor {
  readonly editor: string;
  readonly now_ms: number;
}

/** Most characters of a reason: one that the sender reads, and one that stays in the log. */
export const MAX_REASON = { sender: 600, log: 400 } as const;

export interface Decision {
  readonly id: number;
  /** Timestamp. */
  readonly at: string;
  readonly editor: string;
  readonly action: DecisionAction;
  readonly subject: string;
  readonly reason: string | null;
  readonly undone_at: string | null;
  /** The number of the decision that this one undid; null for any other, and where an older version did. */
  readonly undoes: number | null;
}

export const UNDO_REFUSALS = [
  'no_such_decision',
  'undone_already',
  'nothing_to_undo',
  'decided_since',
  'sender_has_answered',
  'changed_since',
  'public_already',
  'release_under_way',
] as const;
export type UndoRefusal = (typeof UNDO_REFUSALS)[number];

/** What the desk has decided over an event: the status of a day, or of the whole event where `date` is empty. */
export interface StatusOverride {
  readonly date: string;
  readonly status: 'published' | 'cancelled' | 'postponed' | 'withdrawn';
}
