// Decisions as lines of the desk: what each is about, in words and with its place, and whether it can
// be undone.
import { type Decision, isAccessDecision } from '../../domain/change.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { listNotices } from '../../desk/notices.ts';
import { openSources, type Sources } from '../../desk/things.ts';
import { checkUndo } from '../../desk/decide.ts';
import { getBatch } from '../../inbox/batches.ts';
import { getCorrection, getSubmission } from '../../inbox/submissions.ts';
import { listDecisionsOn } from '../../inbox/decisions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { toEditPath, toThingTitle } from './find-things.ts';
import type { DecisionLine } from './edit-screens.ts';
import type { DeskRequest } from './screens.ts';

/** Most decisions shown on one thing. */
const MAX_SHOWN = 20;

/** The decision that led to this screen, with the way back; null where none did. */
export async function readLast(request: DeskRequest): Promise<DecisionLine | null> {
  const { of = '' } = request.visit.query;
  return /^HC-[0-9A-Z]{6}$/.test(of) ? ((await readHistory(request, of))[0] ?? null) : null;
}

/** What was decided on one submission, correction, event or notice. */
export const readHistory = async (
  request: DeskRequest,
  subject: string,
): Promise<readonly DecisionLine[]> =>
  toDecisionLines(request, await listDecisionsOn(request.visit.inbox, subject, MAX_SHOWN));

export async function toDecisionLines(
  request: DeskRequest,
  decisions: readonly Decision[],
): Promise<readonly DecisionLine[]> {
  const { inbox, readReleaseNews } = request.visit;
  const { is_building } = await readReleaseNews();
  const sources = openSources(inbox, request.state.snapshot);
  return Array.fromAsync(decisions, async (decision) => ({
    decision,
    changes: [],
    ...(await checkUndo(inbox, decision, is_building)),
    ...(isAccessDecision(decision.action)
      ? { title: decision.subject, path: null }
      : await findSubject(request, sources, decision.subject)),
  }));
}

/** An id says nothing to a person: the words of what it is about, and where that is. */
async function findSubject(
  { state, visit }: DeskRequest,
  sources: Sources,
  subject: string,
): Promise<Pick<DecisionLine, 'title' | 'path'>> {
  const stored = await getSubmission(visit.inbox, subject);
  if (stored !== null)
    return {
      title: `${stored.reference} ${stored.submission.title}`,
      path: `${DESK_PATHS.items}/${stored.reference}`,
    };
  const batch = await getBatch(visit.inbox, subject);
  if (batch !== null)
    return {
      title: `${batch.reference} ${batch.name}`,
      path: `${DESK_PATHS.batches}/${batch.reference}`,
    };
  const correction = await getCorrection(visit.inbox, subject);
  if (correction !== null)
    return {
      title: `${correction.reference} ${correction.about.title}`,
      path: `${DESK_PATHS.corrections}/${correction.reference}`,
    };
  const detail = getEvent(state.snapshot, subject, state.now_ms);
  if (detail !== null && detail !== 'gone')
    return {
      title: detail.event.title[visit.lang],
      path: toEditPath(detail.event.id),
    };
  const source = await sources.get(subject);
  if (source !== null)
    return { title: toThingTitle(source.record, visit.lang), path: toEditPath(subject) };
  const found = (await listNotices(visit.inbox)).find(({ id }) => id === subject);
  return { title: found?.notice.title[visit.lang] ?? subject, path: null };
}
