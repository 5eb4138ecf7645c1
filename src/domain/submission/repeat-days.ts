// A simple repetition as days: what a form offers instead of a recurrence rule (decisions,
// Submissions 1).
import type { Temporal } from 'temporal-polyfill';

/** How often; `monthly` is the same day of the month, left out in months that do not have it. */
export const REPEATS = ['daily', 'weekly', 'biweekly', 'monthly'] as const;
export type Repeat = (typeof REPEATS)[number];

const STEP = {
  daily: { days: 1 },
  weekly: { weeks: 1 },
  biweekly: { weeks: 2 },
  monthly: { months: 1 },
} as const;

/**
 * The days after `first` up to `until`, inclusive, in order; at most one more than `limit`, so that
 * too many are seen.
 */
export function listRepeatDays(
  first: Temporal.PlainDate,
  repeat: Repeat,
  until: Temporal.PlainDate,
  limit: number,
): string[] {
  const days: string[] = [];
  for (let count = 1; days.length <= limit; count += 1) {
    const step = STEP[repeat];
    // Counted from the first day, so that the 31st stays the 31st.
    const day = first.add(
      'months' in step
        ? { months: count }
        : 'weeks' in step
          ? { weeks: step.weeks * count }
          : { days: count },
    );
    const next = day.toString();
    if (next > until.toString()) break;
    if (repeat !== 'monthly' || day.day === first.day) days.push(next);
  }
  return days;
}
