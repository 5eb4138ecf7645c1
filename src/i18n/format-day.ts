// What is told of a day, in words: its facts, one sentence each, and its notices: how long each
// holds, what is only inferred, the line of seasons.
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toZoned, toLocalTime, toDayNumber } from '../domain/local-time.ts';
import type {
  DayFacts,
  DayLinkRecord,
  NextHoliday,
  SeasonBoundary,
} from '../domain/day/day-facts.ts';
import type { HolidayRecord } from '../domain/day/holidays.ts';
import type { Sky } from '../domain/day/sky.ts';
import type { Lang } from '../domain/lang.ts';
import { findOriginalLang, type NoticeRecord } from '../domain/notice.ts';
import {
  formatAtTime,
  formatBriefDay,
  formatTime,
  formatLongDay,
  formatLongRange,
} from './format-dates.ts';
import { capitalize, t, tPlural, formatList } from './translate.ts';

export type DayLineKind = 'holiday' | 'season' | 'sun' | 'moon' | 'uv' | 'feast';
export interface DayLine {
  readonly kind: DayLineKind;
  readonly text: string;
}

const toClock = (epoch_ms: number, lang: Lang): string => formatTime(toLocalTime(epoch_ms), lang);

/** `Navidad, día festivo oficial: cierran los bancos y las oficinas públicas.` */
function toHolidayWords({ name, kind, closes }: HolidayRecord, lang: Lang): string {
  const words = closes.map((closed) => t(lang, `holiday.closes.${closed}`));
  const list = formatList(words, lang);
  const parts = { name: name[lang], closed: list };
  if (kind === 'statutory' && words.length > 0) return t(lang, 'holiday.statutory', parts);
  return t(lang, words.length > 0 ? 'holiday.closed' : 'holiday.open', parts);
}

/** `Sale el sol a las 6:58, se pone a las 18:04; hay luz hasta las 18:27.` */
function toSunWords({ sunrise_ms, sunset_ms, civil_dusk_ms }: Sky, lang: Lang): string | null {
  if (sunrise_ms === null || sunset_ms === null || civil_dusk_ms === null) return null;
  return t(lang, 'day.sun', {
    rise: toClock(sunrise_ms, lang),
    set: toClock(sunset_ms, lang),
    dusk: toClock(civil_dusk_ms, lang),
  });
}

/** `Amanece 7:02 · anochece 18:05`; null where the sun does not rise or set that day. */
export function formatSunTimes({ sunrise_ms, sunset_ms }: Sky, lang: Lang): string | null {
  if (sunrise_ms === null || sunset_ms === null) return null;
  return t(lang, 'day.sun_span', {
    rise: toClock(sunrise_ms, lang),
    set: toClock(sunset_ms, lang),
  });
}

/** `Hay luz hasta las 18:29.`, beside the span of the sun. */
export const formatDaylight = ({ civil_dusk_ms }: Sky, lang: Lang): string | null =>
  civil_dusk_ms === null ? null : t(lang, 'day.light', { dusk: toClock(civil_dusk_ms, lang) });

/** Once a month a moonrise falls after midnight, and the day before has none. */
function toMoonWords({ moon_phase, moon_lit_percent, moonrise_ms }: Sky, lang: Lang): string {
  const parts = { phase: t(lang, `moon.${moon_phase}`), percent: moon_lit_percent };
  if (moonrise_ms === null) return t(lang, 'day.moon_late', parts);
  const is_one = toZoned(moonrise_ms).hour === 1;
  return t(lang, is_one ? 'day.moon_rises_at_one' : 'day.moon_rises', {
    ...parts,
    rise: toClock(moonrise_ms, lang),
  });
}

/** `Próxima fiesta: Navidad, viernes 25 de diciembre (faltan 34 días).` */
function toFeastWords({ holiday, day, days_to_go }: NextHoliday, year: number, lang: Lang): string {
  return t(lang, 'day.feast', {
    name: holiday.name[lang],
    day: formatBriefDay(day, year, lang),
    left: tPlural(lang, 'day.left', days_to_go),
  });
}

/** `La temporada de huracanes termina en 5 días, …`; around when, where no source says the day. */
function toSeasonWords(turn: SeasonBoundary, year: number, lang: Lang): string {
  const { season, change, day, days_to_go } = turn;
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

/** In the order of reading: what closes, what begins or ends, then the light, then what lies ahead. */
export function formatDayLines(
  { day, sky, holidays, next_feast, seasons }: DayFacts,
  lang: Lang,
): readonly DayLine[] {
  const sun = toSunWords(sky, lang);
  return [
    ...holidays.map((one): DayLine => ({ kind: 'holiday', text: toHolidayWords(one, lang) })),
    ...seasons.map(
      (one): DayLine => ({ kind: 'season', text: toSeasonWords(one, day.year, lang) }),
    ),
    ...(sun === null ? [] : [{ kind: 'sun', text: sun } as const]),
    { kind: 'moon', text: toMoonWords(sky, lang) },
    { kind: 'uv', text: t(lang, 'day.uv', { band: t(lang, `uv.${sky.uv_band}`) }) },
    ...(next_feast === null
      ? []
      : [{ kind: 'feast', text: toFeastWords(next_feast, day.year, lang) } as const]),
  ];
}

/** A page to look at, in pieces: its topic, its name as a link, who publishes it. */
export const formatDayLink = ({ topic, name, source }: DayLinkRecord, lang: Lang) => ({
  topic: t(lang, `day.link.${topic}`),
  label: name[lang],
  note: `(${source})`,
});

interface Moment {
  readonly day: Temporal.PlainDate;
  /** Null at midnight, which says nothing. */
  readonly hour: Temporal.PlainTime | null;
}

/** An exclusive end at midnight is the day before. */
function toMoment(epoch_ms: number, is_end: boolean): Moment {
  const moment = toZoned(epoch_ms);
  const midnight = moment.hour === 0 && moment.minute === 0;
  const day =
    midnight && is_end
      ? fromDayNumber(toDayNumber(moment.toPlainDate()) - 1)
      : moment.toPlainDate();
  return { day, hour: midnight ? null : moment.toPlainTime() };
}

const toWords = ({ day, hour }: Moment, lang: Lang): string =>
  hour === null
    ? formatLongDay(day, lang)
    : `${formatLongDay(day, lang)}, ${formatAtTime(hour, lang)}`;

/**
 * `viernes 20 de noviembre de 2026, de 14:00 a 20:00`; both days where there are two; until further
 * notice where there is no end.
 */
export function formatNoticePeriod(notice: NoticeRecord, lang: Lang): string {
  const first = toMoment(notice.start_ms, false);
  if (notice.end_ms === null) return t(lang, 'md.until_closed', { start: toWords(first, lang) });
  const last = toMoment(notice.end_ms, true);
  const days = { from: first.day, to: last.day };
  if (first.hour === null && last.hour === null) return formatLongRange(days, lang);
  if (!first.day.equals(last.day))
    return t(lang, 'time.days', { first: toWords(first, lang), last: toWords(last, lang) });
  if (last.hour === null) return toWords(first, lang);
  return `${formatLongDay(first.day, lang)}, ${t(lang, 'time.range', { start: formatTime(first.hour ?? new Temporal.PlainTime(), lang), end: formatTime(last.hour, lang) })}`;
}

/** `Así fue el año pasado; …`; null for what is known of its own year. */
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

/** Beside a notice: in which language it came where that is another, of which year it is known. */
export function formatNoticeRemarks(notice: NoticeRecord, lang: Lang): readonly string[] {
  const original = findOriginalLang(notice, lang);
  const sentences = [
    original && t(lang, `original.notice.${original}`),
    formatInferredNotice(notice, lang),
  ];
  return sentences.filter((sentence) => sentence !== null);
}

/** `En temporada: huracanes, nortes`; null where nothing is. */
export function formatSeasonLine(seasons: readonly NoticeRecord[], lang: Lang): string | null {
  if (seasons.length === 0) return null;
  const names = seasons.map(({ short, title }) => (short ?? title)[lang]);
  return t(lang, 'notices.season_line', { seasons: names.join(', ') });
}
