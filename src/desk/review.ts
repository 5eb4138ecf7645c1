// What a person decides on what waits, one or some of a calendar together, undone as one (contract 14.35); and
// before that, the text that it is decided on, with an editor's work on it.
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

/** What stands in the controls of the review page, by name. */
export type ControlValues = Readonly<Record<string, string>>;

/** `edits`, or null for those that were saved; what nobody edited is what was sent. */
function toControls({ draft, text }: SubmissionChange, edits: ControlValues | null) {
  const edited = selectFormValues(edits ?? draft);
  // After a correction only the additions are left of a draft.
  const is_as_sent = edits === null && Object.keys(edited).length === 0;
  return {
    values: is_as_sent ? submissionToForm(text) : edited,
    additions: selectReviewerFields(edits ?? draft),
  };
}

export type ParsedSubmission = ReturnType<typeof parseReviewForm>;

/** The text that a reviewer looks at, understood like any submission, which is null where there are issues. */
export function parseReviewForm(
  stored: SubmissionChange,
  edits: ControlValues | null,
  places: VenueLookups,
  now_ms: number,
) {
  const controls = toControls(stored, edits);
  const { input, issues } = formToSubmissionInput(controls.values);
  const reading = parseSubmission(input, places, now_ms, true);
  const all = [...issues, ...reading.issues];
  return { ...controls, submission: all.length > 0 ? null : reading.submission, issues: all };
}

/** What is worth saving of a sent review form. */
export const selectDraftFields = (fields: ControlValues): Record<string, string> => ({
  ...selectFormValues(fields),
  ...selectReviewerFields(fields),
});

/** What stands on the review page with `changed` over it. */
export function mergeControlValues(
  stored: SubmissionChange,
  changed: ControlValues,
): ControlValues {
  const { values, additions } = toControls(stored, null);
  return selectDraftFields({ ...values, ...additions, ...changed });
}

/** What is decided on, as it was looked at. */
export interface ReviewedRevision {
  readonly reference: string;
  readonly revision: number;
}

/** What waits under a reference. Throws AppError where nothing does, or it is not what was looked at. */
async function takeWaiting(
  inbox: Inbox,
  { reference, revision }: ReviewedRevision,
): Promise<Change> {
  const change = await getCurrentChange(inbox, reference);
  if (change === null) throw refusal('no_such_submission');
  if (change.state !== 'waiting') throw refusal('not_pending');
  if (change.revision !== revision) throw refusal('text_changed');
  return change;
}

async function takeText(inbox: Inbox, looked: ReviewedRevision): Promise<SubmissionChange> {
  const change = await takeWaiting(inbox, looked);
  if (change.maker !== 'sender') throw refusal('not_asked_for');
  return change;
}

interface Verdict {
  /** What it is an answer to. */
  readonly on: readonly ChangeAction[];
  readonly state: ChangeState;
  /** Why it needs a reason: its sender reads it, or it stays in the log. */
  readonly needs?: 'no_words' | 'no_reason';
}

/** How what waits stands by each decision. */
const VERDICTS = {
  approve: { on: ['publish', 'edit'], state: 'applied' },
  grant: { on: ['cancel', 'postpone'], state: 'applied' },
  ask: { on: ['publish', 'edit'], state: 'asked', needs: 'no_words' },
  reject: { on: ['publish', 'edit', 'cancel', 'postpone'], state: 'refused', needs: 'no_words' },
  done: { on: ['check'], state: 'applied' },
  dismiss: { on: ['check', 'publish'], state: 'refused', needs: 'no_reason' },
} as const satisfies Readonly<Record<string, Verdict>>;
export type VerdictKey = keyof typeof VERDICTS;

/** One of what is decided on together; `record` is what the agenda is told by it. */
export interface VerdictTarget extends ReviewedRevision {
  readonly record?: object;
  readonly thing?: string;
}

/**
 * Decides on what waits, all of it or nothing. Throws AppError without a reason that is needed, and where one does
 * not wait as it was looked at, or does not ask for that. `subject`: what the log says that it was about.
 */
export async function applyVerdict(
  inbox: Inbox,
  actor: Actor,
  name: VerdictKey,
  subject: string,
  chosen: readonly VerdictTarget[],
  words = '',
): Promise<void> {
  const { on, state, needs }: Verdict = VERDICTS[name];
  if (chosen.length === 0) throw refusal('nothing_chosen');
  const reason = needs ? requireReason(words, needs) : normalizeReason(words);
  const settleOne = async ({
    record,
    thing,
    ...looked
  }: VerdictTarget): Promise<ChangeTransition[]> => {
    const change = await takeWaiting(inbox, looked);
    if (!on.includes(change.asks)) throw refusal('not_asked_for');
    if (record === undefined || change.record === null) return [{ change, state, record, thing }];
    // What the agenda was told until it was undone stays as it was told.
    const next = await insertFollowUpChange(inbox, change, { state: 'undone' });
    return [
      { change, state: 'replaced' },
      { change: next, state, record, thing },
    ];
  };
  const decision = { ...actor, action: name, subject, reason };
  await recordDecision(inbox, decision, async () =>
    (await Array.fromAsync(chosen, settleOne)).flat(),
  );
}

/**
 * Grants a request to cancel or postpone: the event, or each day that it names, gets the status, with `note` as what
 * readers are told. Throws AppError where the event was withdrawn for legal reasons, and as above.
 */
export const grantStatusRequest = (
  inbox: Inbox,
  actor: Actor,
  looked: ReviewedRevision,
  note: Partial<LocalText> = {},
): Promise<void> =>
  inbox.transaction(async () => {
    const { reference } = looked;
    const { asks } = await takeWaiting(inbox, looked);
    const thing = submittedEventId(reference);
    await assertNotWithdrawn(inbox, thing);
    const status = STATUS_AFTER_ACTION[asks === 'postpone' ? 'postpone' : 'cancel'];
    const record = { status, ...normalizeNote(note) };
    await applyVerdict(inbox, actor, 'grant', reference, [{ ...looked, thing, record }]);
  });

/** What could not be approved, by reference. */
export type FailedApprovals = ReadonlyMap<string, ReturnType<typeof prepare>>;

const NO_ZONE: PublicationIssue = { field: 'zone', rule: 'missing', message: 'missing' };

/** What an approval of a text with a reviewer's edits would let into the agenda; null where there are issues. */
function prepare(
  known: ReferenceData,
  stored: SubmissionChange,
  edits: ControlValues,
  now_ms: number,
) {
  const text = parseReviewForm(stored, edits, known, now_ms);
  const { submission } = text;
  if (submission === null) return { text, publication: null, issues: [] };
  const made = buildPublication(submission, text.additions, { ...stored, now_ms }, known);
  const { venue, venue_name, zone } = submission;
  // A place that nobody knows yet stands in no zone, on no map and in no filter without it.
  const is_nowhere =
    venue === null && venue_name !== null && zone === null && !isSubmittedAsOnline(submission);
  const issues = [...(is_nowhere ? [NO_ZONE] : []), ...made.issues];
  if (issues.length > 0 || made.publication === null) return { text, publication: null, issues };
  // What is private stands in no publication.
  const { contact_email: _, ...form } = text.values;
  return { text, publication: { ...made.publication, form }, issues };
}

/**
 * Saves a reviewer's edits of some texts, and approves those that make a publication that passes the schemas of
 * content/. Gives the others, by reference. Throws AppError where one does not wait as it was looked at.
 */
export const approveSubmissions = (
  inbox: Inbox,
  known: ReferenceData,
  actor: Actor,
  subject: string,
  chosen: readonly (ReviewedRevision & { readonly edits: ControlValues })[],
): Promise<FailedApprovals> =>
  inbox.transaction(async () => {
    if (chosen.length === 0) throw refusal('nothing_chosen');
    const items = await Array.fromAsync(chosen, async ({ edits, ...looked }) => {
      const stored = await takeText(inbox, looked);
      await saveDraft(inbox, looked.reference, edits);
      return { ...looked, ...prepare(known, stored, edits, actor.now_ms) };
    });
    const ready = items.flatMap(({ publication: record, reference, revision }) =>
      record === null ? [] : [{ reference, revision, record }],
    );
    if (ready.length > 0) await applyVerdict(inbox, actor, 'approve', subject, ready);
    const left = items.filter(({ publication }) => publication === null);
    return new Map(left.map((item) => [item.reference, item]));
  });

/** What waits of a batch to be published, in the order in which it was sent. */
export const listPendingOfImport = async (inbox: Inbox, batch: CalendarImport) =>
  (await listImportedSubmissions(inbox, batch))
    .map(({ stored }) => stored)
    .filter(({ state, asks }) => state === 'waiting' && asks === 'publish');
