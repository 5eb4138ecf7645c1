// Hours and admission in a venue's file: what it may say, and what is refused where it stands.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-opening-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The small town with one venue more, from line 6 on what is given. */
function readWith(text: string) {
  const head = [
    'name: Museo Inventado',
    'locality: Cancún',
    'confidence: high',
    'sources: [{ name: Inventado, checked: 2026-11-20 }]',
    'zone: downtown',
  ];
  writeFileSync(join(folder, 'venues', 'museo.yml'), [...head, text].join('\n'));
  const { venues } = readDataset(folder, EMPTY_LEDGER, FRIDAY_NOON_MS);
  return venues.find(({ name }) => name === 'Museo Inventado');
}

test('what is left out is null or empty, and a place without hours is no open place', () => {
  expect(readWith('')).toMatchObject({ hours: null, admission: [], open_place: false });
  expect(readWith('hours: { rules: [{ days: [mo] }] }')?.hours).toEqual({
    rules: [{ days: ['mo'], open: null, close: null, last_entry: null, since: null, until: null }],
    exceptions: [],
    closed_on: [],
    free: [],
    note: null,
  });
  expect(readWith('admission: [{ visitor: child, amount: 0 }]')?.admission).toEqual([
    { visitor: 'child', amount: 0, currency: 'MXN', note: null },
  ]);
});

const rules = (...lines: string[]): string =>
  ['hours:', '  rules:', ...lines.map((line) => `    - { ${line} }`)].join('\n');

describe('is refused with its line and field:', () => {
  test.each([
    [
      'an hour that does not exist',
      rules('days: [mo], open: "25:00"'),
      '8 hours.rules[0].open: must be a time from 00:00 to 23:59',
    ],
    [
      'a close that is the open',
      rules('days: [mo], open: "09:00", close: "09:00"'),
      '8 hours.rules[0].close: must not be the hour of open',
    ],
    [
      'a close without an open',
      rules('days: [mo], close: "09:00"'),
      '8 hours.rules[0].close: needs an open',
    ],
    [
      'a last entry after the close',
      rules('days: [mo], open: "09:00", close: "17:00", last_entry: "17:30"'),
      '8 hours.rules[0].last_entry: must be between open and close',
    ],
    [
      'a last entry the next morning of a night that ended',
      rules('days: [mo], open: "20:00", close: "02:00", last_entry: "03:00"'),
      '8 hours.rules[0].last_entry: must be between open and close',
    ],
    [
      'an end before its beginning',
      rules('days: [mo], since: 2026-12-01, until: 2026-11-01'),
      '8 hours.rules[0].until: must not be before since',
    ],
    [
      'hours that overlap',
      rules(
        'days: [mo, tu], open: "09:00", close: "13:00"',
        'days: [tu], open: "12:00", close: "18:00"',
      ),
      '9 hours.rules[1]: overlaps the hours of rules[0] on the same day',
    ],
    [
      'a day twice in one rule',
      rules('days: [mo, mo]'),
      '8 hours.rules[0].days: names a day twice',
    ],
    ['a day that is none', rules('days: [lunes]'), '8 hours.rules[0].days[0]: must be one of mo'],
    [
      'a holiday that the calendar has not',
      `${rules('days: [mo]')}\n  closed_on: [christmas, navidad]`,
      "9 hours.closed_on[1]: 'navidad' is no holiday: it must be one of new-year",
    ],
    [
      'a date that is different twice',
      `${rules('days: [mo]')}\n  exceptions: [{ date: 2026-12-24 }, { date: 2026-12-24 }]`,
      '9 hours.exceptions: names a date twice',
    ],
    [
      'a visitor nobody knows',
      'admission: [{ visitor: martian, amount: 5 }]',
      '6 admission[0].visitor: must be one of everyone',
    ],
    [
      'an admission below nothing',
      'admission: [{ visitor: adult, amount: -5 }]',
      '6 admission[0].amount: must be 0 or more',
    ],
    [
      'an open place without hours',
      'open_place: true',
      'must have hours where it is an open_place',
    ],
  ])('%s', (_, text, message) => {
    expect(() => readWith(text)).toThrow(message);
  });
});
