// Parsing in a worker: hostile files of 1 MiB are parsed or refused, and the next file is parsed
// again.
import { expect, test } from 'vitest';
import { IMPORT_LIMITS } from '../../../src/domain/imported-events.ts';
import {
  createThreadedParser,
  PARSE_LIMITS,
  parseInWorker,
} from '../../../src/sources/external/parse-in-worker.ts';

const NOW_MS = Date.parse('2026-11-28T12:00:00-05:00');
const HEAD = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20270101T100000\nSUMMARY:Uno\n';
const TAIL =
  '\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART:20270102T100000\nSUMMARY:Dos\nEND:VEVENT\nEND:VCALENDAR\n';
const ALERT =
  '<alert><sender>a</sender><identifier>b</identifier><sent>2026-11-28T10:00:00-05:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>';

/** Repeats `unit` between two texts, up to 1 MiB. */
const fill = (before: string, unit: string, after: string): Buffer => {
  const count = Math.floor((IMPORT_LIMITS.bytes - before.length - after.length) / unit.length);
  return Buffer.from(before + unit.repeat(count) + after);
};

test.each([
  ['attributes of a shortcode', 'DESCRIPTION:[a', ' b="c"'],
  ['opened brackets', 'DESCRIPTION:', '[a '],
  ['a long time zone', 'DTEND;TZID=', 'A'],
  ['continuation lines', 'DESCRIPTION:a', '\nb'],
  ['folded lines', 'DESCRIPTION:a', '\n b'],
  ['parameters', 'X-A', ';A=b'],
  ['quotes', 'X-A', ';A="'],
  ['a long duration', 'DURATION:P', '9'],
  ['added dates', 'RDATE:', '20270101T100000,'],
  ['excluded dates', 'RRULE:FREQ=DAILY\nEXDATE:', '20270101T100000,'],
  ['a long rule', 'RRULE:FREQ=DAILY;BYDAY=MO', ',MO'],
  ['invitations', 'DESCRIPTION:', '-::~:'],
])('the other event of a calendar with %s is found', async (_, before, unit) => {
  const result = await parseInWorker('parseCalendar', fill(HEAD + before, unit, TAIL), NOW_MS);
  const titles = 'reading' in result ? result.reading.events.map(({ title }) => title) : result;
  expect(titles).toContain('Dos');
});

test.each([
  ['digits', '<info><area><polygon>', '1', '</polygon></area></info></alert>'],
  ['half points', '<info><area><polygon>', '1.,', '</polygon></area></info></alert>'],
  ['points', '<info><area><polygon>', '1,1 ', '</polygon></area></info></alert>'],
  ['a long reference', '<references>', 'a', '</references></alert>'],
  ['references', '<references>', 'a,b,c ', '</references></alert>'],
])('an alert with many %s is read', async (_, before, unit, after) => {
  const result = await parseInWorker('parseAlerts', fill(ALERT + before, unit, after), 'es');
  expect('alerts' in result ? result.alerts.length : result).toBe(1);
});

const GOOD_FILE = Buffer.from(HEAD + TAIL.slice(1));

test('a file that takes too long is refused, and the next one is parsed', async () => {
  const parse = createThreadedParser({ ...PARSE_LIMITS, parse_ms: 1 });
  const slow_file = fill(HEAD, 'X-A:1\nb\n', TAIL);
  expect(await parse('parseCalendar', slow_file, NOW_MS)).toEqual({ problem: 'too_complex' });
  expect(await parseInWorker('parseCalendar', GOOD_FILE, NOW_MS)).toHaveProperty('reading');
});

test('a file that needs too much memory is refused, and the next one is parsed', async () => {
  const parse = createThreadedParser({ ...PARSE_LIMITS, memory_mb: 24, parse_ms: 60_000 });
  const large_file = fill(HEAD, 'X-A:1\nX\n', TAIL);
  const results = [
    parse('parseCalendar', large_file, NOW_MS),
    parse('parseCalendar', GOOD_FILE, NOW_MS),
  ];
  expect(await Promise.all(results)).toEqual([
    { problem: 'too_complex' },
    expect.objectContaining({ reading: expect.anything() }),
  ]);
});

test('files beyond the queue are refused at once', async () => {
  const parse = createThreadedParser({ ...PARSE_LIMITS, waiting: 2 });
  const results = [1, 2, 3].map(() => parse('parseCalendar', GOOD_FILE, NOW_MS));
  expect(await results[2]).toEqual({ problem: 'busy' });
  expect(await results[0]).toHaveProperty('reading');
});
