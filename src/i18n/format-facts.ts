// Event fact texts: formats the facts of an event as text without links: the lines of each fact,
// the certainty of its date (`confirmed`, `usual` for a rule, `last_known` if its sources are
// outdated), age of its source, and distance. `habit` is the list of recurrences of an event,
// `gone_from` the source that no longer lists it.
import { Temporal } from 'temporal-polyfill';
import type { AskFirst, EventCard, EventDetail } from '../domain/agenda.ts';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import {
  CALLED_OFF_STATUSES,
  type EventFactValue,
  findAttendanceNote,
  getEffectiveStatus,
  isDateConfirmed,
  isDateUncertain,
  listCalledOffDates,
  needsConfirmation,
} from '../domain/event/facts.ts';
import type { SourceDates } from '../domain/fields.ts';
import type { Lang } from '../domain/lang.ts';
import { splitAtPhones } from '../domain/phone-numbers.ts';
import { stripTrailingPeriod } from '../domain/place-text.ts';
import {
  formatDateNoWeekday,
  formatDatesWithNotes,
  formatMonthAndYear,
  formatShortDay,
  formatMonth,
  formatNoteInParentheses,
  formatWhen,
} from './format-dates.ts';
import { formatAdmission } from './format-opening-hours.ts';
import { formatPriceWithAdvice } from './format-price.ts';
import { formatRecurrence, formatRegularity } from './format-recurrence.ts';
import {
  capitalize,
  endWithPeriod,
  formatList,
  t,
  formatLanguageNames,
  localeOf,
} from './translate.ts';

/** The fields that the texts on certainty and sources need. */
export type DescribableEvent = Pick<
  EventRecord,
  | 'status'
  | 'certainty'
  | 'confirm_note'
  | 'gone_from'
  | 'open_end'
  | 'habit'
  | 'source_published'
  | 'source_checked'
>;

/**
 * Formats the recurrence of an event: `los jueves a las 16:00 y el primer domingo de marzo`.
 * @returns null if no rule can be expressed.
 */
function formatHabit({ habit }: DescribableEvent, lang: Lang): string | null {
  const phrases = habit
    .map((recurrence) => formatRecurrence(recurrence, lang))
    .filter((phrase) => phrase !== null);
  if (phrases.length === 0) return null;
  return formatList([...new Set(phrases)], lang);
}

/**
 * Formats the sentence on an unconfirmed date; null if it is confirmed or the editor's note says
 * the same.
 */
function formatCertainty(event: DescribableEvent, lang: Lang): string | null {
  if (event.certainty === 'confirmed') return null;
  // An editor's note may already ask visitors to confirm: do not ask twice.
  if (event.certainty === 'usual') {
    const note = event.confirm_note?.[lang];
    if (note === undefined) return t(lang, 'confirm.usual');
    return note.toLowerCase().includes(t(lang, 'confirm.not'))
      ? null
      : t(lang, 'confirm.usual_noted');
  }
  const habit = formatHabit(event, lang);
  if (habit === null && event.confirm_note !== null) return null;
  const year = formatLastYear(event);
  if (habit !== null)
    return t(lang, 'confirm.last_known_habit', {
      habit,
      year: year ?? event.source_checked.slice(0, 4),
    });
  return year === null
    ? t(lang, 'confirm.last_known_undated')
    : t(lang, 'confirm.last_known', { year });
}

/** Formats the year of the newest dated source; null if no source has a date. */
const formatLastYear = ({ source_published }: DescribableEvent): string | null =>
  source_published?.slice(0, 4) ?? null;

/**
 * Formats the advice to confirm before going (`confirm` in JSON): certainty of the date, then the
 * editor's note.
 * @param is_listed True in a list, which has one sentence on all `usual` dates
 * (formatListUncertainty).
 * @returns null if there is nothing to check (contract 6.1).
 */
export function formatConfirmAdvice(
  card: { readonly event: DescribableEvent; readonly next: OccurrenceRecord | null },
  lang: Lang,
  is_listed = false,
): string | null {
  if (!needsConfirmation(card, is_listed)) return null;
  const { event } = card;
  return [
    is_listed && event.certainty === 'usual' ? null : formatCertainty(event, lang),
    event.open_end ? t(lang, 'confirm.open_end') : null,
    event.gone_from ? t(lang, 'confirm.gone_from', { name: event.gone_from }) : null,
    event.confirm_note?.[lang] ?? null,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

/** Minimum letters of a clause that can stand alone. */
const MIN_CLAUSE_LENGTH = 12;
/** The first clause of a note. */
const FIRST_CLAUSE_PATTERN = new RegExp(`^.{${MIN_CLAUSE_LENGTH},}?(?=[:;.]\\s|\\.?$)`, 's');

/**
 * Formats the note of an editor on where or when (findAttendanceNote).
 * @param form `brief` is its first clause; `row` too, as a sentence, unless it has a phone number.
 */
export function formatAttendanceNote(
  card: DatedEvent,
  lang: Lang,
  form: 'whole' | 'row' | 'brief',
): string | null {
  const note = findAttendanceNote(card)?.[lang];
  if (note === undefined) return null;
  const has_phone = splitAtPhones(note).some(({ phone }) => phone !== null);
  if (form === 'whole' || (form === 'row' && has_phone)) return note;
  const clause = FIRST_CLAUSE_PATTERN.exec(note)?.[0] ?? stripTrailingPeriod(note);
  return form === 'row' ? endWithPeriod(clause) : clause;
}

/**
 * Formats the sentence for a past event, or for one without any date: `Último dato: 2017.`; null if
 * it continues, or may continue with an unknown end (`open_end`).
 */
export function formatPastDateNote(
  { event, is_past, occurrences }: Pick<EventDetail, 'event' | 'is_past' | 'occurrences'>,
  lang: Lang,
): string | null {
  if (event.open_end) return null;
  if (occurrences.length === 0) return formatLastWord(event, lang);
  if (!is_past) return null;
  const is_confirmed = occurrences.at(-1)?.certainty === 'confirmed';
  return t(lang, is_confirmed ? 'label.past' : 'label.past_unsure');
}

/** Formats the sentence on an event without dates: the year of its newest source, if outdated. */
export function formatLastWord(event: DescribableEvent, lang: Lang): string {
  const year = event.certainty === 'last_known' ? formatLastYear(event) : null;
  return year === null ? t(lang, 'label.no_dates') : t(lang, 'label.last_word', { year });
}

/**
 * Formats the label of the last date of a past event: it took place for certain only if a source or
 * its organizer named it, and it was not called off.
 */
export function formatLastDateLabel({ status, certainty }: OccurrenceRecord, lang: Lang): string {
  if (status !== 'scheduled') return t(lang, 'label.dates_past');
  return t(lang, certainty === 'confirmed' ? 'event.last_time' : 'label.dates_past_unsure');
}

/**
 * Formats the doubt about the next date of an event in a few words, for a poster or a shared text:
 * `Sin confirmar para esta fecha`, or the year of its newest source if it has no date; else null.
 */
export function formatDoubt({ event, next }: DatedEvent, lang: Lang): string | null {
  if (isDateUncertain({ event, next })) return t(lang, 'front.unsure');
  return next === null && event.certainty === 'last_known'
    ? stripTrailingPeriod(formatLastWord(event, lang))
    : null;
}

type DatedEvent = Pick<EventCard, 'event' | 'next'>;

/** Formats the mark `✓ confirmado`; null if the date is unconfirmed or does not take place. */
export const formatConfirmedMark = (card: DatedEvent, lang: Lang): string | null =>
  formatConfirmedBy(card.next, lang) ?? (isDateConfirmed(card) ? t(lang, 'confirm.mark') : null);

/**
 * Formats the organizer's confirmation: `✓ confirmado por quien organiza el 2 de diciembre`; null
 * without one.
 */
export function formatConfirmedBy(date: OccurrenceRecord | null, lang: Lang): string | null {
  if (!date?.confirmed_on || date.status !== 'scheduled') return null;
  const day = Temporal.PlainDate.from(date.confirmed_on);
  return t(lang, 'confirm.by', { number: day.day, month: formatMonth(day, lang) });
}

/**
 * Formats the called-off dates of an entry besides its own: `Cancelado: sáb 21 nov, a las 20:00
 * (Lluvia)`; null without any.
 */
export function formatCalledOffDates(
  card: Parameters<typeof listCalledOffDates>[0],
  lang: Lang,
): string | null {
  const lines = CALLED_OFF_STATUSES.flatMap((status) => {
    const dates = listCalledOffDates(card, status);
    return dates.length === 0
      ? []
      : [`${t(lang, `label.${status}_dates`)}: ${formatDatesWithNotes(dates, lang)}`];
  });
  return lines.length === 0 ? null : lines.join(' · ');
}

/** Events that the sentence on resting ones names; JSON lists all. */
const MAX_NAMED_RESTING = 8;

/**
 * Formats the sentence on events that are assumed to rest on holidays of a list: `Suele haber;
 * pregunta antes (jue 24 dic): Coco Bongo Show.`; null without any.
 */
export function formatAskFirst(resting: AskFirst['resting'], lang: Lang): string | null {
  if (resting.length === 0) return null;
  const names = resting.slice(0, MAX_NAMED_RESTING).map(({ event }) => event.title[lang]);
  const unnamed_count = resting.length - names.length;
  if (unnamed_count > 0) names.push(t(lang, 'agenda.ask_more', { count: unnamed_count }));
  const iso_days = new Set(resting.flatMap(({ days }) => days.map(String)));
  const days = [...iso_days]
    .sort()
    .map((day) => formatShortDay(Temporal.PlainDate.from(day), lang));
  return `${t(lang, 'agenda.ask')} (${days.join(', ')}): ${names.join('; ')}.`;
}

/** Formats a date with its note and its organizer's confirmation, if any. */
export const formatConfirmedWhen = (date: OccurrenceRecord, lang: Lang): string =>
  [formatWhen(date, lang) + formatNoteInParentheses(date, lang), formatConfirmedBy(date, lang)]
    .filter((words) => words !== null)
    .join(' · ');

/**
 * Formats the warning that no date of a list is confirmed, or only some; null if no date is
 * uncertain.
 * @param is_today True on the page of today.
 */
export function formatListUncertainty(
  cards: readonly DatedEvent[],
  lang: Lang,
  is_today = false,
): string | null {
  const scheduled = cards.filter(({ event, next }) => next && !getEffectiveStatus(event, next));
  if (!scheduled.some(isDateUncertain)) return null;
  if (scheduled.some(isDateConfirmed))
    return t(lang, 'confirm.list.marked', { mark: t(lang, 'confirm.mark') });
  if (!scheduled.every(isDateUncertain)) return t(lang, 'confirm.list.some');
  return t(lang, is_today ? 'confirm.list.none_today' : 'confirm.list.none');
}

/**
 * Formats the sentence on the dates of a list: the warning of uncertain ones, or else
 * the mark, to explain it.
 */
export function formatListDoubt(cards: readonly DatedEvent[], lang: Lang, is_today = false) {
  const warning = formatListUncertainty(cards, lang, is_today);
  const has_mark = warning === null && cards.some(isDateConfirmed);
  return { warning, marks_legend: has_mark ? t(lang, 'confirm.mark') : null };
}

/**
 * Formats the source dates: `fuente de marzo de 2026, revisada el 20 de noviembre de 2026`; for
 * submissions `lo leímos el …`.
 */
export function formatSourceDates(
  { source_published, source_checked }: SourceDates,
  lang: Lang,
  source: EventRecord['source'] = 'editor',
): string {
  const checked = formatDateNoWeekday(Temporal.PlainDate.from(source_checked), lang);
  if (source !== 'editor') return t(lang, 'source.read', { checked });
  return source_published === null
    ? t(lang, 'source.checked', { checked })
    : t(lang, 'source.published', {
        published: formatMonthAndYear(Temporal.PlainDate.from(source_published), lang),
        checked,
      });
}

/** Formats the source dates as a sentence. */
export function formatSourceNote(
  days: SourceDates,
  lang: Lang,
  source?: EventRecord['source'],
): string {
  return `${capitalize(formatSourceDates(days, lang, source))}.`;
}

/**
 * Formats a distance: `a 350 m` · `350 m away` below a kilometer, `a 1.3 km` · `1.3 km away` above;
 * for the middle of a zone in whole kilometers, with a remark.
 */
export function formatDistance(
  distance_km: number,
  coordinates: 'venue' | 'zone' | null,
  lang: Lang,
): string {
  if (coordinates === 'zone')
    return t(lang, 'distance.to_zone', { number: Math.max(1, Math.round(distance_km)) });
  // From 995 m on, meters would be rounded to 1000.
  const is_short = distance_km < 0.995;
  const number = is_short ? Math.round(distance_km * 100) * 10 : distance_km;
  const format = new Intl.NumberFormat(localeOf(lang), { maximumFractionDigits: 1 });
  return t(lang, is_short ? 'distance.m' : 'distance.km', { number: format.format(number) });
}

/** Joins the lines of a fact into one. */
export const FACT_LINE_SEPARATOR = '; ';

/** Formats a fact as lines: several for a place and for prices by visitor group, otherwise one. */
export function formatFactLines(value: EventFactValue, lang: Lang): readonly string[] {
  switch (value.kind) {
    case 'status':
      return [t(lang, `status.${value.status}`)];
    case 'time':
      return [formatConfirmedWhen(value.occurrence, lang)];
    case 'dates':
      return [formatDatesWithNotes(value.dates, lang)];
    case 'recurrence':
      return [formatRegularity(value.regularity, lang)];
    case 'place':
      return [value.venue?.name, value.street, value.note?.[lang], value.zone?.name[lang]].flatMap(
        (line) => (line === undefined || line === null ? [] : stripTrailingPeriod(line)),
      );
    case 'distance':
      return [formatDistance(value.distance_km, value.coordinates, lang)];
    case 'price':
      return [formatPriceWithAdvice(value.price, lang, value.is_brief)];
    case 'visitors':
      return formatAdmission(value.visitors, lang);
    case 'text':
      return [value.text[lang]];
    case 'languages':
      return [formatLanguageNames(value.codes, lang)];
    case 'organizer':
      return [value.organizer.name];
    case 'address':
      return [value.url, ...(value.others ?? [])];
    case 'calendar':
      return [t(lang, 'label.calendar_save')];
    case 'confirm':
      return [formatConfirmAdvice(value.card, lang, value.is_listed)].filter(
        (sentence) => sentence !== null,
      );
    case 'source_days':
      return [formatSourceDates(value.event, lang, value.event.source)];
  }
}
