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

/** Moments, and the hours of those further days that have their own. */
interface Times extends Moments {
  readonly hours?:
    | readonly { readonly date: string; readonly start: string; readonly end: string | null }[]
    | undefined;
}

/** The rules that give these days: one for the hours of the first, one for each other pair of hours. */
export function listWhens({ hours = [], ...first }: Times): When[] {
  const own = new Set(hours.map(({ date }) => date));
  const pairs = [...new Set(hours.map(({ start, end }) => `${start}/${end ?? ''}`))];
  return [
    toWhen({ ...first, dates: first.dates.filter((day) => !own.has(day)) }),
    ...pairs.flatMap((pair): When[] => {
      const [from = '', until = ''] = pair.split('/');
      const [day, ...dates] = hours
        .filter(({ start, end }) => start === from && (end ?? '') === until)
        .map(({ date }) => date);
      if (day === undefined) return [];
      const end = until === '' ? null : `${day}T${until}`;
      return [toWhen({ start: `${day}T${from}`, end, all_day: false, dates })];
    }),
  ];
}

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
