// A name that means something elsewhere in the API is refused with what is taken, what calendar clients
// and trackers add is not minded (contract 7.8, 7.9).
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { ask } from '../fixtures/ask.ts';
import { openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const refuse = (address: string): string => {
  const { status, body } = ask(snapshot, address);
  expect(status, address).toBe(400);
  return v.parse(ErrorSchema, JSON.parse(String(body))).error.message;
};

describe.each([
  ['/api/v1/events', ['start', 'tag', 'tags', 'price_min', 'is_past', 'open_on', 'since', 'title']],
  ['/api/v1/events.ics', ['start', 'tag', 'cursor', 'kind', 'id']],
  ['/api/v1/events/feria-diaria', ['date', 'status', 'zone', 'limit']],
  ['/api/v1/events/feria-diaria.ics', ['from', 'zone']],
  ['/events/feria-diaria.ics', ['date', 'category']],
  ['/api/v1/venues', ['date', 'updated_since', 'status', 'capacity', 'family']],
  ['/api/v1/venues/malecon-inventado', ['date', 'q']],
  ['/venues/malecon-inventado.ics', ['category', 'limit']],
  ['/api/v1/organizers', ['zone', 'type', 'free']],
  ['/api/v1/categories', ['q', 'key']],
  ['/api/v1/notices', ['severity', 'from', 'q', 'limit']],
  ['/api/v1/days/today', ['zone', 'date']],
  ['/api/v1/changes', ['zone', 'change', 'from', 'updated_since']],
])('%s', (path, names) => {
  test.each(names)('refuses %s with what it takes', (name) => {
    expect(refuse(`${path}?${name}=1`)).toMatch(
      new RegExp(`^${name}: is not a parameter\\. Those of this address are .*lang`),
    );
  });
  test('minds nothing that trackers and calendar clients add', () => {
    const added = 'utm_source=x&fbclid=1&gclid=2&ref=y&_=3&v=4&x=5&t=6&nocache=7&__proto__=8';
    expect(ask(snapshot, `${path}?${added}`).status).toBe(200);
  });
});

test('what is wrong beside it is told in the same message', () => {
  expect(refuse('/api/v1/events?start=1&zone=atlantis&radius_km=51')).toMatch(
    /^start: .*; zone: .*; radius_km: /,
  );
});
