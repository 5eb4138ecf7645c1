// Imperfect sources: tests that calendars, pages and feeds with the faults of real programs give the
// dates that they mean, or a doubt (contract 14.59).
import { describe, expect, test } from 'vitest';
import type { ImportedEvent } from '../../../src/domain/imported-events.ts';
import { parseFeedEntries } from '../../../src/sources/external/parse-entries.ts';
import { parseCalendar } from '../../../src/sources/external/parse-ics.ts';
import { parseJsonLd } from '../../../src/sources/external/parse-json-ld.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import {
  IMPERFECT_SOURCES,
  toCalendar,
  toCalendarWith,
  toJson,
  toPage,
  utf8,
} from '../../fixtures/imperfect-sources.ts';

const PARSERS = {
  icalendar: parseCalendar,
  'json-ld': parseJsonLd,
  feed: parseFeedEntries,
  cap: null,
};
const read = (kind: keyof typeof PARSERS, bytes: Buffer | string) => {
  const result = PARSERS[kind]?.(Buffer.from(bytes), FRIDAY_NOON_MS);
  return result && 'reading' in result ? result.reading.events.map(format) : result?.problem;
};
/** Formats an event as `title: dates; off dates; cancelled; doubts`. */
function format({ title, start, end, all_day, dates, off, ...event }: ImportedEvent): string {
  const days = [start.slice(0, 10), ...dates].map((day) => day + start.slice(10));
  const span = all_day && end !== null ? [`${start}/${end}`] : days;
  const status = event.is_postponed ? ['postponed'] : event.is_cancelled ? ['cancelled'] : [];
  const notes = [
    ...(off.length > 0 ? [`off ${off.join(' ')}`] : []),
    ...status,
    ...event.doubts.map(({ rule }) => rule),
  ];
  return [`${title}: ${span.join(' ')}`, ...notes].join('; ');
}

test.each(IMPERFECT_SOURCES)('%s is understood or doubted', (_, { kind, bytes, events }) => {
  expect(read(kind, bytes)).toEqual(events);
});

const readCalendar = (...events: readonly string[]) => read('icalendar', toCalendar(...events));
const DATE = '2026-12-10T20:00';

describe('times', () => {
  const DAY = 'DTSTART;VALUE=DATE:20261203';
  const WEEKLY = 'RRULE:FREQ=WEEKLY;COUNT=3';
  const EVENINGS = `DTSTART;TZID=America/Mexico_City:20261203T190000\n${WEEKLY}`;
  test.each([
    ['DTSTART;VALUE=DATE:20261210T200000', '2026-12-10'],
    [`${DAY}\n${WEEKLY}\nEXDATE:20261210T050000Z`, '2026-12-03 2026-12-17'],
    [`${DAY}\n${WEEKLY}\nEXDATE:20261210T000000Z`, '2026-12-03 2026-12-17'],
    // Programs disagree about the last day or the meant day.
    [`${DAY}\nRRULE:FREQ=WEEKLY;UNTIL=20261210T000000Z`, '2026-12-03 2026-12-10; dates_unread'],
    [`${DAY}\nRRULE:FREQ=WEEKLY;UNTIL=20261210T120000Z`, '2026-12-03 2026-12-10'],
    [
      'DTSTART:20261203T180000\nRRULE:FREQ=WEEKLY;UNTIL=20261210',
      '2026-12-03T18:00 2026-12-10T18:00; dates_unread',
    ],
    [
      'DTSTART:20261203T180000\nRRULE:FREQ=WEEKLY;UNTIL=20261212',
      '2026-12-03T18:00 2026-12-10T18:00',
    ],
    [
      `DTSTART:20261204T010000Z\n${WEEKLY}\nEXDATE;VALUE=DATE:20261210`,
      '2026-12-03T20:00 2026-12-10T20:00 2026-12-17T20:00; dates_unread',
    ],
    [`${DAY}\nRDATE:20261210T200000`, '2026-12-03 2026-12-10'],
    // A time without a zone has that of its series.
    [`${EVENINGS}\nEXDATE:20261210T190000`, '2026-12-03T20:00 2026-12-17T20:00'],
    [`${EVENINGS}\nEXDATE:20261211T010000Z`, '2026-12-03T20:00 2026-12-17T20:00'],
    [`${EVENINGS}\nEXDATE;VALUE=DATE:20261210`, '2026-12-03T20:00 2026-12-17T20:00'],
    [
      `${EVENINGS}\nEXDATE:20261210T200000`,
      '2026-12-03T20:00 2026-12-10T20:00 2026-12-17T20:00; dates_unread',
    ],
    [
      `${EVENINGS}\nEXDATE:2026-12`,
      '2026-12-03T20:00 2026-12-10T20:00 2026-12-17T20:00; dates_unread',
    ],
    [
      'DTSTART:20261210T200000\nDTEND:20261210T220000\nRDATE;VALUE=PERIOD:20261211T200000/PT2H',
      `${DATE} 2026-12-11T20:00`,
    ],
    [
      'DTSTART:20261210T200000\nDTEND:20261210T220000\nRDATE;VALUE=PERIOD:20261211T200000/20261211T230000',
      `${DATE} 2026-12-11T20:00; dates_unread`,
    ],
    ['DTSTART:20261210T200000\nDTEND;VALUE=DATE:20261212', `${DATE}; end_ignored`],
    ['DTSTART:20261210T200000\nDTEND:20261210T220000\nDURATION:PT5H', `${DATE}; end_ignored`],
    ['DTSTART:20261210T050000Z\nDURATION:P1D\nX-FUNAMBOL-ALLDAY:1', '2026-12-10'],
    ['DTSTART:20261210T200000\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE', `${DATE}; dates_unread`],
    [
      'DTSTART;TZID=America/Cancun:20261210T200000\nDTEND;TZID=Casa:20261210T220000',
      `${DATE}; zone_unknown`,
    ],
  ])('%s', (lines, dates) => {
    expect(readCalendar(lines)).toEqual([`Son: ${dates}`]);
  });

  test.each([
    ['UTC-6', '19'],
    ['"(GMT-06:00) Central America"', '19'],
    ['(UTC-05:00) Eastern Time (US & Canada)', '20'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome"', '02'],
    ['/freeassociation.sourceforge.net/America/Cancun', '20'],
    ['/example.org/20261101_1/America/Argentina/Buenos_Aires', '22'],
    ['"Europe/Madrid"', '02'],
  ])('the zone %s is recognized', (zone, hour) => {
    const day = hour === '02' ? '11' : '10';
    expect(readCalendar(`DTSTART;TZID=${zone}:202612${day}T${hour}0000`)).toEqual([`Son: ${DATE}`]);
  });

  test('an offset in the name of a zone does not replace its clock changes', () => {
    const rule = (kind: string, offset: string) =>
      `BEGIN:${kind}\nTZOFFSETTO:${offset}\nEND:${kind}`;
    const zone = `BEGIN:VTIMEZONE\nTZID:GMT-0600\n${rule('STANDARD', '-0600')}\n${rule('DAYLIGHT', '-0500')}\nEND:VTIMEZONE`;
    const event = 'DTSTART;TZID=GMT-0600:20261210T200000';
    expect(read('icalendar', toCalendarWith(zone, event))).toEqual([`Son: ${DATE}; zone_unknown`]);
    const named = zone.replace('GMT-0600', '(UTC-05:00) Eastern Time (US & Canada)');
    const summer = 'DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20270710T200000';
    expect(read('icalendar', toCalendarWith(named, summer))).toEqual(['Son: 2027-07-10T19:00']);
  });

  test('the zone of a calendar is doubted if it changes times without a zone', () => {
    const event = 'DTSTART:20261210T200000';
    const readIn = (zone: string) =>
      read('icalendar', toCalendarWith(`X-WR-TIMEZONE:${zone}`, event));
    expect(readIn('America/Cancun')).toEqual([`Son: ${DATE}`]);
    expect(readIn('America/Mexico_City')).toEqual([`Son: ${DATE}; zone_unknown`]);
  });
});

describe('series', () => {
  const SERIES = 'DTSTART:20261203T180000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3';
  const [FIRST, SECOND, THIRD] = ['2026-12-03T18:00', '2026-12-10T18:00', '2026-12-17T18:00'];
  test.each([
    ['STATUS:CANCELLED\nRECURRENCE-ID:20261210T180000', [`Son: ${FIRST} ${THIRD}; off 2026-12-10`]],
    // A replacement of no date of the series, or that cannot be parsed.
    [
      'RECURRENCE-ID:20261210T190000\nSTATUS:CANCELLED',
      [`Son: ${FIRST} ${SECOND} ${THIRD}; off 2026-12-10; dates_unread`],
    ],
    [
      'RECURRENCE-ID:soon\nDTSTART:20261211T180000',
      [`Son: ${FIRST} ${SECOND} ${THIRD}; dates_unread`],
    ],
    ['RECURRENCE-ID:20261210T180000\nDTSTART:', [`Son: ${FIRST} ${SECOND} ${THIRD}; dates_unread`]],
    [
      'RECURRENCE-ID;RANGE=THISANDPRIOR:20261210T180000\nDTSTART:20261210T180000\nDURATION:PT1H',
      [`Son: ${FIRST} ${SECOND} ${THIRD}; dates_unread`],
    ],
    [
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261210T180000\nDTSTART;VALUE=DATE:20261210',
      [`Son: ${FIRST}; dates_unread`, 'Son: 2026-12-10 2026-12-17; dates_unread'],
    ],
    [
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261210T180000\nDTSTART:20261210T180000\nDURATION:PT3H',
      [`Son: ${FIRST}`, `Son: ${SECOND} ${THIRD}`],
    ],
  ])('a series with %s', (replacement, events) => {
    expect(readCalendar(SERIES, replacement)).toEqual(events);
  });

  test('of two equal versions the one that was saved last counts', () => {
    const off = 'DTSTAMP:20261102T000000Z\nSTATUS:CANCELLED';
    expect(readCalendar(off, 'DTSTAMP:20261101T000000Z')).toEqual([`Son: ${DATE}; cancelled`]);
  });

  test.each([
    ['X-EVENT-STATUS:CANCELLED', 'dates_unread'],
    ['STATUS:DRAFT', 'dates_unread'],
    ['X-NEXT-DATE;VALUE=DATE:20261211', 'dates_unread'],
    ['STATUS:POSTPONED', 'postponed'],
    [
      'LAST-MODIFIED:20261101T000000Z\nX-MOZ-LASTACK:20261101T000000Z\nTRANSP:OPAQUE\nCREATED:20261101T000000Z',
      '',
    ],
  ])('the property %s is understood, harmless or doubted', (lines, note) => {
    expect(readCalendar(lines)).toEqual([note === '' ? `Son: ${DATE}` : `Son: ${DATE}; ${note}`]);
  });

  test.each(['METHOD:COUNTER', 'CALSCALE:CHINESE'])('a calendar with %s is doubted', (line) => {
    expect(read('icalendar', toCalendarWith(line, 'CLASS:PUBLIC'))).toEqual([
      `Son: ${DATE}; dates_unread`,
    ]);
  });
});

describe('pages', () => {
  test.each([
    ['a CDATA section', `//<![CDATA[\n${toJson()}\n//]]>`],
    ['a comment of HTML', `<!--\n${toJson()}\n-->`],
    ['comments', `/* start */ ${toJson()} // end`],
    ['trailing commas', toJson({ offers: [1] }).replace(']}', ', ] , }')],
    ['an invalid escape', toJson({ description: 'Son' }).replace('"Son"}', String.raw`"It\'s"}`)],
    ['an address with slashes', `${toJson({ url: 'https://a.example/b' })};`],
  ])('JSON-LD with %s is read', (_, script) => {
    expect(read('json-ld', toPage(script))).toEqual([`Son: ${DATE}`]);
  });

  test.each([
    [{ eventStatus: 'EventCancelled' }, 'cancelled'],
    [{ eventStatus: { '@id': 'http://schema.org/EventCanceled' } }, 'cancelled'],
    [{ eventStatus: 'https://schema.org/EventPostponed' }, 'postponed'],
    [{ eventStatus: 'https://schema.org/EventMovedOnline' }, 'dates_unread'],
    [{ previousStartDate: '2026-12-09T20:00:00-05:00' }, 'dates_unread'],
    [{ eventSchedule: { '@type': 'Schedule', repeatFrequency: 'P1W' } }, 'dates_unread'],
    [{ superEvent: { '@type': 'Event', name: 'Ciclo' } }, 'dates_unread'],
    [{ subEvent: 'https://a.example/1' }, 'dates_unread'],
    [{ startDate: ['2026-12-10T20:00:00-05:00', '2026-12-11T20:00:00-05:00'] }, 'dates_unread'],
    [{ endDate: 'late' }, 'end_ignored'],
    [{ duration: 'PT2H', dateModified: '2026-11-01', doorTime: '19:00' }, ''],
  ])('an event with %o', (more, note) => {
    expect(read('json-ld', toPage(toJson(more)))).toEqual([
      note === '' ? `Son: ${DATE}` : `Son: ${DATE}; ${note}`,
    ]);
  });

  test('the parts of a cancelled event are cancelled', () => {
    const subEvent = JSON.parse(toJson()) as object;
    const whole = toJson({ subEvent, eventStatus: 'EventCancelled', name: 'Ciclo' });
    expect(read('json-ld', toPage(whole))).toEqual([`Son: ${DATE}; cancelled; dates_unread`]);
  });

  test.each([
    ['a tag', '<p'],
    ['a comment', '<!-- half'],
    ['a script', '<script type="application/ld+json">{'],
  ])('a page that ends within %s is cut off', (_, end) => {
    expect(read('json-ld', `${toPage(toJson())}${end}`)).toBe('cut_off');
  });
});

describe('feeds', () => {
  const item = `<item><guid>1</guid><title>Son &amp; m\xe1s</title><startdate>${DATE}</startdate></item>`;
  const rss = `<rss><channel><title>Foro</title>${item}</channel></rss>`;
  const toText = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);
  test.each([
    ['a declared encoding', toText(`<?xml version="1.0" encoding="iso-8859-1"?>${rss}`, 'latin1')],
    ['a byte order mark', toText(`\ufeff<?xml version="1.0"?>${rss}`, 'utf8')],
    [
      'a DOCTYPE',
      toText(`<!DOCTYPE rss PUBLIC "-//a//b" "http://a.example/rss.dtd">${rss}`, 'utf8'),
    ],
    ['a bare ampersand', toText(rss.replace('&amp;', '&'), 'utf8')],
    ['a comment after its end', toText(`${rss}<!-- cached -->`, 'utf8')],
  ])('a feed with %s is read', (_, bytes) => {
    expect(read('feed', bytes)).toEqual([`Son & más: ${DATE}`]);
  });

  test('a DOCTYPE with declarations is refused, and half a feed is cut off', () => {
    expect(read('feed', `<!DOCTYPE rss [<!ENTITY a "b">]>${rss}`)).toBe('not_feed');
    expect(read('feed', rss.slice(0, -20))).toBe('cut_off');
  });
});

describe('texts', () => {
  const readDescription = (text: string) => {
    const result = parseCalendar(toCalendar(`DESCRIPTION:${text}`), FRIDAY_NOON_MS);
    return 'reading' in result ? result.reading.events[0]?.description : result.problem;
  };
  test.each([
    [
      'https://a.example/e?id=4&section=2&copy=1&reg=mx',
      'https://a.example/e?id=4&section=2&copy=1&reg=mx',
    ],
    ['https://a.example/e?a=1&amp;copy=2', 'https://a.example/e?a=1&copy=2'],
    ['Rock &amp; pop &para todos', 'Rock & pop &para todos'],
    ['&lt;p&gt;Hola&lt;/p&gt;', 'Hola'],
    ['&amp;lt;b class="x"&amp;gt;Hola&amp;lt;/b&amp;gt; 2 < 3', 'Hola 2 < 3'],
  ])('the text %s has neither markup nor damaged addresses', (text, expected) => {
    expect(readDescription(text)).toBe(expected);
  });

  test.each([
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Ma=F1ana', 'Mañana'],
    ['SUMMARY;QUOTED-PRINTABLE:Ma=C3=B1ana de ni=\n=C3=B1os', 'Mañana de niños'],
    ['SUMMARY:Ma=C3=B1ana', 'Ma=C3=B1ana', 'letters_unread'],
    ['SUMMARY:MaÃ±ana', 'MaÃ±ana', 'letters_unread'],
    ['SUMMARY:São João e SÃO', 'São João e SÃO'],
  ])('%s is decoded or doubted', (line, title, ...doubts) => {
    expect(readCalendar(line)).toEqual([[`${title}: ${DATE}`, ...doubts].join('; ')]);
  });

  test.each([
    ['\r\n', '\t'],
    ['\r', ' '],
    ['\n', '\t'],
  ])('a letter folded with %j and %j is whole', (end, space) => {
    const text = toCalendar(`SUMMARY:${utf8('Canción')}`.replace('\xb3', '\n\xb3')).toString();
    const folded = text.replace('\n\xb3', `\n${space}\xb3`).replaceAll('\n', end);
    expect(read('icalendar', Buffer.from(folded, 'latin1'))).toEqual([`Canción: ${DATE}`]);
  });

  test.each([
    ['Cancelado: Son', true],
    ['❌ CANCELADA ❌ Son', true],
    ['[Cancelled] Son', true],
    ['Son (POSPUESTO)', true],
    ['Son - cancelado', true],
    ['Evento aplazado: Son', true],
    ['Reprogramado | Son', true],
    ['El cancelador', false],
    ['Cancelaciones hasta el martes', false],
    ['Sin boletos cancelados', false],
  ])('the title “%s” calls its event off: %s', (title, is_called_off) => {
    expect(readCalendar(`SUMMARY:${title}`)).toEqual([
      `${title}: ${DATE}${is_called_off ? '; called_off' : ''}`,
    ]);
  });
});
