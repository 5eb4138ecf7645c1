// The site over real HTTP: the day's page, its Markdown, one spelling for each address
// (contract 11).
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { countRendered, startFake } from './fake-release.ts';

let fake: Awaited<ReturnType<typeof startFake>>;
beforeAll(async () => {
  fake = await startFake();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.clock.now_ms = FRIDAY_NOON_MS;
});

describe('the day', () => {
  test.each([
    ['2026-11-20T23:59:59.999', 'hoy 2026-11-20', 'max-age=0, must-revalidate'],
    ['2026-11-21T00:00:00', 'hoy 2026-11-21', 'max-age=300, stale-while-revalidate=600'],
  ])('at %s /hoy is %s', async (local, title, cache) => {
    fake.clock.now_ms = at(local);
    const { status, text, headers } = await fake.ask('/hoy');
    expect(status).toBe(200);
    expect(text).toContain(title);
    expect(headers['cache-control']).toBe(`public, ${cache}`);
  });

  test('a visitor who has Friday gets Saturday after midnight, by tag and by date', async () => {
    fake.clock.now_ms = at('2026-11-20T23:59:00');
    const friday = await fake.ask('/hoy');
    const by_tag = { 'if-none-match': String(friday.headers.etag) };
    const by_date = { 'if-modified-since': String(friday.headers['last-modified']) };
    expect((await fake.ask('/hoy', by_tag)).status).toBe(304);
    expect((await fake.ask('/hoy', by_date)).status).toBe(304);
    fake.clock.now_ms = at('2026-11-21T00:00:00');
    for (const headers of [by_tag, by_date]) {
      const saturday = await fake.ask('/hoy', headers);
      expect(saturday.status).toBe(200);
      expect(saturday.text).toContain('hoy 2026-11-21');
    }
  });

  test('where the day is not prebuilt, Astro renders it, once', async () => {
    fake.clock.now_ms = at('2026-12-24T12:00:00');
    const { status, text } = await fake.ask('/hoy');
    expect(status).toBe(200);
    expect(text).toContain('on demand /_hoy/2026-12-24 ');
    expect((await fake.ask('/hoy', { accept: 'text/markdown' })).text).toContain(
      'on demand /_hoy/2026-12-24.md ',
    );
  });

  test('no answer around midnight is of another day than its own', async () => {
    const midnight_ms = at('2026-11-21T00:00:00');
    const instants = Array.from({ length: 40 }, (_, i) => midnight_ms - 20 + i);
    for (const instant of instants) {
      fake.clock.now_ms = instant;
      const [html, md] = await Promise.all([fake.ask('/hoy'), fake.ask('/en/today.md')]);
      const day = instant < midnight_ms ? '2026-11-20' : '2026-11-21';
      expect(html.text).toContain(`hoy ${day}`);
      expect(md.text).toContain(`today ${day}`);
    }
  });

  test.each([
    '/_hoy/2026-11-20',
    '/_today/2026-11-20.md',
    '/%5Fhoy/2026-11-20',
    '/_weekend/2026-11-20',
    '/x/../_hoy/2026-11-20',
    '/eventos/%2e%2e/calendario',
    '/eventos/./x',
    '/eventos/..',
    '/%2f',
    '/%2f%2fother.example',
    '/hoy%5c',
    '/hoy.html',
    '/eventos/x.html',
    '/_image?href=/icon.png',
    '/_server-islands/x',
    '/revision/../eventos/x',
    '/publicar/estado/%2e%2e/%2e%2e/revision',
  ])("%s is nobody's address", async (path) => {
    const { status, text } = await fake.ask(path);
    expect([status, text.startsWith('on demand /404 ')], path).toEqual([404, true]);
  });

  test('a form says how it is read and sent', async () => {
    const { status, text, headers } = await fake.ask('/publicar', {}, 'PUT');
    expect([status, headers.allow, text]).toEqual([
      405,
      'GET, HEAD, POST',
      'Este formulario se lee con GET y se envía con POST.\n',
    ]);
  });

  test.each(['/publicar/estado/s3cret/', '//publicar/estado/s3cret', '/en/submit//status/s3cret'])(
    'no cache keeps where the secret address %s leads',
    async (path) => {
      const { status, headers } = await fake.ask(path);
      expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([
        301,
        'no-store',
        'same-origin',
      ]);
    },
  );
});

describe('a page that answers its query', () => {
  const rendersOf = async (...paths: string[]): Promise<number> => {
    const before = countRendered();
    for (const path of paths) expect((await fake.ask(path)).status).toBe(200);
    return countRendered() - before;
  };
  test('is rendered once for each query and minute', async () => {
    expect((await fake.ask('/calendario?zone=a')).text).toContain('/calendario?zone=a');
    expect(await rendersOf('/calendario?zone=a', '/calendario?zone=a')).toBe(0);
    expect(
      await rendersOf('/calendario?zone=b', '/calendario', '/calendario?zone=b', '/calendario'),
    ).toBe(2);
    fake.clock.now_ms += 60_000;
    expect(await rendersOf('/calendario?zone=a', '/calendario?zone=a')).toBe(1);
    fake.clock.now_ms -= 60_000;
  });
});

test('the home page says where programs find the rest', async () => {
  for (const path of ['/', '/en'])
    expect((await fake.ask(path)).headers.link).toMatch(
      /^<\/\.well-known\/api-catalog>; rel="api-catalog", .*rel="describedby"/,
    );
});

describe('HTML or Markdown', () => {
  test.each(['/hoy', '/fecha/2026-11-21'])(
    '%s in both forms, each with its own tag',
    async (path) => {
      const html = await fake.ask(path);
      const markdown = await fake.ask(path, { accept: 'text/markdown' });
      const twin = await fake.ask(`${path}.md`);
      expect(html.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        vary: 'Accept, Accept-Encoding',
        link: `<${path}.md>; rel="alternate"; type="text/markdown"`,
      });
      expect(markdown.headers).toMatchObject({
        'content-type': 'text/markdown; charset=utf-8',
        vary: 'Accept',
        'content-location': `${path}.md`,
        'x-robots-tag': 'noindex',
        link: `<https://hoy.example${path}>; rel="canonical"`,
      });
      expect(markdown.text).toBe(twin.text);
      expect(twin.headers).not.toHaveProperty('content-location');
      expect(twin.headers.vary).toBeUndefined();
      expect(html.headers.etag).not.toBe(markdown.headers.etag);
      expect(
        (
          await fake.ask(path, {
            accept: 'text/markdown',
            'if-none-match': String(html.headers.etag),
          })
        ).status,
      ).toBe(200);
      const same = await fake.ask(path, {
        accept: 'text/markdown',
        'if-none-match': String(markdown.headers.etag),
      });
      expect(same.status).toBe(304);
      expect(same.headers.vary).toBe('Accept');
    },
  );

  test('neither is accepted: 406, which varies too', async () => {
    const { status, headers, text } = await fake.ask('/en/today', { accept: 'application/json' });
    expect(status).toBe(406);
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(text).toContain('text/markdown');
  });

  test('a page without a twin does not vary on Accept', async () => {
    expect(
      (await fake.ask('/favicon.svg', { accept: 'text/markdown' })).headers.vary,
    ).toBeUndefined();
  });

  test('a past event is rendered in the form asked for', async () => {
    expect((await fake.ask('/eventos/pasado', { accept: 'text/markdown' })).headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-location': '/eventos/pasado.md',
    });
    expect((await fake.ask('/eventos/nada', { accept: 'text/markdown' })).status).toBe(404);
  });
});

describe('bytes', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('%s lies ready and is right', async (coding, decode) => {
    const plain = await fake.ask('/hoy');
    const coded = await fake.ask('/hoy', { 'accept-encoding': coding });
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(Number(coded.headers['content-length'])).toBe(coded.bytes.length);
    expect(decode(coded.bytes).toString()).toBe(plain.text);
    expect(coded.headers.etag).not.toBe(plain.headers.etag);
  });

  test('what is rendered on demand is compressed too, and has a tag', async () => {
    const { headers, bytes } = await fake.ask('/eventos/pasado', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(bytes).toString()).toContain('on demand');
    expect(
      (
        await fake.ask('/eventos/pasado', {
          'accept-encoding': 'br',
          'if-none-match': String(headers.etag),
        })
      ).status,
    ).toBe(304);
  });

  test.each(['/hoy', '/eventos/pasado', '/nada', '/'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const [get, head] = await Promise.all([fake.ask(path), fake.ask(path, {}, 'HEAD')]);
      expect(head.bytes).toHaveLength(0);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect(head.status).toBe(get.status);
    },
  );

  test('files with a digest in their name are kept for a year, others are not', async () => {
    expect((await fake.ask('/_astro/a1b2.css')).headers['cache-control']).toContain('immutable');
    expect((await fake.ask('/favicon.svg')).headers['cache-control']).toContain('max-age=3600');
  });
});

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
  });
});

test('/healthz says which release serves and when the next is due', async () => {
  fake.clock.now_ms = at('2026-11-20T12:01:30');
  const { headers, text } = await fake.ask('/healthz');
  expect(headers['cache-control']).toBe('no-store');
  expect(JSON.parse(text)).toMatchObject({
    status: 'ok',
    release: '20261120T170000Z-aaaaaa',
    generated_at: '2026-11-20T12:00:00-05:00',
    age_seconds: 90,
    next_release: '2026-11-20T18:00:00-05:00',
  });
});
