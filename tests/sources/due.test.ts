// What an editor is told: which facts are due, and how thin the agenda is.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { countCoverage, formatCoverage } from '../../src/sources/coverage.ts';
import { listDue } from '../../src/sources/due.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

test('nothing is due on the day after everything was looked at', () => {
  expect(listDue(FIXTURE_DIR, day('2026-11-21'), 7)).toEqual([]);
});

test('half a year later the rules are due, the club first, each with its sources', () => {
  const due = listDue(FIXTURE_DIR, day('2027-05-21'), 7);
  expect(
    due.map(({ file, day: last, shelf, certainty }) => [file, last, shelf, certainty]),
  ).toEqual([
    ['events/fiesta-de-viernes.yml', '2027-02-18', 'club', 'last_known'],
    ['events/feria-diaria.yml', '2027-05-19', 'weekly', 'last_known'],
  ]);
  for (const { sources } of due) expect(sources).toEqual(['Inventado para las pruebas']);
});

test('what is on is counted day by day and over all days', () => {
  const dataset = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  const rows = countCoverage(dataset, day('2026-11-20'), 2);
  expect(rows.map(({ day: of, listings }) => [of, listings])).toMatchObject([
    ['2026-11-20', 4],
    ['2026-11-21', 1],
    ['', 5],
  ]);
  const text = formatCoverage(rows);
  expect(text).toMatch(/^day +listings +nightclubs/);
  expect(text).toMatch(/zones without a listing: /);
});

test('open places are counted apart, a day on which one is closed without it', () => {
  const dataset = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  const rows = countCoverage(dataset, day('2026-11-20'), 7);
  const open_places = dataset.venues.filter(({ open_place }) => open_place);
  expect(open_places.length).toBeGreaterThan(0);
  expect(rows.at(-1)?.places.size).toBe(open_places.length);
  expect(Math.min(...rows.map(({ places }) => places.size))).toBeLessThan(open_places.length);
  expect(formatCoverage(rows)).toMatch(/places\n/);
  expect(formatCoverage(rows)).toMatch(/zones without a listing or an open place: /);
});
