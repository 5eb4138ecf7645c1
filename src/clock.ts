// The one clock: the only caller of Date.now (contract 2.2).
import { Temporal } from 'temporal-polyfill';

/** What the machine's clock says: for what a library writes by it. */
export const systemNowMs = (): number => Date.now();

/** Gives the current epoch milliseconds. */
export type Clock = () => number;

/**
 * A clock that shows the real time or, given an ISO instant, starts there and runs on at normal
 * speed.
 */
export function createClock(start: string | null): Clock {
  if (start === null) return Date.now;
  const offset_ms = Temporal.Instant.from(start).epochMilliseconds - Date.now();
  return () => Date.now() + offset_ms;
}
