// Which notices people are told in full and which seasons in one line, and the board of a day:
// today, tomorrow, in season, soon (contract 5.11, 8.9).
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay, toDayNumber, type DayRange } from './cancun-time.ts';
import { compareNotices, type NoticeRecord } from './notice.ts';

/** A season is told in full on so many days at its beginning and at its end. */
const FULL_DAYS = 7;
export const BOARD_DAYS = 30;

export interface NoticeSplit {
  /** In full: alert, warning, info, then newest; seasons that begin or end come after. */
  readonly now: readonly NoticeRecord[];
  /** Seasons in their middle. */
  readonly in_season: readonly NoticeRecord[];
}

const toFirstDay = ({ start_ms }: NoticeRecord): number => toDayNumber(toCancunDay(start_ms));

/** Whether a season begins or ends around these days. */
function isTurning(season: NoticeRecord, { from, to }: DayRange): boolean {
  if (toDayNumber(from) < toFirstDay(season) + FULL_DAYS) return true;
  const { end_ms } = season;
  return end_ms !== null && toDayNumber(to) > toDayNumber(toCancunDay(end_ms - 1)) - FULL_DAYS;
}

export function splitNotices(notices: readonly NoticeRecord[], days: DayRange): NoticeSplit {
  const sorted = [...notices].sort(compareNotices);
  const seasons = sorted.filter(({ season }) => season);
  return {
    now: [
      ...sorted.filter(({ season }) => !season),
      ...seasons.filter((season) => isTurning(season, days)),
    ],
    in_season: seasons.filter((season) => !isTurning(season, days)),
  };
}

export interface NoticeBoard {
  readonly day: Temporal.PlainDate;
  /** As `now` and `in_season` of a split. */
  readonly today: readonly NoticeRecord[];
  readonly in_season: readonly NoticeRecord[];
  /** What begins tomorrow. */
  readonly tomorrow: readonly NoticeRecord[];
  /** What begins after tomorrow and within BOARD_DAYS, in order of time. */
  readonly soon: readonly NoticeRecord[];
}

/** What all notices of one file have in common. */
const toSeries = ({ id }: NoticeRecord): string => id.slice(0, id.lastIndexOf('-'));

/**
 * The board of a day from all notices that touch the days from it to BOARD_DAYS later. What comes
 * round several times is told once.
 */
export function toNoticeBoard(
  day: Temporal.PlainDate,
  notices: readonly NoticeRecord[],
): NoticeBoard {
  const today = toDayNumber(day);
  const { now, in_season } = splitNotices(
    notices.filter(
      (notice) =>
        toFirstDay(notice) <= today &&
        (notice.end_ms === null || toDayNumber(toCancunDay(notice.end_ms - 1)) >= today),
    ),
    { from: day, to: day },
  );
  const told = new Set([...now, ...in_season].map(toSeries));
  const takeNew = (some: readonly NoticeRecord[]): readonly NoticeRecord[] =>
    some.filter((notice) => {
      const is_new = !told.has(toSeries(notice));
      told.add(toSeries(notice));
      return is_new;
    });
  const ahead = notices.filter((notice) => toFirstDay(notice) > today);
  const next_day = { from: day.add({ days: 1 }), to: day.add({ days: 1 }) };
  return {
    day,
    today: now,
    in_season,
    tomorrow: takeNew(
      splitNotices(
        ahead.filter((notice) => toFirstDay(notice) === today + 1),
        next_day,
      ).now,
    ),
    soon: takeNew(
      ahead
        .filter(
          (notice) => toFirstDay(notice) > today + 1 && toFirstDay(notice) <= today + BOARD_DAYS,
        )
        .sort((a, b) => toFirstDay(a) - toFirstDay(b) || compareNotices(a, b)),
    ),
  };
}
