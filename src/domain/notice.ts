// Notice: a warning or announcement for the town's visitors, such as a closed road. Defines its
// fields, computes its severity, and groups notices by day: today, tomorrow, in season, soon
// (contract 4.12, 5.10, 8.8).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { type DayRange, parseDay, startOfDayMs, toLocalDay, toDayNumber } from './local-time.ts';
import {
  describe,
  UrlSchema,
  internalField,
  serializedField,
  nullableOptional,
  type RecordOf,
  sameField,
  SOURCE_DATE_FIELDS,
  localTextField,
  TimestampSchema,
} from './fields.ts';
import { type Lang, LANGS, LocalTextSchema } from './lang.ts';

export const NOTICE_TYPES = [
  'weather',
  'traffic',
  'closure',
  'ecology',
  'health',
  'other',
] as const;
/** Most severe first. */
export const SEVERITIES = ['alert', 'warning', 'info'] as const;

export const NOTICE_FIELDS = {
  /** `no_`, ten characters and the local start day. */
  id: sameField(v.string()),
  type: sameField(v.picklist(NOTICE_TYPES)),
  /** Effective severity (computeNoticeStatus), which may be lower than the claimed one. */
  severity: sameField(v.picklist(SEVERITIES)),
  season: sameField(
    v.boolean(),
    describe(
      v.exactOptional(v.boolean()),
      'A season: shown in full in its first and last seven days.',
    ),
  ),
  inferred: sameField(
    v.boolean(),
    describe(
      v.exactOptional(v.boolean()),
      'Expected from earlier years, not announced for this one.',
    ),
  ),
  /** `confirm`: sentence for visitors, formatted from `inferred` and `evidence`. */
  confirm: serializedField(
    null,
    describe(nullableOptional(v.string()), 'The year an inferred notice is known from.'),
  ),
  /** Year that it is inferred from; null if not inferred or unknown. */
  evidence: internalField(v.nullable(v.object({ year: v.number(), was_last_year: v.boolean() }))),
  title: localTextField(v.string()),
  body: localTextField(describe(v.string(), 'Plain text.')),
  /** Original language of title and body, if only that one was written. */
  written_in: serializedField(
    v.optional(v.nullable(v.picklist(LANGS)), null),
    nullableOptional(v.picklist(LANGS)),
  ),
  /** Short name of a season for lists: `nortes`. */
  short: internalField(v.nullable(LocalTextSchema)),
  zone: sameField(v.nullable(v.string()), describe(nullableOptional(v.string()), 'Zone key.')),
  start_ms: internalField(v.number()),
  starts_at: serializedField(null, TimestampSchema),
  /** Exclusive; null until an editor closes it. */
  end_ms: internalField(v.nullable(v.number())),
  ends_at: serializedField(
    null,
    describe(nullableOptional(TimestampSchema), 'Exclusive; null until closed.'),
  ),
  source: sameField(v.nullable(v.string()), nullableOptional(v.string())),
  source_url: sameField(v.nullable(v.string()), nullableOptional(UrlSchema)),
  ...SOURCE_DATE_FIELDS,
  updated_at: internalField(v.string()),
} as const;

export interface NoticeRecord extends RecordOf<typeof NOTICE_FIELDS> {}

/** Returns the original language if it differs from the requested one. */
export const findOriginalLang = ({ written_in }: NoticeRecord, lang: Lang): Lang | null =>
  written_in === lang ? null : written_in;

/** Compares notices by severity, then newest first, then by id. */
export function compareNotices(a: NoticeRecord, b: NoticeRecord): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.start_ms - a.start_ms ||
    (a.id < b.id ? -1 : 1)
  );
}

/**
 * A bulletin of the previous year still confirms notices that begin this many days later, such as
 * in early January.
 */
const BULLETIN_DAYS = 31;

/** The parts of a notice in content/ from which its effective severity is computed. */
export interface ClaimedSeverity {
  readonly severity: NoticeRecord['severity'];
  readonly is_season: boolean;
  /** Its days recur by a yearly rule instead of being listed. */
  readonly is_yearly: boolean;
  /** Day of the official bulletin that confirms the notice, YYYY-MM-DD; null without one. */
  readonly bulletin: string | null;
  /** Publication day of its newest dated source, YYYY-MM-DD, if any. */
  readonly published: string | null;
}

type EffectiveStatus = Pick<NoticeRecord, 'severity' | 'inferred' | 'evidence'>;

/**
 * Computes the status of the notice that begins on `first_day`. Without a bulletin of its year, its
 * severity is `info`; it is inferred if its days come from a yearly rule and it has no source of
 * that year.
 * @param this_year The year of the release, for "last year".
 */
export function computeNoticeStatus(
  claim: ClaimedSeverity,
  first_day: Temporal.PlainDate,
  this_year: number,
): EffectiveStatus {
  const is_confirmed = isConfirmedBy(claim.bulletin, first_day);
  const severity = is_confirmed ? claim.severity : 'info';
  const newest_source_day = [claim.published, claim.bulletin]
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1);
  const source_year =
    newest_source_day === undefined ? null : Number(newest_source_day.slice(0, 4));
  const inferred =
    claim.is_yearly &&
    !claim.is_season &&
    !is_confirmed &&
    (source_year === null || source_year < first_day.year);
  const was_last_year = first_day.year === this_year && source_year === this_year - 1;
  return {
    severity,
    inferred,
    evidence: inferred && source_year !== null ? { year: source_year, was_last_year } : null,
  };
}

/** Returns true if the bulletin is of the year in which the notice begins, or shortly before it. */
function isConfirmedBy(bulletin: string | null, first_day: Temporal.PlainDate): boolean {
  const day = bulletin === null ? null : parseDay(bulletin);
  if (day === null) return false;
  const days_later = day.until(first_day).days;
  return day.year === first_day.year || (days_later >= 0 && days_later <= BULLETIN_DAYS);
}

/** A season is shown in full on this many days at its beginning and at its end. */
const FULL_DAYS = 7;
/** Days ahead of the board's day for which a notice counts as `soon`. */
const BOARD_DAYS = 30;

/** The notices of a day or of a range of days. */
export interface GroupedNotices {
  /** Shown in full: by severity, then newest first; seasons that begin or end come last. */
  readonly now: readonly NoticeRecord[];
  /** Seasons that neither begin nor end now. */
  readonly in_season: readonly NoticeRecord[];
}

const getFirstDay = ({ start_ms }: NoticeRecord): number => toDayNumber(toLocalDay(start_ms));

/** Returns true if the season begins or ends around these days. */
function isStartingOrEnding(season: NoticeRecord, { from, to }: DayRange): boolean {
  if (toDayNumber(from) < getFirstDay(season) + FULL_DAYS) return true;
  const { end_ms } = season;
  return end_ms !== null && toDayNumber(to) > toDayNumber(toLocalDay(end_ms - 1)) - FULL_DAYS;
}

/** Groups the notices that apply on the given days. */
export function groupNotices(notices: readonly NoticeRecord[], days: DayRange): GroupedNotices {
  const sorted = [...notices].sort(compareNotices);
  const seasons = sorted.filter(({ season }) => season);
  return {
    now: [
      ...sorted.filter(({ season }) => !season),
      ...seasons.filter((season) => isStartingOrEnding(season, days)),
    ],
    in_season: seasons.filter((season) => !isStartingOrEnding(season, days)),
  };
}

/** A notice counts as news for this many days after its start. */
const NEWS_DAYS = 7;

/** Tests whether a notice began within a week before a day. */
export const isRecentNotice = ({ start_ms }: NoticeRecord, day: Temporal.PlainDate): boolean =>
  start_ms >= startOfDayMs(day.subtract({ days: NEWS_DAYS }));

/** Tests whether a notice is news on a day: a warning, or recent information. */
export const isNoticeNews = (notice: NoticeRecord, day: Temporal.PlainDate): boolean =>
  notice.severity !== 'info' || isRecentNotice(notice, day);

/** Counts the notices of some days. Together they are all notices that touch these days. */
export function countNotices(notices: readonly NoticeRecord[], days: DayRange) {
  const { now, in_season } = groupNotices(notices, days);
  const news = now.filter((notice) => isNoticeNews(notice, days.from)).length;
  return { news, lasting: now.length - news, in_season: in_season.length };
}
export type NoticeCounts = ReturnType<typeof countNotices>;

/** All notices from a day on, as the notices page lists them. */
export interface NoticeBoard {
  readonly day: Temporal.PlainDate;
  /** `today` and `in_season`: as grouped by groupNotices. */
  readonly today: readonly NoticeRecord[];
  readonly in_season: readonly NoticeRecord[];
  /** Notices that begin tomorrow. */
  readonly tomorrow: readonly NoticeRecord[];
  /**
   * Notices that begin after tomorrow: `soon` within BOARD_DAYS, `later` after that; both by time.
   */
  readonly soon: readonly NoticeRecord[];
  readonly later: readonly NoticeRecord[];
}

/** Returns the id part shared by all notices of one file. */
const seriesId = ({ id }: NoticeRecord): string => id.slice(0, id.lastIndexOf('-'));

/**
 * Groups the notices from a day on. A recurring notice is one series, of which only the first
 * notice is listed.
 */
export function buildNoticeBoard(
  day: Temporal.PlainDate,
  notices: readonly NoticeRecord[],
): NoticeBoard {
  const today = toDayNumber(day);
  const { now, in_season } = groupNotices(
    notices.filter(
      (notice) =>
        getFirstDay(notice) <= today &&
        (notice.end_ms === null || toDayNumber(toLocalDay(notice.end_ms - 1)) >= today),
    ),
    { from: day, to: day },
  );
  const listed_series = new Set([...now, ...in_season].map(seriesId));
  const selectNew = (candidates: readonly NoticeRecord[]): readonly NoticeRecord[] =>
    candidates.filter((notice) => {
      const is_new = !listed_series.has(seriesId(notice));
      listed_series.add(seriesId(notice));
      return is_new;
    });
  const later_notices = notices.filter((notice) => getFirstDay(notice) > today);
  const last_soon_day = today + BOARD_DAYS;
  const next_day = { from: day.add({ days: 1 }), to: day.add({ days: 1 }) };
  return {
    day,
    today: now,
    in_season,
    tomorrow: selectNew(
      groupNotices(
        later_notices.filter((notice) => getFirstDay(notice) === today + 1),
        next_day,
      ).now,
    ),
    soon: selectNew(
      sortByTime(later_notices.filter((notice) => getFirstDay(notice) <= last_soon_day)),
    ),
    later: selectNew(
      sortByTime(later_notices.filter((notice) => getFirstDay(notice) > last_soon_day)),
    ),
  };
}

const sortByTime = (notices: readonly NoticeRecord[]): readonly NoticeRecord[] =>
  notices.toSorted((a, b) => getFirstDay(a) - getFirstDay(b) || compareNotices(a, b));
