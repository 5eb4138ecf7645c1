// The day in Cancún at an instant, worked out once a day: calendars cost a good part of a
// millisecond, requests are many.
import { startOfDayMs, toCancunDay } from './cancun-time.ts';
import { toWeekend } from './filters/range.ts';

export interface Today {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly tomorrow: string;
  /** First day of this weekend: Friday, or today where it has begun. */
  readonly weekend: string;
  /** Epoch ms at which the day begins, and at which the next one does. */
  readonly start_ms: number;
  readonly end_ms: number;
}

let known: Today | null = null;

/** What "today" means at `now_ms`. Pure, though it keeps its last answer. */
export function findToday(now_ms: number): Today {
  if (known === null || now_ms < known.start_ms || now_ms >= known.end_ms) known = workOut(now_ms);
  return known;
}

function workOut(now_ms: number): Today {
  const day = toCancunDay(now_ms);
  const tomorrow = day.add({ days: 1 });
  return {
    day: day.toString(),
    tomorrow: tomorrow.toString(),
    weekend: toWeekend(day).from.toString(),
    start_ms: startOfDayMs(day),
    end_ms: startOfDayMs(tomorrow),
  };
}
