// Calendar import screen of the desk: lists the pending events of an imported calendar with the
// editor's additions (such as translations), and decides on the selected ones at once (contract
// 14.35).
// Form controls: `pick` = references of the selected events; `does` = pressed button (`approve`,
// `ask`, `reject`, or `look`, which Enter presses: shows the screen again with the submitted
// values); `open` = reference of the row to expand, or `all`. IMPORT_CONTROLS: `row` = controls of
// one event, `ticked` = controls for all selected events.
import { createReferenceData } from '../../desk/reference-data.ts';
import { suggestSummary } from '../../desk/publication.ts';
import { refusal } from '../../domain/app-error.ts';
import {
  approveSubmissions,
  mergeControlValues,
  type ControlValues,
  type FailedApprovals,
  listPendingOfImport,
  parseReviewForm,
  applyVerdict,
} from '../../desk/review.ts';
import {
  IMPORT_CONTROLS,
  selectAnswers,
  type CalendarImport,
  rowControlName,
} from '../../domain/calendar-import.ts';
import type { SubmissionChange } from '../../domain/change.ts';
import { formatRestingDays, formatWhen } from '../../i18n/format-dates.ts';
import { formatReviewerFields } from '../../i18n/format-desk.ts';
import { controlLabel, formatImportedWhen } from '../../i18n/format-forms.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { formatPrice } from '../../i18n/format-price.ts';
import { t } from '../../i18n/translate.ts';
import { getImportByReference, listImportedSubmissions } from '../../inbox/calendar-imports.ts';
import { listPendingSubmissions } from '../../inbox/changes.ts';
import { isRowExpanded, type SelectableRow, excerpt } from '../forms/import-selection.ts';
import { listFormOptions } from '../forms/parse-form.ts';
import { type RedirectResult, redirectAfterPost } from '../visitor-request.ts';
import { buildReviewView, loadItemFrame, parseSendBackAction } from './item-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  NO_MESSAGE,
  getQueuePosition,
  type ScreenResult,
  type RenderScreen,
  queueItemPath,
} from './screen.ts';

/** Events per screen, and URL-encoded bytes of their texts: as much as fits into one form. */
const MAX_PER_SCREEN = { rows: 40, bytes: 40_000 } as const;
/**
 * Fields that an editor can add in the row of an event; the others are on the event's own screen.
 */
const ROW_ADDITIONS = ['other_title', 'summary', 'other_summary', 'join_link'] as const;

/** The screen of an imported calendar, by its reference. */
export const calendarImportScreen = defineScreen({
  name: 'calendar_import',
  find: ({ visit }, reference) => getImportByReference(visit.inbox, reference),
  loadView,
  handleForm: decide,
});

const listSelectedReferences = ({ pick = '' }: ControlValues): readonly string[] => [
  ...new Set(pick.split(',').filter(Boolean)),
];

/**
 * Returns the submitted values of one event: the values of its row if it is expanded, otherwise, if
 * it is selected, the values for all selected events. A venue is referred to by its name, so
 * `venue` is cleared.
 */
function selectSubmittedValues(fields: ControlValues, reference: string): ControlValues {
  const row_values = selectAnswers(fields, IMPORT_CONTROLS.row, reference);
  const additions = ROW_ADDITIONS.flatMap((name) => {
    const value = fields[rowControlName(name, reference)];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (row_values.category !== undefined)
    // An unchecked checkbox is not submitted.
    return { ...row_values, join_link: '', ...Object.fromEntries(additions), venue: '' };
  if (!listSelectedReferences(fields).includes(reference)) return {};
  const entries = Object.entries(selectAnswers(fields, IMPORT_CONTROLS.ticked, 'all'));
  const values_for_all = Object.fromEntries(entries.filter(([, text]) => text !== ''));
  return {
    ...(values_for_all.price_kind && { price_min: '', price_max: '' }),
    ...(values_for_all.venue_name && { venue: '', venue_address: '' }),
    ...values_for_all,
  };
}

/**
 * Lists the selected events with their edits. Events whose row was not expanded get the suggested
 * summary.
 */
function listSelectedDrafts(fields: ControlValues, pending: readonly SubmissionChange[]) {
  return listSelectedReferences(fields).map((reference) => {
    const stored = pending.find((submission) => submission.reference === reference);
    const revision = Number(fields[rowControlName('revision', reference)]);
    if (stored === undefined) throw refusal('not_pending');
    const submitted = selectSubmittedValues(fields, reference);
    const edits = mergeControlValues(stored, submitted);
    const summary = submitted.summary === undefined && suggestSummary(edits.description ?? '');
    return { reference, revision, edits: { ...(summary && { summary }), ...edits } };
  });
}

/** Applies the pressed button to the selected events. */
async function decide(
  request: DeskRequest,
  calendar_import: CalendarImport,
  render: RenderScreen<FailedApprovals>,
): Promise<ScreenResult | RedirectResult> {
  const { context, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { does } = fields;
  const reference = calendar_import.reference ?? '';
  const { redirectToNext } = await getQueuePosition(request, reference);
  /** Redirects back to the import while events of it are pending, otherwise to the next item. */
  const redirectAfterDecision = async (done: string): Promise<RedirectResult> => {
    if ((await listPendingOfImport(inbox, calendar_import)).length === 0)
      return redirectToNext(done);
    return redirectAfterPost(queueItemPath(reference, done));
  };
  const drafts = listSelectedDrafts(fields, await listPendingOfImport(inbox, calendar_import));
  const send_back = parseSendBackAction(fields, calendar_import.lang);
  if (send_back !== null) {
    const { action, reason } = send_back;
    await applyVerdict(inbox, actor, action, reference, drafts, reason);
    return redirectAfterDecision(action);
  }
  // Pressing Enter in a text field, or expanding a row, submits the form without a decision.
  if (does !== 'approve') return render(NO_MESSAGE);
  const reference_data = createReferenceData(context.snapshot);
  const failed = await approveSubmissions(inbox, reference_data, actor, reference, drafts);
  if (failed.size === 0) return redirectAfterDecision('approve');
  const message = [
    t(lang, 'desk.batch.done.approved', { count: drafts.length - failed.size }),
    t(lang, 'desk.batch.done.left', { count: failed.size }),
  ].join(' ');
  return render({ status: 422, message }, failed);
}

/** Computes the index of the first event of each screen. Each screen has at least one event. */
function computeScreenStarts(pending: readonly SubmissionChange[]): readonly number[] {
  const starts = [0];
  let bytes = 0;
  for (const [index, { text }] of pending.entries()) {
    // Twice, for the summary that is suggested from the description.
    const row_bytes = 2 * new URLSearchParams([[text.title, text.description]]).toString().length;
    const start = starts.at(-1) ?? 0;
    const is_full =
      index - start >= MAX_PER_SCREEN.rows || bytes + row_bytes > MAX_PER_SCREEN.bytes;
    if (is_full && index > start) starts.push(index);
    bytes = starts.includes(index) ? row_bytes : bytes + row_bytes;
  }
  return starts;
}

export type CalendarImportView = Awaited<ReturnType<typeof loadView>>;

/**
 * Loads the screen.
 * @param failed Events that the submitted form could not approve, with their issues.
 */
async function loadView(
  request: DeskRequest,
  calendar_import: CalendarImport,
  failed: FailedApprovals = new Map(),
) {
  const { context, visit } = request;
  const { inbox, query, fields, lang } = visit;
  const reference = calendar_import.reference ?? '';
  const pending_of_import = await listPendingOfImport(inbox, calendar_import);
  const all_pending = await listPendingSubmissions(inbox);
  const starts = computeScreenStarts(pending_of_import);
  const index = Math.max(0, starts.indexOf(Number(query.from ?? 0)));
  const screenPath = (start: number | undefined): string | null =>
    start === undefined ? null : `${DESK_PATHS.items}/${reference}?from=${start}`;
  const values = selectAnswers(fields, IMPORT_CONTROLS.ticked, 'all');
  const options = listFormOptions(context.snapshot, lang);
  return {
    calendar_import,
    item: await loadItemFrame(request, {
      reference,
      is_pending: pending_of_import.length > 0,
      is_reopenable: false,
    }),
    pending_count: pending_of_import.length,
    /** Path of the current screen, so that failed events show up on it again. */
    action: screenPath(starts[index]) ?? '',
    previous_path: index > 0 ? screenPath(starts[index - 1]) : null,
    next_path: screenPath(starts[index + 1]),
    /** Values for all selected events. */
    form: { values, issues: new Map(), accepts_files: false, sends_mail: false, options },
    rows: pending_of_import
      .slice(starts[index], starts[index + 1])
      .map((stored) => buildRow(request, stored, all_pending, failed)),
    /** Events of the calendar that are not pending. */
    decided: (await listImportedSubmissions(inbox, calendar_import))
      .map(({ stored }) => stored)
      .filter((stored) => stored.state !== 'waiting'),
  };
}

/**
 * Builds the row of an event, with the submitted values and, if its approval failed, its issues.
 */
function buildRow(
  request: DeskRequest,
  stored: SubmissionChange,
  pending: readonly SubmissionChange[],
  failed: FailedApprovals,
): SelectableRow {
  const { context, visit } = request;
  const { fields, lang, method } = visit;
  const { reference, revision, text } = stored;
  const submitted = selectSubmittedValues(fields, reference);
  // Null if the event has no submitted values.
  const edits = Object.keys(submitted).length > 0 ? mergeControlValues(stored, submitted) : null;
  const reference_data = createReferenceData(context.snapshot);
  const parsed = parseReviewForm(stored, edits, reference_data, context.now_ms);
  const failure = failed.get(reference);
  const review = buildReviewView(
    request,
    stored,
    failure ? parsed : { ...parsed, issues: [] },
    pending,
    failure?.issues,
  );
  const { form, additions, detail, warnings, duplicates } = review;
  const addition_fields = formatReviewerFields(text, form.values, lang)
    .filter(({ name }) => ROW_ADDITIONS.some((addition) => addition === name))
    .map((field) => ({ ...field, value: additions[field.name] }));
  const labels = new Map<string, string>(addition_fields.map(({ name, label }) => [name, label]));
  const issues = [
    ...[...form.issues].map(([name, sentence]) => `${controlLabel(name, lang)}: ${sentence}`),
    ...[...review.addition_issues].map(([name, sentence]) =>
      [labels.get(name), sentence].filter(Boolean).join(': '),
    ),
  ];
  const first_occurrence = detail && (detail.next ?? detail.occurrences[0]);
  const further_count = detail === null ? 0 : detail.occurrences.length - 1;
  const further_text = further_count > 0 ? ` (+${further_count})` : '';
  return {
    id: reference,
    title: text.title,
    is_selected: method === 'GET' || listSelectedReferences(fields).includes(reference),
    is_selectable: true,
    // An invalid submission has no preview: show its text as submitted.
    facts: [
      first_occurrence
        ? `${formatWhen(first_occurrence, lang)}${further_text}`
        : formatImportedWhen(text, lang),
      detail?.venue?.name ?? text.venue_name ?? '',
      detail?.category?.name[lang] ?? '',
      detail ? formatPrice(detail.event.price, lang) : '',
    ].filter(Boolean),
    links: [
      { label: reference, path: `${DESK_PATHS.items}/${reference}` },
      ...duplicates
        .slice(0, 3)
        .map(({ title, path }) => ({ label: `${t(lang, 'desk.duplicates')} ${title}`, path })),
    ],
    excerpt: excerpt(text.description),
    warnings: [
      ...(review.resting_days.length > 0
        ? [formatRestingDays('desk.resting', review.resting_days, lang)]
        : []),
      ...warnings.map((warning) => t(lang, `desk.warning.${warning}`)),
    ],
    issues,
    is_expandable: true,
    form: issues.length > 0 || isRowExpanded(fields, reference) ? form : null,
    revision,
    additions: addition_fields,
  };
}
