// The queue of the desk: all that waits, by urgency, narrowed and in pages; what comes after an item;
// and several items decided at once (contract 14.21, 14.23).
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import type { Lang } from '../domain/lang.ts';
import { narrowQueue, QUEUE_PAGE, type QueueQuestion } from '../domain/queue/question.ts';
import {
  QUEUE_GROUPS,
  type QueueGroup,
  type QueueItem,
  toQueueItem,
  type Waiting,
} from '../domain/queue/waiting.ts';
import { listClaims } from '../inbox/claims.ts';
import { getBatch } from '../inbox/batches.ts';
import { getCorrection } from '../inbox/corrections.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
import {
  listWaitingBatches,
  listWaitingReports,
  listWaitingSubmissions,
  type WaitingReport,
} from '../inbox/waiting.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { listWaiting, refuseBatch } from './batch-review.ts';
import { settleCorrection } from './corrections.ts';
import { toKnown } from './known.ts';
import { refuse } from './review.ts';

/** A page of the queue. */
export interface Queue {
  readonly items: readonly QueueItem[];
  /** How many of each group there are among what is asked for, whatever group that is. */
  readonly counts: Readonly<Record<QueueGroup, number>>;
  /** How many are asked for. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** All that waits, with its place in the queue. */
function listItems(inbox: Inbox, snapshot: Snapshot, now_ms: number): QueueItem[] {
  const known = toKnown(snapshot);
  const toNamed = (waiting: Waiting): Waiting => {
    const venue = waiting.venue === null ? null : known.getVenue(waiting.venue);
    return venue === null ? waiting : { ...waiting, place: venue.name };
  };
  return [
    ...listWaitingSubmissions(inbox),
    ...listWaitingBatches(inbox),
    ...listWaitingReports(inbox).map((report) => withDays(report, snapshot, now_ms)),
  ].map((waiting) => toQueueItem(toNamed(waiting), now_ms));
}

/** A report about an event is as urgent as that is. */
function withDays(report: WaitingReport, snapshot: Snapshot, now_ms: number): Waiting {
  const { about, crowd } = report;
  if (about.kind !== 'event' || crowd !== null) return report;
  const detail = getEvent(snapshot, about.id, now_ms);
  if (detail === null || detail === 'gone' || detail.next === null) return report;
  const { start, end } = detail.next;
  return {
    ...report,
    venue: detail.venue?.id ?? null,
    starts: [start.slice(0, 16)],
    end: end?.slice(0, 16) ?? null,
  };
}

const order = (
  inbox: Inbox,
  snapshot: Snapshot,
  question: QueueQuestion,
  now_ms: number,
): readonly QueueItem[] => narrowQueue(listItems(inbox, snapshot, now_ms), question);

/** The page that is asked for; the last where it lies beyond. */
export function readQueue(
  inbox: Inbox,
  snapshot: Snapshot,
  question: QueueQuestion,
  now_ms: number,
): Queue {
  const all = order(inbox, snapshot, question, now_ms);
  const counts: Record<QueueGroup, number> = { urgent: 0, soon: 0, waiting: 0, doubtful: 0 };
  for (const { group } of all) counts[group] += 1;
  const { group } = question;
  const asked = group === null ? all : all.filter((item) => item.group === group);
  const pages = Math.max(1, Math.ceil(asked.length / QUEUE_PAGE));
  const page = Math.min(question.page, pages);
  const items = asked.slice((page - 1) * QUEUE_PAGE, page * QUEUE_PAGE);
  return { items, counts, total: asked.length, page, pages };
}

/** How much of a group waits. */
export interface GroupCount {
  readonly group: QueueGroup;
  readonly count: number;
  /** How long the oldest of it has waited; 0 where none does. */
  readonly oldest_ms: number;
}

/** Every group of the whole queue, the most urgent first. */
export function countQueue(inbox: Inbox, snapshot: Snapshot, now_ms: number): GroupCount[] {
  const items = listItems(inbox, snapshot, now_ms);
  return QUEUE_GROUPS.map((group) => {
    const received_ms = items
      .filter((item) => item.group === group)
      .map(({ received_at }) => Date.parse(received_at));
    const oldest_ms = received_ms.reduce((a, b) => Math.min(a, b), now_ms);
    return { group, count: received_ms.length, oldest_ms: now_ms - oldest_ms };
  });
}

/**
 * What an editor looks at after an item: the one behind it in the same order that nobody else has
 * taken, else the first such; null where nothing is left.
 */
export function findNext(
  inbox: Inbox,
  snapshot: Snapshot,
  question: QueueQuestion,
  { editor, now_ms }: Actor,
  after: string | null,
): QueueItem | null {
  const { group } = question;
  const all = order(inbox, snapshot, question, now_ms).filter(
    (item) => group === null || item.group === group,
  );
  const claims = listClaims(inbox, now_ms);
  const isFree = ({ reference }: QueueItem): boolean =>
    reference !== after && (claims.get(reference)?.editor ?? editor) === editor;
  const at = all.findIndex(({ reference }) => reference === after);
  return all.slice(at + 1).find(isFree) ?? all.find(isFree) ?? null;
}

/** One of several that are decided at once: `revision` is the text that was looked at. */
export interface Picked {
  readonly reference: string;
  readonly revision: number;
}

/** What became of each. */
export interface SeveralResult {
  readonly decided: readonly string[];
  /** They did not wait any more, or not in that text: nothing was done to them. */
  readonly passed_over: readonly string[];
}

/**
 * Rejects each with a reason in its sender's language; a reader's report is dismissed. Each is a
 * decision of its own, to be undone by itself. Throws AppError where there is no reason.
 */
export function rejectSeveral(
  inbox: Inbox,
  actor: Actor,
  picked: readonly Picked[],
  toReason: (lang: Lang) => string,
): SeveralResult {
  const decided: string[] = [];
  const passed_over: string[] = [];
  for (const { reference, revision } of picked)
    try {
      const batch = getBatch(inbox, reference);
      if (batch !== null) {
        const chosen = listWaiting(inbox, batch).map((one) => ({ ...one, edits: {} }));
        refuseBatch(inbox, actor, batch, chosen, 'reject', toReason(batch.lang));
        decided.push(reference);
        continue;
      }
      const stored = getSubmission(inbox, reference);
      const lang = stored?.submission.lang ?? getCorrection(inbox, reference)?.lang ?? 'es';
      if (stored === null) settleCorrection(inbox, actor, reference, 'dismiss', toReason(lang));
      else refuse(inbox, { ...actor, reference, revision }, 'reject', toReason(lang));
      decided.push(reference);
    } catch (thrown) {
      const is_late =
        thrown instanceof AppError &&
        ['not_pending', 'text_changed', 'nothing_chosen', 'no_such_correction'].includes(
          thrown.reason ?? '',
        );
      if (!is_late) throw thrown;
      passed_over.push(reference);
    }
  return { decided, passed_over };
}
