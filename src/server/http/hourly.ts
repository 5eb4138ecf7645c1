// So many of something for each sender in an hour, in the memory of a process.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts one more of a sender; gives how many ms later it may be where it may not be now, else null. */
export type CountHourly = (sender: string) => Promise<number | null>;

export function createHourly(an_hour: number): CountHourly {
  const counter = new RateLimiterMemory({ points: an_hour, duration: 3600 });
  return async (sender) => {
    try {
      await counter.consume(sender);
      return null;
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return thrown.msBeforeNext;
      throw thrown;
    }
  };
}
