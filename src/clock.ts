// Clock: provides the current time; the only module that calls Date.now (contract 2.2).
import { Temporal } from 'temporal-polyfill';

/** Returns the system time, for libraries that use it themselves. */
export const systemNowMs = (): number => Date.now();

/** Returns the current epoch milliseconds. */
export type Clock = () => number;

/**
 * Creates a clock.
 * @param start ISO instant at which it starts, running at normal speed; null for the real time.
 */
export function createClock(start: string | null): Clock {
  if (start === null) return Date.now;
  const offset_ms = Temporal.Instant.from(start).epochMilliseconds - Date.now();
  return () => Date.now() + offset_ms;
}
