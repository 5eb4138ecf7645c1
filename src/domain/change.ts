// Change: a proposed or made alteration of the agenda, which is decided once; a record is its source with the
// applied changes. Also the decisions on them, with editor, time and reason (contract 14.2).
import * as v from 'valibot';
import { TOWN } from '../town.ts';
import { StoredCorrectionSchema } from './correction.ts';
import { RECORD_KINDS } from './record-history.ts';
import { SubmissionRecordSchema } from './submission/submission.ts';

/** Requested action. `check`: an editor should review the record. */
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

/** Actions that change the status of an event or of some of its days. */
export const STATUS_ACTIONS = ['cancel', 'postpone', 'restore', 'withdraw'] as const;
const STATUS_ACTION_LIST: readonly ChangeAction[] = STATUS_ACTIONS;
export const isStatusAction = (action: ChangeAction): boolean =>
  STATUS_ACTION_LIST.includes(action);

/**
 * States of a change. `asked`: returned to its sender with a question; `replaced`: superseded by a newer change;
 * `undone`: an editor's own change, undone or not yet applied.
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
/** Prefix of a town's references and, in lower case, of its API keys: `HM` for hoy-merida. */
export const REFERENCE_PREFIX = initials.slice(0, 3).join('').toUpperCase();
const REFERENCE_PATTERN = new RegExp(`^${REFERENCE_PREFIX}-[0-9A-Z]{6}$`);
export const isReference = (text: string): boolean => REFERENCE_PATTERN.test(text);

/** Actions that a sender can request for their own event. */
const SENDER_CHANGE_ACTIONS = ['publish', 'edit', 'cancel', 'postpone'] as const;

const json = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);
/** A column that is 1 or 0. */
const flag = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
);

const COLUMNS = {
  id: v.number(),
  /** Timestamp of the request. */
  at: v.string(),
  maker: v.picklist(['sender', 'reader', 'editor']),
  /** Channel: the form, an agent's tool, the correction form, the desk, a followed source. */
  door: v.picklist(['form', 'agent', 'report', 'desk', 'source']),
  kind: v.picklist(RECORD_KINDS),
  /** Id of the record; null if only the reference identifies it. */
  thing: v.nullable(v.string()),
  /** `HC-7K3M9Q`, shared by all changes under one token; null for an editor's own change. */
  reference: v.nullable(v.string()),
  /** Starts at 1 and grows with each request of the sender. */
  revision: v.number(),
  asks: v.picklist(CHANGE_ACTIONS),
  title: v.string(),
  /** Affected days, YYYY-MM-DD; null for the whole event. */
  dates: v.nullable(json(v.pipe(v.array(v.string()), v.readonly()))),
  /** The sender's message to the desk. */
  message: v.nullable(v.string()),
  /** As submitted. */
  text: v.nullable(json(v.unknown())),
  /** An editor's draft of the text, by control name. */
  draft: v.nullable(json(v.record(v.string(), v.string()))),
  /** The record for the agenda; null until the change is first applied. */
  record: v.nullable(json(v.unknown())),
  /** For an edit: the source's values at that time. */
  source: v.nullable(json(v.unknown())),
  state: v.picklist(CHANGE_STATES),
  /** Number of the decision that led to the state. */
  decided: v.nullable(v.number()),
  /** The editor's reason: for the sender, or for the log. */
  reason: v.nullable(v.string()),
  is_doubtful: flag,
  /** Its private data was erased. */
  is_forgotten: flag,
  /** The imported calendar, the event's UID there, and the digest of its content. */
  batch: v.nullable(v.number()),
  uid: v.nullable(v.string()),
  uid_digest: v.nullable(v.string()),
  /** An event with its reference is in the agenda. */
  is_published: flag,
};

/** A database row of any change. */
export const ChangeRowSchema = v.object(COLUMNS);

/** The parsed row, by the role of its maker. */
export const StoredChangeSchema = v.variant('maker', [
  v.object({
    ...COLUMNS,
    maker: v.literal('sender'),
    door: v.picklist(['form', 'agent', 'source']),
    reference: v.string(),
    asks: v.picklist(SENDER_CHANGE_ACTIONS),
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
/** A submission, or a later request of its sender; its text is the newest. */
export type SubmissionChange = Extract<Change, { readonly maker: 'sender' }>;
/** A correction sent by a visitor. */
export type CorrectionChange = Extract<Change, { readonly maker: 'reader' }>;

/** Status of a submission as shown to its sender (contract 14.3). */
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

/** Returns the status for the sender. Withdrawing a later request leaves a published event approved. */
export const getSubmissionState = ({
  state,
  is_published,
}: Pick<Change, 'state' | 'is_published'>): SubmissionState =>
  state === 'taken_back' && is_published ? 'approved' : SUBMISSION_STATES[state];

/** Returns true if the sender asks to cancel or postpone the published event. */
export const isStatusRequest = ({ asks }: Pick<Change, 'asks'>): boolean =>
  asks === 'cancel' || asks === 'postpone';

/** Actions on a sender's status page: amend, withdraw if pending, ask to cancel or postpone if published. */
export const SENDER_ACTIONS = ['correct', 'withdraw', 'cancel', 'postpone'] as const;
export type SenderAction = (typeof SENDER_ACTIONS)[number];

/** Form value that selects all days of an event. */
export const ALL_DATES = 'all';

/** Publication status of a submission's event: not yet, no longer, or its status in the agenda. */
export type PublicationStatus = 'none' | 'gone' | 'published' | 'cancelled' | 'postponed' | 'past';

/** Publication statuses in which the request makes no sense. */
const EXCLUDED_STATUSES: Readonly<Record<'cancel' | 'postpone', readonly PublicationStatus[]>> = {
  cancel: ['cancelled', 'gone', 'past'],
  postpone: ['postponed', 'cancelled', 'gone', 'past'],
};

/** Lists the actions that a sender can take now, in display order. */
export const listSenderActions = (
  { state, is_published }: Pick<SubmissionChange, 'state' | 'is_published'>,
  publication: PublicationStatus,
): readonly SenderAction[] =>
  SENDER_ACTIONS.filter((action) => {
    if (action === 'correct') return true;
    if (action === 'withdraw') return state === 'waiting' || state === 'asked';
    return is_published && !EXCLUDED_STATUSES[action].includes(publication);
  });

export interface ChangeStatus {
  readonly state: ChangeState;
  /** Number of the decision, if any. */
  readonly decided: number | null;
  readonly reason: string | null;
}

/** The status of one change before and after a decision. */
export interface ChangeOutcome {
  readonly id: number;
  readonly before: ChangeStatus;
  readonly after: ChangeStatus;
}

/** Decisions about desk access; their subject is an editor's name. Old logs also have actions on roles. */
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

/** Characters of a decision's reason. */
export const MAX_REASON_LENGTH = 600;
/** Characters of the public note on a cancellation. */
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
  /** Number of the decision that this one undid; null if it undid none, or was logged by an older version. */
  readonly undoes: number | null;
  readonly outcomes: readonly ChangeOutcome[];
}

/** The desk's status for one day of an event, or for the whole event if `date` is empty. */
export interface StatusOverride {
  readonly date: string;
  readonly status: 'published' | 'cancelled' | 'postponed' | 'withdrawn';
}

/** Preset reasons of a rejection. */
export const REJECTION_REASONS = [
  'spam',
  'duplicate',
  'private',
  'past',
  'outside',
  'unconfirmed',
] as const;
/** Preset reasons of a request for changes. */
export const REVISION_REASONS = ['place', 'hour', 'price', 'source', 'picture', 'text'] as const;
export const PRESET_REASONS = [...REJECTION_REASONS, ...REVISION_REASONS] as const;
