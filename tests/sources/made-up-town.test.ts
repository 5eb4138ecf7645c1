// A made-up town is the same for the same numbers, and has everything that can go wrong.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { createRandom } from '../../bench/town/random.ts';
import { type TownPlan, writeTown } from '../../bench/town/write-town.ts';
import { FRIDAY_NOON_MS, FIXTURE_DIR } from '../fixtures/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-town-'));
const plan = (out: string, changes: Partial<TownPlan> = {}): TownPlan => ({
  events: 210,
  seed: 1,
  anchor: Temporal.PlainDate.from('2026-11-20'),
  out: join(folder, out),
  content_dir: FIXTURE_DIR,
  ...changes,
});
const readAll = (out: string): string[] =>
  readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .sort();

beforeAll(() => {
  writeTown(plan('one'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a made-up town', () => {
  test('is the same for the same seed and another for another', () => {
    writeTown(plan('two'));
    writeTown(plan('other', { seed: 2 }));
    expect(readAll('two')).toEqual(readAll('one'));
    expect(readAll('other')).not.toEqual(readAll('one'));
  });

  test('passes the checks of content and has every trait', () => {
    const town = readDataset(join(folder, 'one'), EMPTY_LEDGER, FRIDAY_NOON_MS);
    const { events, occurrences, notices, venues, withdrawn } = town;
    const statuses = new Set(events.map((event) => event.status));
    expect(statuses).toEqual(new Set(['published', 'cancelled', 'postponed']));
    expect(new Set(events.map((event) => event.category)).size).toBe(15);
    expect(new Set(venues.map((venue) => venue.zone)).size).toBe(11);
    const traits = {
      withdrawn: withdrawn.length > 0,
      past: occurrences.some((o) => o.end_ms < FRIDAY_NOON_MS),
      all_day: occurrences.some((o) => o.all_day),
      several_days: occurrences.some((o) => o.all_day && o.last_day > o.first_day),
      past_midnight: occurrences.some(
        (o) =>
          !o.all_day &&
          o.end_known &&
          o.last_day === o.first_day &&
          o.end.slice(0, 10) > o.start.slice(0, 10),
      ),
      no_end: occurrences.some((o) => !o.end_known),
      called_off: occurrences.some((o) => o.status === 'cancelled' && o.notes !== null),
      no_venue: events.some((event) => event.venue === null && event.zone !== null),
      nowhere: events.some((event) => event.venue === null && event.zone === null),
      no_point: venues.some((venue) => venue.lat === null),
      script: events.some((event) => event.title.es.includes('<script>')),
      longest: events.some((event) => event.title.es.length === 160),
      emoji: events.some((event) => event.title.es.includes('🎺')),
      endless_notice: notices.some((notice) => notice.end_ms === null),
    };
    expect(Object.entries(traits).filter(([, there]) => !there)).toEqual([]);
  });

  test('has six occurrences an event or thereabouts, so that its size says something', () => {
    const { events, occurrences } = readDataset(join(folder, 'one'), EMPTY_LEDGER, FRIDAY_NOON_MS);
    expect(occurrences.length / events.length).toBeGreaterThan(4);
    expect(occurrences.length / events.length).toBeLessThan(8);
  });

  test('never writes over what is there', () => {
    expect(() => writeTown(plan('one'))).toThrow('is not empty');
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeTown(plan('file'))).toThrow();
  });
});

describe('its random numbers', () => {
  test('stay in range and reach both ends', () => {
    const { int } = createRandom(7);
    const drawn = Array.from({ length: 500 }, () => int(2, 5));
    expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([2, 5]);
  });
});
