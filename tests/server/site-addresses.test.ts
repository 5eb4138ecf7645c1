import { describe, expect, test } from 'vitest';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

describe('addresses', () => {
  test.each([
    ['/', 302, '/hoy'],
    ['/en', 302, '/en/today'],
    ['/hoy/', 301, '/hoy'],
    ['/en/', 301, '/en'],
    ['/fecha/2026-11-20/?a=1', 301, '/fecha/2026-11-20?a=1'],
    ['//evil.example/', 301, '/evil.example'],
    ['//evil.example', 301, '/evil.example'],
    ['/\\evil.example', 301, '/evil.example'],
    ['/eventos/viejo', 301, '/eventos/nuevo'],
  ])('%s: %i to %s', async (path, status, location) => {
    const reply = await fake.ask(path);
    expect([reply.status, reply.headers.location]).toEqual([status, location]);
  });

  test.each(['/%zz', '/%', '/hoy%ff', '/a%00b', '/%0d%0aset-cookie:x'])(
    '%s is malformed',
    async (path) => {
      const { status, headers } = await fake.ask(path);
      expect(status).toBe(400);
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  test.each([
    ['/nada', 404],
    ['/eventos/nada', 404],
    ['/eventos/retirado', 410],
    ['/../../etc/passwd', 404],
    ['/%2e%2e/%2e%2e/snapshot.db', 404],
    ['/_hoy/2026-11-20.html', 404],
  ])('%s: %i', async (path, status) => {
    const reply = await fake.ask(path);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('SQLite');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])(
    '%s is not for reading',
    async (method) => {
      const { status, headers } = await fake.ask('/hoy', {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    },
  );

  test('OPTIONS says what is', async () => {
    const { status, headers } = await fake.ask('/hoy', {}, 'OPTIONS');
    expect([status, headers.allow, headers['access-control-allow-origin']]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '*',
    ]);
  });

  test('a long address is refused in the language of its path', async () => {
    const { status, text } = await fake.ask(`/en/${'a'.repeat(9000)}`);
    expect([status, text]).toEqual([414, 'The address is too long.\n']);
  });

  test('what fails inside says nothing of it', async () => {
    const { status, text, headers } = await fake.ask('/eventos/explota');
    expect(status).toBe(500);
    expect(text).not.toContain('passwd');
    expect(headers['cache-control']).toBe('no-store');
    expect(fake.issues.splice(0)).toHaveLength(1);
  });

  test('every page says how it may be used and nothing of cookies', async () => {
    for (const path of ['/hoy', '/eventos/pasado', '/nada', '/favicon.svg']) {
      const { headers } = await fake.ask(path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-signal': 'ai-train=no, search=yes, ai-input=yes',
        'content-usage': 'train-ai=n, search=y',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['set-cookie']).toBeUndefined();
    }
    // No page may load a picture from elsewhere.
    const { headers } = await fake.ask('/hoy');
    expect(headers['content-security-policy']).toMatch(/img-src 'self'(;|$)/);
  });
});
