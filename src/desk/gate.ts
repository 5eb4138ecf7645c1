// A gate before work that takes a core for a while: few at once, a short queue, and whoever is known
// goes first. Beyond that nobody waits: it is refused at once (contract 14.38).
import { AppError } from '../domain/app-error.ts';

/** Whether whoever comes is known: each kind has a queue of its own, which the other cannot fill. */
export type Comer = 'known' | 'stranger';

/** Lets `work` through when it is its turn. Throws AppError rate_limited where the queue is full. */
export type Gate = <T>(comer: Comer, work: () => Promise<T>) => Promise<T>;

/** A gate for `at_once`, with room for so many of each kind behind it. */
export function createGate(at_once: number, room: number): Gate {
  const waiting: Readonly<Record<Comer, (() => void)[]>> = { known: [], stranger: [] };
  let running = 0;
  const leave = (): void => {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next) next();
    else running -= 1;
  };
  return async (comer, work) => {
    if (running < at_once) running += 1;
    else {
      if (waiting[comer].length >= room)
        throw new AppError('rate_limited', 'login: too many at once. Try again', 'busy');
      await new Promise<void>((resolve) => waiting[comer].push(resolve));
    }
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
