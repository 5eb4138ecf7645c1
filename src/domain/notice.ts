// What a notice is: its fields, each once, how grave it counts, and the board of a day: today,
// tomorrow, in season, soon (contract 4.12, 5.10, 8.8).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { type DayRange, parseDay, toLocalDay, toDayNumber } from './local-time.ts';
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
  /** What it counts as (notice-standing.ts), which may be less than what its file says. */
  severity: sameField(v.picklist(SEVERITIES)),
  season: sameField(
    v.boolean(),
    describe(
      v.exactOptional(v.boolean()),
      'A season: people are told of it in full in its first and last seven days, in one line between.',
    ),
  ),
  inferred: sameField(
    v.boolean(),
    describe(
      v.exactOptional(v.boolean()),
      'Known from earlier years; nobody has announced it for this one.',
    ),
  ),
  /** The sentence for readers; made of `inferred` and `evidence`. */
  confirm: serializedField(
    null,
    describe(
      nullableOptional(v.string()),
      'Of which year an inferred notice is known, in the requested language.',
    ),
  ),
  /** What it is inferred from; null where it is not, or where nobody knows the year. */
  evidence: internalField(v.nullable(v.object({ year: v.number(), was_last_year: v.boolean() }))),
  title: localTextField(v.string()),
  body: localTextField(describe(v.string(), 'Plain text.')),
  /** Of title and body, where nobody has written the other. */
  written_in: serializedField(
    v.optional(v.nullable(v.picklist(LANGS)), null),
    nullableOptional(v.picklist(LANGS)),
  ),
  /** What the season is called in a line of them: `nortes`. */
  short: internalField(v.nullable(LocalTextSchema)),
  zone: sameField(
    v.nullable(v.string()),
    describe(nullableOptional(v.string()), 'The key of the zone.'),
  ),
  start_ms: internalField(v.number()),
  starts_at: serializedField(null, TimestampSchema),
  /** Exclusive; null until an editor closes it. */
  end_ms: internalField(v.nullable(v.number())),
  ends_at: serializedField(
    null,
    describe(
      nullableOptional(TimestampSchema),
      'Exclusive; null until an editor closes the notice.',
    ),
  ),
  source: sameField(v.nullable(v.string()), nullableOptional(v.string())),
  source_url: sameField(v.nullable(v.string()), nullableOptional(UrlSchema)),
  ...SOURCE_DATE_FIELDS,
  updated_at: internalField(v.string()),
} as const;

export interface NoticeRecord extends RecordOf<typeof NOTICE_FIELDS> {}

/** The language of what it says; null where that is the one asked for. */
export const findOriginalLang = ({ written_in }: NoticeRecord, lang: Lang): Lang | null =>
  written_in === lang ? null : written_in;

/** Alert, warning, info; then newest; then by id. */
export function compareNotices(a: NoticeRecord, b: NoticeRecord): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.start_ms - a.start_ms ||
    (a.id < b.id ? -1 : 1)
  );
}

/** A bulletin of December also speaks for the first days of January. */
const BULLETIN_DAYS = 31;

export interface ClaimedSeverity {
  readonly severity: NoticeRecord['severity'];
  readonly is_season: boolean;
  /** Its days come round each year by a rule; nobody has listed them. */
  readonly is_yearly: boolean;
  readonly bulletin: string | null;
  /** The day on which its newest source was published; null where no source says. */
  readonly published: string | null;
}

type NoticeStanding = Pick<NoticeRecord, 'severity' | 'inferred' | 'evidence'>;

/**
 * The standing of the notice that begins on `first`. Without a bulletin of its year it is `info`
 * whatever was claimed, and inferred where its days come from a yearly rule and no source of that
 * year supports it. `this_year`: the year of the release, for "last year".
 */
export function computeNoticeStatus(
  claim: ClaimedSeverity,
  first: Temporal.PlainDate,
  this_year: number,
): NoticeStanding {
  const is_confirmed = isConfirmed(claim.bulletin, first);
  const severity = is_confirmed ? claim.severity : 'info';
  const newest = [claim.published, claim.bulletin]
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1);
  const year = newest === undefined ? null : Number(newest.slice(0, 4));
  const inferred =
    claim.is_yearly && !claim.is_season && !is_confirmed && (year === null || year < first.year);
  const was_last_year = first.year === this_year && year === this_year - 1;
  return {
    severity,
    inferred,
    evidence: inferred && year !== null ? { year, was_last_year } : null,
  };
}

function isConfirmed(bulletin: string | null, first: Temporal.PlainDate): boolean {
  const day = bulletin === null ? null : parseDay(bulletin);
  if (day === null) return false;
  const days_later = day.until(first).days;
  return day.year === first.year || (days_later >= 0 && days_later <= BULLETIN_DAYS);
}

/** A season is told in full on so many days at its beginning and at its end. */
const FULL_DAYS = 7;
const BOARD_DAYS = 30;

export interface GroupedNotices {
  /** In full: alert, warning, info, then newest; seasons that begin or end come after. */
  readonly now: readonly NoticeRecord[];
  /** Seasons in their middle. */
  readonly in_season: readonly NoticeRecord[];
}

const toFirstDay = ({ start_ms }: NoticeRecord): number => toDayNumber(toLocalDay(start_ms));

/** Whether a season begins or ends around these days. */
function isTurning(season: NoticeRecord, { from, to }: DayRange): boolean {
  if (toDayNumber(from) < toFirstDay(season) + FULL_DAYS) return true;
  const { end_ms } = season;
  return end_ms !== null && toDayNumber(to) > toDayNumber(toLocalDay(end_ms - 1)) - FULL_DAYS;
}

export function groupNotices(notices: readonly NoticeRecord[], days: DayRange): GroupedNotices {
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
  readonly tomorrow: readonly NoticeRecord[];
  /** What begins after tomorrow and within BOARD_DAYS, then what comes later, both in order of time. */
  readonly soon: readonly NoticeRecord[];
  readonly later: readonly NoticeRecord[];
}

/** What all notices of one file have in common. */
const toSeries = ({ id }: NoticeRecord): string => id.slice(0, id.lastIndexOf('-'));

/** From all notices of the days from it on; what comes round is told once. */
export function buildNoticeBoard(
  day: Temporal.PlainDate,
  notices: readonly NoticeRecord[],
): NoticeBoard {
  const today = toDayNumber(day);
  const { now, in_season } = groupNotices(
    notices.filter(
      (notice) =>
        toFirstDay(notice) <= today &&
        (notice.end_ms === null || toDayNumber(toLocalDay(notice.end_ms - 1)) >= today),
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
  const last = today + BOARD_DAYS;
  const next_day = { from: day.add({ days: 1 }), to: day.add({ days: 1 }) };
  return {
    day,
    today: now,
    in_season,
    tomorrow: takeNew(
      groupNotices(
        ahead.filter((notice) => toFirstDay(notice) === today + 1),
        next_day,
      ).now,
    ),
    soon: takeNew(inOrder(ahead.filter((notice) => toFirstDay(notice) <= last))),
    later: takeNew(inOrder(ahead.filter((notice) => toFirstDay(notice) > last))),
  };
}

const inOrder = (notices: readonly NoticeRecord[]): readonly NoticeRecord[] =>
  notices.toSorted((a, b) => toFirstDay(a) - toFirstDay(b) || compareNotices(a, b));
