// The pages that know the hour: made once a minute, kept like any other, the last minute's served
// while the next is made, so that no reader waits for it.
import { floorToMinute } from '../../domain/cancun-time.ts';
import type { Representation } from '../../http/representation.ts';
import { toBusyResponse } from './admit.ts';
import { acquireLease, releaseLease, type ReleaseState } from './release-state.ts';
import type { RequestContext } from './request-context.ts';

const MINUTE_MS = 60_000;

/** What is being made of a release, by key: many readers wait for one page. */
const MAKING = new WeakMap<ReleaseState, Map<string, Promise<Representation>>>();

const toKey = (minute_ms: number, address: string): string => `minute ${minute_ms} ${address}`;

/**
 * The page of this minute, or that of the minute before while this one is made. `make` renders it;
 * what it gives with another status than 200 is not kept.
 */
export function findMinutePage(
  context: RequestContext,
  address: string,
  make: () => Promise<Representation>,
): Representation | Promise<Representation> {
  const { state, now_ms, service } = context;
  const minute_ms = floorToMinute(now_ms);
  const stored = state.responses.get(toKey(minute_ms, address));
  if (stored) return stored;
  const making = makeOnce(context, toKey(minute_ms, address), make);
  const previous = state.responses.get(toKey(minute_ms - MINUTE_MS, address));
  if (!previous) return making;
  making.catch((thrown: unknown) => {
    if (toBusyResponse(thrown, context) === null) service.onError(thrown, address);
  });
  return previous;
}

/**
 * Renders a page unless it is being rendered; the release stays open until it is done. Where it is not
 * made for who asked first, it is for who asks next.
 */
function makeOnce(
  context: RequestContext,
  key: string,
  make: () => Promise<Representation>,
): Promise<Representation> {
  const { state } = context;
  const by_key = MAKING.get(state) ?? new Map<string, Promise<Representation>>();
  MAKING.set(state, by_key);
  const known = by_key.get(key);
  if (known)
    return known.catch((thrown: unknown) => {
      if (toBusyResponse(thrown, context) === null) throw thrown;
      return makeOnce(context, key, make);
    });
  const run = async (): Promise<Representation> => {
    acquireLease(state);
    try {
      const page = await make();
      if (page.status === 200) state.responses.set(key, page);
      return page;
    } finally {
      by_key.delete(key);
      releaseLease(state);
    }
  };
  const making = run();
  by_key.set(key, making);
  return making;
}
