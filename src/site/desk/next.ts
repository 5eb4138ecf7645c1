// From one item to the next: where the queue stands while an editor works through it, and whose an item
// is meanwhile.
import {
  type QueueQuestion,
  readQueueQuestion,
  toQueueQuery,
} from '../../domain/queue/question.ts';
import type { QueueItem, QueueKind } from '../../domain/queue/waiting.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { claimItem, releaseItem } from '../../desk/claims.ts';
import { findNext, readQueue } from '../../desk/queue.ts';
import { unlessFull } from '../../inbox/open.ts';
import { type Redirect, redirect, type Visit } from '../visit.ts';
import type { DeskRequest, Journey } from './screens.ts';

/** Where each kind of item is decided. */
const ITEM_PATHS: Readonly<Record<QueueKind, string>> = {
  request: DESK_PATHS.items,
  change: DESK_PATHS.items,
  new: DESK_PATHS.items,
  batch: DESK_PATHS.batches,
  report: DESK_PATHS.corrections,
};

/** What the queue was asked for: behind the address, or in the form of an item. */
export const readPlace = ({ method, query, fields }: Visit): QueueQuestion =>
  readQueueQuestion(
    method === 'GET' ? query : Object.fromEntries(new URLSearchParams(fields.from ?? '')),
  );

/** The address of an item that keeps its place in the queue, with what was just done. */
export function toItemPath(
  { kind, reference }: Pick<QueueItem, 'kind' | 'reference'>,
  question: QueueQuestion,
  told: Readonly<Record<string, string>> = {},
): string {
  return withQuery(`${ITEM_PATHS[kind]}/${reference}`, question, told);
}

/** The address of the queue as it was asked for. */
export const toQueuePath = (
  question: QueueQuestion,
  told: Readonly<Record<string, string>> = {},
): string => withQuery(DESK_PATHS.queue, question, told);

function withQuery(
  path: string,
  question: QueueQuestion,
  told: Readonly<Record<string, string>>,
): string {
  const query = [toQueueQuery(question), new URLSearchParams(told).toString()].filter(Boolean);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/**
 * To be called before a decision, while the item still has its place: gives the redirect to the one
 * behind it, or to the queue where nothing is left.
 */
export function planNext(
  { state, visit, actor }: DeskRequest,
  reference: string,
): (done: string) => Redirect {
  const question = readPlace(visit);
  const next = findNext(visit.inbox, state.snapshot, question, actor, reference);
  return (done) => {
    unlessFull(() => releaseItem(visit.inbox, reference));
    const told = { done, of: reference };
    return redirect(next === null ? toQueuePath(question, told) : toItemPath(next, question, told));
  };
}

/** How the queue stands around an item that waits. */
export function readJourney(request: DeskRequest, reference: string): Journey {
  const { state, visit, actor } = request;
  const question = readPlace(visit);
  const queue = readQueue(visit.inbox, state.snapshot, question, state.now_ms);
  return {
    query: toQueueQuery(question),
    queue_path: toQueuePath(question),
    left: queue.total,
    claim: unlessFull(() => claimItem(visit.inbox, actor, reference)),
  };
}

/**
 * What may be done with an item beside deciding it: skipped, or taken from another editor. Null where
 * neither was asked for.
 */
export function move(request: DeskRequest, reference: string, kind: QueueKind): Redirect | null {
  const { visit, actor } = request;
  if (visit.fields.does === 'take') {
    claimItem(visit.inbox, actor, reference, true);
    return redirect(toItemPath({ kind, reference }, readPlace(visit)));
  }
  return visit.fields.does === 'skip' ? planNext(request, reference)('') : null;
}
