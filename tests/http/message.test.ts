// One spelling for each page, and no way to another host.
import { describe, expect, test } from 'vitest';
import { decodePath, toCanonicalPath } from '../../src/http/message.ts';
import { isCountedPath } from '../../src/server/http/api.ts';
import { toErrorResponse, toThrownResponse } from '../../src/api/error-response.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { toSecurityHeaders } from '../../src/http/response-headers.ts';

describe('addresses', () => {
  test.each([
    ['/', '/'],
    ['/hoy', '/hoy'],
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
    expect(toCanonicalPath(path)).toMatch(/^\/(?![/\\])/);
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

  test.each([
    ['/api', true],
    ['/api/', true],
    ['/api/v1/events', true],
    ['/apiary', false],
    ['/hoy', false],
  ])('%s belongs to the API: %s', (path, expected) => {
    expect(isCountedPath(path)).toBe(expected);
  });
});

describe('faults', () => {
  const site = { url: 'https://hoy.example' };

  test('an AppError says itself, at its operation', () => {
    const answer = toThrownResponse(
      new AppError('invalid_parameter', 'date: no'),
      site,
      '/paths/~1api~1v1~1events/get',
    );
    expect(answer).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(JSON.parse(String(answer.body))).toEqual({
      error: {
        code: 'invalid_parameter',
        message: 'date: no',
        documentation_url: 'https://hoy.example/api/openapi.json#/paths/~1api~1v1~1events/get',
        help_url: 'https://hoy.example/en/docs/errors#invalid_parameter',
      },
    });
  });

  test.each([new Error('/etc/secret leaked'), 'text', null])(
    'anything else tells nothing',
    (thrown) => {
      const answer = toThrownResponse(thrown, site);
      expect(answer.status).toBe(500);
      expect(String(answer.body)).not.toMatch(/secret|text|stack/);
    },
  );

  test('a status brings what it demands', () => {
    expect(toErrorResponse('unavailable', 'x: y', site).headers['retry-after']).toMatch(/^\d+$/);
    expect(
      toErrorResponse('method_not_allowed', 'x: y', site, '', { allow: 'GET' }).headers.allow,
    ).toBe('GET');
  });
});

describe('security headers', () => {
  test('a page may load its own style and script and nothing else that runs', () => {
    const policy = toSecurityHeaders('text/html; charset=utf-8', 'https://hoy.example')[
      'content-security-policy'
    ];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  test('https is insisted on only where the site lives there', () => {
    expect(toSecurityHeaders('text/html', 'https://hoy.example')).toHaveProperty(
      'strict-transport-security',
    );
    expect(toSecurityHeaders('text/html', 'http://localhost:4321')).not.toHaveProperty(
      'strict-transport-security',
    );
  });
});
