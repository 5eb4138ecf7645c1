// iCalendar serialization: writes calendars with their properties (RFC 7986 and common extensions),
// time zone, and one VEVENT per occurrence (RFC 5545, 3.6.1; contract 12). Also builds links to
// Google Calendar. A card is an event with its venue, organizer, category, zone and next
// occurrence.
import { Temporal } from 'temporal-polyfill';
import { NO_DATES, type RangelessCard } from '../domain/agenda.ts';
import { getOffsetPeriod, TIME_ZONE } from '../domain/local-time.ts';
import type { OccurrenceRecord, OccurrenceStatus } from '../domain/event/event.ts';
import { type EventFact, listFacts, withDateCertainty } from '../domain/event/facts.ts';
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

/** Refresh interval for subscribed calendars (contract 8.3). */
const REFRESH_INTERVAL = 'PT6H';

/** Formats local zone abbreviations: `CET`, `EST`. */
const ZONE_NAME_FORMAT = new Intl.DateTimeFormat(`en-${TOWN.country}`, {
  timeZone: TIME_ZONE,
  timeZoneName: 'short',
});
const formatOffset = (offset: string): string => offset.replace(':', '');

/**
 * Builds the VTIMEZONE with the offset periods that cover these instants (RFC 5545, 3.6.5). An
 * offset period is the time between two changes of the clock; its ends are infinite if there is
 * none.
 */
function buildVtimezone(instants_ms: readonly number[]): string[] {
  const [first_ms, last_ms] = instants_ms.reduce(
    ([min_ms, max_ms], instant_ms) => [Math.min(min_ms, instant_ms), Math.max(max_ms, instant_ms)],
    [instants_ms[0] ?? 0, instants_ms[0] ?? 0],
  );
  const lines: string[] = [];
  for (
    let period = getOffsetPeriod(first_ms);
    period.from_ms <= last_ms;
    period = getOffsetPeriod(period.to_ms)
  ) {
    const transition_ms = Math.max(period.from_ms, 0);
    const previous_period = getOffsetPeriod(transition_ms - 1);
    // A period followed by a smaller offset is daylight saving time.
    const next_period = Number.isFinite(period.to_ms) ? getOffsetPeriod(period.to_ms) : period;
    const kind = next_period.offset_ms < period.offset_ms ? 'DAYLIGHT' : 'STANDARD';
    const name = ZONE_NAME_FORMAT.formatToParts(transition_ms).find(
      ({ type }) => type === 'timeZoneName',
    );
    lines.push(
      `BEGIN:${kind}`,
      `DTSTART:${formatLocalStamp(new Date(transition_ms + previous_period.offset_ms).toISOString())}`,
      `TZOFFSETFROM:${formatOffset(previous_period.offset)}`,
      `TZOFFSETTO:${formatOffset(period.offset)}`,
      `TZNAME:${name?.value ?? TIME_ZONE}`,
      `END:${kind}`,
    );
    if (!Number.isFinite(period.to_ms)) break;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${TIME_ZONE}`, ...lines, 'END:VTIMEZONE'];
}

/** STATUS by occurrence status. RFC 5545 has none for postponed events; the summary shows it. */
const ICS_STATUSES = {
  scheduled: 'CONFIRMED',
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE',
} as const satisfies Record<OccurrenceStatus, string>;

/** An event with the records that its VEVENT needs. */
export type CalendarEvent = RangelessCard & {
  /** URL that replaces the event's page; set if the event has no page yet. */
  readonly page?: string;
};

/** One VEVENT: an occurrence with its event. */
export interface CalendarItem {
  readonly occurrence: OccurrenceRecord;
  readonly card: CalendarEvent;
}

/** Properties of a calendar; the URLs are absolute. */
interface CalendarOptions {
  readonly name: string;
  readonly description: string;
  /** HTML page with the same events. */
  readonly page_url: string;
  /** The calendar itself. */
  readonly feed_url: string;
  readonly lang: Lang;
  readonly site: Site;
  /** Dates before it are the first to be left out of a calendar that is too large. */
  readonly today_ms?: number;
}

/** Google Calendar reads no larger calendar than 1 MB; some bytes are left for its head. */
const MAX_EVENT_BYTES = 980_000;

/**
 * Selects the dates that fit into a calendar, in their order. Leaves out past ones first, the oldest
 * before the others, then those farthest ahead.
 */
function selectFitting(
  vevents: readonly string[],
  items: readonly CalendarItem[],
  today_ms: number,
) {
  const dates = vevents.map((vevent, index) => {
    const { start_ms = 0, end_ms = 0 } = items[index]?.occurrence ?? {};
    const is_past = end_ms <= today_ms;
    return { vevent, bytes: Buffer.byteLength(vevent), is_past, start_ms };
  });
  const ahead_first = dates.toSorted(
    (a, b) =>
      Number(a.is_past) - Number(b.is_past) ||
      (a.is_past ? b.start_ms - a.start_ms : a.start_ms - b.start_ms),
  );
  let bytes = 0;
  const fitting = new Set(
    ahead_first.filter((date) => {
      bytes += date.bytes;
      return bytes <= MAX_EVENT_BYTES;
    }),
  );
  return dates.filter((date) => fitting.has(date)).map(({ vevent }) => vevent);
}

/** Serializes a calendar with CRLF line ends. The output depends only on the arguments. */
export function serializeCalendar(
  items: readonly CalendarItem[],
  options: CalendarOptions,
): string {
  const { lang, site } = options;
  const occurrences = items.map(({ occurrence }) => occurrence);
  const instants_ms = occurrences.flatMap(({ start, end }) => [Date.parse(start), Date.parse(end)]);
  const vevents = items.map((item) => buildVevent(item, lang, site).map(foldIcsLine).join(''));
  const fitting = selectFitting(vevents, items, options.today_ms ?? 0);
  const left_out = items.length - fitting.length;
  const note = left_out === 0 ? '' : ` ${t(lang, 'ics.too_large', { count: left_out })}`;
  const [name, description] = [options.name, options.description + note].map(escapeIcsText);
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
    `URL:${normalizeUri(options.page_url)}`,
    `SOURCE;VALUE=URI:${normalizeUri(options.feed_url)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH_INTERVAL}`,
    `X-PUBLISHED-TTL:${REFRESH_INTERVAL}`,
    // An empty calendar needs a time zone too, of any instant.
    ...buildVtimezone(instants_ms.length > 0 ? instants_ms : [Date.UTC(2026, 0)]),
  ];
  return [...lines.map(foldIcsLine), ...fitting, 'END:VCALENDAR\r\n'].join('');
}

/** Builds the lines of one VEVENT, not yet folded. */
function buildVevent({ occurrence, card }: CalendarItem, lang: Lang, site: Site): string[] {
  const { id, status, start, end, all_day, sequence } = occurrence;
  const { event, venue, organizer, category, page } = card;
  const url = page ?? absoluteUrl(site.url, recordPath('event', event.slug, lang));
  const updated_stamp = formatUtcStamp(occurrence.updated_at);
  const formatDateValue = (timestamp: string): string =>
    all_day
      ? `;VALUE=DATE:${formatDateStamp(timestamp)}`
      : `;TZID=${TIME_ZONE}:${formatLocalStamp(timestamp)}`;
  const location = formatLocation(card, lang);
  const image = pictureLink(card, lang, site);
  const categories = [...(category ? [category.name[lang]] : []), ...event.tags]
    .map(escapeIcsText)
    .join(',');
  return [
    'BEGIN:VEVENT',
    // A constant domain: RFC 7986, 5.3, advises against host names.
    `UID:${id}@${CALENDAR_ID_DOMAIN}`,
    `DTSTAMP:${updated_stamp}`,
    `LAST-MODIFIED:${updated_stamp}`,
    `SEQUENCE:${sequence}`,
    `DTSTART${formatDateValue(start)}`,
    `DTEND${formatDateValue(end)}`,
    `STATUS:${ICS_STATUSES[status]}`,
    'TRANSP:TRANSPARENT',
    `SUMMARY:${escapeIcsText(formatSummary(event.title[lang], status, lang))}`,
    `DESCRIPTION:${escapeIcsText(formatDescription(card, occurrence, url, lang))}`,
    location === null ? null : `LOCATION:${escapeIcsText(location)}`,
    !venue || venue.lat === null || venue.lng === null ? null : `GEO:${venue.lat};${venue.lng}`,
    categories === '' ? null : `CATEGORIES:${categories}`,
    organizer &&
      `CONTACT;ALTREP=${quoteIcsParameter(absoluteUrl(site.url, recordPath('organizer', organizer.slug, lang)))}:${escapeIcsText(organizer.name)}`,
    `URL:${normalizeUri(url)}`,
    image && `IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=${image.type}:${normalizeUri(image.url)}`,
    'END:VEVENT',
  ].filter((line) => line !== null);
}

/** Puts the status before the title, because some clients hide STATUS (contract 12.6). */
const formatSummary = (title: string, status: OccurrenceStatus, lang: Lang): string =>
  status === 'scheduled' ? title : t(lang, `ics.status.${status}`, { title });

/**
 * Formats name, address and locality of the venue; without a venue, the location note and the zone.
 */
function formatLocation({ venue, zone, event }: CalendarEvent, lang: Lang): string | null {
  const note = event.location_note?.[lang] ?? null;
  if (venue) return formatPlaceLine([venue.name, venue.address, venue.locality], venue.zone);
  return zone ? formatPlaceLine([note, zone.name[lang]], zone.key) : note;
}

/** Formats the plain-text description: summary, facts by importance, and the URL of the page. */
function formatDescription(
  card: CalendarEvent,
  occurrence: OccurrenceRecord,
  url: string,
  lang: Lang,
): string {
  const { venue } = card;
  const event = withDateCertainty(card.event, occurrence);
  const facts = listFacts({ ...card, event, ...NO_DATES, next: occurrence }, 'calendar');
  const formatLines = (selected: readonly EventFact[]): string[] =>
    selected.map(
      ({ name, value }) =>
        `${t(lang, `label.${name}`)}: ${formatFactLines(value, lang).join(FACT_LINE_SEPARATOR)}`,
    );
  const lines = [
    localized(occurrence.notes, lang),
    ...formatLines(facts.filter(isPrice)),
    // LOCATION already has the venue.
    venue && event.location_note ? event.location_note[lang] : null,
    ...formatLines(facts.filter((fact) => !isPrice(fact) && !isAddress(fact))),
    formatConfirmedBy(occurrence, lang),
    occurrence.time_known ? null : t(lang, 'ics.time_unknown'),
    occurrence.time_known && !occurrence.end_known ? t(lang, 'ics.end_unknown') : null,
    ...formatLines(facts.filter(isAddress)),
  ].filter((line) => line !== null);
  return [event.summary[lang], lines.join('\n'), url].join('\n\n');
}

const isPrice = ({ value }: EventFact): boolean =>
  value.kind === 'price' || value.kind === 'visitors';
const isAddress = ({ value }: EventFact): boolean => value.kind === 'address';

const GOOGLE_CALENDAR_URL = 'https://calendar.google.com/calendar/render';

/** Maximum characters of the description, so that every browser accepts the URL. */
const MAX_DETAILS_LENGTH = 1_200;

/** Truncates a description between words, keeping the event's URL at the end. */
function truncateDetails(description: string, url: string): string {
  if (description.length <= MAX_DETAILS_LENGTH) return description;
  // 4 characters for ` …` and the two line ends before the URL.
  const head = description.slice(0, MAX_DETAILS_LENGTH - url.length - 4);
  const last_space = Math.max(0, head.lastIndexOf(' '));
  return `${head.slice(0, last_space)} …\n\n${url}`;
}

/**
 * Builds the URL that opens Google Calendar with one occurrence filled in: title, local times with
 * their zone (or whole days), location, and the description of the .ics file.
 */
export function googleEventUrl(
  card: CalendarEvent,
  occurrence: OccurrenceRecord,
  lang: Lang,
  site: Site,
): string {
  const { start, end, all_day } = occurrence;
  const formatStamp = all_day ? formatDateStamp : formatLocalStamp;
  const url = absoluteUrl(site.url, recordPath('event', card.event.slug, lang));
  const params = new URLSearchParams({
    action: 'TEMPLATE',
    text: card.event.title[lang],
    dates: `${formatStamp(start)}/${formatStamp(end)}`,
    ctz: TIME_ZONE,
    details: truncateDetails(formatDescription(card, occurrence, url, lang), url),
    location: formatLocation(card, lang) ?? '',
  });
  return `${GOOGLE_CALENDAR_URL}?${params.toString()}`;
}

/**
 * Formats the name of a feed with its filters, so that subscribers can tell their feeds apart
 * (contract 12.8): `Hoy Mérida: Música en vivo, Centro, gratis`.
 * @param params The query as written; days and free text appear unchanged.
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

/** Maximum octets of a line, without CRLF; the leading space of a continuation counts. */
const MAX_OCTETS = 75;

/** Adds CRLF and folds lines longer than 75 octets, never within a character or an escape. */
export function foldIcsLine(line: string): string {
  // A UTF-16 code unit takes at most 3 octets in UTF-8.
  if (line.length * 3 <= MAX_OCTETS || Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`;
  let folded = '';
  let line_start = 0;
  let octets = 0;
  for (let index = 0; index < line.length; ) {
    const code_point = line.codePointAt(index) ?? 0;
    // Some programs decode an escape before they unfold, so it stays whole.
    const is_escape = line[index] === '\\' && index + 1 < line.length;
    const size = is_escape ? 2 : countUtf8Octets(code_point);
    if (octets + size > MAX_OCTETS) {
      folded += `${line.slice(line_start, index)}\r\n `;
      line_start = index;
      octets = 1;
    }
    octets += size;
    index += is_escape || code_point > 0xffff ? 2 : 1;
  }
  return `${folded}${line.slice(line_start)}\r\n`;
}

/** Returns the number of octets of a code point in UTF-8. */
function countUtf8Octets(code_point: number): number {
  if (code_point < 0x80) return 1;
  if (code_point < 0x800) return 2;
  return code_point < 0x10000 ? 3 : 4;
}

/**
 * Escapes a TEXT value: removes invisible characters; escapes backslash, semicolon, comma and line
 * ends.
 */
export function escapeIcsText(text: string): string {
  return cleanBlockText(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** Quotes a parameter value, with the escapes of RFC 6868. */
export function quoteIcsParameter(text: string): string {
  return `"${cleanBlockText(text).replaceAll('^', '^^').replaceAll('"', "^'").replaceAll('\n', '^n')}"`;
}

/**
 * Percent-encodes a URL, so that it has no spaces, quotes or line ends.
 * @throws TypeError if the URL is not valid.
 */
const normalizeUri = (url: string): string => new URL(url).href;

/** Formats the local time of a timestamp: `20261121T200000`. */
const formatLocalStamp = (timestamp: string): string => timestamp.slice(0, 19).replace(/[-:]/g, '');
/** Formats the local day of a timestamp: `20261121`. */
const formatDateStamp = (timestamp: string): string => formatLocalStamp(timestamp).slice(0, 8);
/** Formats a timestamp in UTC: `20261122T010000Z`. */
const formatUtcStamp = (timestamp: string): string =>
  `${formatLocalStamp(Temporal.Instant.from(timestamp).toString())}Z`;
