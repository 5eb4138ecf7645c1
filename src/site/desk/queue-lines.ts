// The items of a page of the queue as its lines: each with what to look at twice and what it looks like.
import type { QueueQuestion, QueueItem } from '../../domain/queue.ts';
import { listWarnings } from '../../domain/submission/doubts.ts';
import { getCorrection, getSubmission, listPending } from '../../inbox/submissions.ts';
import { toCorrectionLine } from './correction-lines.ts';
import { findDuplicates } from './duplicates.ts';
import { toItemPath } from './next.ts';
import type { DeskRequest, QueueLine } from './screens.ts';

export async function toQueueLines(
  request: DeskRequest,
  items: readonly QueueItem[],
  question: QueueQuestion,
): Promise<readonly QueueLine[]> {
  const { state, visit } = request;
  const { inbox, lang } = visit;
  const waiting = await listPending(inbox);
  return Array.fromAsync(items, async (item): Promise<QueueLine> => {
    const stored = item.kind === 'report' ? null : await getSubmission(inbox, item.reference);
    const correction = item.kind === 'report' ? await getCorrection(inbox, item.reference) : null;
    return {
      item,
      path: toItemPath(item, question),
      report: correction && toCorrectionLine(request, correction),
      warnings: stored ? listWarnings(stored.submission, state.now_ms) : [],
      duplicates: stored ? findDuplicates(state, stored, waiting, lang).length : 0,
    };
  });
}
