// A made-up town is the same for the same numbers, and has everything that can go wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { writeTown } from '../../bench/town/write-town.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FRIDAY_NOON_MS, FIXTURE_DIR } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const write = (out: string, seed: number) =>
  writeTown({
    events: 210,
    seed,
    anchor: Temporal.PlainDate.from('2026-11-20'),
    out: join(folder, out),
    content_dir: FIXTURE_DIR,
  });
const readAll = (out: string): string[] =>
  readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .sort();
write('one', 1);

test('it is the same for the same seed and another for another, and never overwrites', () => {
  write('two', 1);
  write('other', 2);
  expect(readAll('two')).toEqual(readAll('one'));
  expect(readAll('other')).not.toEqual(readAll('one'));
  expect(() => write('one', 1)).toThrow('is not empty');
});

test('it passes the checks of content and has every trait', () => {
  const town = readDataset(join(folder, 'one'), EMPTY_LEDGER, FRIDAY_NOON_MS);
  const { events, occurrences, notices, venues, withdrawn } = town;
  const statuses = new Set(events.map((event) => event.status));
  expect(statuses).toEqual(new Set(['published', 'cancelled', 'postponed']));
  expect(new Set(events.map((event) => event.category)).size).toBe(15);
  expect(new Set(venues.map((venue) => venue.zone)).size).toBe(11);
  // Some six occurrences an event, so that its size says something.
  expect(Math.abs(occurrences.length / events.length - 6)).toBeLessThan(2);
  const traits = {
    withdrawn: withdrawn.length > 0,
    past: occurrences.some((o) => o.end_ms < FRIDAY_NOON_MS),
    several_days: occurrences.some((o) => o.all_day && o.last_day > o.first_day),
    past_midnight: occurrences.some((o) => !o.all_day && o.end.slice(0, 10) > o.start.slice(0, 10)),
    no_end: occurrences.some((o) => !o.end_known),
    called_off: occurrences.some((o) => o.status === 'cancelled' && o.notes !== null),
    no_venue: events.some((event) => event.venue === null),
    no_point: venues.some((venue) => venue.lat === null),
    script: events.some((event) => event.title.es.includes('<script>')),
    longest: events.some((event) => event.title.es.length === 160),
    endless_notice: notices.some((notice) => notice.end_ms === null),
  };
  expect(Object.entries(traits).filter(([, there]) => !there)).toEqual([]);
});
