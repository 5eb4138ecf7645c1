// The first screen: what waits, what was decided last, and a release on request; and decisions as
// lines, which every screen shows.
import type { Decision } from '../../domain/decision.ts';
import { listWarnings } from '../../domain/submission/warnings.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { getUndoable, undo } from '../../desk/decide.ts';
import { listNotices } from '../../desk/notices.ts';
import { listDecisions, listDecisionsOn } from '../../inbox/decisions.ts';
import { countPendingCorrections, getCorrection } from '../../inbox/corrections.ts';
import { countPending, getSubmission, listPending } from '../../inbox/submissions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { type Redirect, redirect } from '../visit.ts';
import { listCorrectionLines } from './correction-lines.ts';
import { findDuplicates } from './duplicates.ts';
import { type DecisionLine, type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

const DECISIONS_SHOWN = 10;
/** Most decisions shown on one thing. */
const MAX_SHOWN = 20;
/**
 * Lines on the screen: each is compared with a day's events. The rest comes up as these are
 * decided.
 */
const LINES_SHOWN = 50;

export function showQueue(
  request: DeskRequest,
  status = 200,
  notice: string | null = null,
): ScreenResult {
  const { state, visit } = request;
  const { inbox, lang, query } = visit;
  const waiting = listPending(inbox);
  const lines = waiting.slice(0, LINES_SHOWN).map((stored) => ({
    stored,
    warnings: listWarnings(stored.submission, state.now_ms),
    duplicates: findDuplicates(state, stored, waiting, lang).length,
  }));
  const done = DONE[query.done ?? ''];
  return toScreen(
    {
      screen: 'queue',
      lines,
      count: countPending(inbox),
      corrections: listCorrectionLines(request),
      corrections_count: countPendingCorrections(inbox),
      decisions: toLines(request, listDecisions(inbox, DECISIONS_SHOWN)),
      undoable: getUndoable(inbox)?.id ?? null,
      news: visit.readReleaseNews(),
      is_asked: query.done === 'release',
    },
    status,
    notice ?? (done ? t(lang, done) : null),
  );
}

/** What was just done, told after the redirect back. */
const DONE: Readonly<Record<string, Key>> = {
  approve: 'desk.done.approved',
  ask: 'desk.done.asked',
  reject: 'desk.done.rejected',
  decided: 'desk.done.decided',
  undone: 'desk.done.undone',
  settled: 'desk.done.settled',
};

/** Back to the queue after something was done there. */
export const redirectToQueue = (
  done: 'approve' | 'ask' | 'reject' | 'decided' | 'undone' | 'release' | 'settled',
): Redirect => redirect(`${DESK_PATHS.queue}?done=${done}`);

export function handleUndo({ visit, actor }: DeskRequest): Redirect {
  undo(visit.inbox, Number(visit.fields.id), actor);
  return redirectToQueue('undone');
}

export function handleRelease({ visit }: DeskRequest): Redirect {
  visit.requestRelease();
  return redirectToQueue('release');
}

/** What was decided on one submission, correction, event or notice. */
export const readHistory = (request: DeskRequest, subject: string): DecisionLine[] =>
  toLines(request, listDecisionsOn(request.visit.inbox, subject, MAX_SHOWN));

const toLines = (request: DeskRequest, decisions: readonly Decision[]): DecisionLine[] =>
  decisions.map((decision) => ({ decision, ...findSubject(request, decision.subject) }));

/** An id says nothing to a person: the words of what it is about, and where that is. */
function findSubject(
  { state, visit }: DeskRequest,
  subject: string,
): Pick<DecisionLine, 'title' | 'path'> {
  const stored = getSubmission(visit.inbox, subject);
  if (stored !== null)
    return {
      title: `${stored.reference} ${stored.submission.title}`,
      path: `${DESK_PATHS.items}/${stored.reference}`,
    };
  const correction = getCorrection(visit.inbox, subject);
  if (correction !== null)
    return {
      title: `${correction.reference} ${correction.about.title}`,
      path: `${DESK_PATHS.corrections}/${correction.reference}`,
    };
  const detail = getEvent(state.snapshot, subject, state.now_ms);
  if (detail !== null && detail !== 'gone')
    return {
      title: detail.event.title[visit.lang],
      path: `${DESK_PATHS.events}/${detail.event.id}`,
    };
  const found = listNotices(visit.inbox).find(({ id }) => id === subject);
  return { title: found?.notice.title[visit.lang] ?? subject, path: null };
}
