// Counting over all serving processes: each asks the primary, which counts for all of them.
import cluster from 'node:cluster';
import * as v from 'valibot';
import type { Counted } from '../../http/window-counter.ts';
import { type CountTogether, createRequestCounter } from '../http/rates.ts';

/** A count is microseconds of work: a primary that has not responded by then does not. */
const PATIENCE_MS = 300;
/** It is left alone for so long then. */
const PAUSE_MS = 1_000;
/** Questions under way, beyond which there are no more. */
const MOST_ASKED = 2_000;

const Question = v.object({ count: v.array(v.string()), ask: v.number() });
const Answer = v.object({
  ask: v.number(),
  counted: v.array(v.object({ count: v.number(), left_ms: v.number() })),
});

/** Makes this primary process the one that counts for its workers. */
export function shareCounter(): void {
  const countOne = createRequestCounter();
  cluster.on('message', (worker, message: unknown) => {
    const asked = v.safeParse(Question, message);
    if (!asked.success || !worker.isConnected()) return;
    const { count, ask } = asked.output;
    // It may end at this very moment.
    worker.send({ ask, counted: count.map((name) => countOne(name)) }, () => {});
  });
}

/** Asks the primary of this worker. */
export function createSharedCount(): CountTogether {
  const asked = new Map<number, (counted: readonly Counted[] | null) => void>();
  let last = 0;
  let paused_until_ms = 0;
  process.on('message', (message: unknown) => {
    const answer = v.safeParse(Answer, message);
    if (answer.success) asked.get(answer.output.ask)?.(answer.output.counted);
  });
  return (names) => {
    if (!process.connected || asked.size >= MOST_ASKED || performance.now() < paused_until_ms)
      return Promise.resolve(null);
    const ask = ++last;
    return new Promise((resolve) => {
      const end = (counted: readonly Counted[] | null): void => {
        clearTimeout(timer);
        asked.delete(ask);
        resolve(counted);
      };
      const timer = setTimeout(() => {
        paused_until_ms = performance.now() + PAUSE_MS;
        end(null);
      }, PATIENCE_MS);
      asked.set(ask, end);
      process.send?.({ ask, count: names }, undefined, {}, (error) => {
        if (error !== null) end(null);
      });
    });
  };
}
