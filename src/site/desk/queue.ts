// The first screen: what waits, what was decided last, and a release on request.
import { DESK_PATHS } from '../../components/desk/desk-page.ts';
import { listWarnings } from '../../domain/submission/warnings.ts';
import type { Key } from '../../i18n/translate.ts';
import { undoLast } from '../../desk/approve.ts';
import { getUndoable, listDecisions } from '../../inbox/decisions.ts';
import { listPending } from '../../inbox/submissions.ts';
import { type Redirect, redirect } from '../forms/outcome.ts';
import { toLines } from './log.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screen.ts';
import { findDuplicates } from './duplicates.ts';

const DECISIONS_SHOWN = 10;
/**
 * Lines on the screen: each is compared with a day's events. The rest comes up as these are
 * decided.
 */
const LINES_SHOWN = 50;

export function showQueue(
  request: DeskRequest,
  status = 200,
  notice: Key | null = null,
): ScreenResult {
  const { state, visit } = request;
  const { inbox, lang, query } = visit;
  const waiting = listPending(inbox);
  const lines = waiting.slice(0, LINES_SHOWN).map((stored) => ({
    stored,
    warnings: listWarnings(stored.submission, state.now_ms),
    duplicates: findDuplicates(state, stored, waiting, lang).length,
  }));
  return toScreen(
    {
      screen: 'queue',
      lines,
      decisions: toLines(request, listDecisions(inbox, DECISIONS_SHOWN)),
      undoable: getUndoable(inbox)?.id ?? null,
      news: visit.readReleaseNews(),
      is_asked: query.done === 'release',
    },
    status,
    notice ?? DONE[query.done ?? ''] ?? null,
  );
}

/** What was just done, said after the way back. */
const DONE: Readonly<Record<string, Key>> = {
  approve: 'desk.done.approved',
  ask: 'desk.done.asked',
  reject: 'desk.done.rejected',
  decided: 'desk.done.decided',
  undone: 'desk.done.undone',
};

/** The way back to the queue after something was done there. */
export const redirectToQueue = (
  done: 'approve' | 'ask' | 'reject' | 'decided' | 'undone' | 'release',
): Redirect => redirect(`${DESK_PATHS.queue}?done=${done}`);

export function undo({ state, visit, editor }: DeskRequest): Redirect {
  undoLast(visit.inbox, Number(visit.fields.id), editor, state.now_ms);
  return redirectToQueue('undone');
}

export function release({ visit }: DeskRequest): Redirect {
  visit.requestRelease();
  return redirectToQueue('release');
}
