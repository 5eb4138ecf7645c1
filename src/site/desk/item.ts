// One submission on the desk: as it will look, what to look at twice, its text to edit, and the
// decision.
import { DESK_PATHS, type ItemScreen } from '../../components/desk/desk-page.ts';
import { toCleanText } from '../../domain/clean-text.ts';
import type { Lang } from '../../domain/lang.ts';
import type { KeptSubmission } from '../../domain/submission/state.ts';
import { listWarnings } from '../../domain/submission/warnings.ts';
import { AppError } from '../../domain/app-error.ts';
import { listChangedFields } from '../../domain/submission/form.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { approveSubmission, grantRequest } from '../../desk/approve.ts';
import { suggestSummary, toPreview } from '../../desk/preview.ts';
import type { PublicationFault } from '../../sources/inbox/publication.ts';
import { readReviewedText, type ReviewedText, toDraft } from '../../desk/reviewed-text.ts';
import { toSubmittedEventId } from '../../sources/inbox/merge-inbox.ts';
import { getVenue } from '../../snapshot/get-venue.ts';
import { getDecidedText, getSubmission, listPending } from '../../inbox/submissions.ts';
import { isReleased } from '../../inbox/published.ts';
import { refuseSubmission, type Review, saveDraft } from '../../desk/review.ts';
import { listChoices } from '../forms/choices.ts';
import { toApproval, toKnown } from '../forms/known.ts';
import { type Led, lead } from '../forms/outcome.ts';
import { toSentences } from '../forms/read-form.ts';
import type { SiteState } from '../state.ts';
import { listSaid } from './events.ts';
import { readHistory } from './log.ts';
import { leadBack } from './queue.ts';
import { type DeskQuestion, type ScreenAnswer, toRefusal, toScreen } from './screen.ts';
import { findTwins } from './duplicates.ts';

/** Characters of a reason. */
const MAX_REASON = 600;

/**
 * The answer at a reference; null where there is none. What was typed comes back with whatever
 * keeps it from being done.
 */
export function answerItem(question: DeskQuestion, reference: string): ScreenAnswer | Led | null {
  const { state, visit } = question;
  const kept = getSubmission(visit.inbox, reference);
  if (kept === null) return null;
  if (visit.method === 'GET')
    return toItem(
      question,
      kept,
      read(state, kept, null),
      200,
      visit.query.done === 'saved' ? 'desk.done.saved' : null,
    );
  try {
    return decide(question, kept);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return showAgain(question, kept.reference, 409, toRefusal(thrown));
  }
}

/**
 * As it is now, with what was typed over it: all of it where the text is still the one that was
 * looked at, else what a reviewer adds.
 */
export function showAgain(
  question: DeskQuestion,
  reference: string,
  status: number,
  notice: Key,
): ScreenAnswer | null {
  const { state, visit } = question;
  const kept = getSubmission(visit.inbox, reference);
  if (kept === null) return null;
  const typed = read(state, kept, toDraft(visit.fields));
  if (kept.state !== 'pending')
    return toItem(question, kept, read(state, kept, null), status, 'desk.refused.decided');
  if (kept.revision !== Number(visit.fields.revision))
    return toItem(
      question,
      kept,
      { ...read(state, kept, null), additions: typed.additions },
      status,
      'desk.refused.corrected',
    );
  return toItem(question, kept, typed, status, notice);
}

function decide(question: DeskQuestion, kept: KeptSubmission): ScreenAnswer | Led | null {
  const { state, visit, editor } = question;
  const review: Review = {
    reference: kept.reference,
    revision: Number(visit.fields.revision),
    editor,
    now_ms: state.now_ms,
  };
  const does = visit.fields.does;
  if (does === 'ask' || does === 'reject') return refuse(question, review, does);
  if (does === 'grant') {
    grantRequest(visit.inbox, review, kept);
    return leadBack('approve');
  }
  saveDraft(visit.inbox, review, toDraft(visit.fields));
  return does === 'approve'
    ? approve(question, kept, review)
    : lead(`${DESK_PATHS.items}/${kept.reference}?done=saved`);
}

function refuse(
  question: DeskQuestion,
  review: Review,
  does: 'ask' | 'reject',
): ScreenAnswer | Led | null {
  const { visit } = question;
  const reason = toCleanText(visit.fields.reason ?? '').slice(0, MAX_REASON);
  if (reason === '') return showAgain(question, review.reference, 422, 'desk.refused.reason');
  refuseSubmission(visit.inbox, review, does, reason);
  return leadBack(does);
}

function approve(question: DeskQuestion, kept: KeptSubmission, review: Review): ScreenAnswer | Led {
  const { state, visit } = question;
  const text = read(state, kept, toDraft(visit.fields));
  if (text.submission === null) return toItem(question, kept, text, 422, 'desk.refused.faults');
  const { organizers } = toApproval(state.snapshot, state.now_ms);
  const faults = approveSubmission(
    visit.inbox,
    review,
    kept,
    text.submission,
    text.additions,
    organizers,
  );
  return faults.length > 0
    ? toItem(question, kept, text, 422, 'desk.refused.faults', faults)
    : leadBack('approve');
}

function read(
  { snapshot, now_ms }: SiteState,
  kept: KeptSubmission,
  edits: Readonly<Record<string, string>> | null,
): ReviewedText {
  const town = {
    taxonomy: snapshot.taxonomy,
    findVenue: (slug: string) => getVenue(snapshot, slug)?.id ?? null,
  };
  return readReviewedText(kept, edits, town, now_ms);
}

function toItem(
  question: DeskQuestion,
  kept: KeptSubmission,
  text: ReviewedText,
  status: number,
  notice: Key | null = null,
  faults: readonly PublicationFault[] = [],
): ScreenAnswer {
  const { state, visit } = question;
  const { snapshot, now_ms } = state;
  const { lang, inbox } = visit;
  const decided = getDecidedText(inbox, kept.reference);
  const submission = text.submission ?? kept.submission;
  const screen: ItemScreen = {
    screen: 'item',
    kept,
    form: {
      values: text.values,
      faults: toSentences(text.faults, lang),
      choices: listChoices(snapshot, lang),
    },
    additions: { summary: suggestSummary(submission.description), ...text.additions },
    addition_faults: toAdditionFaults(faults, lang),
    detail: toPreview(
      submission,
      text.additions,
      toApproval(snapshot, now_ms, kept),
      toKnown(snapshot),
      now_ms,
    ),
    twins: findTwins(state, { ...kept, submission }, listPending(inbox), lang),
    warnings: listWarnings(submission, now_ms),
    reason: visit.fields.reason ?? '',
    history: readHistory(question, kept.reference),
    changed: decided === null ? [] : listChangedFields(decided, kept.submission),
    event: findPublished(question, kept),
  };
  return toScreen(screen, status, notice);
}

function findPublished({ visit }: DeskQuestion, kept: KeptSubmission): ItemScreen['event'] {
  const id = toSubmittedEventId(kept.reference);
  if (!kept.is_published || !isReleased(visit.inbox, id)) return null;
  return { path: `${DESK_PATHS.events}/${id}`, said: listSaid(visit.inbox, id) };
}

/** The schema's own words are for editors, as in content/; what is missing is said in theirs. */
const toAdditionFaults = (
  faults: readonly PublicationFault[],
  lang: Lang,
): ReadonlyMap<string, string> =>
  new Map(
    faults.map(({ field, message }) => [
      field,
      message === 'missing' ? t(lang, 'submit.fault.missing') : message,
    ]),
  );
