// One submission on the desk: as it will look, what to look at twice, its text to edit, and the
// decision.
import { DESK_PATHS, type ItemScreen } from '../../components/desk/desk-page.ts';
import { toCleanText } from '../../domain/clean-text.ts';
import type { Lang } from '../../domain/lang.ts';
import type { StoredSubmission } from '../../domain/submission/state.ts';
import { listWarnings } from '../../domain/submission/warnings.ts';
import { AppError } from '../../domain/app-error.ts';
import { listChangedFields } from '../../domain/submission/form.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { approveSubmission, grantRequest } from '../../desk/approve.ts';
import { suggestSummary, toPreview } from '../../desk/preview.ts';
import type { PublicationIssue } from '../../sources/inbox/publication.ts';
import { readReviewedText, type ReviewedText, toDraft } from '../../desk/reviewed-text.ts';
import { toSubmittedEventId } from '../../sources/inbox/merge-inbox.ts';
import { getVenue } from '../../snapshot/get-venue.ts';
import { getDecidedText, getSubmission, listPending } from '../../inbox/submissions.ts';
import { isReleased } from '../../inbox/published.ts';
import { refuseSubmission, type Review, saveDraft } from '../../desk/review.ts';
import { listChoices } from '../forms/choices.ts';
import { toApproval, toKnown } from '../forms/known.ts';
import { type Redirect, redirect } from '../forms/outcome.ts';
import { toSentences } from '../forms/read-form.ts';
import type { SiteState } from '../state.ts';
import { listStatusOverrides } from './events.ts';
import { readHistory } from './log.ts';
import { redirectToQueue } from './queue.ts';
import { type DeskRequest, type ScreenResult, toRefusal, toScreen } from './screen.ts';
import { findDuplicates } from './duplicates.ts';

/** Characters of a reason. */
const MAX_REASON = 600;

/**
 * The answer at a reference; null where there is none. What was typed comes back with whatever
 * keeps it from being done.
 */
export function handleItem(
  request: DeskRequest,
  reference: string,
): ScreenResult | Redirect | null {
  const { state, visit } = request;
  const stored = getSubmission(visit.inbox, reference);
  if (stored === null) return null;
  if (visit.method === 'GET')
    return toItem(
      request,
      stored,
      read(state, stored, null),
      200,
      visit.query.done === 'saved' ? 'desk.done.saved' : null,
    );
  try {
    return decide(request, stored);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return showAgain(request, stored.reference, 409, toRefusal(thrown));
  }
}

/**
 * As it is now, with what was typed over it: all of it where the text is still the one that was
 * looked at, else what a reviewer adds.
 */
export function showAgain(
  request: DeskRequest,
  reference: string,
  status: number,
  notice: Key,
): ScreenResult | null {
  const { state, visit } = request;
  const stored = getSubmission(visit.inbox, reference);
  if (stored === null) return null;
  const typed = read(state, stored, toDraft(visit.fields));
  if (stored.state !== 'pending')
    return toItem(request, stored, read(state, stored, null), status, 'desk.refused.decided');
  if (stored.revision !== Number(visit.fields.revision))
    return toItem(
      request,
      stored,
      { ...read(state, stored, null), additions: typed.additions },
      status,
      'desk.refused.corrected',
    );
  return toItem(request, stored, typed, status, notice);
}

function decide(request: DeskRequest, stored: StoredSubmission): ScreenResult | Redirect | null {
  const { state, visit, editor } = request;
  const review: Review = {
    reference: stored.reference,
    revision: Number(visit.fields.revision),
    editor,
    now_ms: state.now_ms,
  };
  const does = visit.fields.does;
  if (does === 'ask' || does === 'reject') return refuse(request, review, does);
  if (does === 'grant') {
    grantRequest(visit.inbox, review, stored);
    return redirectToQueue('approve');
  }
  saveDraft(visit.inbox, review, toDraft(visit.fields));
  return does === 'approve'
    ? approve(request, stored, review)
    : redirect(`${DESK_PATHS.items}/${stored.reference}?done=saved`);
}

function refuse(
  request: DeskRequest,
  review: Review,
  does: 'ask' | 'reject',
): ScreenResult | Redirect | null {
  const { visit } = request;
  const reason = toCleanText(visit.fields.reason ?? '').slice(0, MAX_REASON);
  if (reason === '') return showAgain(request, review.reference, 422, 'desk.refused.reason');
  refuseSubmission(visit.inbox, review, does, reason);
  return redirectToQueue(does);
}

function approve(
  request: DeskRequest,
  stored: StoredSubmission,
  review: Review,
): ScreenResult | Redirect {
  const { state, visit } = request;
  const text = read(state, stored, toDraft(visit.fields));
  if (text.submission === null) return toItem(request, stored, text, 422, 'desk.refused.issues');
  const { organizers } = toApproval(state.snapshot, state.now_ms);
  const issues = approveSubmission(
    visit.inbox,
    review,
    stored,
    text.submission,
    text.additions,
    organizers,
  );
  return issues.length > 0
    ? toItem(request, stored, text, 422, 'desk.refused.issues', issues)
    : redirectToQueue('approve');
}

function read(
  { snapshot, now_ms }: SiteState,
  stored: StoredSubmission,
  edits: Readonly<Record<string, string>> | null,
): ReviewedText {
  const places = {
    taxonomy: snapshot.taxonomy,
    findVenue: (slug: string) => getVenue(snapshot, slug)?.id ?? null,
  };
  return readReviewedText(stored, edits, places, now_ms);
}

function toItem(
  request: DeskRequest,
  stored: StoredSubmission,
  text: ReviewedText,
  status: number,
  notice: Key | null = null,
  issues: readonly PublicationIssue[] = [],
): ScreenResult {
  const { state, visit } = request;
  const { snapshot, now_ms } = state;
  const { lang, inbox } = visit;
  const decided = getDecidedText(inbox, stored.reference);
  const submission = text.submission ?? stored.submission;
  const screen: ItemScreen = {
    screen: 'item',
    stored,
    form: {
      values: text.values,
      issues: toSentences(text.issues, lang),
      choices: listChoices(snapshot, lang),
    },
    additions: { summary: suggestSummary(submission.description), ...text.additions },
    addition_issues: toAdditionIssues(issues, lang),
    detail: toPreview(
      submission,
      text.additions,
      toApproval(snapshot, now_ms, stored),
      toKnown(snapshot),
      now_ms,
    ),
    duplicates: findDuplicates(state, { ...stored, submission }, listPending(inbox), lang),
    warnings: listWarnings(submission, now_ms),
    reason: visit.fields.reason ?? '',
    history: readHistory(request, stored.reference),
    changed: decided === null ? [] : listChangedFields(decided, stored.submission),
    event: findPublished(request, stored),
  };
  return toScreen(screen, status, notice);
}

function findPublished({ visit }: DeskRequest, stored: StoredSubmission): ItemScreen['event'] {
  const id = toSubmittedEventId(stored.reference);
  if (!stored.is_published || !isReleased(visit.inbox, id)) return null;
  return { path: `${DESK_PATHS.events}/${id}`, overrides: listStatusOverrides(visit.inbox, id) };
}

/** The schema's own words are for editors, as in content/; what is missing is said in theirs. */
const toAdditionIssues = (
  issues: readonly PublicationIssue[],
  lang: Lang,
): ReadonlyMap<string, string> =>
  new Map(
    issues.map(({ field, message }) => [
      field,
      message === 'missing' ? t(lang, 'submit.issue.missing') : message,
    ]),
  );
