// What is known of a day before anything takes place on it: the sky, the holidays, the next feast,
// the seasons, and where to look for the rest (contract 6.6).
import type { Temporal } from 'temporal-polyfill';
import { type AgendaKind, isOneDay } from '../agenda-words.ts';
import type { CalendarRecord, DayLinkRecord } from './calendar.ts';
import { findNextHoliday, type HolidayRecord, listHolidaysOf } from './holidays.ts';
import { listSeasonTurns, type SeasonTurn } from './seasons.ts';
import { type Sky, toSky } from './sky.ts';

export interface NextFeast {
  readonly holiday: HolidayRecord;
  readonly day: Temporal.PlainDate;
  /** From the day that is asked about; 1 or more. */
  readonly days_to_go: number;
}

export interface DayFacts {
  readonly day: Temporal.PlainDate;
  /** Its moments are whole minutes, so that every surface rounds alike. */
  readonly sky: Sky;
  readonly holidays: readonly HolidayRecord[];
  /** Null where the calendar has none within two years. */
  readonly next_feast: NextFeast | null;
  /** What begins or ends around the day. */
  readonly seasons: readonly SeasonTurn[];
  readonly links: readonly DayLinkRecord[];
}

/**
 * The years whose days are computed: since Cancún's clock is UTC−5, and as long as calendars and the
 * earth's turning can be told ahead.
 */
export const DAY_YEARS = { first: 2016, last: 2199 } as const;

export const isComputed = ({ year }: Temporal.PlainDate): boolean =>
  year >= DAY_YEARS.first && year <= DAY_YEARS.last;

/** Days remembered for each calendar; a day takes some milliseconds to compute. */
const MAX_REMEMBERED = 400;
const REMEMBERED = new WeakMap<CalendarRecord, Map<string, DayFacts>>();

/** The facts of a day. Holidays and links are those of the calendar. */
export function toDayFacts(day: Temporal.PlainDate, calendar: CalendarRecord): DayFacts {
  const cached = REMEMBERED.get(calendar) ?? new Map<string, DayFacts>();
  REMEMBERED.set(calendar, cached);
  const known = cached.get(day.toString());
  if (known) return known;
  if (cached.size >= MAX_REMEMBERED) cached.clear();
  const made = makeDayFacts(day, calendar);
  cached.set(day.toString(), made);
  return made;
}

/** The facts of the day that an agenda is about; null where it is about several, or long past. */
export const toAgendaFacts = (
  kind: AgendaKind,
  day: Temporal.PlainDate,
  calendar: CalendarRecord,
): DayFacts | null => (isOneDay(kind) && isComputed(day) ? toDayFacts(day, calendar) : null);

function makeDayFacts(
  day: Temporal.PlainDate,
  { holidays, links, seasons }: CalendarRecord,
): DayFacts {
  const feasts = holidays.filter(({ feast }) => feast);
  const next = findNextHoliday(feasts, day);
  return {
    day,
    sky: roundMoments(toSky(day)),
    holidays: listHolidaysOf(holidays, day),
    next_feast: next && { ...next, days_to_go: day.until(next.day, { largestUnit: 'days' }).days },
    seasons: listSeasonTurns(seasons, day),
    links,
  };
}

const roundToMinute = (epoch_ms: number | null): number | null =>
  epoch_ms === null ? null : Math.round(epoch_ms / 60_000) * 60_000;

const roundMoments = (sky: Sky): Sky => ({
  ...sky,
  sunrise_ms: roundToMinute(sky.sunrise_ms),
  sunset_ms: roundToMinute(sky.sunset_ms),
  civil_dusk_ms: roundToMinute(sky.civil_dusk_ms),
  moonrise_ms: roundToMinute(sky.moonrise_ms),
  moonset_ms: roundToMinute(sky.moonset_ms),
});
