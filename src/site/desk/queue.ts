// The first screen: what waits, what was decided last, and a release on request.
import { listWarnings } from '../../domain/submission/warnings.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { listDecisions } from '../../inbox/decisions.ts';
import { countPendingCorrections } from '../../inbox/corrections.ts';
import { countPending, listPending } from '../../inbox/submissions.ts';
import { type Redirect, redirect } from '../visit.ts';
import { listCorrectionLines } from './correction-lines.ts';
import { findDuplicates } from './duplicates.ts';
import { toDecisionLines } from './decision-lines.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

const DECISIONS_SHOWN = 10;
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
      decisions: toDecisionLines(request, listDecisions(inbox, DECISIONS_SHOWN)),
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
  reopened: 'desk.done.reopened',
};

/** Back to the queue after something was done there. */
export const redirectToQueue = (
  done: 'approve' | 'ask' | 'reject' | 'decided' | 'undone' | 'release' | 'settled' | 'reopened',
): Redirect => redirect(`${DESK_PATHS.queue}?done=${done}`);

export function handleRelease({ visit }: DeskRequest): Redirect {
  visit.requestRelease();
  return redirectToQueue('release');
}
