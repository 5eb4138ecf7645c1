// The first screen: what waits, what was decided last, how publishing goes.
import { DESK_PATHS } from '../../i18n/paths.ts';
import { readQueue } from '../../desk/queue.ts';
import { listDecisions } from '../../inbox/decisions.ts';
import { type Redirect, redirect } from '../visit.ts';
import { toDecisionLines } from './decision-lines.ts';
import { toDoneNotice } from './done.ts';
import { readPlace } from './next.ts';
import { toQueueLines } from './queue-lines.ts';
import { type DeskRequest, type QueueScreen, type ScreenResult, toScreen } from './screens.ts';

const DECISIONS_SHOWN = 10;

export async function showQueue(
  request: DeskRequest,
  status = 200,
  notice: string | null = null,
): Promise<ScreenResult> {
  const { state, visit } = request;
  const { inbox } = visit;
  const question = readPlace(visit);
  const queue = await readQueue(inbox, state.snapshot, question, state.now_ms);
  const screen: QueueScreen = {
    screen: 'queue',
    question,
    queue,
    lines: await toQueueLines(request, queue.items, question),
    decisions: await toDecisionLines(request, await listDecisions(inbox, DECISIONS_SHOWN)),
    news: await visit.readReleaseNews(),
  };
  return toScreen(screen, status, notice ?? toDoneNotice(visit));
}

/** Back to the queue after something was done there. */
export const redirectToQueue = (
  done: 'approve' | 'ask' | 'reject' | 'decided' | 'undone' | 'settled' | 'reopened',
): Redirect => redirect(`${DESK_PATHS.queue}?done=${done}`);
