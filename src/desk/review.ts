// Review: parses the review form of a submission and applies an editor's verdict to one pending
// change, or to several of an import together, which one undo reverts (contract 14.35).
import { refusal } from '../domain/app-error.ts';
import type { CalendarImport } from '../domain/calendar-import.ts';
import type {
  Actor,
  Change,
  ChangeAction,
  ChangeState,
  SubmissionChange,
} from '../domain/change.ts';
import { isSubmittedAsOnline } from '../domain/event/event.ts';
import type { LocalText } from '../domain/lang.ts';
import {
  joinLinkAnswer,
  selectReviewerFields,
  type PublicationIssue,
} from '../domain/submission/reviewer-fields.ts';
import { type VenueLookups, parseSubmission } from '../domain/submission/parse-submission.ts';
import {
  selectFormValues,
  submissionToForm,
  formToSubmissionInput,
} from '../domain/submission/form-values.ts';
import { listImportedSubmissions } from '../inbox/calendar-imports.ts';
import { insertFollowUpChange, getCurrentChange, saveDraft } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { submittedEventId } from '../sources/inbox/merge-inbox.ts';
import {
  recordDecision,
  requireReason,
  type ChangeTransition,
  normalizeReason,
} from './decisions.ts';
import type { ReferenceData } from './reference-data.ts';
import { buildPublication } from './publication.ts';
import { assertNotWithdrawn, STATUS_AFTER_ACTION, normalizeNote } from './event-status.ts';

/** Values of the review form, by control name. */
export type ControlValues = Readonly<Record<string, string>>;

/**
 * Returns the values of the review form: the submission's fields and the reviewer's additions.
 * @param edits Unsaved values; null for the saved draft, or the submission itself without a draft.
 */
function resolveControls({ draft, text }: SubmissionChange, edits: ControlValues | null) {
  const edited_values = selectFormValues(edits ?? draft);
  // The draft of an amended submission has only additions.
  const is_unedited = edits === null && Object.keys(edited_values).length === 0;
  return {
    values: is_unedited ? submissionToForm(text) : edited_values,
    additions: selectReviewerFields(edits ?? draft),
  };
}

export type ParsedSubmission = ReturnType<typeof parseReviewForm>;

/** Parses the review form like a submission; `submission` is null if there are issues. */
export function parseReviewForm(
  stored: SubmissionChange,
  edits: ControlValues | null,
  lookups: VenueLookups,
  now_ms: number,
) {
  const controls = resolveControls(stored, edits);
  const { input, issues } = formToSubmissionInput(controls.values);
  const parsed = parseSubmission(input, lookups, now_ms, true);
  const all_issues = [...issues, ...parsed.issues];
  return {
    ...controls,
    submission: all_issues.length > 0 ? null : parsed.submission,
    issues: all_issues,
  };
}

/** Selects the fields of a review form that a draft stores. */
export const selectDraftFields = (fields: ControlValues): Record<string, string> => ({
  ...selectFormValues(fields),
  ...selectReviewerFields(fields),
});

/** Returns the draft of the review form with some values changed. */
export function mergeControlValues(
  stored: SubmissionChange,
  changed: ControlValues,
): ControlValues {
  const { values, additions } = resolveControls(stored, null);
  return selectDraftFields({ ...values, ...additions, ...changed });
}

/** The revision that the editor saw; a decision about another one is rejected. */
export interface ReviewedRevision {
  readonly reference: string;
  readonly revision: number;
}

/**
 * @throws AppError if no change is pending under the reference, or it changed after the editor saw
 * it.
 */
async function getPendingOrThrow(
  inbox: Inbox,
  { reference, revision }: ReviewedRevision,
): Promise<Change> {
  const change = await getCurrentChange(inbox, reference);
  if (change === null) throw refusal('no_such_submission');
  if (change.state !== 'waiting') throw refusal('not_pending');
  if (change.revision !== revision) throw refusal('text_changed');
  return change;
}

async function getPendingSubmission(
  inbox: Inbox,
  reviewed: ReviewedRevision,
): Promise<SubmissionChange> {
  const change = await getPendingOrThrow(inbox, reviewed);
  if (change.maker !== 'sender') throw refusal('not_asked_for');
  return change;
}

interface Verdict {
  /** Actions (`asks` of a change) that it can answer. */
  readonly on: readonly ChangeAction[];
  /** State of the change after it. */
  readonly state: ChangeState;
  /** Refusal of a verdict without a reason; absent if no reason is required. */
  readonly needs?: 'no_words' | 'no_reason';
}

/**
 * Verdicts by decision action; domain/change.ts explains the actions and states. `ask` returns a
 * submission to its sender with a question, `done` and `dismiss` answer reports.
 */
const VERDICTS = {
  approve: { on: ['publish', 'edit'], state: 'applied' },
  grant: { on: ['cancel', 'postpone'], state: 'applied' },
  ask: { on: ['publish', 'edit'], state: 'asked', needs: 'no_words' },
  reject: { on: ['publish', 'edit', 'cancel', 'postpone'], state: 'refused', needs: 'no_words' },
  done: { on: ['check'], state: 'applied' },
  dismiss: { on: ['check', 'publish'], state: 'refused', needs: 'no_reason' },
} as const satisfies Readonly<Record<string, Verdict>>;
export type VerdictKey = keyof typeof VERDICTS;

/** A pending change to decide on. */
export interface VerdictTarget extends ReviewedRevision {
  /** Record to publish, if any. */
  readonly record?: object;
  /** Id of the record. */
  readonly thing?: string;
}

/**
 * Applies a verdict to pending changes, all or nothing.
 * @param subject Subject of the decision in the log: a reference.
 * @throws AppError if a required reason is missing, or a change is not pending, changed after
 * review or has an action that the verdict cannot answer.
 */
export async function applyVerdict(
  inbox: Inbox,
  actor: Actor,
  name: VerdictKey,
  subject: string,
  targets: readonly VerdictTarget[],
  reason_text = '',
): Promise<void> {
  const { on, state, needs }: Verdict = VERDICTS[name];
  if (targets.length === 0) throw refusal('nothing_chosen');
  const reason = needs ? requireReason(reason_text, needs) : normalizeReason(reason_text);
  const createTransitions = async ({
    record,
    thing,
    ...reviewed
  }: VerdictTarget): Promise<ChangeTransition[]> => {
    const change = await getPendingOrThrow(inbox, reviewed);
    if (!on.includes(change.asks)) throw refusal('not_asked_for');
    if (record === undefined || change.record === null) return [{ change, state, record, thing }];
    // The change was approved before, and that was undone: its old record stays with it, the new
    // one gets a follow-up change.
    const follow_up = await insertFollowUpChange(inbox, change, { state: 'undone' });
    return [
      { change, state: 'replaced' },
      { change: follow_up, state, record, thing },
    ];
  };
  const decision = { ...actor, action: name, subject, reason };
  await recordDecision(inbox, decision, async () =>
    (await Array.fromAsync(targets, createTransitions)).flat(),
  );
}

/**
 * Grants a request to cancel or postpone an event or some of its days.
 * @param note Public note about the change.
 * @throws AppError if the event was withdrawn for legal reasons, or as applyVerdict does.
 */
export const grantStatusRequest = (
  inbox: Inbox,
  actor: Actor,
  reviewed: ReviewedRevision,
  note: Partial<LocalText> = {},
): Promise<void> =>
  inbox.transaction(async () => {
    const { reference } = reviewed;
    const { asks } = await getPendingOrThrow(inbox, reviewed);
    const thing = submittedEventId(reference);
    await assertNotWithdrawn(inbox, thing);
    const status = STATUS_AFTER_ACTION[asks === 'postpone' ? 'postpone' : 'cancel'];
    const record = { status, ...normalizeNote(note) };
    await applyVerdict(inbox, actor, 'grant', reference, [{ ...reviewed, thing, record }]);
  });

/** Submissions that could not be approved, by reference, with their issues. */
export type FailedApprovals = ReadonlyMap<string, ReturnType<typeof prepareApproval>>;

const NO_ZONE: PublicationIssue = { field: 'zone', rule: 'missing', message: 'missing' };
const OPEN_CALL: PublicationIssue = { field: 'join_link', rule: 'unconfirmed', message: '' };

/** Builds the publication of a submission with a reviewer's edits; null if there are issues. */
function prepareApproval(
  reference_data: ReferenceData,
  stored: SubmissionChange,
  edits: ControlValues,
  now_ms: number,
) {
  // `text`: the parsed form, which has issues of its own.
  const text = parseReviewForm(stored, edits, reference_data, now_ms);
  const { submission } = text;
  if (submission === null) return { text, publication: null, issues: [] };
  const built = buildPublication(submission, text.additions, { ...stored, now_ms }, reference_data);
  const { venue, venue_name, zone } = submission;
  // Without a zone, an event at a new venue would be missing from zone filters and the map.
  const has_new_venue = venue === null && venue_name !== null && !isSubmittedAsOnline(submission);
  const lacks_zone = has_new_venue && zone === null;
  const join_links = joinLinkAnswer(text.values);
  const has_open_call = join_links !== '' && text.additions.join_link !== join_links;
  const issues = [
    ...(lacks_zone ? [NO_ZONE] : []),
    ...(has_open_call ? [OPEN_CALL] : []),
    ...built.issues,
  ];
  if (issues.length > 0 || built.publication === null) return { text, publication: null, issues };
  // A publication must not contain private data.
  const { contact_email: _, ...form } = text.values;
  return { text, publication: { ...built.publication, form }, issues };
}

/**
 * Saves a reviewer's edits of some submissions and approves those that are valid by the schemas of
 * content/.
 * @returns The submissions that could not be approved.
 * @throws AppError if a submission is not pending or changed after review.
 */
export const approveSubmissions = (
  inbox: Inbox,
  reference_data: ReferenceData,
  actor: Actor,
  subject: string,
  submissions: readonly (ReviewedRevision & { readonly edits: ControlValues })[],
): Promise<FailedApprovals> =>
  inbox.transaction(async () => {
    if (submissions.length === 0) throw refusal('nothing_chosen');
    const items = await Array.fromAsync(submissions, async ({ edits, ...reviewed }) => {
      const stored = await getPendingSubmission(inbox, reviewed);
      await saveDraft(inbox, reviewed.reference, edits);
      return { ...reviewed, ...prepareApproval(reference_data, stored, edits, actor.now_ms) };
    });
    const ready = items.flatMap(({ publication: record, reference, revision }) =>
      record === null ? [] : [{ reference, revision, record }],
    );
    if (ready.length > 0) await applyVerdict(inbox, actor, 'approve', subject, ready);
    const failed = items.filter(({ publication }) => publication === null);
    return new Map(failed.map((item) => [item.reference, item]));
  });

/** Lists the pending new events of an import, in the order of submission. */
export const listPendingOfImport = async (inbox: Inbox, batch: CalendarImport) =>
  (await listImportedSubmissions(inbox, batch))
    .map(({ stored }) => stored)
    .filter(({ state, asks }) => state === 'waiting' && asks === 'publish');
