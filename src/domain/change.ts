// Changes and decisions: defines the stored proposals to alter the agenda and the editors' answers to them
// (contract 14.2). A submission, a correction, a cancellation and an editor's override are each a change. The
// agenda shows the content files with all applied changes.
import * as v from 'valibot';
import { TOWN } from '../town.ts';
import { StoredCorrectionSchema } from './correction.ts';
import { RECORD_KINDS } from './record-history.ts';
import { SubmissionRecordSchema } from './submission/submission.ts';

/**
 * Requested actions:
 * - `publish`: add the record. `edit`: replace its content, or fields of it.
 * - `cancel`, `postpone`: announce that an event, or some of its days, will not happen (as planned).
 * - `restore`: undo a cancellation or postponement. `withdraw`: remove an event from all pages.
 * - `check`: review the record, because a visitor, its organizer or a source reported something about it.
 */
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
 * States of a change:
 * - `waiting`: in the review queue.
 * - `asked`: returned to its sender with a question. `refused`: rejected. Both were decided by an editor.
 * - `applied`: approved; if it has a record, the agenda shows it.
 * - `taken_back`: withdrawn by its sender. `replaced`: superseded by a newer change.
 * - `undone`: first state of a change that an editor creates, until its decision is logged in the same
 *   transaction; so undoing that decision returns it to this state, in which it has no effect.
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
/** First letters of the town's key: prefix of its references and, in lower case, of its API keys: `HM` for hoy-merida. */
export const REFERENCE_PREFIX = initials.slice(0, 3).join('').toUpperCase();
const REFERENCE_PATTERN = new RegExp(`^${REFERENCE_PREFIX}-[0-9A-Z]{6}$`);
/** Returns true for texts such as `HC-7K3M9Q`. */
export const isReference = (text: string): boolean => REFERENCE_PATTERN.test(text);

/** Actions that a sender can request for their own event. */
const SENDER_CHANGE_ACTIONS = ['publish', 'edit', 'cancel', 'postpone'] as const;

/** Schema of a column with JSON text. */
const json = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);
/** Schema of a column that is 1 or 0. */
const flag = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
);

/** Columns of the table `changes`. Their names are stored, so old ones stay. */
const COLUMNS = {
  /** Grows with each stored change. */
  id: v.number(),
  /** Timestamp of the request. */
  at: v.string(),
  /**
   * Role of the author. `sender`: submits events of their own; `reader`: a visitor, or a source, that reports an
   * error; `editor`: an editor, or a followed source that acts like one.
   */
  maker: v.picklist(['sender', 'reader', 'editor']),
  /**
   * Channel through which it came. `form`: the submission form; `agent`: an MCP tool or the API; `report`: the
   * correction form; `desk`: the editors' pages; `source`: a followed source.
   */
  door: v.picklist(['form', 'agent', 'report', 'desk', 'source']),
  /** Kind of the record. */
  kind: v.picklist(RECORD_KINDS),
  /** Id of the affected record; null if only the reference identifies it. */
  thing: v.nullable(v.string()),
  /** `HC-7K3M9Q`, shared by all changes under one token; null for an editor's own change. */
  reference: v.nullable(v.string()),
  /** Number of the request under its reference: starts at 1 and grows with each request of the sender. */
  revision: v.number(),
  /** Requested action. */
  asks: v.picklist(CHANGE_ACTIONS),
  /** Title of the record, for lists; empty for most changes of editors. */
  title: v.string(),
  /** Affected days, YYYY-MM-DD; null for the whole event. */
  dates: v.nullable(json(v.pipe(v.array(v.string()), v.readonly()))),
  /** The sender's message to the desk. */
  message: v.nullable(v.string()),
  /** The submission or correction as submitted; null for an editor's own change. */
  text: v.nullable(json(v.unknown())),
  /** Values of the review form that an editor saved before deciding, by control name; null if none did. */
  draft: v.nullable(json(v.record(v.string(), v.string()))),
  /** Content that the agenda shows while the change is applied; null until it is first applied. */
  record: v.nullable(json(v.unknown())),
  /** For an editor's edit: the values that the source had then, to detect later changes of the source. */
  source: v.nullable(json(v.unknown())),
  state: v.picklist(CHANGE_STATES),
  /** Id of the decision that led to the state; null if no decision did. */
  decided: v.nullable(v.number()),
  /** The editor's reason, which a sender reads if the state is `asked` or `refused`. */
  reason: v.nullable(v.string()),
  /** Flagged: its sender exceeded a soft rate limit. */
  is_doubtful: flag,
  /** Its private data was erased. */
  is_forgotten: flag,
  /** Id of the imported calendar that it came from; null if it came from none. */
  batch: v.nullable(v.number()),
  /** Identifier of the event in that calendar. Of an alert: key of its source, `:`, and its identifier there. */
  uid: v.nullable(v.string()),
  /**
   * Digest of the event's content in that calendar, to detect later changes. Of a notice: identifier of the alert that
   * ended it.
   */
  uid_digest: v.nullable(v.string()),
  /** Computed, not stored: an applied change with the same reference has published its event. */
  is_published: flag,
};

/** A database row of any change. */
export const ChangeRowSchema = v.object(COLUMNS);

/** The parsed row; the role of its author decides which columns are set. */
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
/** Returns true if the change asks an editor to end a notice, because the source of its alert has ended it. */
export const isNoticeEnd = ({
  kind,
  uid,
  uid_digest,
}: Pick<Change, 'kind' | 'uid' | 'uid_digest'>) =>
  kind === 'notice' && uid === null && uid_digest !== null;
/** A submission, or a later request of its sender. `text` is the submission as its sender last sent it. */
export type SubmissionChange = Extract<Change, { readonly maker: 'sender' }>;
/** A correction: an error that a visitor, or a followed source, reports about a record. */
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

/** Actions on a sender's status page: amend, withdraw if pending, request to cancel or postpone if published. */
export const SENDER_ACTIONS = ['correct', 'withdraw', 'cancel', 'postpone'] as const;
export type SenderAction = (typeof SENDER_ACTIONS)[number];

/** Form value that selects all days of an event. */
export const ALL_DATES = 'all';

/**
 * Publication status of a submission's event. `none`: not in the agenda yet; `gone`: no longer; `past`: it has
 * ended; otherwise its status in the agenda.
 */
export type PublicationStatus = 'none' | 'gone' | 'published' | 'cancelled' | 'postponed' | 'past';

/** Publication statuses in which a sender cannot request to cancel or postpone the event. */
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

/** The columns of a change that a decision alters. */
export interface ChangeStatus {
  readonly state: ChangeState;
  /** Id of the decision that led to the state; null if no decision did. */
  readonly decided: number | null;
  /** The editor's reason, if any. */
  readonly reason: string | null;
}

/** The status of one change before and after a decision. */
export interface ChangeOutcome {
  /** Id of the change. */
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

/**
 * Actions of decisions:
 * - on a submission: `approve`, `ask` (return it with a question), `reject`; `grant` approves the sender's request
 *   to cancel or postpone; `reopen` returns a decided change to the review queue.
 * - on a correction: `done` (handled), `dismiss`.
 * - on the status of an event: `cancel`, `postpone`, `restore`, `withdraw`; `change_date` changes one date;
 *   `confirm`: its organizer confirmed it.
 * - on an override of a record: `edit`; `use_source` reverts to the source, `keep_edit` keeps it although the source
 *   has changed, `end_edit` ends it because the source agrees now.
 * - `write_notice`, `close_notice`; `erase` private data; `undo` another decision.
 * - `merge` and `split` occur in old logs only.
 */
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

/** Author and time of a decision. */
export interface Actor {
  /** Account name of an editor, or the name of an automatic actor such as a followed source. */
  readonly editor: string;
  readonly now_ms: number;
}

/** Maximum characters of a decision's reason. */
export const MAX_REASON_LENGTH = 600;
/** Maximum characters of the public note on a cancellation. */
export const MAX_NOTE_LENGTH = 400;

/** A logged decision. */
export interface Decision {
  readonly id: number;
  /** Timestamp. */
  readonly at: string;
  /** Account name of the editor, or the name of an automatic actor. */
  readonly editor: string;
  readonly action: DecisionAction;
  /** Reference of a submission, import or correction, id of a record, or name of an editor's account. */
  readonly subject: string;
  readonly reason: string | null;
  /** Timestamp of the undo; null if the decision is in effect. */
  readonly undone_at: string | null;
  /** Id of the decision that this one undid; null if it undid none. */
  readonly undoes: number | null;
  /** Status of each affected change; empty if the decision cannot be undone. */
  readonly outcomes: readonly ChangeOutcome[];
}

/** Status override: the status that the desk set for one day of an event, or for the whole event. */
export interface StatusOverride {
  /** YYYY-MM-DD; empty for the whole event. */
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
