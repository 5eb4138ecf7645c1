// Imperfect sources: follows calendars, pages and feeds with the faults of real programs. A trusted
// source publishes the dates that they mean; an event with a doubt waits (contract 14.59).
import { afterAll, beforeEach, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { getImportById, listImportedSubmissions } from '../../src/inbox/calendar-imports.ts';
import { listPendingSubmissions } from '../../src/inbox/changes.ts';
import { getSourceState } from '../../src/inbox/followed-sources.ts';
import { deriveId } from '../../src/sources/identity.ts';
import type { FollowedSource } from '../../src/sources/followed-sources.ts';
import { loadDatasetWithInbox } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import {
  IMPERFECT_SOURCES,
  toCalendar,
  toCalendarWith,
  toJson,
  toPage,
} from '../fixtures/imperfect-sources.ts';
import { inbox, useInbox } from '../fixtures/inbox.ts';
import { startSourceServer } from '../fixtures/source-server.ts';

const HOUR_MS = 3_600_000;
const town = useFixture();
const server = await startSourceServer();
afterAll(server.stop);
useInbox();
let now_ms = FRIDAY_NOON_MS;
beforeEach(() => {
  now_ms = FRIDAY_NOON_MS;
});

/** Polls a trusted source with a venue and all facts. */
async function pull(kind: FollowedSource['kind'], body: Buffer | string, content_type?: string) {
  now_ms += 6 * HOUR_MS;
  server.answer((response) => {
    if (content_type !== undefined) response.setHeader('content-type', content_type);
    response.end(body);
  });
  const venue_id = deriveId('venue', 'malecon-inventado');
  const description = 'Una función del ciclo, para todo público.';
  const facts = { trust: 'publish', price: 'unknown', description, venue_id } as const;
  const desk = { inbox, snapshot: town.snapshot, now_ms };
  return server.pull(desk, server.source({ kind, ...facts }));
}

/** Lists the dates that the source has published, and the titles of its events that wait. */
async function listResults() {
  const { batch = null } = (await getSourceState(inbox, 'foro')) ?? {};
  const stored = batch === null ? null : await getImportById(inbox, batch);
  const submissions = stored === null ? [] : await listImportedSubmissions(inbox, stored);
  const waiting = submissions.filter(({ stored: { state } }) => state === 'waiting');
  const { events, occurrences } = await loadDatasetWithInbox(inbox, EMPTY_LEDGER, now_ms);
  const titles = submissions.map(({ stored: { text } }) => text.title);
  const dates = occurrences.flatMap(({ event, start, all_day, status }) => {
    const title = events.find(({ id }) => id === event)?.title.es ?? '';
    if (!titles.includes(title)) return [];
    const time = start.slice(0, all_day ? 10 : 16);
    return [[time, title, ...(status === 'scheduled' ? [] : [status])].join(' ')];
  });
  return { dates: dates.sort(), waiting: waiting.map(({ stored: { title } }) => title) };
}

test.each(IMPERFECT_SOURCES)(
  '%s is published, or waits',
  async (_, { kind, bytes, ...expected }) => {
    expect((await pull(kind, bytes)).problem).toBeNull();
    const { dates, waiting } = await listResults();
    expect(dates).toEqual(expected.published);
    const doubted = expected.events.filter((event) => /; [a-z_]+$/.test(event));
    expect(waiting.length).toBe(doubted.filter((event) => !event.endsWith('cancelled')).length);
  },
);

test('the desk shows why an event waits', async () => {
  await pull('icalendar', toCalendar('RRULE:FREQ=WEEKLY;COUNT=3\nEXRULE:FREQ=WEEKLY'));
  const [change] = await listPendingSubmissions(inbox);
  expect(change?.message).toBe(
    'No entendimos del todo cuándo, dónde o si tiene lugar: compáralo con su calendario. («EXRULE:FREQ=WEEKLY»)',
  );
});

const list = async () => (await listResults()).dates;
const SERIES = 'DTSTART:20261203T180000\nRRULE:FREQ=WEEKLY;COUNT=3';
const SEPARATE = ['03', '10', '17'].map((day) => `UID:${day}\nDTSTART:202612${day}T180000`);
const DATES = ['03', '10', '17'].map((day) => `2026-12-${day}T18:00 Son`);
const ONE_OFF = DATES.map((date, index) => (index === 1 ? `${date} cancelled` : date));

test.each([
  [
    'one of several separate events is cancelled',
    toCalendar(...SEPARATE),
    toCalendar(
      ...SEPARATE.map((event, index) => (index === 1 ? `${event}\nSTATUS:CANCELLED` : event)),
    ),
    ONE_OFF,
  ],
  [
    'one of several separate events is cancelled in its title',
    toCalendar(...SEPARATE),
    toCalendar(
      ...SEPARATE.map((event, index) =>
        index === 1 ? `${event}\nSUMMARY:CANCELADO - Son` : event,
      ),
    ),
    ONE_OFF,
  ],
  [
    'a date is cancelled without a start and a title',
    toCalendar(SERIES),
    toCalendar(SERIES, 'RECURRENCE-ID:20261210T180000\nSUMMARY:\nSTATUS:Canceled'),
    ONE_OFF,
  ],
  [
    'a date is cancelled by a file without its series',
    toCalendar(SERIES),
    toCalendarWith('METHOD:CANCEL', 'RECURRENCE-ID:20261210T180000\nSTATUS:CANCELLED'),
    ONE_OFF,
  ],
  [
    'all later dates are cancelled',
    toCalendar(SERIES),
    toCalendar(SERIES, 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261210T180000\nSTATUS:CANCELLED'),
    DATES.map((date, index) => (index === 0 ? date : `${date} cancelled`)),
  ],
  [
    'the last date that is left is cancelled',
    toCalendar('DTSTART:20261210T180000\nRRULE:FREQ=WEEKLY;COUNT=1'),
    toCalendar(
      'DTSTART:20261210T180000\nRRULE:FREQ=WEEKLY;COUNT=1',
      'RECURRENCE-ID:20261210T180000\nSTATUS:CANCELLED',
    ),
    ['2026-12-10T18:00 Son cancelled'],
  ],
  [
    'a calendar cancels all its events',
    toCalendar(SERIES),
    toCalendarWith('METHOD:CANCEL', SERIES),
    DATES.map((date) => `${date} cancelled`),
  ],
  [
    'a title says that its event is postponed',
    toCalendar(SERIES),
    toCalendar(`${SERIES}\nSUMMARY:Pospuesto: Son`),
    DATES.map((date) => `${date} postponed`),
  ],
  [
    'letters are damaged',
    toCalendar(`${SERIES}\nSUMMARY:Peña de otoño`),
    toCalendar(`${SERIES}\nSUMMARY:PeÃ±a de otoÃ±o`),
    DATES.map((date) => date.replace('Son', 'Peña de otoño')),
  ],
])('published dates stay if %s', async (_, before, after, expected) => {
  await pull('icalendar', before);
  expect((await list()).every((date) => /(?:Son|otoño)$/.test(date))).toBe(true);
  for (let times = 0; times < 2; times += 1) await pull('icalendar', after);
  expect(await list()).toEqual(expected);
});

test.each([
  'EventCancelled',
  'http://schema.org/EventCanceled',
  'https://schema.org/EventCancelled',
])('a published event of a page with the status %s is cancelled', async (eventStatus) => {
  await pull('json-ld', toPage(toJson()));
  await pull('json-ld', toPage(toJson({ eventStatus })));
  expect(await list()).toEqual(['2026-12-10T20:00 Son cancelled']);
});

test.each([
  ['a page that its server decodes', 'text/html; charset=iso-8859-1', 'latin1', 'utf-8'],
  ['a page whose template names another charset', 'text/html; charset=utf-8', 'utf8', 'latin1'],
  ['a page whose server names another charset', 'text/html; charset=latin1', 'utf8', 'utf-8'],
  ['a page with a byte order mark', 'text/html', 'utf16le', 'utf-8'],
] as const)('%s is read', async (_, content_type, encoding, charset) => {
  const page = toPage(toJson({ name: 'Canción' })).replace(
    '<head>',
    `<head><meta charset="${charset}">`,
  );
  const body = Buffer.from(encoding === 'utf16le' ? `\ufeff${page}` : page, encoding);
  await pull('json-ld', body, content_type);
  expect(await list()).toEqual(['2026-12-10T20:00 Canción']);
});

test.each([
  ['a comment after its end', (text: string) => `${text}\n# exported\n`, null],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), null],
  [
    'an event that is not closed',
    (text: string) => text.replace(/END:VEVENT[\s\S]*/, ''),
    'cut_off',
  ],
  ['no end', (text: string) => text.replace('END:VCALENDAR', ''), 'cut_off'],
] as const)('a calendar with %s is whole or cut off', async (_, change, problem) => {
  const text = toCalendar('SUMMARY:Canción').toString();
  expect((await pull('icalendar', change(text))).problem).toBe(problem);
});
