// What a list of events says, ready to print: the heading of a group and what stands beside it, and of each
// row when, what, where and for how much, with marks only for what differs (contract 3.8).
import type { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../domain/agenda.ts';
import { fromDayNumber } from '../domain/cancun-time.ts';
import { findOriginals, type OccurrenceRecord } from '../domain/event/event.ts';
import { findStatus, isConfirmed } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import { listUnsaid, withoutBrackets, withoutStop } from '../domain/place-names.ts';
import { toAlsoOn, toHourStub, toShortWeekday, toUntil } from '../i18n/dates.ts';
import { toDistanceWords, toListLegend } from '../i18n/fact-words.ts';
import { toThingPath } from '../i18n/paths.ts';
import { hasAmount, toShortPrice } from '../i18n/price.ts';
import { t, tCount } from '../i18n/translate.ts';
import { type Column, type EventGroup, groupByMonth } from './event-groups.ts';

interface RowOptions {
  readonly lang: Lang;
  /** Whether the page tells what begins and ends while it is open. */
  readonly is_live?: boolean;
  /** What the page says already: its place or zone is not repeated in each row. */
  readonly said?: readonly string[];
  /** What a row says of the other dates of its event. */
  readonly toMore?: (card: EventCard) => string | null;
  readonly ids?: ReadonlyMap<EventCard, string>;
}

export type EventList = ReturnType<typeof printGroup>;
export type EventRow = EventList['rows'][number];

export function printGroup(group: EventGroup, options: RowOptions) {
  const { lang, said = [] } = options;
  const { key, title, cards, column, fold = null, rest = null, empty = null, count } = group;
  const adults = group.for_adults ? [t(lang, 'agenda.adults')] : [];
  const events = count === undefined ? [] : [tCount(lang, 'events.count', count)];
  const row = { ...options, said: [...said, ...adults] };
  return {
    key,
    title,
    fold,
    rest,
    empty,
    aside: [...adults, ...events].join(' · '),
    rows: cards.map((card) => printRow(card, column, row)),
  };
}

/** All that comes up somewhere, by month, with what is said once of rows that are not sure. */
export function printUpcoming(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
  said: readonly string[] = [],
) {
  const groups = groupByMonth(cards, today, lang);
  const toMore = (card: EventCard): string | null => toMoreDates(card, lang);
  return {
    legend: toListLegend(cards, lang),
    lists: groups.map((group) => printGroup(group, { lang, said, toMore })),
    empty: groups.length === 0 ? t(lang, 'places.empty') : null,
  };
}
export type Upcoming = ReturnType<typeof printUpcoming>;

/** Above so many dates, that there are many says more than their number. */
const MAX_COUNTED = 30;

/** `+3 fechas`, `muchas fechas más`. */
export function toMoreDates({ more_dates }: EventCard, lang: Lang): string | null {
  if (more_dates > MAX_COUNTED) return t(lang, 'dates.many');
  return more_dates > 0 ? tCount(lang, 'dates.row', more_dates) : null;
}

/** `también domingo y de martes a viernes`, from every occurrence of at most a week. */
export function toFurtherDays(occurrences: readonly OccurrenceRecord[], lang: Lang) {
  const by_event = Map.groupBy(occurrences, ({ event }) => event);
  return ({ event, next }: EventCard): string | null => {
    const later = (by_event.get(event.id) ?? []).filter(
      ({ status, first_day }) => status === 'scheduled' && next && first_day > next.first_day,
    );
    return toAlsoOn([...new Set(later.map((one) => one.first_day))], lang);
  };
}

function printRow(card: EventCard, listed: Column, options: RowOptions) {
  const { lang, said = [], ids, toMore = () => null, is_live = false } = options;
  const { event, next } = card;
  const column = toColumn(listed, next);
  const original = findOriginals(event, lang).title;
  const status = findStatus(event, next);
  const note = toNote(next, status, column, lang);
  const is_told = hasAmount(event.price);
  // Beside an amount there is no room for a note.
  const beside = is_told && !event.price.is_free ? null : note.beside;
  return {
    id: ids?.get(card),
    status,
    when: printWhen(next, column, is_live, note.of_hour, lang),
    path: toThingPath('event', event.slug, lang),
    title: event.title[lang],
    /** Its language, where that is not the page's. */
    original,
    is_sure: isConfirmed(card),
    marks: listMarks(card, status, lang, said),
    place: [...listPlaces(card, lang, said), toMore(card), beside]
      .filter((text) => text !== null)
      .join(' · '),
    price: { text: toShortPrice(event.price, lang), is_told, is_free: event.price.is_free },
    note: note.below,
  };
}

/** On a list of hours, what lasts for days says its last day: its first hour is nobody's. */
const toColumn = (column: Column, occurrence: OccurrenceRecord | null): Column =>
  column === 'hour' && occurrence?.all_day && occurrence.last_day > occurrence.first_day
    ? 'until'
    : column;

/** Cancelled or postponed, in another language, for adults; not what stands in `said`. */
function listMarks(
  { event }: EventCard,
  status: 'cancelled' | 'postponed' | null,
  lang: Lang,
  said: readonly string[],
) {
  const adults = t(lang, 'agenda.adults');
  const is_adult = /\b18\b/.test(event.age_restriction?.[lang] ?? '') && !said.includes(adults);
  const original = findOriginals(event, lang).title;
  return [
    { kind: 'status', text: status && t(lang, `status.${status}`) },
    { kind: 'adults', text: is_adult ? adults : null },
    { kind: 'original', text: original && t(lang, `original.row.${original}`) },
  ].filter(({ text }) => text);
}

/** Where it is and how far, without what is said already. */
function listPlaces(
  { event, venue, zone: taxon, distance_km }: EventCard,
  lang: Lang,
  said: readonly string[],
): readonly string[] {
  const zone = taxon?.name[lang] ?? venue?.locality ?? null;
  const heard = [event.title[lang], ...said];
  const note = event.location_note && withoutStop(event.location_note[lang]);
  // What is too long is cut at its end: the zone stands before a whole sentence.
  const where = venue
    ? listUnsaid([withoutBrackets(venue.name), zone], heard)
    : listUnsaid([note, zone], heard).toReversed();
  return distance_km === undefined
    ? where
    : [...where, toDistanceWords(distance_km, venue?.coordinates ?? null, lang)];
}

/**
 * The note of a date in the one place that it has: instead of an hour that nobody knows, behind the place, or
 * on a line of its own why something does not take place. One date of many says no other note.
 */
export function toNote(
  occurrence: OccurrenceRecord | null,
  status: string | null,
  column: Column,
  lang: Lang,
) {
  const none = { of_hour: null, beside: null, below: null };
  const note = occurrence?.notes?.[lang];
  if (!note) return none;
  if (status !== null) return { ...none, below: note };
  if (column === 'day') return none;
  const is_of_hour = !occurrence.time_known && column !== 'until';
  return { ...none, [is_of_hour ? 'of_hour' : 'beside']: withoutStop(note) };
}

/** The column that says when; `hour_note` stands for an hour that nobody knows. */
function printWhen(
  occurrence: OccurrenceRecord | null,
  column: Column,
  is_live: boolean,
  hour_note: string | null,
  lang: Lang,
) {
  if (occurrence === null) return null;
  const { all_day, time_known, end } = occurrence;
  const first = fromDayNumber(occurrence.first_day);
  const hours = toHourStub(occurrence, lang);
  const ends_at = column === 'now' ? (hours?.end ?? null) : null;
  // Of a list of days only what has an hour on the last of them says until when it goes on.
  const until = column === 'day' && all_day ? null : toUntil(occurrence, lang);
  const has_begun = column === 'now' || column === 'until';
  const is_vague = all_day && !until && (column !== 'day' || !time_known);
  return {
    /** For the script of a page that is open: when it ends, as far as anybody knows. */
    ends: is_live && (column === 'now' || column === 'hour') && !all_day ? end : undefined,
    day:
      column === 'day'
        ? { date: first.toString(), weekday: toShortWeekday(first, lang), number: first.day }
        : null,
    start:
      hours && !ends_at && !(has_begun && until)
        ? { datetime: hours.timestamp, text: hours.start }
        : null,
    end: ends_at && { datetime: end, text: ends_at },
    to: hours?.end && !ends_at ? t(lang, 'agenda.to_hour', { hour: hours.end }) : null,
    until: until && {
      datetime: all_day ? fromDayNumber(occurrence.last_day).toString() : end,
      text: until,
    },
    vague: hour_note ?? (is_vague ? t(lang, time_known ? 'time.all_day' : 'time.unknown') : null),
  };
}
