// One spelling for each page, and no way to another host; what a fault says, and what a page may run.
import { expect, test } from 'vitest';
import { decodePath, toCanonicalPath } from '../../src/http/message.ts';
import { isCountedPath } from '../../src/server/http/api.ts';
import { toErrorResponse, toThrownResponse } from '../../src/api/error-response.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { toSecurityHeaders } from '../../src/http/response-headers.ts';

test.each([
  ['/', '/'],
  ['/hoy/', '/hoy'],
  ['//hoy', '/hoy'],
  ['/en//today//', '/en/today'],
  ['//evil.example/', '/evil.example'],
  ['/\\evil.example/', '/evil.example'],
  ['///', '/'],
  ['', '/'],
  ['/a%2Fb/', '/a%2Fb'],
])('%s is spelt %s', (path, expected) => {
  expect(toCanonicalPath(path)).toBe(expected);
});

test.each([
  ['/ma%C3%B1ana', '/mañana'],
  ['/%zz', null],
  ['/%', null],
  ['/%ff', null],
  ['/a%00b', null],
  ['/a%0d%0ab', null],
  ['/%252e', '/%2e'],
])('%s is decoded as %s', (path, expected) => {
  expect(decodePath(path)).toBe(expected);
});

test('what belongs to the API is counted', () => {
  const paths = ['/api', '/api/', '/api/v1/events', '/apiary', '/hoy'];
  expect(paths.filter(isCountedPath)).toEqual(['/api', '/api/', '/api/v1/events']);
});

const site = { url: 'https://hoy.example' };

test('an AppError says itself, at its operation; anything else tells nothing', () => {
  const thrown = new AppError('invalid_parameter', 'date: no');
  const answer = toThrownResponse(thrown, site, '/paths/~1api~1v1~1events/get');
  expect(answer).toMatchObject({ status: 400, headers: { 'cache-control': 'no-store' } });
  expect(JSON.parse(String(answer.body)).error).toEqual({
    code: 'invalid_parameter',
    message: 'date: no',
    documentation_url: 'https://hoy.example/api/openapi.json#/paths/~1api~1v1~1events/get',
    help_url: 'https://hoy.example/en/docs/errors#invalid_parameter',
  });
  for (const other of [new Error('/etc/secret leaked'), 'text', null]) {
    const { status, body } = toThrownResponse(other, site);
    expect([status, /secret|text|stack/.test(String(body))]).toEqual([500, false]);
  }
  expect(toErrorResponse('unavailable', 'x: y', site).headers['retry-after']).toMatch(/^\d+$/);
});

test('a page may load its own style and script and nothing else that runs, over https where the site is', () => {
  const [secure, local] = ['https://hoy.example', 'http://localhost:4321'].map((url) =>
    toSecurityHeaders('text/html; charset=utf-8', url),
  );
  const policy = secure?.['content-security-policy'];
  expect(policy).toMatch(/default-src 'none'.*script-src 'self';/);
  expect(policy).not.toContain('unsafe');
  expect(secure).toHaveProperty('strict-transport-security');
  expect(local).not.toHaveProperty('strict-transport-security');
});
