// Day facts: computes the facts of a day that do not depend on events: sky, holidays, the next
// feast, and seasons that begin or end; and adds links to pages with conditions that change by the
// hour, such as the weather (contract 6.6).
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

/**
 * The season of one year, such as the hurricane season; days as YYYY-MM-DD. Stored in the snapshot.
 */
const SeasonRecordSchema = v.object({
  /** Id of the notice that describes the season. */
  notice: v.string(),
  /** For the middle of a sentence: `la temporada de huracanes`, `hurricane season`. */
  name: LocalTextSchema,
  first: v.string(),
  last: v.string(),
  /** True if sources name these exact days; otherwise the season starts and ends around them. */
  is_fixed: v.boolean(),
});
export type SeasonRecord = Readonly<v.InferOutput<typeof SeasonRecordSchema>>;

/** Days for which the start or end of a season is shown: the day itself and the six before it. */
const BOUNDARY_DAYS = 7;

export const SEASON_CHANGES = ['starts', 'ends'] as const;

/** A season that begins or ends on a day or within a week after it. */
export interface SeasonBoundary {
  readonly season: SeasonRecord;
  readonly change: (typeof SEASON_CHANGES)[number];
  readonly day: Temporal.PlainDate;
  /** Days from the requested day to it; 0 to 6. */
  readonly days_to_go: number;
}

function listSeasonBoundaries(
  seasons: readonly SeasonRecord[],
  day: Temporal.PlainDate,
): readonly SeasonBoundary[] {
  return seasons
    .flatMap((season) =>
      SEASON_CHANGES.map((change): SeasonBoundary => {
        const boundary = Temporal.PlainDate.from(change === 'starts' ? season.first : season.last);
        return { season, change, day: boundary, days_to_go: day.until(boundary).days };
      }),
    )
    .filter(({ days_to_go }) => days_to_go >= 0 && days_to_go < BOUNDARY_DAYS)
    .sort((a, b) => a.days_to_go - b.days_to_go || (a.season.notice < b.season.notice ? -1 : 1));
}

/**
 * Conditions that this site never computes or guesses; it links to a page that has them. `flags`:
 * bathing flags.
 */
export const DAY_LINK_TOPICS = ['sargassum', 'flags', 'tides', 'ferries', 'weather'] as const;

/**
 * A page with the current conditions. `checked`: the day on which an editor last opened it,
 * YYYY-MM-DD.
 */
const DayLinkRecordSchema = v.object({
  topic: v.picklist(DAY_LINK_TOPICS),
  name: LocalTextSchema,
  source: v.string(),
  url: v.string(),
  checked: v.string(),
  search_words: v.array(v.string()),
});
export type DayLinkRecord = Readonly<v.InferOutput<typeof DayLinkRecordSchema>>;

/** Stored in the snapshot. */
export const CalendarRecordSchema = v.object({
  holidays: v.array(HolidayRecordSchema),
  links: v.array(DayLinkRecordSchema),
  seasons: v.array(SeasonRecordSchema),
  festivities: v.array(FestivityRecordSchema),
});

/**
 * Holidays, festivities and links in the order of content/calendar.yml; seasons from the notices.
 */
export interface CalendarRecord {
  readonly holidays: readonly v.InferOutput<typeof HolidayRecordSchema>[];
  readonly links: readonly DayLinkRecord[];
  readonly seasons: readonly SeasonRecord[];
  readonly festivities: readonly FestivityRecord[];
}

/** The next feast after a day. */
export interface NextHoliday {
  readonly holiday: HolidayRecord;
  readonly day: Temporal.PlainDate;
  readonly days_to_go: number;
}

export interface DayFacts {
  readonly day: Temporal.PlainDate;
  /** Times are whole minutes, so that every surface shows the same. */
  readonly sky: Sky;
  readonly holidays: readonly HolidayRecord[];
  /**
   * The next holiday with a countdown (`feast`); null if there is none in this year or the next.
   */
  readonly next_feast: NextHoliday | null;
  readonly seasons: readonly SeasonBoundary[];
  readonly links: readonly DayLinkRecord[];
}

/** Years for which holidays and the Earth's rotation can be computed. */
export const COMPUTABLE_YEARS = { first: 2016, last: 2199 } as const;

export const isComputableDay = ({ year }: Temporal.PlainDate): boolean =>
  year >= COMPUTABLE_YEARS.first && year <= COMPUTABLE_YEARS.last;

/** Cached days per calendar; a day takes some milliseconds to compute. */
const MAX_CACHED_DAYS = 400;
const CACHES = new WeakMap<CalendarRecord, Map<string, DayFacts>>();

/** Computes the facts of a day within COMPUTABLE_YEARS. Cached per calendar. */
export function computeDayFacts(day: Temporal.PlainDate, calendar: CalendarRecord): DayFacts {
  const cache = CACHES.get(calendar) ?? new Map<string, DayFacts>();
  CACHES.set(calendar, cache);
  const cached = cache.get(day.toString());
  if (cached) return cached;
  if (cache.size >= MAX_CACHED_DAYS) cache.clear();
  const facts = buildDayFacts(day, calendar);
  cache.set(day.toString(), facts);
  return facts;
}

/**
 * Computes the facts of an agenda's day.
 * @returns null if the agenda covers several days, or a day outside COMPUTABLE_YEARS.
 */
export const computeAgendaDayFacts = (
  kind: AgendaPageKind,
  day: Temporal.PlainDate,
  calendar: CalendarRecord,
): DayFacts | null =>
  isSingleDay(kind) && isComputableDay(day) ? computeDayFacts(day, calendar) : null;

function buildDayFacts(
  day: Temporal.PlainDate,
  { holidays, links, seasons }: CalendarRecord,
): DayFacts {
  const feasts = holidays.filter(({ feast }) => feast);
  const next_feast = findNextHoliday(feasts, day);
  return {
    day,
    sky: roundToMinutes(computeSky(day)),
    holidays: listHolidaysOn(holidays, day),
    next_feast: next_feast && {
      ...next_feast,
      days_to_go: day.until(next_feast.day, { largestUnit: 'days' }).days,
    },
    seasons: listSeasonBoundaries(seasons, day),
    links,
  };
}

const roundToMinute = <T extends number | null>(epoch_ms: T): number | T =>
  epoch_ms === null ? epoch_ms : Math.round(epoch_ms / 60_000) * 60_000;

const roundToMinutes = (sky: Sky): Sky => ({
  ...sky,
  sunrise_ms: roundToMinute(sky.sunrise_ms),
  sunset_ms: roundToMinute(sky.sunset_ms),
  civil_dusk_ms: roundToMinute(sky.civil_dusk_ms),
  moonrise_ms: roundToMinute(sky.moonrise_ms),
  moonset_ms: roundToMinute(sky.moonset_ms),
  next_full_moon_ms: roundToMinute(sky.next_full_moon_ms),
  next_new_moon_ms: roundToMinute(sky.next_new_moon_ms),
});
