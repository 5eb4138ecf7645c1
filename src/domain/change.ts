// A change: whatever alters the agenda. Somebody asks for it, it waits, it is decided once; what a thing says is
// its source with the changes that are applied. And what a person decided: who, when, on what, why (contract 14.2).
import * as v from 'valibot';
import { TOWN } from '../town.ts';
import { StoredCorrectionSchema } from './correction.ts';
import { RECORD_KINDS } from './record-history.ts';
import { SubmissionRecordSchema } from './submission/submission.ts';

/** What a change asks. `check`: that somebody looks at the thing. */
export const CHANGE_ACTIONS = [
  'publish',
  'edit',
  'cancel',
  'postpone',
  'restore',
  'withdraw',
  'check',
] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** Those that change the status of an event, or of some of its days. */
export const STATUS_ACTIONS = ['cancel', 'postpone', 'restore', 'withdraw'] as const;
const STATUSES: readonly ChangeAction[] = STATUS_ACTIONS;
export const isStatusAction = (asks: ChangeAction): boolean => STATUSES.includes(asks);

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

const initials = TOWN.key.split('-').map((word) => word.charAt(0));
/** Begins each reference of a town, and in small letters its keys: `HM` of hoy-merida. */
export const REFERENCE_PREFIX = initials.slice(0, 3).join('').toUpperCase();
const REFERENCE = new RegExp(`^${REFERENCE_PREFIX}-[0-9A-Z]{6}$`);
export const isReference = (text: string): boolean => REFERENCE.test(text);

/** What a sender asks of an event of theirs. */
const SENDER_ASKS = ['publish', 'edit', 'cancel', 'postpone'] as const;

const json = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);
/** A column that is 1 or 0. */
const flag = v.pipe(
  v.number(),
  v.transform((one) => one === 1),
);

const COLUMNS = {
  id: v.number(),
  /** When it was asked for: timestamp. */
  at: v.string(),
  maker: v.picklist(['sender', 'reader', 'editor']),
  /** Where it came in: the form, a tool used by somebody's agent, the form for corrections, the desk, a source that is followed. */
  door: v.picklist(['form', 'agent', 'report', 'desk', 'source']),
  kind: v.picklist(RECORD_KINDS),
  /** The id of what it is about; null where that is known by the reference alone. */
  thing: v.nullable(v.string()),
  /** `HC-7K3M9Q`: the same for all that is asked under one token; null of an editor's own. */
  reference: v.nullable(v.string()),
  /** From 1; one more with each thing that its sender asks. */
  revision: v.number(),
  asks: v.picklist(CHANGE_ACTIONS),
  title: v.string(),
  /** The days that are meant, YYYY-MM-DD; null is all of it. */
  dates: v.nullable(json(v.pipe(v.array(v.string()), v.readonly()))),
  /** The sender's words to the desk. */
  message: v.nullable(v.string()),
  /** As whoever asks wrote it. */
  text: v.nullable(json(v.unknown())),
  /** An editor's work on the text, by control. */
  draft: v.nullable(json(v.record(v.string(), v.string()))),
  /** What the agenda is told by it; null until it was applied once. */
  record: v.nullable(json(v.unknown())),
  /** Of an edit, what the source said then. */
  source: v.nullable(json(v.unknown())),
  state: v.picklist(CHANGE_STATES),
  /** The number of the decision by which it stands so. */
  decided: v.nullable(v.number()),
  /** The editor's words with that: to the sender, or for the log. */
  reason: v.nullable(v.string()),
  is_doubtful: flag,
  /** What is private of it was erased. */
  is_forgotten: flag,
  /** The calendar that it came with, by what name, saying what. */
  batch: v.nullable(v.number()),
  uid: v.nullable(v.string()),
  uid_digest: v.nullable(v.string()),
  /** Something under its reference is in the agenda. */
  is_published: flag,
};

/** A change of any kind as the store has it. */
export const ChangeRowSchema = v.object(COLUMNS);

/** The same as it is read, by who made it. */
export const StoredChangeSchema = v.variant('maker', [
  v.object({
    ...COLUMNS,
    maker: v.literal('sender'),
    door: v.picklist(['form', 'agent', 'source']),
    reference: v.string(),
    asks: v.picklist(SENDER_ASKS),
    text: json(SubmissionRecordSchema),
  }),
  v.object({
    ...COLUMNS,
    maker: v.literal('reader'),
    thing: v.string(),
    reference: v.string(),
    asks: v.literal('check'),
    text: json(StoredCorrectionSchema),
  }),
  v.object({ ...COLUMNS, maker: v.literal('editor'), thing: v.string(), text: v.null() }),
]);
export type Change = Readonly<v.InferOutput<typeof StoredChangeSchema>>;
/** A submission, or what its sender asks of it later; its text is the newest. */
export type SubmissionChange = Extract<Change, { readonly maker: 'sender' }>;
/** A correction: what a reader says has changed. */
export type CorrectionChange = Extract<Change, { readonly maker: 'reader' }>;

/** How a submission stands for its sender (contract 14.3). */
export type SubmissionState =
  | 'pending'
  | 'changes_requested'
  | 'approved'
  | 'rejected'
  | 'withdrawn';

const SUBMISSION_STATES: Readonly<Record<ChangeState, SubmissionState>> = {
  waiting: 'pending',
  asked: 'changes_requested',
  applied: 'approved',
  refused: 'rejected',
  taken_back: 'withdrawn',
  replaced: 'withdrawn',
  undone: 'withdrawn',
};

/** What was taken back of what is published leaves that as it is. */
export const getSubmissionState = ({
  state,
  is_published,
}: Pick<Change, 'state' | 'is_published'>): SubmissionState =>
  state === 'taken_back' && is_published ? 'approved' : SUBMISSION_STATES[state];

/** Whether its sender asks that what is published be cancelled or postponed. */
export const isStatusRequest = ({ asks }: Pick<Change, 'asks'>): boolean =>
  asks === 'cancel' || asks === 'postpone';

/** To send another text, to take back what waits, to ask that what is published be called off or put off. */
export const SENDER_ACTIONS = ['correct', 'withdraw', 'cancel', 'postpone'] as const;
export type SenderAction = (typeof SENDER_ACTIONS)[number];

/** Ticked among the days of an event, it stands for every one. */
export const ALL_DATES = 'all';

/** How the agenda shows the event of a submission: not yet, no longer, or as it stands there. */
export type PublicationStatus = 'none' | 'gone' | 'published' | 'cancelled' | 'postponed' | 'past';

/** Of what is called off, put off or over already, there is no sense in asking for that. */
const CANNOT_BE: Readonly<Record<'cancel' | 'postpone', readonly PublicationStatus[]>> = {
  cancel: ['cancelled', 'gone', 'past'],
  postpone: ['postponed', 'cancelled', 'gone', 'past'],
};

/** What its sender may do as it stands, in the order in which it is offered. */
export const listSenderActions = (
  { state, is_published }: Pick<SubmissionChange, 'state' | 'is_published'>,
  shown: PublicationStatus,
): readonly SenderAction[] =>
  SENDER_ACTIONS.filter((act) => {
    if (act === 'correct') return true;
    if (act === 'withdraw') return state === 'waiting' || state === 'asked';
    return is_published && !CANNOT_BE[act].includes(shown);
  });

export interface ChangeStatus {
  readonly state: ChangeState;
  /** The number of the decision; null where nobody has decided. */
  readonly decided: number | null;
  readonly reason: string | null;
}

/** What a decision did to one change. */
export interface ChangeOutcome {
  readonly id: number;
  readonly before: ChangeStatus;
  readonly after: ChangeStatus;
}

/** Those on who may use the desk; their subject is an editor's name. Old logs have those on roles. */
export const ACCESS_ACTIONS = [
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
export const DECISION_ACTIONS = [
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
  'confirm',
  'reopen',
  'erase',
  'edit',
  'use_source',
  'keep_edit',
  'end_edit',
  'merge',
  'split',
  ...ACCESS_ACTIONS,
  'undo',
] as const;
export type DecisionAction = (typeof DECISION_ACTIONS)[number];

const ACCESS: readonly DecisionAction[] = ACCESS_ACTIONS;
export const isAccessAction = (action: DecisionAction): boolean => ACCESS.includes(action);

export interface Actor {
  readonly editor: string;
  readonly now_ms: number;
}

/** Most characters of why something was decided; and of what readers are told of a cancellation. */
export const MAX_REASON_LENGTH = 600;
export const MAX_NOTE_LENGTH = 400;

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
  readonly outcomes: readonly ChangeOutcome[];
}

/** What the desk has decided over an event: the status of a day, or of the whole event where `date` is empty. */
export interface StatusOverride {
  readonly date: string;
  readonly status: 'published' | 'cancelled' | 'postponed' | 'withdrawn';
}

/** The reasons that an editor gives most, to be chosen instead of written. */
export const REJECTION_REASONS = [
  'spam',
  'duplicate',
  'private',
  'past',
  'outside',
  'unconfirmed',
] as const;
export const REVISION_REASONS = ['place', 'hour', 'price', 'source', 'picture', 'text'] as const;
export const PRESET_REASONS = [...REJECTION_REASONS, ...REVISION_REASONS] as const;
