// Day serialization: converts the facts of a day (sun and moon, holidays, next feast, seasons,
// links) and notices to public JSON (contract 4.15, 4.12). A season is a recurring period with a
// notice, such as the hurricane season; an open place is a venue that is worth a visit without an
// event.
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import { formatTimestamp } from '../../domain/local-time.ts';
import { DAY_LINK_TOPICS, type DayFacts, SEASON_CHANGES } from '../../domain/day/day-facts.ts';
import { HOLIDAY_CLOSES, HOLIDAY_KINDS } from '../../domain/day/holidays.ts';
import { ALL_DAY_POSITIONS, MOON_PHASES, type Sky, UV_BANDS } from '../../domain/day/sky.ts';
import {
  describe,
  UrlSchema,
  CountSchema,
  DaySchema,
  nullableOptional,
  TimestampSchema,
  serializeRecord,
  wireEntries,
} from '../../domain/fields.ts';
import type { Lang } from '../../domain/lang.ts';
import { findOriginalLang, NOTICE_FIELDS, type NoticeRecord } from '../../domain/notice.ts';
import { formatDayLines, formatInferredNotice } from '../../i18n/format-day.ts';
import { PublicOpenPlaceSchema } from './venues.ts';

const AllDaySchema = nullableOptional(v.picklist(ALL_DAY_POSITIONS));
const OptionalTimestampSchema = nullableOptional(TimestampSchema);

/** Times of sun and moon on the day; null if the event does not happen on it. */
const SkySchema = v.strictObject({
  sunrise: OptionalTimestampSchema,
  sunset: OptionalTimestampSchema,
  sun_all_day: describe(AllDaySchema, 'Midnight sun or polar night; null if it rises or sets.'),
  civil_dusk: describe(OptionalTimestampSchema, 'Sun six degrees below the horizon.'),
  moon_phase: v.picklist(MOON_PHASES),
  moon_lit_percent: describe(CountSchema, 'At noon.'),
  moonrise: OptionalTimestampSchema,
  moonset: OptionalTimestampSchema,
  next_full_moon: TimestampSchema,
  next_new_moon: TimestampSchema,
  moon_all_day: AllDaySchema,
  uv_index: describe(CountSchema, 'Clear-sky maximum, not a forecast.'),
  uv_band: describe(v.picklist(UV_BANDS), 'WHO band.'),
});

/** A public or local holiday. `closes` lists the kinds of institution that close. */
const HolidaySchema = v.strictObject({
  key: v.string(),
  name: v.string(),
  kind: v.picklist(HOLIDAY_KINDS),
  closes: v.array(v.picklist(HOLIDAY_CLOSES)),
});

/** Facts of a day apart from its events: computed, or from the law. */
export const PublicDaySchema = v.strictObject({
  date: DaySchema,
  text: describe(v.string(), 'The day in sentences, without links.'),
  sky: describe(SkySchema, `Over ${TOWN.name.en}, computed to the minute.`),
  holidays: v.array(HolidaySchema),
  next_feast: nullableOptional(
    v.strictObject({
      key: v.string(),
      name: v.string(),
      date: DaySchema,
      days_to_go: CountSchema,
    }),
  ),
  seasons: describe(
    v.array(
      v.strictObject({
        notice: describe(v.string(), 'Notice id.'),
        name: v.string(),
        change: v.picklist(SEASON_CHANGES),
        date: describe(DaySchema, 'First day if it starts, last day if it ends.'),
        days_to_go: CountSchema,
        usual: describe(v.boolean(), 'Approximate.'),
      }),
    ),
    'Seasons that start or end within 7 days.',
  ),
  links: describe(
    v.array(
      v.strictObject({
        topic: v.picklist(DAY_LINK_TOPICS),
        name: v.string(),
        source: v.string(),
        url: UrlSchema,
        checked: describe(DaySchema, 'Day the link was last checked.'),
      }),
    ),
    'Live sources of hourly conditions.',
  ),
});
export type PublicDay = v.InferOutput<typeof PublicDaySchema>;

/** A day as its own resource: also with the venues that are worth a visit. */
export const DayDetailSchema = v.strictObject({
  ...PublicDaySchema.entries,
  open_places: describe(
    v.array(PublicOpenPlaceSchema),
    'Museums, ruins, parks and markets; `today` says whether each is open.',
  ),
});

/** Serializes the facts of a day, with names and sentences in one language. */
export function serializeDay(
  facts: DayFacts,
  lang: Lang,
  options?: Parameters<typeof formatDayLines>[2],
): PublicDay {
  const { day, sky, holidays, next_feast, seasons, links } = facts;
  return {
    date: day.toString(),
    text: formatDayLines(facts, lang, options)
      .map((line) => line.text)
      .join(' '),
    sky: serializeSky(sky),
    holidays: holidays.map(({ key, name, kind, closes }) => ({
      key,
      name: name[lang],
      kind,
      closes: [...closes],
    })),
    next_feast: next_feast && {
      key: next_feast.holiday.key,
      name: next_feast.holiday.name[lang],
      date: next_feast.day.toString(),
      days_to_go: next_feast.days_to_go,
    },
    seasons: seasons.map(({ season, change, day: change_day, days_to_go }) => ({
      notice: season.notice,
      name: season.name[lang],
      change,
      date: change_day.toString(),
      days_to_go,
      usual: !season.is_fixed,
    })),
    // The search words serve only our own search.
    links: links.map(({ search_words: _, ...link }) => ({ ...link, name: link.name[lang] })),
  };
}

function serializeSky(sky: Sky): PublicDay['sky'] {
  const { moon_phase, moon_lit_percent, uv_index, uv_band } = sky;
  return {
    sunrise: formatOptionalTimestamp(sky.sunrise_ms),
    sunset: formatOptionalTimestamp(sky.sunset_ms),
    sun_all_day: sky.sun_all_day,
    civil_dusk: formatOptionalTimestamp(sky.civil_dusk_ms),
    moon_phase,
    moon_lit_percent,
    moonrise: formatOptionalTimestamp(sky.moonrise_ms),
    moonset: formatOptionalTimestamp(sky.moonset_ms),
    next_full_moon: formatTimestamp(sky.next_full_moon_ms),
    next_new_moon: formatTimestamp(sky.next_new_moon_ms),
    moon_all_day: sky.moon_all_day,
    uv_index,
    uv_band,
  };
}

const formatOptionalTimestamp = (epoch_ms: number | null): string | null =>
  epoch_ms === null ? null : formatTimestamp(epoch_ms);

/** A notice: a warning, closure or season of the town. */
export const PublicNoticeSchema = v.strictObject(wireEntries(NOTICE_FIELDS));
export type PublicNotice = v.InferOutput<typeof PublicNoticeSchema>;

/**
 * Serializes a notice; `zone` is the zone's key. `confirm` advises to check an inferred notice, and
 * `written_in` is the language of an untranslated text.
 */
export const serializeNotice = (notice: NoticeRecord, lang: Lang): PublicNotice =>
  serializeRecord(NOTICE_FIELDS, notice, lang, {
    confirm: formatInferredNotice(notice, lang),
    written_in: findOriginalLang(notice, lang),
    starts_at: formatTimestamp(notice.start_ms),
    ends_at: formatOptionalTimestamp(notice.end_ms),
  });
