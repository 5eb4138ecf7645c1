// Queue item screens of the desk: show a submission (preview, warnings, form), a correction (a
// visitor's report that a record is wrong) with the form of its record, or an alert (a notice of a
// followed source that waits for a decision), and apply the editor's decision. The control `does`
// has the pressed button. Each item is a stored change: `state` is `waiting` while it is pending,
// `thing` the id of its record.
import { canReopen, reopenChange } from '../../desk/decisions.ts';
import { erasePrivateData, getPrivateData } from '../../desk/retention.ts';
import {
  findPossibleDuplicates,
  eventIdOfSubmission,
  createReferenceData,
  toDuplicateCandidate,
} from '../../desk/reference-data.ts';
import { type SourceAlert, getAlert, getNoticePeriod } from '../../desk/desk-notices.ts';
import { findPublishedEvent } from '../../desk/submissions.ts';
import { suggestSummary, buildPreview } from '../../desk/publication.ts';
import {
  approveSubmissions,
  grantStatusRequest,
  type ReviewedRevision,
  parseReviewForm,
  type ParsedSubmission,
  applyVerdict,
  selectDraftFields,
} from '../../desk/review.ts';
import { answerRestDays } from '../../desk/rest-days.ts';
import { listStatusOverrides } from '../../desk/event-status.ts';
import { refusal } from '../../domain/app-error.ts';
import {
  PRESET_REASONS,
  type CorrectionChange,
  type SubmissionChange,
} from '../../domain/change.ts';
import type { Lang } from '../../domain/lang.ts';
import type { PublicationIssue } from '../../domain/submission/reviewer-fields.ts';
import { FORM_FIELDS, type FormField, selectControls } from '../../domain/submission/fields.ts';
import { listReviewWarnings } from '../../domain/submission/sender-questions.ts';
import {
  type FormValues,
  listChangedControls,
  selectFormValues,
  submissionToForm,
} from '../../domain/submission/form-values.ts';
import { listStoredRestDays } from '../../domain/submission/form-dates.ts';
import { isLikelyDuplicate } from '../../domain/submission/duplicate-detection.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { formatControlValue } from '../../i18n/format-overrides.ts';
import { fieldLabel } from '../../i18n/format-forms.ts';
import { DESK_PATHS, absoluteUrl, recordPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import {
  getApprovedControlValues,
  getCorrection,
  getLastDecidedText,
  getSubmission,
  listPendingSubmissions,
} from '../../inbox/changes.ts';
import { getEvent } from '../../snapshot/get-record.ts';
import { findCorrectionTarget, editableRecordId } from '../forms/correction-form.ts';
import {
  type FormState,
  listFormOptions,
  fillVenueName,
  formatSubmissionIssues,
} from '../forms/parse-form.ts';
import { type RedirectResult, redirectAfterPost } from '../visitor-request.ts';
import { type FieldComparison, loadDecisionHistory, compareField } from './decision-log.ts';
import { editPath } from './list-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  NO_MESSAGE,
  getQueuePosition,
  parseNote,
  formatIssueForEditor,
  type ScreenResult,
  type RenderScreen,
} from './screen.ts';
import { loadCorrectedRecordForm } from './record-screen.ts';

export type ItemView = Awaited<ReturnType<typeof loadItemFrame>>;

/** Loads the parts that every queue item shares. */
export async function loadItemFrame(
  request: DeskRequest,
  item: {
    readonly reference: string;
    readonly is_pending: boolean;
    readonly is_reopenable: boolean;
  },
) {
  const { inbox, fields } = request.visit;
  return {
    ...item,
    /** Null if the item is not pending. */
    queue_position: item.is_pending ? await getQueuePosition(request, item.reference) : null,
    /** The submitted reason, shown again if the form was rejected. */
    reason: fields.reason ?? '',
    history: await loadDecisionHistory(request, item.reference),
    /** Null if no private data is stored. */
    private_data: await getPrivateData(inbox, item.reference),
  };
}

/** Applies the actions that every item has: erase and reopen. Returns null for any other action. */
async function handleCommonActions(
  { visit: { inbox, fields }, actor }: DeskRequest,
  reference: string,
): Promise<RedirectResult | null> {
  const { does, reason = '' } = fields;
  if (does === 'erase') await erasePrivateData(inbox, reference, actor);
  else if (does === 'reopen') await reopenChange(inbox, actor, reference, reason);
  else return null;
  return redirectAfterPost(
    `${DESK_PATHS.items}/${reference}?done=${does === 'erase' ? 'erased' : 'reopened'}`,
  );
}

/**
 * Parses a button that rejects an item or asks its sender for changes, and its reason: a preset one
 * in the sender's language, followed by the typed one.
 * @returns null for any other button.
 */
export function parseSendBackAction(
  { does = '', reason = '' }: Readonly<Record<string, string>>,
  lang: Lang,
): { readonly action: 'ask' | 'reject'; readonly reason: string } | null {
  const [, action, code] = /^(ask|reject)(?::(\w+))?$/.exec(does) ?? [];
  if (action !== 'ask' && action !== 'reject') return null;
  const preset = PRESET_REASONS.find((known) => known === code);
  return { action, reason: `${preset ? t(lang, `canned.${preset}`) : ''} ${reason}` };
}

/** The screen of a submission, by its reference. */
export const submissionScreen = defineScreen({
  name: 'submission',
  find: ({ visit }, reference) => getSubmission(visit.inbox, reference),
  loadView: loadSubmission,
  handleForm: async (request, stored, render) =>
    (await handleCommonActions(request, stored.reference)) ??
    decideSubmission(request, stored, render),
});

/**
 * Applies the pressed button: grant a status request, ask, reject, reject as a duplicate, or
 * approve.
 */
async function decideSubmission(
  request: DeskRequest,
  stored: SubmissionChange,
  render: RenderScreen<readonly PublicationIssue[]>,
): Promise<ScreenResult | RedirectResult> {
  const { context, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { does = '', reason = '' } = fields;
  const { reference, text } = stored;
  const reviewed = { reference, revision: Number(fields.revision) };
  const { redirectToNext } = await getQueuePosition(request, reference);
  if (does === 'grant') {
    await grantStatusRequest(inbox, actor, reviewed, parseNote(fields));
    return redirectToNext('approve');
  }
  const send_back = parseSendBackAction(fields, text.lang);
  if (send_back !== null) {
    const { action, reason: full_reason } = send_back;
    await applyVerdict(inbox, actor, action, reference, [reviewed], full_reason);
    return redirectToNext(action);
  }
  const duplicate_of = /^duplicate:([\w-]+)$/.exec(does)?.[1];
  if (duplicate_of !== undefined) {
    const duplicate_reason = await formatDuplicateReason(request, duplicate_of, text.lang);
    const full_reason = `${duplicate_reason} ${reason}`;
    await applyVerdict(inbox, actor, 'reject', reference, [reviewed], full_reason);
    return redirectToNext('reject');
  }
  const rest_answer = /^rest_days:(yes|no)$/.exec(does)?.[1];
  if (rest_answer !== undefined) {
    const form = stored.state === 'waiting' ? selectDraftFields(fields) : {};
    await answerRestDays(inbox, actor, context.snapshot, reviewed, rest_answer === 'yes', form);
    return redirectAfterPost(`${DESK_PATHS.items}/${reference}?done=settled`);
  }
  // Pressing Enter in a text field, or the preview button, submits the form without a decision.
  if (does !== 'approve') return render(NO_MESSAGE);
  const reference_data = createReferenceData(context.snapshot);
  const draft = { ...reviewed, edits: selectDraftFields(fields) };
  const failed = await approveSubmissions(inbox, reference_data, actor, reference, [draft]);
  const failure = failed.get(reference);
  if (failure === undefined) return redirectToNext('approve');
  return render({ status: 422, message: t(lang, 'desk.refused.issues') }, failure.issues);
}

/**
 * Formats the reason for rejecting a duplicate, in the sender's language: with the page of the
 * other event, or, if that one is not public yet, that it was submitted before.
 * @throws AppError if neither a submission nor an event has this reference or id.
 */
async function formatDuplicateReason(
  { context: { snapshot, now_ms, site }, visit: { inbox } }: DeskRequest,
  reference_or_id: string,
  lang: Lang,
): Promise<string> {
  const stored = await getSubmission(inbox, reference_or_id);
  const detail = stored
    ? findPublishedEvent(stored, snapshot, now_ms).detail
    : getEvent(snapshot, reference_or_id, now_ms);
  if (detail !== null && detail !== 'gone') {
    const { title, slug } = detail.event;
    const url = absoluteUrl(site.url, recordPath('event', slug, lang));
    return t(lang, 'canned.duplicate_of', { title: title[lang], url });
  }
  if (stored !== null) return t(lang, 'canned.duplicate');
  throw refusal('no_such_duplicate');
}

/**
 * Parses the text to show: the saved one, or the submitted one if a form was posted. If the sender
 * has amended the submission since the form was rendered, only the editor's additions come from the
 * form.
 */
function parseCurrentText(
  { context, visit }: DeskRequest,
  stored: SubmissionChange,
): ParsedSubmission {
  const { fields, method } = visit;
  const parse = (edits: Parameters<typeof parseReviewForm>[1]): ParsedSubmission =>
    parseReviewForm(stored, edits, createReferenceData(context.snapshot), context.now_ms);
  const saved = parse(null);
  if (method === 'GET' || stored.state !== 'waiting') return saved;
  const submitted = parse(selectDraftFields(fields));
  const is_same_revision = stored.revision === Number(fields.revision);
  return is_same_revision ? submitted : { ...saved, additions: submitted.additions };
}

export type SubmissionView = Awaited<ReturnType<typeof loadSubmission>>;

/**
 * Loads the screen of a submission.
 * @param issues Reasons why the submitted form could not be approved.
 */
async function loadSubmission(
  request: DeskRequest,
  stored: SubmissionChange,
  issues: readonly PublicationIssue[] = [],
) {
  const { fields, inbox } = request.visit;
  const { reference, state, is_published } = stored;
  const event_id = eventIdOfSubmission(reference);
  const text = parseCurrentText(request, stored);
  return {
    ...buildReviewView(request, stored, text, await listPendingSubmissions(inbox), issues),
    item: await loadItemFrame(request, {
      reference,
      is_pending: state === 'waiting',
      is_reopenable: canReopen(stored),
    }),
    /** The submitted public note, shown again if the form was rejected. */
    note: parseNote(fields),
    /** The sender's changes since the last decision. */
    changes: await listAmendedFields(request, stored),
    overrides: is_published ? await listStatusOverrides(inbox, event_id) : [],
    /** Screen of the event; null before approval. */
    edit_path: is_published ? editPath(event_id) : null,
  };
}

/**
 * Builds the review of a submission: its form, the editor's additions, a preview, warnings and
 * possible duplicates.
 */
export function buildReviewView(
  request: DeskRequest,
  stored: SubmissionChange,
  text: ParsedSubmission,
  pending: readonly SubmissionChange[],
  issues: readonly PublicationIssue[] = [],
) {
  const { snapshot, now_ms } = request.context;
  const { lang } = request.visit;
  const submission = text.submission ?? stored.text;
  const form_fields: readonly string[] = FORM_FIELDS;
  const formatIssues = (is_form_field: boolean) =>
    issues
      .filter(({ field }) => form_fields.includes(field) === is_form_field)
      .map((issue) => [issue.field, formatIssueForEditor(issue, lang)] as const);
  const venue = text.submission?.venue;
  const form: FormState = {
    values: fillVenueName(snapshot, { ...text.values, ...(venue ? { venue } : {}) }),
    // Reversed, so that the first issue of a field wins.
    issues: new Map([
      ...formatSubmissionIssues(text.issues, lang),
      ...formatIssues(true).toReversed(),
    ]),
    accepts_files: false,
    sends_mail: false,
    options: listFormOptions(snapshot, lang),
  };
  return {
    stored,
    form,
    additions: { summary: suggestSummary(submission.description), ...text.additions },
    /** By the name of the addition, or by the path of a field of content/. */
    addition_issues: new Map(formatIssues(false)),
    detail: buildPreview(submission, text.additions, createReferenceData(snapshot), {
      ...stored,
      now_ms,
    }),
    duplicates: findDuplicates(request, stored.reference, submission, pending),
    resting_days: listStoredRestDays(
      { text: { ...stored.text, dates: submission.dates }, draft: text.values },
      now_ms,
    ).resting,
    warnings: listReviewWarnings(submission, now_ms),
  };
}

/**
 * Finds possible duplicates: events of the agenda, by id, then other pending submissions, by
 * reference (contract 14.21).
 */
export function findDuplicates(
  { context, visit: { lang } }: DeskRequest,
  reference: string,
  submission: Submission,
  pending: readonly SubmissionChange[],
) {
  const candidate = toDuplicateCandidate(submission);
  const own_event_id = eventIdOfSubmission(reference);
  const published = findPossibleDuplicates(context, candidate, own_event_id).map(
    ({ card: { event, venue } }) => ({
      reference: event.id,
      title: event.title[lang],
      venue_name: venue?.name ?? null,
      path: recordPath('event', event.slug, lang),
    }),
  );
  const submitted = pending
    .filter((other) => other.reference !== reference)
    .filter((other) => isLikelyDuplicate(candidate, toDuplicateCandidate(other.text)))
    .map(({ reference: other, title, text }) => ({
      reference: other,
      title,
      venue_name: text.venue_name,
      path: `${DESK_PATHS.items}/${other}`,
    }));
  return [...published, ...submitted];
}

/** Fields left out of the comparison: private data, and the venue id, which shows as its name. */
const HIDDEN_FIELDS: readonly FormField[] = ['contact_email', 'venue'];

/**
 * Lists the fields that the sender's amendment changes (contract 14.21), compared with the approved
 * text, otherwise with the text of the last decision. Empty before the first decision.
 */
async function listAmendedFields(
  { context: { snapshot }, visit: { inbox, lang } }: DeskRequest,
  { reference, text }: SubmissionChange,
): Promise<readonly FieldComparison[]> {
  const decided_text = await getLastDecidedText(inbox, reference);
  const approved_values = await getApprovedControlValues(inbox, reference);
  const earlier = approved_values
    ? selectFormValues(approved_values)
    : decided_text && submissionToForm(decided_text);
  if (earlier === null) return [];
  const before = fillVenueName(snapshot, earlier);
  const after = fillVenueName(snapshot, submissionToForm(text));
  const choices = listFormOptions(snapshot, lang);
  const names = listChangedControls(before, after).filter((name) => !HIDDEN_FIELDS.includes(name));
  return selectControls(names).map((control) => {
    const format = (values: FormValues): string =>
      formatControlValue(control, values, choices, lang) || t(lang, 'desk.change.nothing');
    return compareField(fieldLabel(control.name, lang), format(before), format(after), lang);
  });
}

/** The screen of a correction, by its reference. */
export const correctionScreen = defineScreen({
  name: 'correction',
  find: ({ visit }, reference) => getCorrection(visit.inbox, reference),
  loadView: loadCorrection,
  handleForm: async (request, stored) =>
    (await handleCommonActions(request, stored.reference)) ??
    decideWithoutNotifying(request, stored, 'done'),
});

/**
 * Accepts or dismisses an item whose sender is not notified; the reason goes into the log only.
 * @param accept_action The decision action that accepts the item.
 */
async function decideWithoutNotifying(
  request: DeskRequest,
  { reference, revision }: ReviewedRevision,
  accept_action: 'done' | 'approve',
): Promise<RedirectResult> {
  const { actor, visit } = request;
  const { does, reason: typed_reason = '' } = visit.fields;
  const { redirectToNext } = await getQueuePosition(request, reference);
  const send_back = parseSendBackAction(visit.fields, visit.lang);
  const is_dismissed = does === 'dismiss' || send_back?.action === 'reject';
  if (does !== accept_action && !is_dismissed) throw refusal('not_asked_for');
  const action = is_dismissed ? 'dismiss' : accept_action;
  const reason = send_back?.reason ?? typed_reason;
  await applyVerdict(visit.inbox, actor, action, reference, [{ reference, revision }], reason);
  return redirectToNext('settled');
}

/** The screen of an alert, by its reference. */
export const alertScreen = defineScreen({
  name: 'alert',
  find: ({ visit }, reference) => getAlert(visit.inbox, reference),
  loadView: loadAlert,
  handleForm: (request, stored) => decideWithoutNotifying(request, stored, 'approve'),
});

export type AlertView = Awaited<ReturnType<typeof loadAlert>>;

async function loadAlert(request: DeskRequest, stored: SourceAlert) {
  const { reference, state, notice, notice_id } = stored;
  const item = { reference, is_pending: state === 'waiting', is_reopenable: false };
  const zone = request.context.snapshot.taxonomy.zones.find(({ key }) => key === notice.zone);
  return {
    stored,
    /** Name of the zone; null for the whole town. */
    zone: zone?.name[request.visit.lang] ?? null,
    /** Start and end, as far as the notice has them. */
    period: Object.values(getNoticePeriod(notice)).filter((moment) => moment !== null),
    item: await loadItemFrame(request, item),
    /** Screen of the published notice; null before approval. */
    edit_path: state === 'applied' ? editPath(notice_id) : null,
  };
}

export type CorrectionView = Awaited<ReturnType<typeof loadCorrection>>;

async function loadCorrection(request: DeskRequest, stored: CorrectionChange) {
  const { context, visit } = request;
  const { reference, kind, thing } = stored;
  const is_pending = stored.state === 'waiting';
  const target = findCorrectionTarget(context, kind, thing, visit.lang);
  const is_listed = target.kind !== 'failure';
  return {
    stored,
    item: await loadItemFrame(request, { reference, is_pending, is_reopenable: !is_pending }),
    /** Public page of the corrected record; null if the current release does not have it. */
    page_path: is_listed ? target.path : null,
    /** Screen of the corrected record; null in the same case. */
    edit_path: is_listed ? editPath(editableRecordId(stored)) : null,
    /**
     * Form of the corrected record; null if the correction is not pending or the record is gone.
     */
    record_form: is_pending
      ? await loadCorrectedRecordForm(request, editableRecordId(stored), reference)
      : null,
  };
}
