// A whole calendar: its properties (RFC 7986 and what clients read), the zone, one VEVENT an
// occurrence.
import { ZONE } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { joinBytes } from '../bytes.ts';
import { foldLine, toTextValue, toUriValue } from './content-line.ts';
import { type CalendarItem, type LineCache, toVevent } from './vevent.ts';

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/** How often a subscriber should come back (contract 8.3). */
const REFRESH = 'PT6H';

/**
 * America/Cancun (RFC 5545 section 3.6.5), with CRLF at the end of each line: on 2015-02-01 at 02:00
 * it went from -06:00 to -05:00, without daylight saving since. Earlier occurrences are not published
 * in calendars.
 */
const VTIMEZONE = `${[
  'BEGIN:VTIMEZONE',
  `TZID:${ZONE}`,
  'BEGIN:STANDARD',
  'DTSTART:20150201T020000',
  'TZOFFSETFROM:-0600',
  'TZOFFSETTO:-0500',
  'TZNAME:EST',
  'END:STANDARD',
  'END:VTIMEZONE',
].join('\r\n')}\r\n`;

export interface CalendarOptions {
  readonly name: string;
  readonly description: string;
  /** The page that a person would read instead. */
  readonly page_url: string;
  /** Where this very calendar is served. */
  readonly feed_url: string;
  readonly lang: Lang;
  readonly site: Site;
  readonly cache: LineCache;
}

/** The calendar's bytes, CRLF everywhere; a pure function of the items and options. */
export function toCalendar(items: readonly CalendarItem[], options: CalendarOptions): Buffer {
  const { lang, site, cache } = options;
  const [name, description] = [toTextValue(options.name), toTextValue(options.description)];
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${toTextValue(site.name)}//Agenda 1.0//${lang.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `DESCRIPTION:${description}`,
    `X-WR-CALDESC:${description}`,
    `X-WR-TIMEZONE:${ZONE}`,
    `URL:${toUriValue(options.page_url)}`,
    `SOURCE;VALUE=URI:${toUriValue(options.feed_url)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
  ]
    .map(foldLine)
    .join('');
  const parts: (Buffer | string)[] = [head, VTIMEZONE];
  for (const item of items) parts.push(...toVevent(item, lang, site, cache));
  parts.push('END:VCALENDAR\r\n');
  return joinBytes(parts);
}
