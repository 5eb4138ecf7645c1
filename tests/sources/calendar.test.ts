// content/calendar.yml: what it may say, and that it reaches the snapshot; rules that rest.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listHolidaysOf } from '../../src/domain/day/holidays.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-calendar-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));
const read = () => readDataset(folder, EMPTY_LEDGER, FRIDAY_NOON_MS);

test('the real calendar has every day of the law and of the banks, and the six-year one', () => {
  cpSync(join(import.meta.dirname, '../../content/calendar.yml'), join(folder, 'calendar.yml'));
  const { calendar } = read();
  const of = (day: string): string[] =>
    listHolidaysOf(calendar.holidays, Temporal.PlainDate.from(day)).map(({ key }) => key);
  expect(
    [
      '2026-01-01',
      '2026-02-02',
      '2026-03-16',
      '2026-04-02',
      '2026-04-03',
      '2026-04-20',
      '2026-05-01',
      '2026-05-10',
      '2026-09-15',
      '2026-09-16',
      '2026-10-01',
      '2030-10-01',
      '2026-11-01',
      '2026-11-02',
      '2026-11-16',
      '2026-12-08',
      '2026-12-12',
      '2026-12-25',
    ].map((day) => of(day).join()),
  ).toEqual([
    'new-year',
    'constitution-day',
    'benito-juarez-birthday',
    'maundy-thursday',
    'good-friday',
    'cancun-anniversary',
    'labor-day',
    'mothers-day',
    'grito',
    'independence-day',
    '',
    'change-of-government',
    'all-saints',
    'day-of-the-dead',
    'revolution-day',
    'immaculate-conception',
    'our-lady-of-guadalupe',
    'christmas',
  ]);
});

test('the snapshot says what the file says, without its sources', () => {
  const town = read();
  const { snapshot, close } = openFixture(town);
  expect(snapshot.calendar).toEqual(town.calendar);
  expect(snapshot.calendar.holidays[0]).toEqual({
    key: 'new-year',
    name: { es: 'Año Nuevo', en: 'New Year’s Day' },
    kind: 'statutory',
    closes: ['banks', 'offices'],
    feast: true,
    rule: { month: 1, day: 1 },
    every: null,
  });
  expect(snapshot.calendar.links).toHaveLength(1);
  close();
});

describe('a faulty calendar', () => {
  test.each<[string, string, string, RegExp]>([
    [
      'a day no year has',
      'day: 25 }',
      'day: 32 }',
      /calendar\.yml:40 holidays\[5\]\.rule\.day: must be 31 or less/,
    ],
    [
      '30 February',
      'month: 12, day: 25',
      'month: 2, day: 30',
      /calendar\.yml:40 holidays\[5\]\.rule: must be a day that every year has/,
    ],
    ['a fifth Monday', 'nth: 3', 'nth: 5', /holidays\[2\]\.rule\.nth: must be 4 or less/],
    ['a rule of two forms', 'easter: -2', 'easter: -2, month: 1', /holidays\[1\]\.rule/],
    [
      'what it cannot close',
      'closes: [banks]',
      'closes: [beaches]',
      /holidays\[1\]\.closes\[0\]: must be one of banks, offices, schools/,
    ],
    [
      'a kind of ours',
      'kind: bank',
      'kind: party',
      /calendar\.yml:11 holidays\[1\]\.kind: must be one of statutory/,
    ],
    [
      'no source',
      'sources: [{ name: "Bank", checked: 2026-11-20 }]',
      'sources: []',
      /holidays\[1\]\.sources: must name at least one source/,
    ],
    [
      'a key twice',
      'key: good-friday',
      'key: new-year',
      /calendar\.yml:9 holidays\[1\]\.key: 'new-year' stands there before/,
    ],
    [
      'a link that is none',
      'url: https://example.com/sargazo',
      'url: sargazo',
      /links\[0\]\.url: must be an address/,
    ],
    [
      'another topic',
      'topic: sargassum',
      'topic: jellyfish',
      /links\[0\]\.topic: must be one of sargassum/,
    ],
  ])('with %s is refused, with its line', (_, from, to, message) => {
    const file = join(folder, 'calendar.yml');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
    expect(read).toThrow(message);
  });

  test('that is missing is told', () => {
    rmSync(join(folder, 'calendar.yml'));
    expect(read).toThrow(/calendar\.yml is missing/);
  });
});

describe('a rule of every week', () => {
  const write = (more: string, fields = 'price: free'): string[] => {
    writeFileSync(
      join(folder, 'events/charla.yml'),
      `title: { es: Charla, en: Talk }
summary: { es: Una charla., en: A talk. }
category: tech
${fields}
when: [{ rrule: FREQ=WEEKLY;BYDAY=FR, since: 2026-11-20, until: 2027-01-08, start: "18:00"${more} }]
sources: [{ checked: 2026-11-20 }]
confidence: high
`,
    );
    const town = read();
    const event = town.events.find(({ slug }) => slug.es === 'charla');
    return town.occurrences.flatMap((o) => (o.event === event?.id ? [o.start.slice(0, 10)] : []));
  };
  const FRIDAYS = ['2026-11-20', '2026-11-27', '2026-12-04', '2026-12-11', '2026-12-18'];

  test('is silent on Christmas Day and New Year’s Day', () => {
    expect(write('')).toEqual([...FRIDAYS, '2027-01-08']);
  });
  test('speaks where a source says so', () => {
    expect(write(', quiet_days: open')).toEqual([
      ...FRIDAYS,
      '2026-12-25',
      '2027-01-01',
      '2027-01-08',
    ]);
  });

  const addVenue = (hours: string): void =>
    writeFileSync(
      join(folder, 'venues/casa.yml'),
      `name: Casa Inventada
locality: Cancún
hours: ${hours}
sources: [{ checked: 2026-11-20 }]
confidence: high
`,
    );
  test('is silent on the days on which its venue does not open', () => {
    addVenue(
      '{ rules: [{ days: [fr, sa] }], exceptions: [{ date: 2026-12-18 }], closed_on: [our-lady-of-guadalupe] }',
    );
    expect(write('', 'price: free\nvenue: casa')).toEqual([
      '2026-11-20',
      '2026-11-27',
      '2026-12-04',
      '2026-12-11',
      '2027-01-08',
    ]);
  });

  const addTerms = (terms: string): void => {
    const file = join(folder, 'calendar.yml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nterms:\n  - ${terms}\n`);
  };
  const SOURCE = 'sources: [{ name: Invented, checked: 2026-11-20 }]';
  test('of the school year is silent in its breaks', () => {
    addTerms(
      `{ first: 2026-08-31, last: 2027-07-15, breaks: [{ first: 2026-12-14, last: 2027-01-04 }], off: [2026-11-27], ${SOURCE} }`,
    );
    expect(write(', term: true')).toEqual(['2026-11-20', '2026-12-04', '2026-12-11', '2027-01-08']);
  });
  test('of the school year needs the terms of one', () => {
    expect(() => write(', term: true')).toThrow(
      /events\/charla\.yml:5 when\[0\]\.term: needs the terms of the school year in calendar\.yml/,
    );
  });
  test.each([
    [`{ first: 2027-07-15, last: 2026-08-31, ${SOURCE} }`, /terms\[0\]\.last: must not be before/],
    ['{ first: 2026-08-31, last: 2027-07-15 }', /terms\[0\]\.sources/],
    [
      `{ first: 2026-08-31, last: 2027-07-15, breaks: [{ first: 2026-12-14, last: 2026-12-01 }], ${SOURCE} }`,
      /terms\[0\]\.breaks\[0\]\.last: must not be before/,
    ],
  ])('does not take terms that are none: %s', (terms, message) => {
    addTerms(terms);
    expect(read).toThrow(message);
  });
  test('is not announced for a day that a source of its year takes out', () => {
    expect(write(', except: [2026-12-04]')).not.toContain('2026-12-04');
  });
  test('says of a day that a source of its year cancels that it is', () => {
    write('', 'price: free\nchanges: [{ date: 2026-12-04, status: cancelled }]');
    const day = read().occurrences.find(({ start }) => start === '2026-12-04T18:00:00-05:00');
    expect(day?.status).toBe('cancelled');
  });
});
