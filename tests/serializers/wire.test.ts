// What an event says to programs of how well it is known.
import { afterAll, expect, test } from 'vitest';
import { toEventDetail } from '../../src/serializers/wire/event.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);

function read(slug: string) {
  const detail = getEvent(snapshot, slug, FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error(`${slug} is not there`);
  return detail;
}

test('a price that is only last known says so, and how to be sure', () => {
  const detail = read('concierto-unico-a-b');
  const price = { ...detail.event.price, certainty: 'last_known', as_of: '2026-03-01' } as const;
  const told = toEventDetail({ ...detail, event: { ...detail.event, price } }, 'en', SITE);
  expect(told.price).toMatchObject({
    min: 95,
    certainty: 'last_known',
    confirm: expect.stringMatching(/^[A-Z].*March 2026.*\.$/),
  });
  expect(toEventDetail(detail, 'en', SITE).price).toMatchObject({
    certainty: 'confirmed',
    confirm: null,
  });
});

test('a date that is as usual is so in the list and by itself', () => {
  const { certainty, next, occurrences } = toEventDetail(read('feria-diaria'), 'en', SITE);
  const told = [certainty, next?.certainty, occurrences.at(-1)?.certainty];
  expect(told).toEqual(['usual', 'usual', 'usual']);
});
