// A change: whatever alters the agenda. Somebody asks for it, it waits, it is decided once; what a thing says is
// its source with the changes that are applied (contract 14.2).

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
