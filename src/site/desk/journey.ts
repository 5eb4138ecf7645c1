// From one item to the next: where the queue stands while an editor works through it.
import { findStanding } from '../../desk/queue.ts';
import {
  type QueueQuestion,
  readQueueQuestion,
  toQueueQuery,
  type QueueItem,
  type QueueKind,
} from '../../domain/queue.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Redirect, redirect, type Visit } from '../visit.ts';
import type { DeskRequest } from './room.ts';

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

/** An address that keeps the place in the queue, with what was just done. */
function withPlace(
  path: string,
  question: QueueQuestion,
  told: Readonly<Record<string, string>> = {},
): string {
  const query = [toQueueQuery(question), new URLSearchParams(told).toString()].filter(Boolean);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The address of an item, as above. */
export const toItemPath = (
  { kind, reference }: Pick<QueueItem, 'kind' | 'reference'>,
  question: QueueQuestion,
  told: Readonly<Record<string, string>> = {},
): string => withPlace(`${ITEM_PATHS[kind]}/${reference}`, question, told);

/** Where an item stands among what an editor works through. */
const readStanding = ({ state, visit }: DeskRequest, reference: string) =>
  findStanding(visit.inbox, state.snapshot, readPlace(visit), state.now_ms, reference);

/**
 * To be called before a decision, while the item still has its place: gives the redirect to the one
 * behind it, or to the queue where nothing is left.
 */
export async function planNext(
  request: DeskRequest,
  reference: string,
): Promise<(done: string) => Redirect> {
  const question = readPlace(request.visit);
  const { next } = await readStanding(request, reference);
  return (done) => {
    const told = { done, of: reference };
    return redirect(
      next === null
        ? withPlace(DESK_PATHS.queue, question, told)
        : toItemPath(next, question, told),
    );
  };
}

/** Where an editor stands while working through the queue. */
export async function readJourney(request: DeskRequest, reference: string) {
  const question = readPlace(request.visit);
  const { total, next } = await readStanding(request, reference);
  return {
    /** The queue as it was asked for, to be sent along. */
    query: toQueueQuery(question),
    queue_path: withPlace(DESK_PATHS.queue, question),
    /** Null where nothing else waits there. */
    next_path: next && toItemPath(next, question),
    /** How many wait there, this one included. */
    left: total,
  };
}

/** Back to the queue after something was done that is not of it. */
export const redirectToQueue = (done: string): Redirect =>
  redirect(`${DESK_PATHS.queue}?done=${done}`);
