// A calendar that was brought in, on the desk: its events in one list, each with what an editor would add,
// decided all or some at once (contract 14.35).
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
import { formatWhen } from '../../i18n/format-dates.ts';
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

/** Events of a batch on one screen, and bytes of what they say: as much as fits into one form. */
const MOST_SHOWN = { rows: 40, bytes: 40_000 } as const;
/** What is added to an event in its row; the rest on its own screen. */
const ADDED = ['other_title', 'summary', 'other_summary'] as const;

export const calendarImportScreen = defineScreen({
  name: 'batch',
  find: ({ visit }, reference) => getImportByReference(visit.inbox, reference),
  load: readView,
  act: decide,
});

const listPicked = ({ pick = '' }: ControlValues): readonly string[] => [
  ...new Set(pick.split(',').filter(Boolean)),
];

/** What was typed for one event, or where it is ticked and not open, for all; a place by its name. */
function readTyped(fields: ControlValues, reference: string): ControlValues {
  const own = selectAnswers(fields, IMPORT_CONTROLS.row, reference);
  const added = ADDED.flatMap((name) => {
    const value = fields[rowControlName(name, reference)];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (own.category !== undefined) return { ...own, ...Object.fromEntries(added), venue: '' };
  if (!listPicked(fields).includes(reference)) return {};
  const said = Object.entries(selectAnswers(fields, IMPORT_CONTROLS.ticked, 'all'));
  const of_all = Object.fromEntries(said.filter(([, text]) => text !== ''));
  return {
    ...(of_all.price_kind && { price_min: '', price_max: '' }),
    ...(of_all.venue_name && { venue: '', venue_address: '' }),
    ...of_all,
  };
}

/** What was ticked, with what was typed over it; one that nobody opened has the summary that would stand there. */
function listChosen(fields: ControlValues, waiting: readonly SubmissionChange[]) {
  return listPicked(fields).map((reference) => {
    const stored = waiting.find((one) => one.reference === reference);
    const revision = Number(fields[rowControlName('revision', reference)]);
    if (stored === undefined) throw refusal('not_pending');
    const typed = readTyped(fields, reference);
    const edits = mergeControlValues(stored, typed);
    const summary = typed.summary === undefined && suggestSummary(edits.description ?? '');
    return { reference, revision, edits: { ...(summary && { summary }), ...edits } };
  });
}

async function decide(
  request: DeskRequest,
  batch: CalendarImport,
  show: RenderScreen<FailedApprovals>,
): Promise<ScreenResult | RedirectResult> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { does } = fields;
  const reference = batch.reference ?? '';
  const { goOn: leave } = await getQueuePosition(request, reference);
  /** To what is left of it, or to what comes after it. */
  const goOn = async (done: string): Promise<RedirectResult> => {
    if ((await listPendingOfImport(inbox, batch)).length === 0) return leave(done);
    return redirectAfterPost(queueItemPath(reference, done));
  };
  const chosen = listChosen(fields, await listPendingOfImport(inbox, batch));
  const sent_back = parseSendBackAction(fields, batch.lang);
  if (sent_back !== null) {
    const { action, words } = sent_back;
    await applyVerdict(inbox, actor, action, reference, chosen, words);
    return goOn(action);
  }
  // Enter in a line of text is no decision, nor is the wish to see the controls of an event.
  if (does !== 'approve') return show(NO_MESSAGE);
  const known = createReferenceData(state.snapshot);
  const left = await approveSubmissions(inbox, known, actor, reference, chosen);
  if (left.size === 0) return goOn('approve');
  const notice = [
    t(lang, 'desk.batch.done.approved', { count: chosen.length - left.size }),
    t(lang, 'desk.batch.done.left', { count: left.size }),
  ].join(' ');
  return show({ status: 422, notice }, left);
}

/** Where each screen begins: as many as fit, and one at least. */
function listStarts(waiting: readonly SubmissionChange[]): readonly number[] {
  const starts = [0];
  let bytes = 0;
  for (const [at, { text }] of waiting.entries()) {
    // With the summary that is taken from it.
    const own = 2 * new URLSearchParams([[text.title, text.description]]).toString().length;
    const from = starts.at(-1) ?? 0;
    const is_full = at - from >= MOST_SHOWN.rows || bytes + own > MOST_SHOWN.bytes;
    if (is_full && at > from) starts.push(at);
    bytes = starts.includes(at) ? own : bytes + own;
  }
  return starts;
}

export type CalendarImportView = Awaited<ReturnType<typeof readView>>;

/** `left`: what could not be approved just now, with why. */
async function readView(
  request: DeskRequest,
  batch: CalendarImport,
  left: FailedApprovals = new Map(),
) {
  const { state, visit } = request;
  const { inbox, query, fields, lang } = visit;
  const reference = batch.reference ?? '';
  const all = await listPendingOfImport(inbox, batch);
  const pending = await listPendingSubmissions(inbox);
  const starts = listStarts(all);
  const at = Math.max(0, starts.indexOf(Number(query.from ?? 0)));
  const toPath = (start: number | undefined): string | null =>
    start === undefined ? null : `${DESK_PATHS.items}/${reference}?from=${start}`;
  const values = selectAnswers(fields, IMPORT_CONTROLS.ticked, 'all');
  const choices = listFormOptions(state.snapshot, lang);
  return {
    batch,
    item: await loadItemFrame(request, { reference, waits: all.length > 0, is_reopenable: false }),
    waiting: all.length,
    /** Where its form is sent: what is left comes back on the same screen. */
    action: toPath(starts[at]) ?? '',
    before: at > 0 ? toPath(starts[at - 1]) : null,
    after: toPath(starts[at + 1]),
    /** What is said once for all that are ticked. */
    form: { values, issues: new Map(), takes_files: false, sends_mail: false, choices },
    rows: all
      .slice(starts[at], starts[at + 1])
      .map((stored) => toRow(request, stored, pending, left)),
    /** What waits no more. */
    others: (await listImportedSubmissions(inbox, batch))
      .map(({ stored }) => stored)
      .filter((stored) => stored.state !== 'waiting'),
  };
}

/** An event of it with what was typed for it. */
function toRow(
  request: DeskRequest,
  stored: SubmissionChange,
  pending: readonly SubmissionChange[],
  left: FailedApprovals,
): SelectableRow {
  const { state, visit } = request;
  const { fields, lang, method } = visit;
  const { reference, revision, text } = stored;
  const typed = readTyped(fields, reference);
  const edits = Object.keys(typed).length > 0 ? mergeControlValues(stored, typed) : null;
  const read = parseReviewForm(stored, edits, createReferenceData(state.snapshot), state.now_ms);
  const refused = left.get(reference);
  const known = refused ? read : { ...read, issues: [] };
  const looked = buildReviewView(request, stored, known, pending, refused?.issues);
  const { form, additions, detail, warnings, duplicates } = looked;
  const texts = formatReviewerFields(text, form.values, lang)
    .filter(({ name }) => ADDED.some((one) => one === name))
    .map((line) => ({ ...line, value: additions[line.name] }));
  const labels = new Map<string, string>(texts.map(({ name, label }) => [name, label]));
  const faults = [
    ...[...form.issues].map(([name, sentence]) => `${controlLabel(name, lang)}: ${sentence}`),
    ...[...looked.addition_issues].map(([name, sentence]) =>
      [labels.get(name), sentence].filter(Boolean).join(': '),
    ),
  ];
  const next = detail && (detail.next ?? detail.occurrences[0]);
  const more = detail === null ? 0 : detail.occurrences.length - 1;
  return {
    id: reference,
    title: text.title,
    is_picked: method === 'GET' || listPicked(fields).includes(reference),
    is_pickable: true,
    // Of what cannot be shown what was sent.
    facts: [
      next
        ? `${formatWhen(next, lang)}${more > 0 ? ` (+${more})` : ''}`
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
    text: excerpt(text.description),
    warnings: warnings.map((warning) => t(lang, `desk.warning.${warning}`)),
    faults,
    can_open: true,
    form: faults.length > 0 || isRowExpanded(fields, reference) ? form : null,
    revision,
    texts,
  };
}
