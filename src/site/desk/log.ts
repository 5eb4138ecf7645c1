// Decisions as lines: an id says nothing to a person, so each has the words of what it is about and
// the way there.
import { DESK_PATHS, type DecisionLine } from '../../components/desk/desk-page.ts';
import type { Decision } from '../../domain/decision.ts';
import { getEvent } from '../../snapshot/get-event.ts';
import { parseDeskNotice } from '../../desk/notices.ts';
import { listDecisionsOn } from '../../inbox/decisions.ts';
import { getSubmission } from '../../inbox/submissions.ts';
import { listDeskNotices } from '../../inbox/published.ts';
import type { DeskRequest } from './screen.ts';

/** Most decisions shown on one thing. */
const MAX_SHOWN = 20;

export const toLines = (request: DeskRequest, decisions: readonly Decision[]): DecisionLine[] =>
  decisions.map((decision) => ({ decision, ...findSubject(request, decision.subject) }));

/** What was decided on one submission, event or notice. */
export const readHistory = (request: DeskRequest, subject: string): DecisionLine[] =>
  toLines(request, listDecisionsOn(request.visit.inbox, subject, MAX_SHOWN));

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
  const detail = getEvent(state.snapshot, subject, state.now_ms);
  if (detail !== null && detail !== 'gone')
    return {
      title: detail.event.title[visit.lang],
      path: `${DESK_PATHS.events}/${detail.event.id}`,
    };
  const row = listDeskNotices(visit.inbox).find((notice) => notice.id === subject);
  return { title: parseDeskNotice(row?.record)?.title[visit.lang] ?? subject, path: null };
}
