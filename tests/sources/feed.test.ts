// Imported calendars: tests parsing of iCalendar files, with the line of each failure (contract 14.34).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  IMPORT_LIMITS,
  type ImportedEvent,
  type ImportedCalendar,
} from '../../src/domain/imported-events.ts';
import { SUBMISSION_LIMITS } from '../../src/domain/submission/field-rules.ts';
import { parseCalendar } from '../../src/sources/external/parse-ics.ts';
import { localMs } from '../fixtures/fixture.ts';

const NOW_MS = localMs('2026-11-20T12:00');

function read(bytes: Uint8Array | string, now_ms = NOW_MS): ImportedCalendar {
  const result = parseCalendar(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, now_ms);
  if ('problem' in result) throw new Error(result.problem);
  return result.reading;
}
const readFile = (name: string, day: string): ImportedCalendar =>
  read(
    readFileSync(join(import.meta.dirname, `../fixtures/feeds/${name}.ics`)),
    localMs(`${day}T00:00`),
  );
/** Builds a calendar with an event for each argument. */
const toFeed = (...events: readonly string[]): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.map((lines) => `BEGIN:VEVENT\r\n${lines.replaceAll('\n', '\r\n')}\r\nEND:VEVENT\r\n`).join('')}END:VCALENDAR\r\n`;
const readOne = (lines: string): ImportedEvent => {
  const [event] = read(toFeed(`SUMMARY:Uno\n${lines}`)).events;
  if (event === undefined) throw new Error('no event');
  return event;
};
const START = 'DTSTART:20261205T200000';
const rulesOf = ({ doubts }: ImportedEvent): string[] => doubts.map(({ rule }) => rule);
/** The first start of an event and its further days, also those that rest. */
const toDays = ({ start, dates, resting = [] }: ImportedEvent) => [
  start,
  [...dates, ...resting].sort(),
];

test.each([
  ['an endless duration', 'DURATION:P99999999999D', ['end_ignored']],
  ['an end after the year 9999', 'DTEND:99991231T235959', ['end_ignored']],
])('%s is ignored', (_, line, doubts) => {
  const event = readOne(`${START}\n${line}`);
  expect([event.end, rulesOf(event)]).toEqual([null, doubts]);
});

test('an event that breaks the parser is a failure, and the others remain', () => {
  const dates = Array.from({ length: 4_000 }, () => '20270101T100000').join(',');
  const broken = `SUMMARY:Roto\n${START}\nRDATE:${dates}`;
  const { events, failures } = read(toFeed(broken, `SUMMARY:Sano\n${START}`));
  expect(events.map(({ title }) => title)).toEqual(['Sano']);
  expect(failures).toMatchObject([{ rule: 'not_understood', title: 'Roto' }]);
});

describe('real files', () => {
  test('an invalid rule does not affect the other events', () => {
    const { events, failures } = readFile('google-bad-rrule', '2020-09-03');
    expect(events.find(({ title }) => title === 'Academic Time')).toMatchObject({
      ...{ start: '2020-09-03T10:50', dates: [], doubts: [{ rule: 'rule_ignored' }] },
    });
    const later = readFile('google-bad-rrule', '2020-10-01');
    expect(later.failures).toMatchObject([{ rule: 'bad_rule', line: 47, title: 'Academic Time' }]);
    expect([later.events.length > 2, failures]).toEqual([true, []]);
  });

  test.each([
    // Windows zone names, with misplaced quotes.
    ['outlook-windows-tz-names', '2020-06-09', { line: 145, start: '2020-06-09T02:00' }],
    ['office365-tzid-without-vtimezone', '2024-04-01', { start: '2024-04-26T07:00' }],
    // One date of a series is cancelled, one moved.
    [
      'series-with-one-occurrence-cancelled',
      '2014-06-29',
      { start: '2014-06-30T00:00', dates: ['2014-07-21', '2014-07-28', '2014-08-04'] },
    ],
    // No end, no UID.
    ['mexico-cronquiles-no-uid-no-dtend', '2025-01-05', { start: '2025-01-09T19:30', end: null }],
    // The highest SEQUENCE wins.
    ['duplicate-uid-sequence', '2024-01-15', { title: 'Team Meeting (SEQUENCE 2)' }],
  ])('%s on %s has %o', (name, day, event) => {
    expect(readFile(name, day).events).toContainEqual(expect.objectContaining(event));
  });

  test('events without a UID are distinguished', () => {
    const { name, events } = readFile('mexico-cronquiles-no-uid-no-dtend', '2025-01-05');
    expect(name).toBe('Eventos Tech Puebla - cronquiles');
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(12);
    expect(readFile('duplicate-uid-sequence', '2024-01-15').events.length).toBe(2);
  });
});

describe('times', () => {
  const AT = '2026-12-05T20:00';
  const DAY = 'DTSTART;VALUE=DATE:20261205';
  test.each<[string, string, string | null, string?]>([
    ['DTSTART:20261206T010000Z', AT, null],
    ['DTSTART;TZID=America/Mexico_City:20261205T190000', AT, null],
    ['DTSTART;TZID=Eastern Standard Time:20270705T200000', '2027-07-05T19:00', null],
    ['DTSTART;TZID=/mozilla.org/2005/Europe/Madrid:20261206T020000', AT, null],
    ['DTSTART;TZID=Casa:20261205T200000', AT, null, 'zone_unknown'],
    ['DTSTART:2026-12-05T20:00:00-05:00', AT, null],
    [`${START}\nDTEND:20261206T010000`, AT, '2026-12-06T01:00'],
    [`${START}\nDURATION:PT90M`, AT, '2026-12-05T21:30'],
    [`${START}\nDTEND:20261205T200000`, AT, null],
    [`${START}\nDTEND:20261205T190000`, AT, null, 'end_ignored'],
    [`${DAY}\nDTEND;VALUE=DATE:20261206`, '2026-12-05', null],
    [`${DAY}\nDTEND;VALUE=DATE:20261208`, '2026-12-05', '2026-12-07'],
  ])('%s', (lines, start, end, doubt) => {
    const event = readOne(lines);
    expect([event.start, event.end, rulesOf(event).join()]).toEqual([start, end, doubt ?? '']);
  });

  test('past events are counted, ongoing events are listed', () => {
    const { events, over, failures } = read(
      toFeed(
        'SUMMARY:Ayer\nDTSTART:20261119T200000',
        'SUMMARY:Exposición\nDTSTART;VALUE=DATE:20261101\nDTEND;VALUE=DATE:20261201',
        'SUMMARY:Hoy temprano\nDTSTART:20261120T080000\nDTEND:20261120T090000',
        'SUMMARY:Hoy sin final\nDTSTART:20261120T080000',
      ),
    );
    expect(events.map(({ title }) => title)).toEqual(['Exposición', 'Hoy sin final']);
    expect([over, failures]).toEqual([2, []]);
  });
});

describe('repetitions', () => {
  test.each([
    ['RRULE:FREQ=DAILY;COUNT=3', '11-25 11-26'],
    ['RRULE:FREQ=WEEKLY;UNTIL=20261209T010000Z', '12-01 12-08'],
    ['RRULE:FREQ=WEEKLY;UNTIL=20261207', '12-01'],
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,TU;COUNT=4;', '12-06 12-08 12-20'],
    ['RRULE:FREQ=MONTHLY;COUNT=2', '12-24'],
    // Programs disagree about a first day that is none of the rule.
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-1,31;COUNT=3', '11-30 12-31', 'dates_unread'],
    ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', '11-30 12-31', 'dates_unread'],
    ['RRULE:FREQ=YEARLY;BYMONTH=12;BYDAY=2SA;COUNT=2', '12-12', 'dates_unread'],
    ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=2;COUNT=3', '12-01 12-08', 'dates_unread'],
    ['RDATE:20261130T200000', '11-30'],
    ['RRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261125T200000\nEXDATE;VALUE=DATE:20261126', '11-27'],
  ])('%s', (rule, days, ...doubts) => {
    const event = readOne(`DTSTART:20261124T200000\n${rule}`);
    const dates = days.split(' ').map((day) => `2026-${day}`);
    expect([...toDays(event), rulesOf(event)]).toEqual(['2026-11-24T20:00', dates, doubts]);
  });

  test.each([
    'FREQ=SECONDLY',
    'FREQ=DAILY;BYHOUR=21',
    'FREQ=WEEKLY;BYDAY=MO;BYDAY=SA',
    'FREQ=MONTHLY;BYMONTHDAY=40',
    'FREQ=WEEKLY;INTERVAL=0',
  ])('%s is ignored: the event has only its first day', (rule) => {
    const event = readOne(`${START}\nRRULE:${rule}`);
    expect([event.dates, rulesOf(event)]).toEqual([[], ['rule_ignored']]);
  });

  test('a series that began long ago has only its upcoming days', () => {
    const event = readOne('DTSTART;TZID=America/Cancun:20150106T200000\nRRULE:FREQ=WEEKLY');
    expect([event.start, event.dates.length]).toEqual(['2026-11-24T20:00', 51]);
  });

  const toDate = (day: string, hour = '200000'): string =>
    `UID:${day}\nSUMMARY:Jazz\nDTSTART:202612${day}T${hour}\nURL:https://a.example/jazz/2026-12-${day}/`;
  test.each<[string, readonly string[], readonly (readonly [string, readonly string[]])[]]>([
    [
      'times that shift with the clock change of another zone become separate events',
      [
        'UID:a\nSUMMARY:Clase\nDTSTART;TZID=America/New_York:20270301T200000\nRRULE:FREQ=WEEKLY;COUNT=4',
      ],
      [
        ['2027-03-01T20:00', ['2027-03-08']],
        ['2027-03-15T19:00', ['2027-03-22']],
      ],
    ],
    [
      'a moved date may come before its series in the file',
      [
        'UID:a\nSUMMARY:Clase\nRECURRENCE-ID:20261201T200000\nDTSTART:20261202T200000',
        'UID:a\nSUMMARY:Clase\nDTSTART:20261124T200000\nRRULE:FREQ=WEEKLY;COUNT=3',
      ],
      [['2026-11-24T20:00', ['2026-12-02', '2026-12-08']]],
    ],
    [
      'equal events without a rule become one event with several dates',
      [toDate('05'), toDate('12'), toDate('19'), toDate('20', '210000')],
      [
        ['2026-12-05T20:00', ['2026-12-12', '2026-12-19']],
        ['2026-12-20T21:00', []],
      ],
    ],
  ])('%s', (_, lines, days) => {
    const { events } = read(toFeed(...lines));
    expect(events.map(toDays)).toEqual(days);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  });
  test('the joined event keeps its UID without its first date', () => {
    const [first, ...rest] = [toDate('05'), toDate('12'), toDate('19')];
    const all = read(toFeed(first, ...rest)).events[0];
    expect(read(toFeed(...rest)).events[0]?.uid).toBe(all?.uid);
  });

  test('dates beyond the limit of a submission are dropped with a warning', () => {
    const event = readOne('DTSTART:20261121T100000\nRRULE:FREQ=DAILY');
    expect(event.dates.length).toBe(SUBMISSION_LIMITS.dates);
    expect(event.doubts).toEqual([{ rule: 'dates_cut', text: '2027-01-24' }]);
    expect(event.resting).toEqual(['2026-12-24', '2026-12-25', '2026-12-31', '2027-01-01']);
  });

  const ENDLESS = ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;COUNT=99999999'];
  test.each(ENDLESS)('%s two thousand times stays within the time limit', (rule) => {
    const event = `SUMMARY:Uno\nDTSTART:19000103T100000\nRRULE:${rule}`;
    const text = toFeed(...Array.from({ length: 2_000 }, (_, n) => `UID:${n}\n${event}`));
    const start_ms = performance.now();
    read(text.slice(0, IMPORT_LIMITS.bytes));
    expect(performance.now() - start_ms).toBeLessThan(6_000);
  });
});

describe('broken files', () => {
  test.each([
    ['SUMMARY:Uno', 'no_start', ''],
    [START, 'no_title', ''],
    ['SUMMARY:Uno\nDTSTART:20261305T200000', 'bad_start', '20261305T200000'],
    ['SUMMARY:Uno\nDTSTART:20200101\nRRULE:FREQ=HOURLY', 'bad_rule', 'FREQ=HOURLY'],
    [
      'SUMMARY:Uno\nDTSTART:20261205\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20261205,20261206',
      'all_left_out',
      '',
    ],
  ])('%s fails with %s, and the next event is listed', (lines, rule, text) => {
    const { events, failures } = read(toFeed(lines, 'SUMMARY:Dos\nDTSTART:20261206T100000'));
    expect(failures).toMatchObject([{ rule, line: 3, text }]);
    expect(events.map(({ title }) => title)).toEqual(['Dos']);
  });

  test('an event without END does not swallow the next', () => {
    const text = toFeed(`SUMMARY:Uno\n${START}`, 'SUMMARY:Dos\nDTSTART:20261206');
    const titlesOf = (part: string) =>
      read(part).events.map((event) => [event.title, ...rulesOf(event)]);
    const unclosed = text.replace('END:VEVENT\r\n', '');
    expect(titlesOf(unclosed)).toEqual([['Uno', 'not_closed'], ['Dos']]);
  });

  test('parses badly folded lines, names on a line of their own, and ignores alarms', () => {
    const text = toFeed(
      `SUMMARY\n :Noche de\n  jazz\n${START}\nDESCRIPTION:Trae silla.\nContacto: Ana\nBEGIN:VALARM\nDESCRIPTION:Aviso\nTRIGGER:-PT5M\nEND:VALARM\n???\nLOCATION:Parque\\, Centro`,
    );
    expect(read(text.replaceAll('\r\n', '\n')).events[0]).toMatchObject({
      title: 'Noche de jazz',
      description: 'Trae silla.\nContacto: Ana',
      location: 'Parque, Centro',
      doubts: [{ rule: 'line_skipped' }],
    });
  });

  test.each([
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('decodes %s', (_name, encode) => {
    const { events } = read(encode(toFeed('SUMMARY:Año Nuevo en Cancún\nDTSTART:20261231')));
    expect(events[0]?.title).toBe('Año Nuevo en Cancún');
  });

  const RULE = '_'.repeat(80);
  test.each([
    ['AT&amp;T &amp;#8211; 5 < 6', 'AT&T – 5 < 6', []],
    ['[vc_row width="1/2"]Tango[/vc_row] [presencial]', 'Tango [presencial]', []],
    ['<style>p{color:red}</style><ul><li>Uno</li><li>Dos</li></ul>', 'Uno\nDos', []],
    [
      '<p>Rock &amp\\; pop</p>https://a.example https://b.example https://c.example',
      'Rock & pop\nhttps://a.example https://b.example',
      ['text_cut'],
    ],
    ['Por https://us02web.zoom.us/j/123', 'Por https://us02web.zoom.us/j/123', ['join_link']],
    ['ID de reunión: 812 3456 7890', 'ID de reunión: 812 3456 7890', ['join_link']],
    ['https://tel.meet/abc?pin=1', 'https://tel.meet/abc?pin=1', ['join_link']],
  ])('cleans the description %s', (text, description, doubts) => {
    const event = readOne(`${START}\nDESCRIPTION:${text}`);
    expect([event.description, rulesOf(event)]).toEqual([description, doubts]);
  });

  test.each([
    '-::~:~::~:~:~:~::~:~::-\\nJoin with Google Meet: https://meet.google.com/abc-defg-hij\\nPlease do not edit this section.\\n-::~:~::~:~:~:~::~:~::-',
    `${RULE}\\nReunión de Microsoft Teams\\nUnirse: https://teams.microsoft.com/l/meetup-join/1\\n${RULE}`,
    'Ana is inviting you to a scheduled Zoom meeting.\\n\\nJoin Zoom Meeting\\nhttps://us02web.zoom.us/j/123?pwd=secreto\\nPasscode: 42',
  ])('an invitation to a video call is removed: %s', (invitation) => {
    const event = readOne(`${START}\nDESCRIPTION:Trae libreta.\\n\\n${invitation}`);
    expect([event.description, rulesOf(event)]).toEqual(['Trae libreta.', ['call_cut']]);
  });

  test.each([
    ['CLASS:PRIVATE', ['private'], false],
    ['STATUS:TENTATIVE', ['tentative'], false],
    ['STATUS:CANCELLED', [], true],
  ])('%s is reported', (line, doubts, is_cancelled) => {
    const event = readOne(`${START}\n${line}`);
    expect([rulesOf(event), event.is_cancelled]).toEqual([doubts, is_cancelled]);
  });

  test.each([
    ['20190301', '20300301', ['long_ago']],
    ['20191201', '20301201T200000', []],
    ['20261201', '20281201', ['end_ignored']],
  ])('an event from %s to %s is reported', (start, end, doubts) => {
    const { events } = read(toFeed(`SUMMARY:Muestra\nDTSTART:${start}\nDTEND:${end}`));
    expect(events.map(rulesOf)).toEqual(doubts.length === 0 ? [] : [doubts]);
  });

  test('a large calendar of past events has its upcoming ones', () => {
    const past = Array.from(
      { length: 12_000 },
      (_, n) => `UID:${n}\nSUMMARY:Ayer\nDTSTART:20250105T200000\nDESCRIPTION:${'a'.repeat(60)}`,
    );
    const series = 'UID:x\nSUMMARY:Serie\nDTSTART:20250105T200000\nRRULE:FREQ=YEARLY';
    const text = toFeed(...past, series, `UID:y\nSUMMARY:Uno\n${START}`);
    expect(text.length > IMPORT_LIMITS.bytes).toBe(true);
    expect(read(text).events.map(({ title }) => title)).toEqual(['Uno', 'Serie']);
    const later = past.map((event) => event.replace('DTSTART:2025', 'DTSTART:2027'));
    expect(parseCalendar(Buffer.from(toFeed(...later)), NOW_MS)).toEqual({ problem: 'too_large' });
  });

  test('events over the limit are reported', () => {
    const numbers = Array.from({ length: IMPORT_LIMITS.events + 1 }, (_, n) => n);
    const lines = numbers.map((n) => `UID:${n}\nSUMMARY:Uno ${n}\n${START}`);
    const { events, failures } = read(toFeed(...lines));
    expect(events.length).toBe(IMPORT_LIMITS.events);
    expect(failures).toMatchObject([{ rule: 'too_many', title: 'Uno 200' }]);
  });

  test.each([
    ['', 'empty'],
    ['hola', 'not_calendar'],
    ['<!doctype html><html><body>Calendario</body></html>', 'is_page'],
    ['BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'no_events'],
    ['x'.repeat(IMPORT_LIMITS.bytes + 1), 'too_large'],
  ])('%#: a file without events returns the problem %s', (text, problem) => {
    expect(parseCalendar(Buffer.from(text), NOW_MS)).toEqual({ problem });
  });
});
