// A calendar that was brought in, on the desk: its events in one table, each with what an editor would
// add, decided all or some at once (contract 14.36).
import { AppError } from '../../domain/app-error.ts';
import {
  ROW_ADDITIONS,
  ROW_FIELDS,
  type StoredBatch,
  toRowControl,
} from '../../domain/batch/batch.ts';
import { MAX_REASON } from '../../domain/change.ts';
import { pickAdditions } from '../../domain/submission/additions.ts';
import { listWarnings } from '../../domain/submission/doubts.ts';
import { pickFormValues } from '../../domain/submission/controls.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import {
  approveBatch,
  type BatchApproval,
  type ChosenItem,
  listWaiting,
  refuseBatch,
  type Edits,
  readReviewedText,
} from '../../desk/review.ts';
import { listSent, getBatch } from '../../inbox/batches.ts';
import { toKnown } from '../../desk/known.ts';
import { suggestSummary, toPreview } from '../../desk/publication.ts';
import { listPending } from '../../inbox/submissions.ts';
import { toReason } from '../../i18n/form-words.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { listChoices, nameVenue } from '../forms/read-form.ts';
import { type Redirect, redirect } from '../visit.ts';
import { readHistory, readLast } from './decision-lines.ts';
import { planNext, readJourney, readPlace, toItemPath } from './next.ts';
import { toDoneNotice } from './done.ts';
import { findDuplicates } from './duplicates.ts';
import { NO_ISSUES, toTextIssues } from './issues.ts';
import { readSentBack } from './sent-back.ts';
import { toRefusal, toRefusalStatus } from './refusals.ts';
import {
  type BatchLine,
  type BatchScreen,
  type DeskRequest,
  type ScreenResult,
  toScreen,
} from './screens.ts';

/** Events of a batch on one screen, and bytes of what they say: as much as fits into one form. */
const MOST_SHOWN = { rows: 40, bytes: 40_000 } as const;

/** Those that are on one screen, from the first that is not on the one before. */
function countShown(waiting: readonly StoredSubmission[]): number {
  let bytes = 0;
  const over = waiting.findIndex(({ submission: { title, description } }) => {
    // With the summary that is taken from it.
    bytes += 2 * new URLSearchParams([[title, description]]).toString().length;
    return bytes > MOST_SHOWN.bytes;
  });
  return Math.min(MOST_SHOWN.rows, over === -1 ? waiting.length : Math.max(1, over));
}

/** Where each screen begins. */
function listStarts(waiting: readonly StoredSubmission[]): readonly number[] {
  const starts = [0];
  for (;;) {
    const from = starts.at(-1) ?? 0;
    const next = from + countShown(waiting.slice(from));
    if (next >= waiting.length || next === from) return starts;
    starts.push(next);
  }
}

/** The answer at the address of one; null where there is none. */
export async function handleBatch(
  request: DeskRequest,
  reference: string,
): Promise<ScreenResult | Redirect | null> {
  const batch = await getBatch(request.visit.inbox, reference);
  if (batch === null) return null;
  if (request.visit.method === 'GET') return showBatch(request, batch);
  try {
    return await decide(request, batch);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const { lang } = request.visit;
    const notice =
      thrown.reason === 'nothing_chosen'
        ? t(lang, 'desk.refused.nothing_picked')
        : toRefusal(thrown, lang, MAX_REASON.sender);
    return showBatch(request, batch, toRefusalStatus(thrown), notice);
  }
}

/** The same with what was typed; null where there is none. */
export async function showBatchAgain(
  request: DeskRequest,
  reference: string,
  status: number,
  notice: string,
): Promise<ScreenResult | null> {
  const batch = await getBatch(request.visit.inbox, reference);
  return batch && (await showBatch(request, batch, status, notice));
}

function listChosen({ visit }: DeskRequest): readonly ChosenItem[] {
  const { fields } = visit;
  const references = [...new Set((fields.pick ?? '').split(',').filter(Boolean))];
  return references.map((reference) => ({
    reference,
    revision: Number(fields[toRowControl('revision', reference)]),
    edits: readTyped(fields, reference),
  }));
}

/** What was typed for one event; a place by its name, whichever it was before. */
function readTyped(fields: Edits, reference: string): Edits {
  const typed = [...ROW_FIELDS, ...ROW_ADDITIONS].flatMap((name) => {
    const value = fields[toRowControl(name, reference)];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(typed), ...(typed.length > 0 ? { venue: '' } : {}) };
}

async function decide(request: DeskRequest, batch: StoredBatch): Promise<ScreenResult | Redirect> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const reference = batch.reference ?? '';
  const leave = await planNext(request, reference);
  /** What is left of it, or what comes after it. */
  const goOn = async (done: string): Promise<Redirect> =>
    (await listWaiting(inbox, batch)).length === 0
      ? leave(done)
      : redirect(
          toItemPath({ kind: 'batch', reference }, readPlace(visit), { done, of: reference }),
        );
  const chosen = listChosen(request);
  const refusal = readSentBack(fields.does ?? '');
  if (refusal !== null) {
    const words = toReason(refusal.chosen, fields.reason ?? '', batch.lang);
    await refuseBatch(inbox, actor, batch, chosen, refusal.action, words);
    return goOn(refusal.action);
  }
  // Enter in a line of text is no decision.
  if (fields.does !== 'approve') return showBatch(request, batch);
  const { approved, left } = await approveBatch(
    inbox,
    toKnown(state.snapshot),
    actor,
    batch,
    chosen,
  );
  if (left.size === 0) return goOn('approve');
  const notice = [
    t(lang, 'desk.batch.done.approved', { count: approved.length }),
    t(lang, 'desk.batch.done.left', { count: left.size }),
  ].join(' ');
  return showBatch(request, batch, 422, notice, left);
}

async function showBatch(
  request: DeskRequest,
  batch: StoredBatch,
  status = 200,
  notice: string | null = null,
  left: BatchApproval['left'] = new Map(),
): Promise<ScreenResult> {
  const { state, visit } = request;
  const { inbox, query, fields, lang } = visit;
  const all = await listWaiting(inbox, batch);
  const starts = listStarts(all);
  const at = Math.max(0, starts.indexOf(Number(query.from ?? 0)));
  const from = starts[at] ?? 0;
  const pending = await listPending(inbox);
  const picked = new Set((fields.pick ?? '').split(','));
  const known = toKnown(state.snapshot);
  const choices = listChoices(state.snapshot, lang);
  const toPath = (start: number | undefined): string | null =>
    start === undefined ? null : `${DESK_PATHS.batches}/${batch.reference}?from=${start}`;
  const toLine = (stored: StoredSubmission): BatchLine => {
    const { reference, submission } = stored;
    const refused = left.get(reference);
    const issues = refused ? toTextIssues(refused, lang) : NO_ISSUES;
    const text = readReviewedText(stored, null, known, state.now_ms);
    const summary = suggestSummary(submission.description);
    const typed = readTyped(fields, reference);
    const additions = { summary, ...text.additions, ...pickAdditions(typed) };
    return {
      stored,
      form: {
        values: nameVenue(state.snapshot, pickFormValues({ ...text.values, ...typed })),
        issues: issues.of_form,
        takes_files: false,
        sends_mail: false,
        choices: { category: choices.category ?? [] },
      },
      detail: toPreview(submission, additions, known, { ...stored, now_ms: state.now_ms }),
      additions: {
        other_title: additions.other_title ?? '',
        summary: typed.summary ?? additions.summary,
        other_summary: additions.other_summary ?? '',
      },
      warnings: listWarnings(submission, state.now_ms),
      duplicates: findDuplicates(state, stored, pending, lang),
      issues,
      is_picked: visit.method === 'GET' || picked.has(reference),
    };
  };
  const screen: BatchScreen = {
    screen: 'batch',
    batch,
    waiting: all.length,
    action: toPath(from) ?? '',
    before: at > 0 ? toPath(starts[at - 1]) : null,
    after: toPath(starts[at + 1]),
    others: (await listSent(inbox, batch))
      .map(({ stored }) => stored)
      .filter(({ state: own }) => own !== 'pending'),
    reason: fields.reason ?? '',
    history: await readHistory(request, batch.reference ?? ''),
    journey: all.length === 0 ? null : await readJourney(request, batch.reference ?? ''),
    last: await readLast(request),
    places: choices.venue_name ?? [],
    lines: all.slice(from, starts[at + 1]).map(toLine),
  };
  return toScreen(screen, status, notice ?? toDoneNotice(visit));
}
