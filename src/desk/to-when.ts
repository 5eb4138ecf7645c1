// Local moments as the `when` of a content file.
import { parseDay } from '../domain/cancun-time.ts';
import type { When } from '../sources/content-schema.ts';

/** `2026-12-05T20:00`, the day alone where it lasts all day or nobody knows the hour. */
interface Moments {
  readonly start: string;
  readonly end: string | null;
  readonly all_day: boolean;
  readonly hour?: 'unknown';
  /** Further days with the same hours. */
  readonly dates: readonly string[];
}

const countDays = (from: string, to: string): number =>
  parseDay(to)?.since(parseDay(from) ?? to, { largestUnit: 'days' }).days ?? 0;

/** The rule that gives these days; how long it lasts is counted from the first. */
export function toWhen({ start, end, all_day, hour, dates }: Moments): When {
  const [day, time] = [start.slice(0, 10), start.slice(11)];
  const nights = end === null ? 0 : countDays(day, end.slice(0, 10));
  const when = { dates: [...new Set([day, ...dates])].sort(), days: 1, except: [] };
  if (hour === 'unknown') return { ...when, hour, days: nights + 1 };
  if (all_day) return { ...when, days: nights + 1 };
  if (end === null) return { ...when, start: time };
  // An end at or before the hour of the start is on the next day by itself (domain/occurrences).
  const end_time = end.slice(11);
  return {
    ...when,
    start: time,
    end: end_time,
    days: Math.max(1, nights + (end_time > time ? 1 : 0)),
  };
}
