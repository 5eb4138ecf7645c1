// A whole calendar: its properties (RFC 7986 and what clients read), the zone, one VEVENT an occurrence
// (RFC 5545 section 3.6.1; contract 12).
import { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../domain/agenda.ts';
import { getOffsetPeriod, TIME_ZONE } from '../domain/local-time.ts';
import type { OccurrenceRecord, OccurrenceStatus } from '../domain/event/event.ts';
import { type EventFact, listFacts } from '../domain/event/facts.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { type Lang, localized } from '../domain/lang.ts';
import { formatPlaceLine } from '../domain/place-text.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { FACT_LINE_SEPARATOR, formatConfirmedBy, formatFactLines } from '../i18n/format-facts.ts';
import { formatActiveFilters } from '../i18n/format-query.ts';
import { absoluteUrl, pictureLink, recordPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { CALENDAR_ID_DOMAIN, TOWN } from '../town.ts';
import { cleanBlockText } from './sanitize-text.ts';

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/** How often a subscriber should come back (contract 8.3). */
const REFRESH = 'PT6H';

/** What a clock is called where it hangs: `CET`, `EST`. */
const CLOCK_NAMES = new Intl.DateTimeFormat(`en-${TOWN.country}`, {
  timeZone: TIME_ZONE,
  timeZoneName: 'short',
});
const toOffsetText = (offset: string): string => offset.replace(':', '');

/** How the clocks were set for these moments, from the setting before the first on (RFC 5545, 3.6.5). */
function toVtimezone(moments: readonly number[]): string[] {
  const [first_ms, last_ms] = moments.reduce(
    ([first, last], moment) => [Math.min(first, moment), Math.max(last, moment)],
    [moments[0] ?? 0, moments[0] ?? 0],
  );
  const settings: string[] = [];
  for (
    let span = getOffsetPeriod(first_ms);
    span.from_ms <= last_ms;
    span = getOffsetPeriod(span.to_ms)
  ) {
    const { offset } = span;
    const set_ms = Math.max(span.from_ms, 0);
    const before = getOffsetPeriod(set_ms - 1);
    // A clock that is set back again at the next change is one of summer.
    const next = Number.isFinite(span.to_ms) ? getOffsetPeriod(span.to_ms) : span;
    const kind = next.offset_ms < span.offset_ms ? 'DAYLIGHT' : 'STANDARD';
    const name = CLOCK_NAMES.formatToParts(set_ms).find(({ type }) => type === 'timeZoneName');
    settings.push(
      `BEGIN:${kind}`,
      `DTSTART:${toLocalStamp(new Date(set_ms + before.offset_ms).toISOString())}`,
      `TZOFFSETFROM:${toOffsetText(before.offset)}`,
      `TZOFFSETTO:${toOffsetText(offset)}`,
      `TZNAME:${name?.value ?? TIME_ZONE}`,
      `END:${kind}`,
    );
    if (!Number.isFinite(span.to_ms)) break;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${TIME_ZONE}`, ...settings, 'END:VTIMEZONE'];
}

/** RFC 5545 knows no postponed; the summary says it. */
const STATUSES = {
  scheduled: 'CONFIRMED',
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE',
} as const satisfies Record<OccurrenceStatus, string>;

export type CalendarEvent = Omit<EventCard, 'next' | 'more_dates'> & {
  /** Instead of its own page, where it has none yet. */
  readonly page?: string;
};

export interface CalendarItem {
  readonly occurrence: OccurrenceRecord;
  readonly card: CalendarEvent;
}

interface CalendarOptions {
  readonly name: string;
  readonly description: string;
  readonly page_url: string;
  readonly feed_url: string;
  readonly lang: Lang;
  readonly site: Site;
}

/** The calendar's text, CRLF everywhere; a pure function of the items and options. */
export function serializeCalendar(
  items: readonly CalendarItem[],
  options: CalendarOptions,
): string {
  const { lang, site } = options;
  const days = items.map(({ occurrence }) => occurrence);
  const moments = days.flatMap(({ start, end }) => [Date.parse(start), Date.parse(end)]);
  const [name, description] = [escapeIcsText(options.name), escapeIcsText(options.description)];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeIcsText(site.name)}//Agenda 1.0//${lang.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `DESCRIPTION:${description}`,
    `X-WR-CALDESC:${description}`,
    `X-WR-TIMEZONE:${TIME_ZONE}`,
    `URL:${toUriValue(options.page_url)}`,
    `SOURCE;VALUE=URI:${toUriValue(options.feed_url)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...toVtimezone(moments.length > 0 ? moments : [Date.UTC(2026, 0)]),
    ...items.flatMap((item) => toVevent(item, lang, site)),
    'END:VCALENDAR',
  ];
  return lines.map(foldIcsLine).join('');
}

function toVevent({ occurrence, card }: CalendarItem, lang: Lang, site: Site): string[] {
  const { id, status, start, end, all_day, sequence } = occurrence;
  const { event, venue, organizer, category, page } = card;
  const url = page ?? absoluteUrl(site.url, recordPath('event', event.slug, lang));
  const stamp = toUtcStamp(occurrence.updated_at);
  const toMoment = (timestamp: string): string =>
    all_day
      ? `;VALUE=DATE:${toDateStamp(timestamp)}`
      : `;TZID=${TIME_ZONE}:${toLocalStamp(timestamp)}`;
  const location = toLocation(card, lang);
  const image = pictureLink(card, lang, site);
  const categories = [...(category ? [category.name[lang]] : []), ...event.tags]
    .map(escapeIcsText)
    .join(',');
  return [
    'BEGIN:VEVENT',
    // RFC 7986, 5.3, wants no host name in it.
    `UID:${id}@${CALENDAR_ID_DOMAIN}`,
    `DTSTAMP:${stamp}`,
    `LAST-MODIFIED:${stamp}`,
    `SEQUENCE:${sequence}`,
    `DTSTART${toMoment(start)}`,
    `DTEND${toMoment(end)}`,
    `STATUS:${STATUSES[status]}`,
    'TRANSP:TRANSPARENT',
    `SUMMARY:${escapeIcsText(toSummary(event.title[lang], status, lang))}`,
    `DESCRIPTION:${escapeIcsText(toDescription(card, occurrence, url, lang))}`,
    location === null ? null : `LOCATION:${escapeIcsText(location)}`,
    !venue || venue.lat === null || venue.lng === null ? null : `GEO:${venue.lat};${venue.lng}`,
    categories === '' ? null : `CATEGORIES:${categories}`,
    organizer &&
      `CONTACT;ALTREP=${quoteIcsParameter(absoluteUrl(site.url, recordPath('organizer', organizer.slug, lang)))}:${escapeIcsText(organizer.name)}`,
    `URL:${toUriValue(url)}`,
    image && `IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=${image.type}:${toUriValue(image.url)}`,
    'END:VEVENT',
  ].filter((line) => line !== null);
}

/** The title, with the status before it: some clients hide STATUS (contract 12.6). */
const toSummary = (title: string, status: OccurrenceStatus, lang: Lang): string =>
  status === 'scheduled' ? title : t(lang, `ics.status.${status}`, { title });

/** Name, address and locality of the venue; without one the note on the place and the zone; null where nothing is known. */
function toLocation({ venue, zone, event }: CalendarEvent, lang: Lang): string | null {
  const note = event.location_note?.[lang] ?? null;
  if (venue) return formatPlaceLine([venue.name, venue.address, venue.locality], venue.zone);
  return zone ? formatPlaceLine([note, zone.name[lang]], zone.key) : note;
}

function toDescription(
  card: CalendarEvent,
  occurrence: OccurrenceRecord,
  url: string,
  lang: Lang,
): string {
  const { event, venue } = card;
  const facts = listFacts({ ...card, next: null, more_dates: 0 }, 'calendar');
  const toLines = (wanted: readonly EventFact[]): string[] =>
    wanted.map(
      ({ name, value }) =>
        `${t(lang, `label.${name}`)}: ${formatFactLines(value, lang).join(FACT_LINE_SEPARATOR)}`,
    );
  const lines = [
    localized(occurrence.notes, lang),
    ...toLines(facts.filter(isPrice)),
    // LOCATION has no room for it beside a venue.
    venue && event.location_note ? event.location_note[lang] : null,
    ...toLines(facts.filter((fact) => !isPrice(fact) && !isAddress(fact))),
    formatConfirmedBy(occurrence, lang),
    occurrence.time_known ? null : t(lang, 'ics.time_unknown'),
    occurrence.time_known && !occurrence.end_known ? t(lang, 'ics.end_unknown') : null,
    ...toLines(facts.filter(isAddress)),
  ].filter((line) => line !== null);
  return [event.summary[lang], lines.join('\n'), url].join('\n\n');
}

const isPrice = ({ value }: EventFact): boolean =>
  value.kind === 'price' || value.kind === 'visitors';
const isAddress = ({ value }: EventFact): boolean => value.kind === 'address';

const GOOGLE = 'https://calendar.google.com/calendar/render';

/** Characters of the description: an address has to stay one that every browser takes. */
const MAX_DETAILS = 1_200;

/** Cut between words, the event's page always at the end. */
function toDetails(description: string, url: string): string {
  if (description.length <= MAX_DETAILS) return description;
  const kept = description.slice(0, MAX_DETAILS - url.length - 4);
  return `${kept.slice(0, Math.max(0, kept.lastIndexOf(' ')))} …\n\n${url}`;
}

/**
 * The address that opens Google Calendar with one date filled in, to be saved there: title, local hours with
 * their zone (whole days without hours), place, and what the .ics says.
 */
export function googleEventUrl(
  card: CalendarEvent,
  occurrence: OccurrenceRecord,
  lang: Lang,
  site: Site,
): string {
  const { start, end, all_day } = occurrence;
  const toStamp = all_day ? toDateStamp : toLocalStamp;
  const url = absoluteUrl(site.url, recordPath('event', card.event.slug, lang));
  const params = new URLSearchParams({
    action: 'TEMPLATE',
    text: card.event.title[lang],
    dates: `${toStamp(start)}/${toStamp(end)}`,
    ctz: TIME_ZONE,
    details: toDetails(toDescription(card, occurrence, url, lang), url),
    location: toLocation(card, lang) ?? '',
  });
  return `${GOOGLE}?${params.toString()}`;
}

/**
 * The name of a feed says its filters, so that a person knows their subscriptions apart (contract 12.8):
 * `Hoy Mérida: Música en vivo, Centro, gratis`. `params`: the query as it was written, whose days and free text
 * are named as they stand there.
 */
export function calendarFeedName(
  filter: EventFilter,
  params: ParameterValues,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): string {
  const filters = formatActiveFilters(filter, { params, taxonomy, lang });
  return filters.length === 0
    ? site.name
    : t(lang, 'ics.name', { site: site.name, filters: filters.join(', ') });
}

/** Octets in a line, without its CRLF; a continuation's leading space counts. */
const MAX_OCTETS = 75;

/** The line with its CRLF, folded where it is longer than 75 octets; no character is cut. */
export function foldIcsLine(line: string): string {
  if (line.length * 3 <= MAX_OCTETS || Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`;
  let folded = '';
  let start = 0;
  let octets = 0;
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > MAX_OCTETS) {
      folded += `${line.slice(start, at)}\r\n `;
      start = at;
      octets = 1;
    }
    octets += size;
    at += code > 0xffff ? 2 : 1;
  }
  return `${folded}${line.slice(start)}\r\n`;
}

/** A TEXT value: invisible characters gone, backslash, semicolon, comma and line ends escaped. */
export function escapeIcsText(text: string): string {
  return cleanBlockText(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** A parameter value in quotes; what may not stand there is written as RFC 6868 says. */
export function quoteIcsParameter(text: string): string {
  return `"${cleanBlockText(text).replaceAll('^', '^^').replaceAll('"', "^'").replaceAll('\n', '^n')}"`;
}

/** Percent-encoded, so that it holds no space, quote or line end. Throws for what is no address. */
const toUriValue = (url: string): string => new URL(url).href;

/** `20261121T200000`: the local time of a timestamp. */
const toLocalStamp = (timestamp: string): string => timestamp.slice(0, 19).replace(/[-:]/g, '');
/** `20261121`: its day. */
const toDateStamp = (timestamp: string): string => toLocalStamp(timestamp).slice(0, 8);
/** `20261122T010000Z`: the same instant in UTC. */
const toUtcStamp = (timestamp: string): string =>
  `${toLocalStamp(Temporal.Instant.from(timestamp).toString())}Z`;
