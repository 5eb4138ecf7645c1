// The queue: what waits, what was decided last, how publishing and letters go.
import { readQueue } from '../../desk/queue.ts';
import { listWarnings } from '../../domain/submission/doubts.ts';
import { listDecisions } from '../../inbox/decisions.ts';
import { listFailedMail, readMailHealth } from '../../inbox/letters.ts';
import { getCorrection, getSubmission, listPending } from '../../inbox/changes.ts';
import { toDecisionLines } from './decisions.ts';
import { findDuplicates, toReported } from './item.ts';
import { type DeskRequest, readPlace, type Room, toItemPath } from './room.ts';

const DECISIONS_SHOWN = 10;

export const queueRoom: Room = { name: 'queue', load: (request) => readView(request) };

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
        warnings: stored ? listWarnings(stored.text, state.now_ms) : [],
        duplicates: stored
          ? findDuplicates(request, stored.reference, stored.text, pending).length
          : 0,
      };
    }),
    decisions: await toDecisionLines(request, await listDecisions(inbox, DECISIONS_SHOWN)),
    news: await visit.readReleaseNews(),
    mail: await readMailNews(request),
  };
}

/** Letters shown that were given up. */
const FAILED_SHOWN = 10;
/** A release comes every six hours, and an approval waits for one. */
const LATE_SECONDS = 8 * 3600;

/** Where letters do not arrive; null where they do, or nothing is mailed. */
async function readMailNews({ state: { site, now_ms }, visit: { inbox } }: DeskRequest) {
  if (!site.sends_mail) return null;
  const health = await readMailHealth(inbox, now_ms);
  const is_late = (health.oldest_seconds ?? 0) > LATE_SECONDS;
  if (health.failed === 0 && !is_late) return null;
  return { health, failed: await listFailedMail(inbox, FAILED_SHOWN) };
}
