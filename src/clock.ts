// The one clock: the only caller of Temporal.Now (contract 2.2).
import { Temporal } from 'temporal-polyfill';

/** Gives the current epoch milliseconds. */
export type Clock = () => number;

/**
 * A clock that shows the real time or, given an ISO instant, starts there and runs on at normal
 * speed.
 */
export function startClock(start: string | null): Clock {
  const real_ms = (): number => Temporal.Now.instant().epochMilliseconds;
  if (start === null) return real_ms;
  const offset_ms = Temporal.Instant.from(start).epochMilliseconds - real_ms();
  return () => real_ms() + offset_ms;
}
