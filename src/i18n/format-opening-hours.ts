// When a place is open and what it costs, in words: its day, its week, its admission; and the places
// that are open on a day, today's by the hour. Page, Markdown and MCP say the same from here.
import { Temporal } from 'temporal-polyfill';
import type { AgendaPageKind } from '../domain/date-keywords.ts';
import {
  isNightTime,
  type OpenVenue,
  type VenueOpenState,
  groupVenuesByOpenState,
} from '../domain/agenda.ts';
import { toLocalTime } from '../domain/local-time.ts';
import { type Lang, localized } from '../domain/lang.ts';
import {
  type Admission,
  type OpeningDay,
  type OpeningHours,
  type OpeningRule,
  type OpenPeriod,
  computePriceRange,
  type VenueDay,
  type Visitor,
  type Weekday,
  WEEKDAYS,
} from '../domain/opening-hours.ts';
import { listUnmentioned } from '../domain/place-text.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  formatBriefDay,
  formatTime,
  pickHourPhraseKey,
  formatLongDay,
  formatMonthAndYear,
  groupConsecutive,
} from './format-dates.ts';
import { formatPrice } from './format-price.ts';
import { capitalize, t, formatList } from './translate.ts';

/** Days that are not like their weekday, as many as are worth reading. */
const MAX_EXCEPTIONS = 6;

type Time = Temporal.PlainTime;

/** `de 9:00 a 18:00 (último acceso 17:30)`; `desde las 9:00` where no close is known. */
function toHours(open: Time, close: Time | null, last_entry: Time | null, lang: Lang): string {
  const start = formatTime(open, lang);
  const hours =
    close === null
      ? t(lang, 'opening.from', { start })
      : t(lang, 'recurrence.from_to', { start, end: formatTime(close, lang) });
  return last_entry === null
    ? hours
    : t(lang, 'opening.last_entry', { hours, last_entry: formatTime(last_entry, lang) });
}

/** `hasta las 17:00` · `until 5 p.m.`. */
export function formatOpenUntil(close_ms: number, lang: Lang): string {
  const close = toLocalTime(close_ms);
  const key = pickHourPhraseKey(close, 'opening.until_one', 'opening.until');
  return t(lang, key, { hour: formatTime(close, lang) });
}

const toSpanWords = ({ open_ms, close_ms, last_entry_ms }: OpenPeriod, lang: Lang): string =>
  toHours(
    toLocalTime(open_ms),
    close_ms === null ? null : toLocalTime(close_ms),
    last_entry_ms === null ? null : toLocalTime(last_entry_ms),
    lang,
  );

function toDayHours({ spans }: OpeningDay, lang: Lang): string | null {
  const words = spans.map((span) => toSpanWords(span, lang));
  return words.length === 0 ? null : formatList(words, lang);
}

/** Why a day is not like its weekday, or that its hours are not confirmed; null where it is plain. */
export const formatOpeningNote = ({ opening }: VenueDay, lang: Lang): string | null =>
  opening.is_unsure
    ? t(lang, 'opening.holiday_unknown')
    : (localized(opening.note, lang) ?? localized(opening.holiday?.name ?? null, lang));

const because = (sentence: string, reason: string | null, lang: Lang): string =>
  reason === null ? sentence : t(lang, 'opening.because', { sentence, reason });

const withReason = (sentence: string, on_day: VenueDay, lang: Lang): string =>
  because(sentence, formatOpeningNote(on_day, lang), lang);

/** `Abierto hoy de 9:00 a 18:00 (último acceso 17:30)`, `Hoy cerrado (Navidad)`. */
export function formatOpeningToday(today: VenueDay, lang: Lang): string {
  if (today.opening.is_unsure) return capitalize(t(lang, 'opening.holiday_unknown'));
  if (!today.opening.is_open && today.only_on !== null && formatOpeningNote(today, lang) === null)
    return t(lang, 'opening.today.only', { day: t(lang, `recurrence.weekday.${today.only_on}`) });
  if (!today.opening.is_open) return withReason(t(lang, 'opening.today.closed'), today, lang);
  const hours = toDayHours(today.opening, lang);
  const sentence =
    hours === null ? t(lang, 'opening.today.unknown') : t(lang, 'opening.today.open', { hours });
  return withReason(sentence, today, lang);
}

/** Beside the hours of the week: only that it is open, where they are the same on each day that it is. */
export const formatOpenStatus = (
  hours: OpeningHours | null,
  today: VenueDay,
  lang: Lang,
): string =>
  today.opening.is_open && formatOpeningNote(today, lang) === null && hours?.rules.length === 1
    ? t(lang, 'opening.title.today')
    : formatOpeningToday(today, lang);

/** `Sábado 21 de noviembre: de 9:00 a 18:00`, `…: cerrado (Navidad)`; the year where it is not `year`. */
export function formatOpeningDay(on_day: VenueDay, year: number, lang: Lang): string {
  const { day, opening } = on_day;
  const what = capitalize(formatBriefDay(day, year, lang));
  const hours =
    toDayHours(opening, lang) ??
    t(lang, opening.is_open ? 'opening.hours_unknown' : 'opening.closed');
  return withReason(t(lang, 'opening.line', { what, value: hours }), on_day, lang);
}

const toVisitors = (visitors: readonly Visitor[], lang: Lang): string =>
  formatList(
    visitors.map((visitor) => t(lang, `opening.visitor.${visitor}`)),
    lang,
  );

/** `gratis para nacionales y residentes`; null on a day on which nobody in particular is. */
const toFreeWords = (visitors: readonly Visitor[], lang: Lang): string | null =>
  visitors.length === 0
    ? null
    : t(lang, 'opening.free_for', { visitors: toVisitors(visitors, lang) });

type Priced = Pick<VenueRecord, 'admission' | 'admission_as_of'>;

/** `marzo de 2026`; null where the amounts are sure. */
const toAdmissionMonth = ({ admission_as_of }: Priced, lang: Lang): string | null =>
  admission_as_of && formatMonthAndYear(Temporal.PlainDate.from(admission_as_of), lang);

/** `Precios de marzo de 2026; confírmalos.`; null where there is nothing to check (contract 6.10). */
export function formatAdmissionAdvice(venue: Priced, lang: Lang): string | null {
  const month = toAdmissionMonth(venue, lang);
  return month && t(lang, 'opening.admission_confirm', { month });
}

/** `Gratis`, `De $105 a $210 MXN (de marzo de 2026)`: what those pay who pay. */
function toAdmissionRange(venue: Priced, lang: Lang): string | null {
  const range = computePriceRange(venue.admission);
  if (range === null) return null;
  const sentence = formatPrice({ ...range, note: null }, lang);
  const month = toAdmissionMonth(venue, lang);
  return because(sentence, month && t(lang, 'price.of', { month }), lang);
}

/**
 * `Abierto hoy`, `Abierto mañana`; `Lugares abiertos` on a day by its date; `Lugares que suelen abrir`
 * where nobody has confirmed the hours of that day.
 */
export function formatOpenVenuesTitle(
  kind: AgendaPageKind,
  places: readonly OpenVenue[],
  lang: Lang,
): string {
  if (places.some(({ on_day }) => on_day.opening.is_unsure)) return t(lang, 'opening.title.unsure');
  return t(lang, `opening.title.${kind === 'today' || kind === 'tomorrow' ? kind : 'day'}`);
}

/** A place in one line of a day: hours but unconfirmed ones of a holiday, price, who enters free. */
function toOpenPlaceFacts(
  { venue, on_day: { opening } }: OpenVenue,
  lang: Lang,
): readonly string[] {
  return [
    opening.is_unsure ? null : (toDayHours(opening, lang) ?? t(lang, 'opening.hours_unknown')),
    toAdmissionRange(venue, lang),
    toFreeWords(opening.free_for, lang),
  ].filter((fact) => fact !== null);
}

/** `No abren: Museo Regional y Parque Centenario`; null where all of them open. */
function toClosedPlaces(places: readonly OpenVenue[], lang: Lang): string | null {
  const names = places
    .filter(({ on_day }) => !on_day.opening.is_open)
    .map(({ venue, on_day }) => withReason(venue.name, on_day, lang));
  return names.length === 0
    ? null
    : t(lang, 'opening.closed_places', { names: formatList(names, lang) });
}

/** `martes a domingo`, `todos los días`, `lunes y jueves`. */
function toWeekdays(days: readonly Weekday[], lang: Lang): string {
  const numbers = days.map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b);
  if (numbers.length === WEEKDAYS.length) return t(lang, 'recurrence.daily');
  const words = numbers.map((at) => t(lang, `recurrence.one.${WEEKDAYS[at] ?? 'mo'}`));
  const [first = '', last = ''] = [words[0], words.at(-1)];
  return groupConsecutive(numbers).length === 1 && words.length > 2
    ? t(lang, 'opening.span', { first, last })
    : formatList(words, lang);
}

const toTimeOf = (hour: string | null): Time | null =>
  hour === null ? null : Temporal.PlainTime.from(hour);

/** `Martes a domingo: de 9:00 a 18:00 (hasta el …)`. */
function toRuleLine(rule: OpeningRule, today: string, lang: Lang): string {
  const open = toTimeOf(rule.open);
  const value =
    open === null
      ? t(lang, 'opening.hours_unknown')
      : toHours(open, toTimeOf(rule.close), toTimeOf(rule.last_entry), lang);
  const line = t(lang, 'opening.line', { what: capitalize(toWeekdays(rule.days, lang)), value });
  const toDay = (day: string): string => formatLongDay(Temporal.PlainDate.from(day), lang);
  if (rule.since !== null && rule.since > today)
    return t(lang, 'opening.season.since', { line, day: toDay(rule.since) });
  return rule.until === null
    ? line
    : t(lang, 'opening.season.until', { line, day: toDay(rule.until) });
}

function toExceptionLine(
  { date, open, close, note }: OpeningHours['exceptions'][number],
  lang: Lang,
): string {
  const at = toTimeOf(open);
  const value = at === null ? t(lang, 'opening.closed') : toHours(at, toTimeOf(close), null, lang);
  const what = capitalize(formatLongDay(Temporal.PlainDate.from(date), lang));
  const sentence = t(lang, 'opening.line', { what, value });
  return because(sentence, localized(note, lang), lang);
}

/** The hours of the week from a day on: rules, days off, holidays, days that differ, free days. */
export function formatOpeningWeek(
  hours: OpeningHours,
  { day, closed_on }: Pick<VenueDay, 'day' | 'closed_on'>,
  lang: Lang,
): readonly string[] {
  const today = day.toString();
  const rules = hours.rules.filter(({ until }) => until === null || until >= today);
  const current = rules.filter(({ since }) => since === null || since <= today);
  const off = WEEKDAYS.filter((weekday) => !current.some(({ days }) => days.includes(weekday)));
  const holidays = closed_on.map(({ name }) => name[lang]);
  const closed = [
    ...(off.length === 0 ? [] : [capitalize(toWeekdays(off, lang))]),
    ...(holidays.length === 0 ? [] : [formatList(holidays, lang)]),
  ];
  return [
    ...rules.map((rule) => toRuleLine(rule, today, lang)),
    ...closed.map((days) => t(lang, 'opening.closed_on', { days })),
    ...hours.exceptions
      .filter(({ date }) => date >= today)
      .slice(0, MAX_EXCEPTIONS)
      .map((exception) => toExceptionLine(exception, lang)),
    ...hours.free.map(({ days, visitors }) =>
      t(lang, 'opening.free_on', {
        days: capitalize(toWeekdays(days, lang)),
        visitors: toVisitors(visitors, lang),
      }),
    ),
    ...(hours.note ? [hours.note[lang]] : []),
  ];
}

export const visitorLabel = (visitor: Visitor, lang: Lang): string =>
  capitalize(t(lang, `opening.visitor.${visitor}`));

/** What entering costs with, where it is to be checked, of when that is: a line each. */
export const formatAdmissionWithAge = (venue: Priced, lang: Lang): readonly string[] => [
  ...formatAdmission(venue.admission, lang),
  ...[formatAdmissionAdvice(venue, lang)].filter((line) => line !== null),
];

/** `Extranjeros: $210 MXN`, `Estudiantes: gratis`, one a line; what everybody pays by itself. */
export const formatAdmission = (admission: readonly Admission[], lang: Lang): readonly string[] =>
  admission.map(({ visitor, amount, currency, note }) => {
    const price = { is_free: amount === 0, min: amount, max: amount, currency, note: null };
    const value = formatPrice(price, lang);
    const sentence =
      visitor === 'everyone'
        ? value
        : t(lang, 'opening.line', {
            what: visitorLabel(visitor, lang),
            value: price.is_free ? value.toLocaleLowerCase(lang) : value,
          });
    return because(sentence, localized(note, lang), lang);
  });

export interface OpenVenuesText {
  /** That the hours of some are not confirmed for this day, said once for all of them. */
  readonly doubt: string | null;
  readonly lines: readonly { readonly place: OpenVenue; readonly facts: readonly string[] }[];
  readonly sentences: readonly string[];
}

const toZone = ({ zone, venue }: OpenVenue, lang: Lang): string =>
  zone?.name[lang] ?? venue.locality;

/** Its zone only where the place's name does not say it. */
const toFacts = (place: OpenVenue, lang: Lang): readonly string[] => [
  ...toOpenPlaceFacts(place, lang),
  ...listUnmentioned([toZone(place, lang)], [place.venue.name]),
];

/** `abierto ahora, hasta las 17:00`, `abre de 9:00 a 18:00`, `desde las 9:00`; the other facts as on any day. */
function toFactsByHour(
  { place, state, span }: VenueOpenState,
  now_ms: number,
  lang: Lang,
): readonly string[] {
  const facts = toFacts(place, lang);
  if (span === null) return facts;
  const [hours = '', ...others] = facts;
  const { close_ms, last_entry_ms } = span;
  // Of a place that nobody knows to close, nobody knows whether it is open.
  if (close_ms === null) return [toSpanWords(span, lang), ...others];
  if (state === 'later') return [t(lang, 'opening.opens', { hours }), ...others];
  const until = t(lang, 'opening.now', { until: formatOpenUntil(close_ms, lang) });
  // The last entry only while it is still to come.
  if (last_entry_ms === null || last_entry_ms <= now_ms) return [until, ...others];
  const last_entry = formatTime(toLocalTime(last_entry_ms), lang);
  return [t(lang, 'opening.last_entry', { hours: until, last_entry }), ...others];
}

/** Its hours in a few words, `hasta las 17:00`, and its zone; null for hours that nobody knows. */
export function formatVenueBriefly(place: OpenVenue, now_ms: number | null, lang: Lang) {
  const [told] = now_ms === null ? [] : groupVenuesByOpenState([place], now_ms);
  const close_ms = told?.state === 'open' ? told.span?.close_ms : null;
  const toHoursNow = (): string | null =>
    told?.span ? toSpanWords(told.span, lang) : toDayHours(place.on_day.opening, lang);
  return {
    hours: close_ms ? formatOpenUntil(close_ms, lang) : toHoursNow(),
    zone: listUnmentioned([toZone(place, lang)], [place.venue.name]),
  };
}

/** The places of a day; `now_ms` where it is today and the minute is known, else null. */
export function formatOpenVenues(
  places: readonly OpenVenue[],
  now_ms: number | null,
  lang: Lang,
): OpenVenuesText {
  const closed = toClosedPlaces(places, lang);
  const toDoubt = (told: OpenVenuesText['lines']): string | null =>
    told.some(({ place }) => place.on_day.opening.is_unsure) ? t(lang, 'opening.unsure') : null;
  if (now_ms === null) {
    const open = places.filter(({ on_day }) => on_day.opening.is_open);
    const lines = open.map((place) => ({ place, facts: toFacts(place, lang) }));
    return { doubt: toDoubt(lines), lines, sentences: closed === null ? [] : [closed] };
  }
  const by_hour = groupVenuesByOpenState(places, now_ms);
  const lines = by_hour
    .filter(({ state }) => state !== 'over' && state !== 'closed')
    .map((one) => ({ place: one.place, facts: toFactsByHour(one, now_ms, lang) }));
  // By night that all have closed is no news.
  if (lines.length === 0 && isNightTime(now_ms)) return { doubt: null, lines, sentences: [] };
  const over = by_hour.flatMap(({ state, place }) => (state === 'over' ? [place.venue.name] : []));
  const names = formatList(over, lang);
  return {
    doubt: toDoubt(lines),
    lines,
    sentences: [
      ...(over.length === 0 ? [] : [t(lang, 'opening.over_places', { names })]),
      ...(closed === null ? [] : [closed]),
    ],
  };
}
