// Day texts: formats the facts of a day (holidays, seasons, sun, moon, UV index), one sentence
// each, and details of its notices: their period, and remarks on notices that are inferred from an
// earlier year or not translated.
import { Temporal } from 'temporal-polyfill';
import {
  fromDayNumber,
  toZoned,
  toLocalDay,
  toLocalTime,
  toDayNumber,
} from '../domain/local-time.ts';
import type {
  DayFacts,
  DayLinkRecord,
  NextHoliday,
  SeasonBoundary,
} from '../domain/day/day-facts.ts';
import type { HolidayRecord } from '../domain/day/holidays.ts';
import type { Sky } from '../domain/day/sky.ts';
import type { Lang } from '../domain/lang.ts';
import { findOriginalLang, type NoticeCounts, type NoticeRecord } from '../domain/notice.ts';
import {
  formatAtTime,
  formatBriefDay,
  formatTime,
  formatLongDay,
  formatLongRange,
  formatShortDay,
} from './format-dates.ts';
import { capitalize, t, tPlural, formatList } from './translate.ts';

export type DayLineKind = 'holiday' | 'season' | 'sun' | 'moon' | 'uv' | 'feast';
/** One fact of a day; `feast` is the next holiday. */
export interface DayLine {
  readonly kind: DayLineKind;
  readonly text: string;
}

/** Formats an instant as the local time: `18:04`. */
const formatClock = (epoch_ms: number, lang: Lang): string =>
  formatTime(toLocalTime(epoch_ms), lang);

/**
 * Formats a holiday: `Navidad, día festivo oficial: cierran los bancos y las oficinas públicas.`
 */
function formatHoliday({ name, kind, closes }: HolidayRecord, lang: Lang): string {
  const closed = closes.map((closed_service) => t(lang, `holiday.closes.${closed_service}`));
  const parts = { name: name[lang], closed: formatList(closed, lang) };
  if (kind === 'statutory' && closed.length > 0) return t(lang, 'holiday.statutory', parts);
  return t(lang, closed.length > 0 ? 'holiday.closed' : 'holiday.open', parts);
}

/**
 * Formats the sun times: `Sale el sol a las 6:58, se pone a las 18:04; hay luz hasta las 18:27.`
 */
function formatSun(sky: Sky, lang: Lang): string {
  const { sun_all_day, sunrise_ms, sunset_ms, civil_dusk_ms } = sky;
  const dusk = civil_dusk_ms === null ? '' : formatClock(civil_dusk_ms, lang);
  if (sun_all_day === 'up') return t(lang, 'day.midnight_sun');
  if (sun_all_day === 'down')
    return t(lang, dusk === '' ? 'day.polar_night' : 'day.polar_twilight', { dusk });
  const [rise, set] = [sunrise_ms, sunset_ms].map((time) =>
    time === null ? '' : formatClock(time, lang),
  );
  if (!set) return t(lang, 'day.sun_rises', { rise: rise ?? '' });
  if (!rise) return t(lang, 'day.sun_sets', { set });
  return t(lang, dusk === '' ? 'day.sun_no_dusk' : 'day.sun', { rise, set, dusk });
}

/**
 * Formats sunrise and sunset: `Amanece 7:02 · anochece 18:05`; the whole sentence if one of them is
 * missing.
 */
export function formatSunTimes(sky: Sky, lang: Lang): string {
  const { sunrise_ms, sunset_ms } = sky;
  if (sunrise_ms === null || sunset_ms === null) return formatSun(sky, lang);
  return t(lang, 'day.sun_span', {
    rise: formatClock(sunrise_ms, lang),
    set: formatClock(sunset_ms, lang),
  });
}

/** Formats the end of daylight: `Hay luz hasta las 18:29.` */
export const formatDaylight = ({ civil_dusk_ms }: Sky, lang: Lang): string | null =>
  civil_dusk_ms === null ? null : t(lang, 'day.light', { dusk: formatClock(civil_dusk_ms, lang) });

/**
 * Formats moon phase and moonrise. Once a month, the moonrise falls after midnight and the day
 * before has none; near the poles the moon is up or down for days.
 */
function formatMoon(
  { day, sky }: DayFacts,
  lang: Lang,
  { names_next_moons }: DayLineOptions,
): string {
  const next_moons = names_next_moons ? `; ${formatNextMoons(day, sky, lang)}` : '';
  return `${formatMoonPhase(sky, lang)}${next_moons}.`;
}

/** Formats the next full and new moon, without one that is on the day itself. */
function formatNextMoons(day: Temporal.PlainDate, sky: Sky, lang: Lang): string {
  const [full_day, new_day] = [toLocalDay(sky.next_full_moon_ms), toLocalDay(sky.next_new_moon_ms)];
  const full = formatShortDay(full_day, lang, day.year);
  const new_moon = formatShortDay(new_day, lang, day.year);
  if (full_day.equals(day)) return t(lang, 'day.next_new_moon', { day: new_moon });
  if (new_day.equals(day)) return t(lang, 'day.next_full_moon', { day: full });
  return t(lang, 'day.next_moons', { full, new_moon });
}

function formatMoonPhase(sky: Sky, lang: Lang): string {
  const { moon_phase, moon_lit_percent, moonrise_ms, moon_all_day } = sky;
  const parts = { phase: t(lang, `moon.${moon_phase}`), percent: moon_lit_percent };
  if (moon_all_day !== null) return t(lang, `day.moon_${moon_all_day}`, parts);
  if (moonrise_ms === null) return t(lang, 'day.moon_no_rise', parts);
  const is_one = toZoned(moonrise_ms).hour === 1;
  return t(lang, is_one ? 'day.moon_rises_at_one' : 'day.moon_rises', {
    ...parts,
    rise: formatClock(moonrise_ms, lang),
  });
}

/**
 * Formats the next holiday: `Próxima fiesta: Navidad, viernes 25 de diciembre (faltan 34 días).`
 */
function formatNextHoliday(
  { holiday, day, days_to_go }: NextHoliday,
  year: number,
  lang: Lang,
): string {
  return t(lang, 'day.feast', {
    name: holiday.name[lang],
    day: formatBriefDay(day, year, lang),
    left: tPlural(lang, 'day.left', days_to_go),
  });
}

/**
 * Formats the start or end of a season: `La temporada de huracanes termina en 5 días, …`; without
 * the day if no source has it (`is_fixed` is false).
 */
function formatSeasonBoundary(boundary: SeasonBoundary, year: number, lang: Lang): string {
  const { season, change, day, days_to_go } = boundary;
  const name = season.name[lang];
  if (!season.is_fixed) return capitalize(t(lang, `day.season.${change}.usual`, { name }));
  if (days_to_go === 0) return capitalize(t(lang, `day.season.${change}.now`, { name }));
  return capitalize(
    tPlural(lang, `day.season.${change}`, days_to_go, {
      name,
      day: formatBriefDay(day, year, lang),
    }),
  );
}

interface DayLineOptions {
  /** False to be short: lists of events have the phase alone. */
  readonly names_next_moons: boolean;
}

/**
 * Formats the facts of a day in reading order: holidays, seasons, sun, moon, UV index, next
 * holiday.
 */
export function formatDayLines(
  facts: DayFacts,
  lang: Lang,
  options: DayLineOptions = { names_next_moons: true },
): readonly DayLine[] {
  const { day, sky, holidays, next_feast, seasons } = facts;
  return [
    ...holidays.map(
      (holiday): DayLine => ({ kind: 'holiday', text: formatHoliday(holiday, lang) }),
    ),
    ...seasons.map(
      (boundary): DayLine => ({
        kind: 'season',
        text: formatSeasonBoundary(boundary, day.year, lang),
      }),
    ),
    { kind: 'sun', text: formatSun(sky, lang) },
    { kind: 'moon', text: formatMoon(facts, lang, options) },
    { kind: 'uv', text: t(lang, 'day.uv', { band: t(lang, `uv.${sky.uv_band}`) }) },
    ...(next_feast === null
      ? []
      : [{ kind: 'feast', text: formatNextHoliday(next_feast, day.year, lang) } as const]),
  ];
}

/** Formats an external page as parts: its topic, its name for the link, its publisher. */
export const formatDayLink = ({ topic, name, source }: DayLinkRecord, lang: Lang) => ({
  topic: t(lang, `day.link.${topic}`),
  label: name[lang],
  note: `(${source})`,
});

/** A start or end of a notice. */
interface Moment {
  readonly day: Temporal.PlainDate;
  /** Null at midnight. */
  readonly hour: Temporal.PlainTime | null;
}

/** Splits an instant into day and time; an exclusive end at midnight belongs to the day before. */
function splitMoment(epoch_ms: number, is_end: boolean): Moment {
  const zoned = toZoned(epoch_ms);
  const is_midnight = zoned.hour === 0 && zoned.minute === 0;
  const day =
    is_midnight && is_end
      ? fromDayNumber(toDayNumber(zoned.toPlainDate()) - 1)
      : zoned.toPlainDate();
  return { day, hour: is_midnight ? null : zoned.toPlainTime() };
}

const formatMoment = ({ day, hour }: Moment, lang: Lang): string =>
  hour === null
    ? formatLongDay(day, lang)
    : `${formatLongDay(day, lang)}, ${formatAtTime(hour, lang)}`;

/**
 * Formats the period of a notice: `viernes 20 de noviembre de 2026, de 14:00 a 20:00`, over several
 * days, or open.
 */
export function formatNoticePeriod(notice: NoticeRecord, lang: Lang): string {
  const first = splitMoment(notice.start_ms, false);
  if (notice.end_ms === null)
    return t(lang, 'md.until_closed', { start: formatMoment(first, lang) });
  const last = splitMoment(notice.end_ms, true);
  const days = { from: first.day, to: last.day };
  if (first.hour === null && last.hour === null) return formatLongRange(days, lang);
  if (!first.day.equals(last.day))
    return t(lang, 'time.days', {
      first: formatMoment(first, lang),
      last: formatMoment(last, lang),
    });
  if (last.hour === null) return formatMoment(first, lang);
  const midnight = new Temporal.PlainTime();
  const hours = t(lang, 'time.range', {
    start: formatTime(first.hour ?? midnight, lang),
    end: formatTime(last.hour, lang),
  });
  return `${formatLongDay(first.day, lang)}, ${hours}`;
}

/**
 * Formats the remark on an inferred notice: `Así fue el año pasado; …`.
 * @returns null if the notice was announced for its year.
 */
export function formatInferredNotice(
  { inferred, evidence }: NoticeRecord,
  lang: Lang,
): string | null {
  if (!inferred) return null;
  if (evidence === null) return t(lang, 'notice.inferred.unknown');
  return evidence.was_last_year
    ? t(lang, 'notice.inferred.last_year')
    : t(lang, 'notice.inferred.year', { year: evidence.year });
}

/**
 * Lists remarks on a notice: its original language if it is another, and the year it is inferred
 * from.
 */
export function formatNoticeRemarks(notice: NoticeRecord, lang: Lang): readonly string[] {
  const original = findOriginalLang(notice, lang);
  const sentences = [
    original && t(lang, `original.notice.${original}`),
    formatInferredNotice(notice, lang),
  ];
  return sentences.filter((sentence) => sentence !== null);
}

/**
 * Formats the current seasons: `En temporada: huracanes, nortes`.
 * @returns null if there are none.
 */
export function formatSeasonLine(seasons: readonly NoticeRecord[], lang: Lang): string | null {
  if (seasons.length === 0) return null;
  const names = seasons.map(({ short, title }) => (short ?? title)[lang]);
  return t(lang, 'notices.season_line', { seasons: names.join(', ') });
}

/**
 * Formats the notices of some days: `nada nuevo hoy; siguen vigentes 2; 1 de temporada` (contract
 * 8.8).
 */
export function formatNoticeCounts(
  { news, lasting, in_season }: NoticeCounts,
  is_today: boolean,
  lang: Lang,
): string {
  const suffix = is_today ? 'today' : 'then';
  if (news + lasting + in_season === 0) return t(lang, `notices.none.${suffix}`);
  return [
    news > 0 ? tPlural(lang, `notices.news.${suffix}`, news) : t(lang, `notices.no_news.${suffix}`),
    ...(lasting > 0 ? [tPlural(lang, 'notices.still', lasting)] : []),
    ...(in_season > 0 ? [tPlural(lang, 'notices.seasonal', in_season)] : []),
  ].join('; ');
}
