// What the agenda of the coming days has, counted, and what is wanted.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { countCompleteness, countCoverage } from '../../src/sources/coverage.ts';
import { formatCoverage } from '../../src/sources/coverage-report.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

test('what is on is counted day by day and over all days', () => {
  const dataset = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  const rows = countCoverage(dataset, day('2026-11-20'), 2);
  expect(rows.map(({ day: of, listings }) => [of, listings])).toMatchObject([
    ['2026-11-20', 4],
    ['2026-11-21', 1],
    ['', 5],
  ]);
  const text = formatCoverage(rows, countCompleteness(dataset));
  expect(text).toMatch(/^day +listings +distinct +nightclubs/);
  expect(text).toMatch(/zones without a listing: /);
});

test('open places are counted apart, a day on which one is closed without it', () => {
  const dataset = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  const rows = countCoverage(dataset, day('2026-11-20'), 7);
  const open_places = dataset.venues.filter(({ open_place }) => open_place);
  expect(open_places.length).toBeGreaterThan(0);
  expect(rows.at(-1)?.places.size).toBe(open_places.length);
  expect(Math.min(...rows.map(({ places }) => places.size))).toBeLessThan(open_places.length);
  const text = formatCoverage(rows, countCompleteness(dataset));
  expect(text).toMatch(/places\n/);
  expect(text).toMatch(/zones without a listing or an open place: /);
});

test('what is distinct is no nightclub, and of several events in one museum one', () => {
  const dataset = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  const museum = dataset.venues.find(({ slug }) => slug.es === 'malecon-inventado');
  const countWith = (change: Partial<Dataset['events'][number]>): number | undefined =>
    countCoverage(
      { ...dataset, events: dataset.events.map((event) => ({ ...event, ...change })) },
      day('2026-11-20'),
      1,
    )[0]?.distinct;
  expect(countWith({ venue: null, category: 'art' })).toBe(4);
  expect(countWith({ venue: museum?.id ?? '', category: 'art' })).toBe(1);
  expect(countWith({ venue: null, category: 'party', tags: ['antro'] })).toBe(0);
});

test('each figure stands beside its target, and says where it is short', () => {
  const dataset = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  const known = countCompleteness(dataset);
  expect(known).toEqual({
    venues: 2,
    located: 1,
    events: dataset.events.length,
    described: dataset.events.filter(({ description }) => description !== null).length,
  });
  const text = formatCoverage(countCoverage(dataset, day('2026-11-20'), 2), known);
  expect(text).toMatch(
    /neither nightclub nor the same museum +at least 8 +1 on 2026-11-21, the poorest day +SHORT/,
  );
  expect(text).toMatch(/coordinates of venues +at least 93 % +50 % \(1 of 2\) +SHORT/);
  expect(text).toMatch(/zones +10 +\d+ +SHORT/);
});
