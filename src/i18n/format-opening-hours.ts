// Opening hours texts: formats a venue's hours on a day and in a week, its admission prices, and
// the list of venues that are open on a day, for today by the current hour. Pages, Markdown and MCP
// all use these texts.
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
  listFreeVisitors,
  type VenueDay,
  type Visitor,
  type Weekday,
  WEEKDAYS,
} from '../domain/opening-hours.ts';
import { listUnmentioned } from '../domain/place-text.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  formatAtTime,
  formatBriefDay,
  formatTime,
  pickHourPhraseKey,
  formatLongDay,
  formatMonthAndYear,
  groupConsecutive,
} from './format-dates.ts';
import { formatPartlyFree, formatPrice } from './format-price.ts';
import { capitalize, t, tPlural, formatList } from './translate.ts';

/** Number of exceptional days shown. */
const MAX_EXCEPTIONS = 6;

type Time = Temporal.PlainTime;

/**
 * Formats hours: `de 9:00 a 18:00 (último acceso 17:30)`; `desde las 9:00` if the closing time is
 * unknown.
 */
function formatHours(open: Time, close: Time | null, last_entry: Time | null, lang: Lang): string {
  const start = formatTime(open, lang);
  const hours =
    close === null
      ? t(lang, 'opening.from', { start })
      : t(lang, 'recurrence.from_to', { start, end: formatTime(close, lang) });
  return last_entry === null
    ? hours
    : t(lang, 'opening.last_entry', { hours, last_entry: formatTime(last_entry, lang) });
}

/** Formats a closing time: `hasta las 17:00` · `until 5 p.m.`. */
export function formatOpenUntil(close_ms: number, lang: Lang): string {
  const close = toLocalTime(close_ms);
  const key = pickHourPhraseKey(close, 'opening.until_one', 'opening.until');
  return t(lang, key, { hour: formatTime(close, lang) });
}

/** Formats a last entry: `última entrada a las 16:30` · `last entry at 4:30 p.m.`. */
const formatLastEntry = (last_entry_ms: number, lang: Lang): string =>
  t(lang, 'opening.last_entry_at', { at: formatAtTime(toLocalTime(last_entry_ms), lang) });

const formatPeriod = ({ open_ms, close_ms, last_entry_ms }: OpenPeriod, lang: Lang): string =>
  formatHours(
    toLocalTime(open_ms),
    close_ms === null ? null : toLocalTime(close_ms),
    last_entry_ms === null ? null : toLocalTime(last_entry_ms),
    lang,
  );

/**
 * Formats the opening periods of a day: `de 9:00 a 14:00 y de 16:00 a 18:00`; null if the hours are
 * unknown.
 */
function formatDayHours({ spans }: OpeningDay, lang: Lang): string | null {
  const words = spans.map((span) => formatPeriod(span, lang));
  return words.length === 0 ? null : formatList(words, lang);
}

/**
 * Formats the reason why a day differs from its weekday, or that its hours are unconfirmed; null
 * without either.
 */
export const formatOpeningNote = ({ opening }: VenueDay, lang: Lang): string | null =>
  opening.is_unconfirmed
    ? t(lang, 'opening.holiday_unknown')
    : (localized(opening.note, lang) ?? localized(opening.holiday?.name ?? null, lang));

const appendReason = (sentence: string, reason: string | null, lang: Lang): string =>
  reason === null ? sentence : t(lang, 'opening.because', { sentence, reason });

const appendDayNote = (sentence: string, on_day: VenueDay, lang: Lang): string =>
  appendReason(sentence, formatOpeningNote(on_day, lang), lang);

/**
 * Formats today's hours: `Abierto hoy de 9:00 a 18:00 (último acceso 17:30)`, `Hoy cerrado
 * (Navidad)`.
 */
export function formatOpeningToday(today: VenueDay, lang: Lang): string {
  if (today.opening.is_unconfirmed) return capitalize(t(lang, 'opening.holiday_unknown'));
  const is_usual_closing_day = !today.opening.is_open && formatOpeningNote(today, lang) === null;
  if (is_usual_closing_day && today.only_weekday !== null)
    return t(lang, 'opening.today.only', {
      day: t(lang, `recurrence.weekday.${today.only_weekday}`),
    });
  if (!today.opening.is_open) return appendDayNote(t(lang, 'opening.today.closed'), today, lang);
  const hours = formatDayHours(today.opening, lang);
  const sentence =
    hours === null ? t(lang, 'opening.today.unknown') : t(lang, 'opening.today.open', { hours });
  return appendDayNote(sentence, today, lang);
}

/**
 * Formats today's status next to the weekly hours: only `Abierto hoy` if a single rule already
 * shows the hours.
 */
export const formatOpenStatus = (
  hours: OpeningHours | null,
  today: VenueDay,
  lang: Lang,
): string =>
  today.opening.is_open && formatOpeningNote(today, lang) === null && hours?.rules.length === 1
    ? t(lang, 'opening.title.today')
    : formatOpeningToday(today, lang);

/**
 * Formats a day's hours: `Sábado 21 de noviembre: de 9:00 a 18:00`, `…: cerrado (Navidad)`; with
 * the year if it is not `year`.
 */
function formatOpeningDay(on_day: VenueDay, year: number, lang: Lang): string {
  const { day, opening } = on_day;
  const label = capitalize(formatBriefDay(day, year, lang));
  if (opening.is_unconfirmed)
    return t(lang, 'opening.line', { what: label, value: t(lang, 'opening.holiday_unknown') });
  const hours =
    formatDayHours(opening, lang) ??
    t(lang, opening.is_open ? 'opening.hours_unknown' : 'opening.closed');
  return appendDayNote(t(lang, 'opening.line', { what: label, value: hours }), on_day, lang);
}

/** Formats the hours of a day: today's as a status, another day's with its date. */
export const formatOpeningOn = (
  venue_day: VenueDay,
  today: Temporal.PlainDate,
  lang: Lang,
): string =>
  venue_day.day.equals(today)
    ? formatOpeningToday(venue_day, lang)
    : formatOpeningDay(venue_day, today.year, lang);

/** The answer to which venues open on a day, as its sentences need it. */
interface VenuesOnDay {
  readonly items: readonly { readonly on_day: VenueDay | null }[];
  readonly unlisted: {
    readonly day: Temporal.PlainDate;
    readonly hours_unknown: number;
    readonly unknown: readonly Pick<VenueRecord, 'name'>[];
    readonly closed: readonly {
      readonly venue: Pick<VenueRecord, 'name'>;
      readonly on_day: VenueDay;
      readonly opens_on: Temporal.PlainDate | null;
    }[];
  } | null;
}

/**
 * Lists sentences about a list of venues that open on a day: whether hours in it are unconfirmed,
 * which venues that match are closed, and that the hours of others are unknown (contract 8.27).
 */
export function formatUnlistedVenues(
  { items, unlisted }: VenuesOnDay,
  today: Temporal.PlainDate,
  lang: Lang,
): readonly string[] {
  if (unlisted === null) return [];
  const { day, hours_unknown, unknown, closed } = unlisted;
  const day_text = formatBriefDay(day, today.year, lang);
  const closed_names = closed.map(({ venue, on_day, opens_on }) => {
    const reason = formatOpeningNote(on_day, lang);
    const next =
      opens_on && t(lang, 'opening.opens_on', { day: formatBriefDay(opens_on, today.year, lang) });
    const notes = [reason, next].filter((note) => note !== null);
    return appendReason(venue.name, notes.length === 0 ? null : notes.join('; '), lang);
  });
  const unknown_names = unknown.map(({ name }) => name);
  return [
    ...(items.some(({ on_day }) => on_day?.opening.is_unconfirmed)
      ? [t(lang, 'opening.unsure')]
      : []),
    ...(closed_names.length === 0
      ? []
      : [
          t(lang, 'opening.closed_on_day', {
            day: day_text,
            names: formatList(closed_names, lang),
          }),
        ]),
    ...(hours_unknown === 0
      ? []
      : [
          unknown_names.length === hours_unknown
            ? t(lang, 'opening.unknown_names', {
                day: day_text,
                names: formatList(unknown_names, lang),
              })
            : tPlural(lang, 'opening.unknown_count', hours_unknown, { day: day_text }),
        ]),
  ];
}

const formatVisitors = (visitors: readonly Visitor[], lang: Lang): string =>
  formatList(
    visitors.map((visitor) => t(lang, `opening.visitor.${visitor}`)),
    lang,
  );

/** `admission_as_of`: day of the source of outdated amounts; null if they are current. */
type AdmissionFields = Pick<VenueRecord, 'admission' | 'admission_as_of'>;

/** Formats the month of outdated amounts: `marzo de 2026`; null if they are current. */
const formatAdmissionMonth = ({ admission_as_of }: AdmissionFields, lang: Lang): string | null =>
  admission_as_of && formatMonthAndYear(Temporal.PlainDate.from(admission_as_of), lang);

/**
 * Formats the advice on outdated amounts: `Precios de marzo de 2026; confírmalos.`, if any
 * (contract 6.10).
 */
export function formatAdmissionAdvice(venue: AdmissionFields, lang: Lang): string | null {
  const month = formatAdmissionMonth(venue, lang);
  return month && t(lang, 'opening.admission_confirm', { month });
}

/**
 * Formats the admission on a day: `Gratis`, `De $105 a $210 MXN (de marzo de 2026)`, `Gratis para
 * nacionales y residentes; visitantes $210 MXN`; null if it is unknown.
 * @param free_today Visitor groups that enter free by a rule of that day.
 */
function formatDayAdmission(
  venue: AdmissionFields,
  free_today: readonly Visitor[],
  lang: Lang,
): string | null {
  const { admission } = venue;
  const free = listFreeVisitors(admission, free_today);
  const range = computePriceRange(admission);
  if (range === null && free.length === 0) return null;
  if (free.includes('everyone')) return t(lang, 'price.free');
  const sentence =
    free.length > 0
      ? formatPartlyFree(free, admission, lang)
      : range && formatPrice({ ...range, note: null }, lang);
  const month = admission.length === 0 ? null : formatAdmissionMonth(venue, lang);
  return sentence && appendReason(sentence, month && t(lang, 'price.of', { month }), lang);
}

/**
 * Formats the title of a day's open venues: `Abierto hoy`, `Abierto mañana`, `Lugares abiertos` for
 * other days; `Lugares que suelen abrir` if the hours of that day are unconfirmed.
 */
export function formatOpenVenuesTitle(
  kind: AgendaPageKind,
  places: readonly OpenVenue[],
  lang: Lang,
): string {
  if (places.some(({ on_day }) => on_day.opening.is_unconfirmed))
    return t(lang, 'opening.title.unsure');
  return t(lang, `opening.title.${kind === 'today' || kind === 'tomorrow' ? kind : 'day'}`);
}

/**
 * Lists a venue's facts on a day: hours (not if unconfirmed for a holiday), and the admission.
 */
function listDayFacts({ venue, on_day: { opening } }: OpenVenue, lang: Lang): readonly string[] {
  return [
    opening.is_unconfirmed
      ? null
      : (formatDayHours(opening, lang) ?? t(lang, 'opening.hours_unknown')),
    formatDayAdmission(venue, opening.free_for, lang),
  ].filter((fact) => fact !== null);
}

/**
 * Formats the closed venues: `No abren: Museo Regional y Parque Centenario`; null if all are open.
 */
function formatClosedVenues(places: readonly OpenVenue[], lang: Lang): string | null {
  const names = places
    .filter(({ on_day }) => !on_day.opening.is_open)
    .map(({ venue, on_day }) => appendDayNote(venue.name, on_day, lang));
  return names.length === 0
    ? null
    : t(lang, 'opening.closed_places', { names: formatList(names, lang) });
}

/** Formats weekdays: `martes a domingo`, `todos los días`, `lunes y jueves`. */
function formatWeekdayList(days: readonly Weekday[], lang: Lang): string {
  const numbers = days.map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b);
  if (numbers.length === WEEKDAYS.length) return t(lang, 'recurrence.daily');
  const words = numbers.map((index) => t(lang, `recurrence.one.${WEEKDAYS[index] ?? 'mo'}`));
  const [first = '', last = ''] = [words[0], words.at(-1)];
  return groupConsecutive(numbers).length === 1 && words.length > 2
    ? t(lang, 'opening.span', { first, last })
    : formatList(words, lang);
}

const parseTime = (hour: string | null): Time | null =>
  hour === null ? null : Temporal.PlainTime.from(hour);

/** Formats a rule: `Martes a domingo: de 9:00 a 18:00 (hasta el …)`. */
function formatRule(rule: OpeningRule, today: string, lang: Lang): string {
  const open = parseTime(rule.open);
  const value =
    open === null
      ? t(lang, 'opening.hours_unknown')
      : formatHours(open, parseTime(rule.close), parseTime(rule.last_entry), lang);
  const line = t(lang, 'opening.line', {
    what: capitalize(formatWeekdayList(rule.days, lang)),
    value,
  });
  const formatDay = (day: string): string => formatLongDay(Temporal.PlainDate.from(day), lang);
  if (rule.since !== null && rule.since > today)
    return t(lang, 'opening.season.since', { line, day: formatDay(rule.since) });
  return rule.until === null
    ? line
    : t(lang, 'opening.season.until', { line, day: formatDay(rule.until) });
}

/** Formats an exceptional day: `Viernes 25 de diciembre de 2026: cerrado (Navidad)`. */
function formatException(
  { date, open, close, note }: OpeningHours['exceptions'][number],
  lang: Lang,
): string {
  const start = parseTime(open);
  const value =
    start === null ? t(lang, 'opening.closed') : formatHours(start, parseTime(close), null, lang);
  const label = capitalize(formatLongDay(Temporal.PlainDate.from(date), lang));
  const sentence = t(lang, 'opening.line', { what: label, value });
  return appendReason(sentence, localized(note, lang), lang);
}

/**
 * Lists the weekly hours from a day on: rules, closed weekdays, holidays, exceptions, free days.
 */
export function formatOpeningWeek(
  hours: OpeningHours,
  { day, closed_on }: Pick<VenueDay, 'day' | 'closed_on'>,
  lang: Lang,
): readonly string[] {
  const today = day.toString();
  const rules = hours.rules.filter(({ until }) => until === null || until >= today);
  const current = rules.filter(({ since }) => since === null || since <= today);
  const closed_weekdays = WEEKDAYS.filter(
    (weekday) => !current.some(({ days }) => days.includes(weekday)),
  );
  const holidays = closed_on.map(({ name }) => name[lang]);
  const closed = [
    ...(closed_weekdays.length === 0 ? [] : [capitalize(formatWeekdayList(closed_weekdays, lang))]),
    ...(holidays.length === 0 ? [] : [formatList(holidays, lang)]),
  ];
  return [
    ...rules.map((rule) => formatRule(rule, today, lang)),
    ...closed.map((days) => t(lang, 'opening.closed_on', { days })),
    ...hours.exceptions
      .filter(({ date }) => date >= today)
      .slice(0, MAX_EXCEPTIONS)
      .map((exception) => formatException(exception, lang)),
    ...hours.free.map(({ days, visitors }) =>
      t(lang, 'opening.free_on', {
        days: capitalize(formatWeekdayList(days, lang)),
        visitors: formatVisitors(visitors, lang),
      }),
    ),
    ...(hours.note ? [hours.note[lang]] : []),
  ];
}

/** Returns the name of a kind of visitor: `Estudiantes`. */
export const visitorLabel = (visitor: Visitor, lang: Lang): string =>
  capitalize(t(lang, `opening.visitor.${visitor}`));

/** Lists the admission prices, and the advice if they are outdated, one per line. */
export const formatAdmissionWithAge = (venue: AdmissionFields, lang: Lang): readonly string[] => [
  ...formatAdmission(venue.admission, lang),
  ...[formatAdmissionAdvice(venue, lang)].filter((line) => line !== null),
];

/**
 * Lists prices by visitor group: `Extranjeros: $210 MXN`, `Estudiantes: gratis`; the price for all
 * without a label.
 */
export const formatAdmission = (admission: readonly Admission[], lang: Lang): readonly string[] =>
  admission.map(({ visitor, amount, currency, note }) => {
    const price = {
      is_free: amount === 0,
      min: amount,
      max: amount,
      currency,
      note: null,
    };
    const value = formatPrice(price, lang);
    const sentence =
      visitor === 'everyone'
        ? value
        : t(lang, 'opening.line', {
            what: visitorLabel(visitor, lang),
            value: price.is_free ? value.toLocaleLowerCase(lang) : value,
          });
    return appendReason(sentence, localized(note, lang), lang);
  });

export interface OpenVenuesText {
  /** Note that some of the hours of that day are unconfirmed; null if all are confirmed. */
  readonly doubt: string | null;
  /** Open venues with their facts: hours, price, visitors who enter free, zone. */
  readonly lines: readonly { readonly place: OpenVenue; readonly facts: readonly string[] }[];
  /** Sentences on the venues that have closed already, and those that do not open. */
  readonly sentences: readonly string[];
}

const zoneName = ({ zone, venue }: OpenVenue, lang: Lang): string =>
  zone?.name[lang] ?? venue.locality;

/** Lists a venue's facts, with its zone unless the venue's name contains it. */
const listVenueFacts = (place: OpenVenue, lang: Lang): readonly string[] => [
  ...listDayFacts(place, lang),
  ...listUnmentioned([zoneName(place, lang)], [place.venue.name]),
];

/**
 * Lists today's facts: `abierto ahora, hasta las 17:00`, `abre de 9:00 a 18:00`, `desde las 9:00`,
 * then the others.
 */
function listFactsNow({ place, state, span }: VenueOpenState, lang: Lang): readonly string[] {
  const facts = listVenueFacts(place, lang);
  if (span === null) return facts;
  const [hours = '', ...others] = facts;
  const { close_ms, last_entry_ms } = span;
  // Without a closing time, it is unknown whether the venue is still open.
  if (close_ms === null) return [formatPeriod(span, lang), ...others];
  if (state === 'later') return [t(lang, 'opening.opens', { hours }), ...others];
  const until = t(lang, 'opening.now', { until: formatOpenUntil(close_ms, lang) });
  if (last_entry_ms === null) return [until, ...others];
  const last_entry = formatTime(toLocalTime(last_entry_ms), lang);
  return [t(lang, 'opening.last_entry', { hours: until, last_entry }), ...others];
}

/**
 * Formats the hours in a few words, `hasta las 17:00` or `última entrada a las 16:30` (null if
 * unknown), and the zone.
 * @param now_ms Null unless the day is today.
 */
export function formatVenueBriefly(place: OpenVenue, now_ms: number | null, lang: Lang) {
  const [current] = now_ms === null ? [] : groupVenuesByOpenState([place], now_ms);
  const current_span = current?.state === 'open' ? current.span : null;
  const { close_ms = null, last_entry_ms = null } = current_span ?? {};
  const formatHoursNow = (): string | null =>
    current?.span ? formatPeriod(current.span, lang) : formatDayHours(place.on_day.opening, lang);
  return {
    hours: last_entry_ms
      ? formatLastEntry(last_entry_ms, lang)
      : close_ms
        ? formatOpenUntil(close_ms, lang)
        : formatHoursNow(),
    zone: listUnmentioned([zoneName(place, lang)], [place.venue.name]),
  };
}

/**
 * Formats the open venues of a day.
 * @param now_ms Null unless the day is today and the current minute matters.
 */
export function formatOpenVenues(
  places: readonly OpenVenue[],
  now_ms: number | null,
  lang: Lang,
): OpenVenuesText {
  const closed = formatClosedVenues(places, lang);
  const findDoubt = (shown_lines: OpenVenuesText['lines']): string | null =>
    shown_lines.some(({ place }) => place.on_day.opening.is_unconfirmed)
      ? t(lang, 'opening.unsure')
      : null;
  if (now_ms === null) {
    const open = places.filter(({ on_day }) => on_day.opening.is_open);
    const lines = open.map((place) => ({ place, facts: listVenueFacts(place, lang) }));
    return { doubt: findDoubt(lines), lines, sentences: closed === null ? [] : [closed] };
  }
  const by_hour = groupVenuesByOpenState(places, now_ms);
  const lines = by_hour
    .filter(({ state }) => state !== 'full' && state !== 'over' && state !== 'closed')
    .map((venue) => ({ place: venue.place, facts: listFactsNow(venue, lang) }));
  // At night, a list of closed venues would be of no use.
  if (lines.length === 0 && isNightTime(now_ms)) return { doubt: null, lines, sentences: [] };
  const closed_already = by_hour.flatMap(({ state, place }) =>
    state === 'over' ? [place.venue.name] : [],
  );
  const names = formatList(closed_already, lang);
  const past_entry = by_hour.flatMap(({ state, place, span }) =>
    state === 'full' && span?.last_entry_ms != null
      ? [appendReason(place.venue.name, formatLastEntry(span.last_entry_ms, lang), lang)]
      : [],
  );
  return {
    doubt: findDoubt(lines),
    lines,
    sentences: [
      ...(past_entry.length === 0
        ? []
        : [t(lang, 'opening.past_last_entry', { names: formatList(past_entry, lang) })]),
      ...(closed_already.length === 0 ? [] : [t(lang, 'opening.over_places', { names })]),
      ...(closed === null ? [] : [closed]),
    ],
  };
}
