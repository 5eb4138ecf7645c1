// One submission on the desk: as it will look, what to look at twice, its text to edit, and the
// decision.
import { AppError } from '../../domain/app-error.ts';
import { MAX_REASON } from '../../domain/change.ts';
import type { PublicationIssue } from '../../domain/submission/additions.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { listWarnings } from '../../domain/submission/doubts.ts';
import { t } from '../../i18n/translate.ts';
import { readHeldWords } from '../../desk/forget.ts';
import { toEventId, toKnown } from '../../desk/known.ts';
import { listStatusOverrides } from '../../desk/status.ts';
import { suggestSummary, toPreview } from '../../desk/publication.ts';
import { isReopenable } from '../../desk/decide.ts';
import {
  approve,
  type Edits,
  readReviewedText,
  type Review,
  type ReviewedText,
  saveDraft,
  toDraft,
} from '../../desk/review.ts';
import { getSubmission, listPending } from '../../inbox/submissions.ts';
import { listChoices, nameVenue } from '../forms/read-form.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect } from '../visit.ts';
import { findDuplicates } from './duplicates.ts';
import { listChanges } from './changed-fields.ts';
import { readHistory, readLast } from './decision-lines.ts';
import { toDoneNotice } from './done.ts';
import { toEditPath } from './find-things.ts';
import { toTextIssues } from './issues.ts';
import { decideItem } from './item-decisions.ts';
import { readNote } from './read-note.ts';
import { planNext, readJourney, readPlace, toItemPath } from './next.ts';
import { toRefusal, toRefusalStatus } from './refusals.ts';
import { type DeskRequest, type ItemScreen, type ScreenResult, toScreen } from './screens.ts';

/**
 * The answer at a reference; null where there is none. What was typed comes back with whatever
 * keeps it from being done.
 */
export async function handleItem(
  request: DeskRequest,
  reference: string,
): Promise<ScreenResult | Redirect | null> {
  const { state, visit } = request;
  const stored = await getSubmission(visit.inbox, reference);
  if (stored === null) return null;
  if (visit.method === 'GET')
    return toItem(request, stored, read(state, stored, null), 200, toDoneNotice(visit));
  try {
    return await decide(request, stored);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const max = visit.fields.does === 'reopen' ? MAX_REASON.log : MAX_REASON.sender;
    const notice = toRefusal(thrown, visit.lang, max);
    return showAgain(request, stored.reference, toRefusalStatus(thrown), notice);
  }
}

/**
 * As it is now, with what was typed over it: all of it where the text is still the one that was
 * looked at, else what a reviewer adds.
 */
export async function showAgain(
  request: DeskRequest,
  reference: string,
  status: number,
  notice: string,
): Promise<ScreenResult | null> {
  const { state, visit } = request;
  const stored = await getSubmission(visit.inbox, reference);
  if (stored === null) return null;
  const typed = read(state, stored, toDraft(visit.fields));
  const text = read(state, stored, null);
  if (stored.state !== 'pending') {
    const decided = visit.fields.does === 'reopen' ? notice : t(visit.lang, 'desk.refused.decided');
    return toItem(request, stored, text, status, decided);
  }
  if (stored.revision !== Number(visit.fields.revision)) {
    const corrected = t(visit.lang, 'desk.refused.corrected');
    return toItem(request, stored, { ...text, additions: typed.additions }, status, corrected);
  }
  return toItem(request, stored, typed, status, notice);
}

async function decide(
  request: DeskRequest,
  stored: StoredSubmission,
): Promise<ScreenResult | Redirect> {
  const { state, visit, actor } = request;
  const { inbox, fields } = visit;
  const review: Review = {
    ...actor,
    reference: stored.reference,
    revision: Number(fields.revision),
  };
  const led = await decideItem(request, stored, review);
  if (led !== null) return led;
  const edits = toDraft(fields);
  await saveDraft(inbox, review, edits);
  const question = readPlace(visit);
  if (fields.does !== 'approve')
    return redirect(toItemPath({ ...stored, kind: 'new' }, question, { done: 'saved' }));
  const goOn = await planNext(request, stored.reference);
  const { is_approved, text, issues } = await approve(
    inbox,
    toKnown(state.snapshot),
    review,
    edits,
  );
  if (is_approved) return goOn('approve');
  return toItem(request, stored, text, 422, t(visit.lang, 'desk.refused.issues'), issues);
}

const read = (
  { snapshot, now_ms }: SiteState,
  stored: StoredSubmission,
  edits: Edits | null,
): ReviewedText => readReviewedText(stored, edits, toKnown(snapshot), now_ms);

async function toItem(
  request: DeskRequest,
  stored: StoredSubmission,
  text: ReviewedText,
  status: number,
  notice: string | null = null,
  issues: readonly PublicationIssue[] = [],
): Promise<ScreenResult> {
  const { state, visit } = request;
  const { snapshot, now_ms } = state;
  const { lang, inbox } = visit;
  const submission = text.submission ?? stored.submission;
  const event = toEventId(stored.reference);
  const suggested = { summary: suggestSummary(submission.description) };
  const { of_form, of_additions } = toTextIssues({ text, issues }, lang);
  const screen: ItemScreen = {
    screen: 'item',
    journey: stored.state === 'pending' ? await readJourney(request, stored.reference) : null,
    last: await readLast(request),
    stored,
    is_reopenable: isReopenable(stored),
    form: {
      values: nameVenue(snapshot, {
        ...text.values,
        ...(text.submission?.venue ? { venue: text.submission.venue } : {}),
      }),
      issues: of_form,
      takes_files: false,
      sends_mail: false,
      choices: listChoices(snapshot, lang),
    },
    additions: { ...suggested, ...text.additions },
    addition_issues: of_additions,
    detail: toPreview(submission, { ...suggested, ...text.additions }, toKnown(snapshot), {
      ...stored,
      now_ms,
    }),
    duplicates: findDuplicates(state, { ...stored, submission }, await listPending(inbox), lang),
    warnings: listWarnings(submission, now_ms),
    reason: visit.fields.reason ?? '',
    named: visit.fields.duplicate_of ?? '',
    note: readNote(visit.fields),
    history: await readHistory(request, stored.reference),
    changes: await listChanges(inbox, snapshot, stored, lang),
    overrides: stored.is_published ? await listStatusOverrides(inbox, event) : [],
    thing_path: stored.is_published ? toEditPath(event) : null,
    held: await readHeldWords(inbox, stored.reference),
  };
  return toScreen(screen, status, notice);
}
