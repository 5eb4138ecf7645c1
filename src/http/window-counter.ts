// Counting by windows of time, in bounded room: each caller's window begins with its first request, and who
// was not seen for longest is forgotten first.
import { LRUCache } from 'lru-cache';

/** How often a caller came in its window, with this time, and how much of the window is left. */
export interface Counted {
  readonly count: number;
  readonly left_ms: number;
}

/** Counts one more. `at_ms` is of a clock that never jumps. */
export type CountWindow = (caller: string, at_ms?: number) => Counted;

/** Callers that are held; some 15 MB. */
const MOST_CALLERS = 100_000;

/** A counter with windows of `window_ms`. */
export function createWindowCounter(window_ms: number, most = MOST_CALLERS): CountWindow {
  const windows = new LRUCache<string, { count: number; readonly ends_ms: number }>({ max: most });
  return (caller, at_ms = performance.now()) => {
    let window = windows.get(caller);
    if (window === undefined || window.ends_ms <= at_ms) {
      window = { count: 0, ends_ms: at_ms + window_ms };
      windows.set(caller, window);
    }
    window.count++;
    return { count: window.count, left_ms: window.ends_ms - at_ms };
  };
}
