// Every question under /api gets JSON: paths, methods, faults, names (contract 7.7, 9.1, 9.3).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isApiPath, ROUTES } from '../../src/api/handle-api.ts';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { ask } from '../fixtures/ask.ts';
import { useFixture } from '../fixtures/fixture.ts';

const { snapshot } = useFixture();

const errorOf = (address: string, method = 'GET') => {
  const answer = ask(snapshot, address, { method });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  return {
    status: answer.status,
    headers: answer.headers,
    ...v.parse(ErrorSchema, JSON.parse(String(answer.body))).error,
  };
};

describe('a path', () => {
  test.each([
    ...['/api', '/api/v1', '/api/v2/events', '/api/v1/events/', '//api/v1/events'],
    ...['/api/v1/events/a/b', '/api/v1/Events', '/api/v1/%65vents', '/api/v1/categories/art'],
    ...['/events/.ics', '/api/v1/events/nada', '/api/v1/events/..%2f..%2fetc', '/venues/nada.ics'],
  ])('%s is not there: 404', (path) => {
    expect(errorOf(path)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('%E0%A4 is no percent-encoding: 400', () => {
    expect(errorOf('/api/v1/events/%E0%A4')).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^path: /),
    });
  });

  test.each([...['/api/v1/events/withdrawn-event', '/events/evento-retirado.ics']])(
    '%s was withdrawn: 410',
    (path) => {
      expect(errorOf(path)).toMatchObject({ status: 410, code: 'gone' });
    },
  );
  test.each([...['/feeds/', '/apio', '/venues/a', '/venues/a/b.ics', '/lugares/a.ics']])(
    '%s is not',
    (path) => expect(isApiPath(path)).toBe(false),
  );
});

describe('a method', () => {
  test.each(['POST', 'get'])('%s is not answered: 405 with Allow', (method) => {
    const answer = errorOf('/api/v1/events', method);
    expect(answer).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('OPTIONS is 204 for any page, with x-api-key', () => {
    for (const { pattern } of ROUTES)
      expect(ask(snapshot, pattern, { method: 'OPTIONS' }), pattern).toMatchObject({
        status: 204,
        body: null,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': expect.stringContaining('x-api-key'),
        },
      });
  });
});

test('a fault inside is 500, is told to whoever listens, and tells the caller nothing', () => {
  const told: unknown[] = [];
  const findId = () => {
    throw new Error('/secret/path');
  };
  const broken = { ...snapshot, findId };
  const answer = ask(broken, '/api/v1/events/concierto-unico-a-b', {
    onError: (issue) => told.push(issue),
  });
  expect([answer.status, told.length]).toEqual([500, 1]);
  expect(v.parse(ErrorSchema, JSON.parse(String(answer.body))).error.code).toBe('internal_error');
  expect(answer.body).not.toContain('secret');
});

describe.each([
  ['/api/v1/events', ['start', 'tags', 'open_on']],
  ['/api/v1/events.ics', ['cursor']],
  ['/api/v1/events/feria-diaria', ['date']],
  ['/api/v1/events/feria-diaria.ics', ['from']],
  ['/api/v1/venues', ['date', 'capacity']],
  ['/api/v1/venues/malecon-inventado', ['q']],
  ['/api/v1/organizers', ['zone', 'type']],
  ['/api/v1/categories', ['q', 'key']],
  ['/api/v1/notices', ['severity', 'from']],
  ['/api/v1/days/today', ['zone']],
  ['/api/v1/changes', ['zone', 'change']],
])('%s', (path, names) => {
  test.each(names)('refuses %s with what it takes', (name) => {
    expect(errorOf(`${path}?${name}=1`)).toMatchObject({
      status: 400,
      message: expect.stringMatching(
        new RegExp(`^${name}: is not a parameter\\. Those of this address are .*lang`),
      ),
    });
  });
  test('minds nothing that trackers and calendar clients add', () => {
    const added = 'utm_source=x&fbclid=1&gclid=2&ref=y&_=3&v=4&x=5&t=6&nocache=7&__proto__=8';
    expect(ask(snapshot, `${path}?${added}`).status).toBe(200);
  });
});
