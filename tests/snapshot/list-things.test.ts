// What letters ask of a snapshot: which events of a day are not sure.
import { Temporal } from 'temporal-polyfill';
import { afterAll, expect, test } from 'vitest';
import type { EventRecord, OccurrenceRecord } from '../../src/domain/event/event.ts';
import { toReleasedEvents } from '../../src/snapshot/list-things.ts';
import { openFixture, readFixture } from '../fixtures/fixture.ts';

const town = readFixture();
const concert = town.events.find(({ title }) => title.en === 'One-off Concert');
const date = town.occurrences.find(({ event }) => event === concert?.id);
if (!concert || !date) throw new Error('the fixture has a concert');

const CASES: Readonly<Record<string, [Partial<OccurrenceRecord>, Partial<EventRecord>?]>> = {
  sure: [{}],
  usual: [{ certainty: 'usual' }],
  last_known: [{ certainty: 'last_known' }],
  without_hour: [{ time_known: false }],
  checked_that_day: [{}, { source_checked: '2026-10-21' }],
  checked_before: [{}, { source_checked: '2026-10-20' }],
  called_off: [{ certainty: 'usual', status: 'cancelled' }],
};
const cases = Object.entries(CASES);
const { snapshot, close } = openFixture({
  ...town,
  events: cases.map(([id, [, changed]]) => ({ ...concert, id, ...changed })),
  occurrences: cases.map(([id, [changed]]) => ({
    ...date,
    id: `${id}-1`,
    event: id,
    certainty: 'confirmed',
    ...changed,
  })),
});
afterAll(close);
const { listUnsure } = toReleasedEvents(snapshot);

test('“¿sigue en pie?” is asked of what is on and not sure on that day', () => {
  const day = Temporal.PlainDate.from('2026-11-20');
  const checked_before = Temporal.PlainDate.from('2026-10-21');
  const unsure = listUnsure(day, checked_before).sort().join(' ');
  expect(unsure).toBe('checked_before last_known usual without_hour');
  expect(listUnsure(day.add({ days: 1 }), checked_before)).toEqual([]);
});
