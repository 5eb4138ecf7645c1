// A change: whatever alters the agenda. Somebody asks for it, it waits, it is decided once; what a thing says is
// its source with the changes that are applied. And what a person decided: who, when, on what, why (contract 14.2).

/** What a change asks. `check`: that somebody looks at the thing. */
export const CHANGE_ASKS = [
  'publish',
  'edit',
  'cancel',
  'postpone',
  'restore',
  'withdraw',
  'check',
] as const;
export type ChangeAsk = (typeof CHANGE_ASKS)[number];

/** Those that change the status of an event, or of some of its days. */
export const STATUS_ASKS = ['cancel', 'postpone', 'restore', 'withdraw'] as const;
const STATUSES: readonly ChangeAsk[] = STATUS_ASKS;
export const isStatusAsk = (asks: ChangeAsk): boolean => STATUSES.includes(asks);

/**
 * How it stands. `asked`: sent back to its sender with a question; `replaced`: another one stands in its place;
 * `undone`: an editor's own, undone or not yet done.
 */
export const CHANGE_STATES = [
  'waiting',
  'asked',
  'applied',
  'refused',
  'taken_back',
  'replaced',
  'undone',
] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export const CHANGE_MAKERS = ['sender', 'reader', 'editor'] as const;
/** Where it came in: the form, a tool used by somebody's agent, the form for corrections, the desk. */
export const CHANGE_DOORS = ['form', 'agent', 'report', 'desk'] as const;

export interface Standing {
  readonly state: ChangeState;
  /** The number of the decision; null where nobody has decided. */
  readonly decided: number | null;
  readonly reason: string | null;
}

/** What a decision did to one change. */
export interface Outcome {
  readonly id: number;
  readonly before: Standing;
  readonly after: Standing;
}

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

/** Most characters of why something was decided; and of what readers are told of a cancellation. */
export const MAX_REASON = 600;
export const MAX_NOTE = 400;

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

/** What the desk has decided over an event: the status of a day, or of the whole event where `date` is empty. */
export interface StatusOverride {
  readonly date: string;
  readonly status: 'published' | 'cancelled' | 'postponed' | 'withdrawn';
}

/** The reasons that an editor gives most, to be chosen instead of written. */
export const REJECTIONS = [
  'spam',
  'duplicate',
  'private',
  'past',
  'outside',
  'unconfirmed',
] as const;
export const WISHES = ['place', 'hour', 'price', 'source', 'picture', 'text'] as const;

export type Rejection = (typeof REJECTIONS)[number];
export type Wish = (typeof WISHES)[number];

/** Null for whatever is none of them. */
export const findRejection = (text: string | undefined): Rejection | null =>
  REJECTIONS.find((known) => known === text) ?? null;
export const findWish = (text: string | undefined): Wish | null =>
  WISHES.find((known) => known === text) ?? null;
