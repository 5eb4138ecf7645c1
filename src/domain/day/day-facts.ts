// What is known of a day before anything takes place on it: the sky, the holidays, the next feast,
// the seasons, and where to look for what changes by the hour (contract 6.6).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { type AgendaPageKind, isSingleDay } from '../date-keywords.ts';
import { LocalTextSchema } from '../lang.ts';
import {
  type FestivityRecord,
  FestivityRecordSchema,
  findNextHoliday,
  type HolidayRecord,
  HolidayRecordSchema,
  listHolidaysOn,
} from './holidays.ts';
import { type Sky, computeSky } from './sky.ts';

/** As the snapshot holds it: one year's season. */
const SeasonRecordSchema = v.object({
  notice: v.string(),
  /** In the middle of a sentence: `la temporada de huracanes`, `hurricane season`. */
  name: LocalTextSchema,
  first: v.string(),
  last: v.string(),
  /** Whether sources carry these very days; otherwise it begins and ends around them. */
  is_fixed: v.boolean(),
});
export type SeasonRecord = Readonly<v.InferOutput<typeof SeasonRecordSchema>>;

/** The last seven days of a season, and the seven up to its first: the day itself is one of them. */
const TURN_DAYS = 7;

export const SEASON_CHANGES = ['starts', 'ends'] as const;

/** A season that begins or ends on a day or within a week after it. */
export interface SeasonBoundary {
  readonly season: SeasonRecord;
  readonly change: (typeof SEASON_CHANGES)[number];
  readonly day: Temporal.PlainDate;
  /** From the day that is asked about; 0 to 6. */
  readonly days_to_go: number;
}

function listSeasonTurns(
  seasons: readonly SeasonRecord[],
  day: Temporal.PlainDate,
): readonly SeasonBoundary[] {
  return seasons
    .flatMap((season) =>
      SEASON_CHANGES.map((change): SeasonBoundary => {
        const turn = Temporal.PlainDate.from(change === 'starts' ? season.first : season.last);
        return { season, change, day: turn, days_to_go: day.until(turn).days };
      }),
    )
    .filter(({ days_to_go }) => days_to_go >= 0 && days_to_go < TURN_DAYS)
    .sort((a, b) => a.days_to_go - b.days_to_go || (a.season.notice < b.season.notice ? -1 : 1));
}

/** What is never computed or guessed here: a reader is sent to its source. */
export const DAY_LINK_TOPICS = ['sargassum', 'flags', 'tides', 'ferries', 'weather'] as const;

/** A page that says how it is now, and the day somebody last opened it. */
const DayLinkRecordSchema = v.object({
  topic: v.picklist(DAY_LINK_TOPICS),
  name: LocalTextSchema,
  source: v.string(),
  url: v.string(),
  checked: v.string(),
  search_words: v.array(v.string()),
});
export type DayLinkRecord = Readonly<v.InferOutput<typeof DayLinkRecordSchema>>;

/** As the snapshot holds it. */
export const CalendarRecordSchema = v.object({
  holidays: v.array(HolidayRecordSchema),
  links: v.array(DayLinkRecordSchema),
  seasons: v.array(SeasonRecordSchema),
  festivities: v.array(FestivityRecordSchema),
});

/** Holidays, festivities and links in the order of content/calendar.yml; seasons from the notices. */
export interface CalendarRecord {
  readonly holidays: readonly v.InferOutput<typeof HolidayRecordSchema>[];
  readonly links: readonly DayLinkRecord[];
  readonly seasons: readonly SeasonRecord[];
  readonly festivities: readonly FestivityRecord[];
}

export interface NextHoliday {
  readonly holiday: HolidayRecord;
  readonly day: Temporal.PlainDate;
  readonly days_to_go: number;
}

export interface DayFacts {
  readonly day: Temporal.PlainDate;
  /** Its moments are whole minutes, so that every surface rounds alike. */
  readonly sky: Sky;
  readonly holidays: readonly HolidayRecord[];
  /** Null where the calendar has none within two years. */
  readonly next_feast: NextHoliday | null;
  readonly seasons: readonly SeasonBoundary[];
  readonly links: readonly DayLinkRecord[];
}

/** As long as calendars and the earth's turning are known. */
export const COMPUTABLE_YEARS = { first: 2016, last: 2199 } as const;

export const isComputableDay = ({ year }: Temporal.PlainDate): boolean =>
  year >= COMPUTABLE_YEARS.first && year <= COMPUTABLE_YEARS.last;

/** Days remembered for each calendar; a day takes some milliseconds to compute. */
const MAX_REMEMBERED = 400;
const REMEMBERED = new WeakMap<CalendarRecord, Map<string, DayFacts>>();

export function computeDayFacts(day: Temporal.PlainDate, calendar: CalendarRecord): DayFacts {
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
export const computeAgendaDayFacts = (
  kind: AgendaPageKind,
  day: Temporal.PlainDate,
  calendar: CalendarRecord,
): DayFacts | null =>
  isSingleDay(kind) && isComputableDay(day) ? computeDayFacts(day, calendar) : null;

function makeDayFacts(
  day: Temporal.PlainDate,
  { holidays, links, seasons }: CalendarRecord,
): DayFacts {
  const feasts = holidays.filter(({ feast }) => feast);
  const next = findNextHoliday(feasts, day);
  return {
    day,
    sky: roundMoments(computeSky(day)),
    holidays: listHolidaysOn(holidays, day),
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
