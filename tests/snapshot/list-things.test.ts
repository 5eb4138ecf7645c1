// What letters ask of a snapshot: where an event is, and which of a day's are not sure, of which
// “¿sigue en pie?” is asked.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { EventRecord, OccurrenceRecord } from '../../src/domain/event/event.ts';
import { toReleasedEvents } from '../../src/snapshot/list-things.ts';
import { openFixture, readFixture } from '../fixtures/fixture.ts';

const TOWN = readFixture();
const CONCERT = TOWN.events.find(({ title }) => title.en === 'One-off Concert');
const DAY = Temporal.PlainDate.from('2026-11-20');
const CHECKED_BEFORE = Temporal.PlainDate.from('2026-10-21');

/** Whether the concert is among the unsure ones of a day, with something changed of it. */
function isUnsure(
  changed: Partial<OccurrenceRecord>,
  of_event: Partial<EventRecord> = {},
  day = DAY,
): boolean {
  const town = {
    ...TOWN,
    events: TOWN.events.map((one) => (one.id === CONCERT?.id ? { ...one, ...of_event } : one)),
    occurrences: TOWN.occurrences.map((one) =>
      one.event === CONCERT?.id ? { ...one, certainty: 'confirmed' as const, ...changed } : one,
    ),
  };
  const { snapshot, close } = openFixture(town);
  const unsure = toReleasedEvents(snapshot).listUnsure(day, CHECKED_BEFORE);
  close();
  return unsure.includes(CONCERT?.id ?? '');
}

test.each<[string, boolean, Partial<OccurrenceRecord>, Partial<EventRecord>?]>([
  ['confirmed, with its hour, looked at lately', false, {}],
  ['only usual', true, { certainty: 'usual' }],
  ['only last known', true, { certainty: 'last_known' }],
  ['without an hour', true, { time_known: false }],
  ['looked at on the day itself', false, {}, { source_checked: '2026-10-21' }],
  ['looked at too long ago', true, {}, { source_checked: '2026-10-20' }],
  ['called off', false, { certainty: 'usual', status: 'cancelled' }],
  ['put off', false, { certainty: 'usual', status: 'postponed' }],
])('an event of that day: %s', (_, is_unsure, changed, of_event) => {
  expect(isUnsure(changed, of_event)).toBe(is_unsure);
});

test('one of another day is not asked about', () => {
  expect(isUnsure({ certainty: 'usual' }, {}, DAY.add({ days: 1 }))).toBe(false);
});

test('an event is where its release has it, and nowhere where that has none', () => {
  const { snapshot, close } = openFixture(TOWN);
  const { findSlug } = toReleasedEvents(snapshot);
  expect(findSlug(CONCERT?.id ?? '')).toEqual(CONCERT?.slug);
  expect(findSlug('nada')).toBeNull();
  close();
});
