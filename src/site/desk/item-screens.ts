// One item of the queue: a submission as it will look, with what to look at twice and its text to edit, or what a
// reader reported with the form of the thing that it is about; its way through the queue, and the decision.
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

/** Around whatever is decided. */
export async function loadItemFrame(
  request: DeskRequest,
  item: { readonly reference: string; readonly waits: boolean; readonly is_reopenable: boolean },
) {
  const { inbox, fields } = request.visit;
  return {
    ...item,
    /** Where an editor stands in the queue; null where it does not wait. */
    journey: item.waits ? await getQueuePosition(request, item.reference) : null,
    /** Repeated after a refusal. */
    reason: fields.reason ?? '',
    history: await loadDecisionHistory(request, item.reference),
    /** What is private of it; null where nothing is held. */
    held: await getPrivateData(inbox, item.reference),
  };
}

/** What can be done to every item; null where another button was pressed. */
async function actOnAny(
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

/** A button that sends something back: how, and why, in the language of whoever reads it; null for any other. */
export function parseSendBackAction(
  { does = '', reason = '' }: Readonly<Record<string, string>>,
  lang: Lang,
): { readonly action: 'ask' | 'reject'; readonly words: string } | null {
  const [, action, code] = /^(ask|reject)(?::(\w+))?$/.exec(does) ?? [];
  if (action !== 'ask' && action !== 'reject') return null;
  const chosen = PRESET_REASONS.find((one) => one === code);
  return { action, words: `${chosen ? t(lang, `canned.${chosen}`) : ''} ${reason}` };
}

export const submissionScreen = defineScreen({
  name: 'submission',
  find: ({ visit }, reference) => getSubmission(visit.inbox, reference),
  load: readSubmission,
  act: async (request, stored, show) =>
    (await actOnAny(request, stored.reference)) ?? decide(request, stored, show),
});

async function decide(
  request: DeskRequest,
  stored: SubmissionChange,
  show: RenderScreen<readonly PublicationIssue[]>,
): Promise<ScreenResult | RedirectResult> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { does = '', reason = '' } = fields;
  const { reference, text } = stored;
  const looked = { reference, revision: Number(fields.revision) };
  const { goOn } = await getQueuePosition(request, reference);
  if (does === 'grant') {
    await grantStatusRequest(inbox, actor, looked, parseNote(fields));
    return goOn('approve');
  }
  const sent_back = parseSendBackAction(fields, text.lang);
  if (sent_back !== null) {
    const { action, words } = sent_back;
    await applyVerdict(inbox, actor, action, reference, [looked], words);
    return goOn(action);
  }
  const named = /^duplicate:([\w-]+)$/.exec(does)?.[1];
  if (named !== undefined) {
    const why = await toDuplicateReason(request, named, text.lang);
    await applyVerdict(inbox, actor, 'reject', reference, [looked], `${why} ${reason}`);
    return goOn('reject');
  }
  // Enter in a line of text is no decision, nor is the wish to see how it looks.
  if (does !== 'approve') return show(NO_MESSAGE);
  const known = createReferenceData(state.snapshot);
  const edits = selectDraftFields(fields);
  const left = await approveSubmissions(inbox, known, actor, reference, [{ ...looked, edits }]);
  const refused = left.get(reference);
  if (refused === undefined) return goOn('approve');
  return show({ status: 422, notice: t(lang, 'desk.refused.issues') }, refused.issues);
}

/**
 * The reason for a sender, in their language: the page of the event of a reference or id, or that it was here
 * before, of what is not public yet. Throws AppError where nothing has that.
 */
async function toDuplicateReason(
  { state: { snapshot, now_ms, site }, visit: { inbox } }: DeskRequest,
  named: string,
  lang: Lang,
): Promise<string> {
  const stored = await getSubmission(inbox, named);
  const found = stored
    ? findPublishedEvent(stored, snapshot, now_ms).detail
    : getEvent(snapshot, named, now_ms);
  if (found !== null && found !== 'gone') {
    const { title, slug } = found.event;
    const url = absoluteUrl(site.url, recordPath('event', slug, lang));
    return t(lang, 'canned.duplicate_of', { title: title[lang], url });
  }
  if (stored !== null) return t(lang, 'canned.duplicate');
  throw refusal('no_such_duplicate');
}

/**
 * The text that is shown: as it was saved, or as it was typed; where its sender has changed it meanwhile, only what
 * an editor adds to it stays.
 */
function readShownText({ state, visit }: DeskRequest, stored: SubmissionChange): ParsedSubmission {
  const { fields, method } = visit;
  const read = (edits: Parameters<typeof parseReviewForm>[1]): ParsedSubmission =>
    parseReviewForm(stored, edits, createReferenceData(state.snapshot), state.now_ms);
  const saved = read(null);
  if (method === 'GET' || stored.state !== 'waiting') return saved;
  const typed = read(selectDraftFields(fields));
  const is_same = stored.revision === Number(fields.revision);
  return is_same ? typed : { ...saved, additions: typed.additions };
}

export type SubmissionView = Awaited<ReturnType<typeof readSubmission>>;

/** `issues`: why it was not approved just now. */
async function readSubmission(
  request: DeskRequest,
  stored: SubmissionChange,
  issues: readonly PublicationIssue[] = [],
) {
  const { fields, inbox } = request.visit;
  const { reference, state, is_published } = stored;
  const event = eventIdOfSubmission(reference);
  const text = readShownText(request, stored);
  return {
    ...buildReviewView(request, stored, text, await listPendingSubmissions(inbox), issues),
    item: await loadItemFrame(request, {
      reference,
      waits: state === 'waiting',
      is_reopenable: canReopen(stored),
    }),
    /** What readers were to be told: repeated after a refusal. */
    note: parseNote(fields),
    /** What its sender changed since it was decided. */
    changes: await listChanges(request, stored),
    /** What the desk says over the published event. */
    overrides: is_published ? await listStatusOverrides(inbox, event) : [],
    /** Its event once it is approved. */
    thing_path: is_published ? editPath(event) : null,
  };
}

/** A text in the sender's form, what is added to it, how it will look, and what to look at twice. */
export function buildReviewView(
  request: DeskRequest,
  stored: SubmissionChange,
  text: ParsedSubmission,
  pending: readonly SubmissionChange[],
  issues: readonly PublicationIssue[] = [],
) {
  const { snapshot, now_ms } = request.state;
  const { lang } = request.visit;
  const submission = text.submission ?? stored.text;
  const names: readonly string[] = FORM_FIELDS;
  const [asked = [], others = []] = [true, false].map((is_asked) =>
    issues
      .filter(({ field }) => names.includes(field) === is_asked)
      .map((one) => [one.field, formatIssueForEditor(one, lang)] as const),
  );
  const venue = text.submission?.venue;
  const form: FormState = {
    values: fillVenueName(snapshot, { ...text.values, ...(venue ? { venue } : {}) }),
    // The first of a field stands.
    issues: new Map([...formatSubmissionIssues(text.issues, lang), ...asked.toReversed()]),
    takes_files: false,
    sends_mail: false,
    choices: listFormOptions(snapshot, lang),
  };
  return {
    stored,
    form,
    additions: { summary: suggestSummary(submission.description), ...text.additions },
    /** By addition, or by the path of a field of content/. */
    addition_issues: new Map(others),
    detail: buildPreview(submission, text.additions, createReferenceData(snapshot), {
      ...stored,
      now_ms,
    }),
    duplicates: findDuplicates(request, stored.reference, submission, pending),
    warnings: listReviewWarnings(submission, now_ms),
  };
}

/**
 * What looks like the same thing: events of the agenda, by their ids, then what waits too, by reference
 * (contract 14.21).
 */
export function findDuplicates(
  { state, visit: { lang } }: DeskRequest,
  reference: string,
  submission: Submission,
  pending: readonly SubmissionChange[],
) {
  const own = toDuplicateCandidate(submission);
  const published = findPossibleDuplicates(state, own, eventIdOfSubmission(reference)).map(
    ({ card: { event, venue } }) => ({
      reference: event.id,
      title: event.title[lang],
      place: venue?.name ?? null,
      path: recordPath('event', event.slug, lang),
    }),
  );
  const waiting = pending
    .filter((other) => other.reference !== reference)
    .filter((other) => isLikelyDuplicate(own, toDuplicateCandidate(other.text)))
    .map(({ reference: other, title, text }) => ({
      reference: other,
      title,
      place: text.venue_name,
      path: `${DESK_PATHS.items}/${other}`,
    }));
  return [...published, ...waiting];
}

/** What is private; and the id of a venue, which is said by its name. */
const PASSED_OVER: readonly FormField[] = ['contact_email', 'venue'];

/**
 * What a sender's correction changes, each control in words (contract 14.21): compared with what is published, else
 * with the text on which the desk decided last; nothing where it has not decided yet.
 */
async function listChanges(
  { state: { snapshot }, visit: { inbox, lang } }: DeskRequest,
  { reference, text }: SubmissionChange,
): Promise<readonly FieldComparison[]> {
  const decided = await getLastDecidedText(inbox, reference);
  const approved = await getApprovedControlValues(inbox, reference);
  const then = approved ? selectFormValues(approved) : decided && submissionToForm(decided);
  if (then === null) return [];
  const before = fillVenueName(snapshot, then);
  const after = fillVenueName(snapshot, submissionToForm(text));
  const choices = listFormOptions(snapshot, lang);
  const names = listChangedControls(before, after).filter((name) => !PASSED_OVER.includes(name));
  return selectControls(names).map((control) => {
    const say = (values: FormValues): string =>
      formatControlValue(control, values, choices, lang) || t(lang, 'desk.change.nothing');
    return compareField(fieldLabel(control.name, lang), say(before), say(after), lang);
  });
}

export const correctionScreen = defineScreen({
  name: 'report',
  find: ({ visit }, reference) => getCorrection(visit.inbox, reference),
  load: readReport,
  act: async (request, stored) =>
    (await actOnAny(request, stored.reference)) ?? settleItem(request, stored, 'done'),
});

/** What nobody is told of: done, or dismissed with a reason for the log. */
async function settleItem(
  request: DeskRequest,
  { reference, revision }: ReviewedRevision,
  yes: 'done' | 'approve',
): Promise<RedirectResult> {
  const { actor, visit } = request;
  const { does, reason = '' } = visit.fields;
  const { goOn } = await getQueuePosition(request, reference);
  const sent_back = parseSendBackAction(visit.fields, visit.lang);
  const is_refused = does === 'dismiss' || sent_back?.action === 'reject';
  if (does !== yes && !is_refused) throw refusal('not_asked_for');
  const action = is_refused ? 'dismiss' : yes;
  const words = sent_back?.words ?? reason;
  await applyVerdict(visit.inbox, actor, action, reference, [{ reference, revision }], words);
  return goOn('settled');
}

/** The alert of a source, as it would be told. */
export const alertScreen = defineScreen({
  name: 'alert',
  find: ({ visit }, reference) => getAlert(visit.inbox, reference),
  load: readAlert,
  act: (request, stored) => settleItem(request, stored, 'approve'),
});

export type AlertView = Awaited<ReturnType<typeof readAlert>>;

async function readAlert(request: DeskRequest, stored: SourceAlert) {
  const { reference, state, notice, notice_id } = stored;
  const item = { reference, waits: state === 'waiting', is_reopenable: false };
  const zone = request.state.snapshot.taxonomy.zones.find(({ key }) => key === notice.zone);
  return {
    stored,
    zone: zone?.name[request.visit.lang] ?? null,
    moments: Object.values(getNoticePeriod(notice)).filter((one) => one !== null),
    item: await loadItemFrame(request, item),
    thing_path: state === 'applied' ? editPath(notice_id) : null,
  };
}

export type CorrectionView = Awaited<ReturnType<typeof readReport>>;

async function readReport(request: DeskRequest, stored: CorrectionChange) {
  const { reference } = stored;
  const waits = stored.state === 'waiting';
  const found = findCorrectionTarget(request.state, stored.kind, stored.thing, request.visit.lang);
  const is_there = found.kind !== 'failure';
  return {
    stored,
    item: await loadItemFrame(request, { reference, waits, is_reopenable: !waits }),
    /** The places of what it is about, where a release has that. */
    page_path: is_there ? found.path : null,
    thing_path: is_there ? editPath(editableRecordId(stored)) : null,
    /** What it is about, to be mended; null where it does not wait, or that is gone. */
    thing: waits
      ? await loadCorrectedRecordForm(request, editableRecordId(stored), reference)
      : null,
  };
}
