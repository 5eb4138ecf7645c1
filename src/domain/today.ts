// The day in Cancún at an instant, worked out once a day: calendars cost a good part of a
// millisecond, requests are many.
import { startOfDayMs, toCancunDay } from './cancun-time.ts';

export interface Today {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Epoch ms at which the day begins, and at which the next one does. */
  readonly start_ms: number;
  readonly end_ms: number;
}

let cached: Today | null = null;

/** What "today" means at `now_ms`. Pure, though its last result is cached. */
export function findToday(now_ms: number): Today {
  if (cached === null || now_ms < cached.start_ms || now_ms >= cached.end_ms)
    cached = workOut(now_ms);
  return cached;
}

/** Whole seconds until the next midnight in Cancún; 0 in the last one. */
export function toSecondsToMidnight(now_ms: number): number {
  return Math.floor((findToday(now_ms).end_ms - now_ms) / 1000);
}

function workOut(now_ms: number): Today {
  const day = toCancunDay(now_ms);
  return {
    day: day.toString(),
    start_ms: startOfDayMs(day),
    end_ms: startOfDayMs(day.add({ days: 1 })),
  };
}
