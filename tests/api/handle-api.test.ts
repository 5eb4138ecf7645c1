// API handler: responds with JSON to every path, method, error and parameter name (contract 7.7, 9.1, 9.3).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isApiPath, ROUTES } from '../../src/api/handle-api.ts';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { requestApi } from '../fixtures/ask.ts';
import { useFixture } from '../fixtures/fixture.ts';

const { snapshot } = useFixture();

const errorOf = (url: string, method = 'GET') => {
  const { status, headers, body } = requestApi(snapshot, url, { method });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  return { status, headers, ...v.parse(ErrorSchema, JSON.parse(String(body))).error };
};

describe('a path', () => {
  test.each([
    ...['/api', '/api/v1', '/api/v2/events', '/api/v1/events/', '//api/v1/events'],
    ...['/api/v1/events/a/b', '/api/v1/Events', '/api/v1/%65vents', '/api/v1/categories/art'],
    ...['/events/.ics', '/api/v1/events/nada', '/api/v1/events/..%2f..%2fetc', '/venues/nada.ics'],
  ])('%s does not exist: 404', (path) => {
    expect(errorOf(path)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('%E0%A4 is not valid UTF-8: 400', () => {
    const message = expect.stringMatching(/^path: /);
    expect(errorOf('/api/v1/events/%E0%A4')).toMatchObject({ status: 400, message });
  });

  test('of a withdrawn event: 410', () => {
    for (const path of ['/api/v1/events/withdrawn-event', '/events/evento-retirado.ics'])
      expect(errorOf(path), path).toMatchObject({ status: 410, code: 'gone' });
  });
  test('outside the API is not an API path', () => {
    const others = ['/feeds/', '/apio', '/venues/a', '/venues/a/b.ics', '/lugares/a.ics'];
    expect(others.filter(isApiPath)).toEqual([]);
  });
});

describe('a method', () => {
  test.each(['POST', 'get'])('%s is not supported: 405 with Allow', (method) => {
    const error = errorOf('/api/v1/events', method);
    expect(error).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(error.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('OPTIONS is 204 for any origin, and allows x-api-key', () => {
    for (const { pattern } of ROUTES)
      expect(requestApi(snapshot, pattern, { method: 'OPTIONS' }), pattern).toMatchObject({
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

test('an unexpected error is 500, is reported to onError, and discloses nothing', () => {
  const errors: unknown[] = [];
  const findId = () => {
    throw new Error('/secret/path');
  };
  const onError = (error: unknown) => void errors.push(error);
  const response = requestApi({ ...snapshot, findId }, '/api/v1/events/concierto-unico-a-b', {
    onError,
  });
  expect([response.status, errors.length]).toEqual([500, 1]);
  expect(v.parse(ErrorSchema, JSON.parse(String(response.body))).error.code).toBe('internal_error');
  expect(response.body).not.toContain('secret');
});

describe.each([
  ['/api/v1/events', ['kind', 'tags', 'open_on']],
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
  test.each(names)('rejects %s and lists the accepted parameters', (name) => {
    const { status, message } = errorOf(`${path}?${name}=1`);
    expect(status).toBe(400);
    const pattern = `^${name}: unknown parameter\\. Use .*lang`;
    expect(message).toMatch(new RegExp(pattern));
  });
  test('ignores parameters that trackers and calendar clients add', () => {
    const tracking_query =
      'utm_source=x&fbclid=1&gclid=2&ref=y&_=3&v=4&x=5&t=6&nocache=7&__proto__=8';
    expect(requestApi(snapshot, `${path}?${tracking_query}`).status).toBe(200);
  });
});
