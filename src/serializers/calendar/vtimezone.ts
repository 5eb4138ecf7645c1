// America/Cancun as VTIMEZONE (RFC 5545 section 3.6.5): on 2015-02-01 at 02:00 it went from -06:00
// to -05:00, without daylight saving since. Occurrences before that day are not published in
// calendars.
import { ZONE } from '../../domain/cancun-time.ts';

/** The component, with CRLF at the end of each line. */
export const VTIMEZONE = `${[
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
