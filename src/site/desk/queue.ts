// The queue: what waits, what was decided last, how publishing goes.
import { listWarnings } from '../../domain/submission/doubts.ts';
import { readQueue } from '../../desk/queue.ts';
import { listDecisions } from '../../inbox/decisions.ts';
import { getSubmission, listPending, getCorrection } from '../../inbox/submissions.ts';
import { toDecisionLines } from './decisions.ts';
import { findDuplicates } from './item.ts';
import { readPlace, toItemPath } from './journey.ts';
import { toReported } from './find.ts';
import { type DeskRequest, type Room, type Screen, type Told, toScreen } from './room.ts';

const DECISIONS_SHOWN = 10;

export const showQueue = async (request: DeskRequest, _: string, told: Told): Promise<Screen> =>
  toScreen('queue', await readView(request), told);

export const queueRoom: Room = { show: showQueue };

export type QueueView = Awaited<ReturnType<typeof readView>>;

async function readView(request: DeskRequest) {
  const { state, visit } = request;
  const { inbox } = visit;
  const question = readPlace(visit);
  const queue = await readQueue(inbox, state.snapshot, question, state.now_ms);
  const pending = await listPending(inbox);
  return {
    question,
    queue,
    lines: await Array.fromAsync(queue.items, async (item) => {
      const is_report = item.kind === 'report';
      const stored = is_report ? null : await getSubmission(inbox, item.reference);
      const report = is_report ? await getCorrection(inbox, item.reference) : null;
      return {
        item,
        path: toItemPath(item, question),
        report: report && toReported(request, report),
        warnings: stored ? listWarnings(stored.submission, state.now_ms) : [],
        duplicates: stored ? findDuplicates(request, stored, pending).length : 0,
      };
    }),
    decisions: await toDecisionLines(request, await listDecisions(inbox, DECISIONS_SHOWN)),
    news: await visit.readReleaseNews(),
  };
}
