// Local moments as the `when` of a content file.
import { parseDay } from '../domain/cancun-time.ts';
import type { When } from '../sources/content-schema.ts';

/** `2026-12-05T20:00`, the day alone where it lasts all day. */
interface Moments {
  readonly start: string;
  readonly end: string | null;
  readonly all_day: boolean;
  /** Further days with the same hours. */
  readonly dates: readonly string[];
}

const countDays = (from: string, to: string): number =>
  parseDay(to)?.since(parseDay(from) ?? to, { largestUnit: 'days' }).days ?? 0;

/** The rule that gives these days; how long it lasts is counted from the first. */
export function toWhen({ start, end, all_day, dates }: Moments): When {
  const [day, hour] = [start.slice(0, 10), start.slice(11)];
  const nights = end === null ? 0 : countDays(day, end.slice(0, 10));
  const when = { dates: [...new Set([day, ...dates])].sort(), days: 1, except: [] };
  if (all_day) return { ...when, days: nights + 1 };
  if (end === null) return { ...when, start: hour };
  // An end at or before the hour of the start is on the next day by itself (domain/occurrences).
  const end_hour = end.slice(11);
  return {
    ...when,
    start: hour,
    end: end_hour,
    days: Math.max(1, nights + (end_hour > hour ? 1 : 0)),
  };
}
