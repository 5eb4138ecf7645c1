// Requests over real HTTP, in routing order (contract 9.1, 10.5, 11).
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../fixtures/bare-connection.ts';
import { localMs } from '../../fixtures/fixture.ts';
import { serveFake } from '../fake-release.ts';

const fake = await serveFake();

const askAt = (local: string, path: string, headers = {}) => {
  fake.clock.now_ms = localMs(local);
  return fake.ask(path, headers);
};

const HOST = 'Host: hoy.example\r\n';
const END = 'Connection: close\r\n\r\n';
const FORM = `POST /publicar HTTP/1.1\r\n${HOST}Content-Length: 3\r\n`;
const LONG = 'a'.repeat(40_000);

test.each([
  ['no Host', `GET /hoy HTTP/1.1\r\n${END}`, 400],
  ['no Host of HTTP/1.0', 'GET /api/v1/events?limit=1 HTTP/1.0\r\n\r\n', 200],
  ['two Hosts', `GET /hoy HTTP/1.1\r\n${HOST}Host: evil.example\r\n${END}`, 400],
  ['a Host with a path', `GET /hoy HTTP/1.1\r\nHost: hoy.example/x\r\n${END}`, 400],
  ['a request that is not HTTP', `GET /hoy\r\n${END}`, 400],
  ['both lengths', `${FORM}Transfer-Encoding: chunked\r\n${END}`, 400],
  ['a proxy request', `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}${END}`, 405],
  ['a URL that is too long', `GET /hoy?${LONG} HTTP/1.1\r\n${HOST}${END}`, 414],
  ['headers that are too large', `GET /hoy HTTP/1.1\r\n${HOST}X: ${LONG}\r\n${END}`, 431],
  ['an absolute URL', `GET http://x.example/hoy?a HTTP/1.1\r\n${HOST}${END}`, 200],
  ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${HOST}${END}`, 204],
  ['a method that pages do not support', `DELETE /hoy HTTP/1.1\r\n${HOST}${END}`, 405],
  ['an expectation', `GET /hoy HTTP/1.1\r\n${HOST}Expect: miracles\r\n${END}`, 200],
  ['an upgrade', `GET /hoy HTTP/1.1\r\n${HOST}Upgrade: websocket\r\n${END}`, 200],
])('the response to %s has the common headers', async (_, bytes, status) => {
  const reply = parseReply(await fake.sendRaw(bytes));
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'strict-transport-security': expect.stringContaining('max-age='),
  });
});

describe('paths', () => {
  test.each([
    ['/', 302, '/hoy'],
    ['/en/', 301, '/en'],
    ['/fecha/2026-11-20/?a=1', 301, '/fecha/2026-11-20?a=1'],
    ['//evil.example/', 301, '/evil.example'],
    ['/eventos/viejo', 301, '/eventos/nuevo'],
    ['/nada', 404, undefined],
    ['/eventos/retirado', 410, undefined],
    ['/../../etc/passwd', 404, undefined],
    ['/%zz', 400, undefined],
    ['/%0d%0aset-cookie:x', 400, undefined],
  ])('%s: %i to %s', async (path, status, location) => {
    const { headers, ...reply } = await fake.ask(path);
    expect([reply.status, headers.location]).toEqual([status, location]);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test.each([
    '/_hoy/2026-11-20',
    '/%5Fhoy/2026-11-20',
    '/x/../_hoy/2026-11-20',
    '/eventos/%2e%2e/calendario',
    '/%2f',
    '/hoy%5c',
    '/hoy.html',
    '/_image?href=/icon.png',
    '/publicar/estado/%2e%2e/%2e%2e/revision',
    '/en/500',
  ])('%s is not a public path', async (path) => {
    const { status, text } = await fake.ask(path);
    expect([status, text]).toEqual([404, expect.stringMatching(/^made of \/(en\/)?404 /)]);
    expect(fake.issues).toEqual([]);
  });

  test('a redirect from a secret path is not cached', async () => {
    const SECRET = ['/publicar/estado/SECRETO%2f/', '//publicar/estado/SECRETO'];
    for (const path of [...SECRET, '/publicar%2festado/SECRETO/']) {
      const { status, headers } = await fake.ask(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 301, 'no-store']);
    }
  });

  test.each([
    ['/hoy', 'POST', 405, 'GET, HEAD, OPTIONS'],
    ['/hoy', 'OPTIONS', 204, 'GET, HEAD, OPTIONS'],
    ['/publicar', 'PUT', 405, 'GET, HEAD, POST, OPTIONS'],
    ['/publicar', 'OPTIONS', 204, 'GET, HEAD, POST, OPTIONS'],
    ['/revision', 'OPTIONS', 204, 'GET, HEAD, POST, OPTIONS'],
    ['/api/v1/events', 'POST', 405, 'GET, HEAD, OPTIONS'],
  ])('%s with method %s is %i, allowing %s', async (path, method, status, allow) => {
    const reply = await fake.ask(path, {}, method);
    expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
  });
});

describe('a form', () => {
  test.each([
    ['/publicar', 'OPTIONS', 204],
    ['/publicar', 'GET', 200],
    ['/publicar', 'PUT', 405],
    ['/publicar/calendario', 'OPTIONS', 204],
    ['/publicar/estado/SECRETO', 'OPTIONS', 204],
    ['/revision', 'PUT', 405],
    ['/revision/pendientes', 'OPTIONS', 204],
    [`/publicar?${'x'.repeat(9000)}`, 'GET', 414],
  ] as const)('%s by %s is %i and closed to other origins', async (path, method, status) => {
    const reply = await fake.ask(path, { origin: 'https://evil.example' }, method);
    expect(reply.status).toBe(status);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
    expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  test('has a Markdown version that every origin may read', async () => {
    const reply = await fake.ask('/publicar', { accept: 'text/markdown' });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a page', () => {
  test('that fails does not disclose the error', async () => {
    const { status, text, headers } = await fake.ask('/eventos/explota');
    expect([status, headers['cache-control']]).toEqual([500, 'no-store']);
    expect(text).not.toContain('passwd');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(fake.issues.splice(0)).toHaveLength(1);
  });

  const ANY_PATHS = ['/hoy', '/eventos/pasado', '/nada', '/favicon.svg', '/'];
  test.each(ANY_PATHS)('%s has usage headers and no cookies, for HEAD too', async (path) => {
    const { headers, status } = await fake.ask(path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-signal': 'ai-train=no, search=yes, ai-input=yes',
      'content-usage': 'train-ai=n, search=y',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('x-request-id');
    const head = await fake.ask(path, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([status, '']);
    expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' });
  });

  test('is HTML or Markdown, each with its own ETag', async () => {
    const path = '/fecha/2026-11-21';
    const accept = 'text/markdown';
    const html = await fake.ask(path);
    const markdown = await fake.ask(path, { accept });
    const file = await fake.ask(`${path}.md`);
    expect(html.headers['content-security-policy']).toMatch(/img-src 'self'(;|$)/);
    expect(markdown.headers['x-robots-tag']).toBe('noindex');
    expect(file.headers).not.toHaveProperty('content-location');
    const vary_headers = [html, markdown, file].map(({ headers }) => headers.vary);
    expect(vary_headers).toEqual([...Array(2).fill('Accept, Accept-Encoding'), 'Accept-Encoding']);
    const askAgain = async ({ headers }: typeof html) =>
      (await fake.ask(path, { accept, 'if-none-match': String(headers.etag) })).status;
    expect([await askAgain(html), await askAgain(markdown)]).toEqual([200, 304]);
  });

  test('is 406 with Vary if neither is acceptable', async () => {
    const { status, headers, text } = await fake.ask('/en/today', { accept: 'application/json' });
    expect([status, text]).toEqual([406, expect.stringContaining('text/markdown')]);
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
  });

  test('has files with a digest in their name that are cached for a year, others are not', async () => {
    expect((await fake.ask('/_astro/a1b2.css')).headers['cache-control']).toContain('immutable');
    const { headers } = await fake.ask('/favicon.svg', { accept: 'text/markdown' });
    expect(headers['cache-control']).toContain('max-age=3600');
    expect(headers.vary).toBeUndefined();
  });
});

describe('a Markdown document', () => {
  test.each([
    ['/fecha/2026-11-21.md', {}, 'Escrito a las 12:04 del viernes 20 de noviembre de 2026'],
    ['/fecha/2026-11-21', { accept: 'text/markdown' }, 'Escrito a las 12:04 del viernes 20'],
    ['/en/today.md', {}, 'Written at 12:04 p.m. on Friday, November 20, 2026'],
  ])('%s %o contains its time and the time of its data once', async (path, headers, words) => {
    const { status, text } = await askAt('2026-11-20T12:04:00', path, headers);
    expect([status, text.split(words).length]).toEqual([200, 2]);
    expect(text).toMatch(
      /(hora de Cancún|Cancún time) \(UTC−5\)\. (Datos al|Data as of) 2026-11-20T12:00:00-05:00\./,
    );
  });

  test('stays the same for a minute', async () => {
    const path = '/fecha/2026-11-21.md';
    const first = await askAt('2026-11-20T12:10:00', path);
    const conditional = { 'if-none-match': String(first.headers.etag) };
    expect((await askAt('2026-11-20T12:10:59', path, conditional)).status).toBe(304);
    const next = await askAt('2026-11-20T12:11:00', path, conditional);
    expect(next.text).toContain('Escrito a las 12:11');
    expect(next.text.replace('12:11', '12:10')).toBe(first.text);
  });
});

describe('a page is cached', () => {
  test.each([
    ['/hoy', '2026-11-20T23:59:59.999', 'max-age=0, must-revalidate'],
    ['/en/today.md', '2026-11-21T00:00:00', 'max-age=30, stale-while-revalidate=60'],
  ])('for its minute: %s at %s', async (path, local, cache) => {
    const { text, headers } = await askAt(local, path);
    expect(text).toContain(`made of ${path} at ${Math.floor(localMs(local) / 60_000)} `);
    expect(headers['cache-control']).toBe(`public, ${cache}`);
  });

  test('until its content changes, and never past midnight', async () => {
    const usual = 'public, max-age=300, stale-while-revalidate=600';
    for (const [local, renders, cache] of [
      ['2026-11-20T12:00:00', 1, usual],
      ['2026-11-20T13:59:59', 0, usual],
      // The fair of that day has ended.
      ['2026-11-20T14:00:00', 1, usual],
      ['2026-11-20T23:59:45', 0, 'public, max-age=15, must-revalidate'],
      ['2026-11-21T00:00:00', 1, usual],
    ] as const) {
      const before = fake.rendered.length;
      const { headers } = await askAt(local, '/eventos/feria-diaria');
      const render_count = fake.rendered.length - before;
      expect([local, render_count, headers['cache-control']]).toEqual([local, renders, cache]);
    }
  });

  test('for its minute if it is of today, and the next one renders in the background', async () => {
    const noon_ms = localMs('2026-12-25T12:00:00');
    const askLater = async (later_ms: number): Promise<number> => {
      fake.clock.now_ms = noon_ms + later_ms;
      const minute = Number(/ (\d{8}) /.exec((await fake.ask('/hoy')).text)?.[1]);
      return minute - noon_ms / 60_000;
    };
    const count = fake.rendered.length;
    expect(await Promise.all([askLater(0), askLater(0), askLater(59_999)])).toEqual([0, 0, 0]);
    expect(fake.rendered.length - count).toBe(1);
    // The first request of the next minute still gets the previous response, and triggers rendering.
    expect(await askLater(60_000)).toBe(0);
    await expect.poll(() => askLater(60_001)).toBe(1);
    expect(fake.rendered.length - count).toBe(2);
    // A response that is older than a minute is not served.
    expect(await askLater(240_000)).toBe(4);
    expect(fake.rendered.length - count).toBe(3);
  });

  test('by clients, filtered pages too, and links to the same list as Markdown', async () => {
    const page = await fake.ask('/hoy?zone=Centro&free=1');
    expect(page.text).toContain('made of /hoy?zone=centro&free=1');
    expect(page.headers.link).toMatch(/^<\/hoy\.md\?zone=centro&free=1>; rel="alternate"/);
    const conditional = { 'if-none-match': String(page.headers.etag) };
    expect((await fake.ask('/hoy?zone=Centro&free=1', conditional)).status).toBe(304);
    const text = await fake.ask('/hoy.md?free=1');
    expect(text.text).toContain('made of /hoy.md?free=1');
    expect(text.headers.link).toBe('<https://hoy.example/hoy>; rel="canonical"');
  });
});

describe('the API', () => {
  test('sends ETag, 304, compressed responses and rate limit headers', async () => {
    const plain = await fake.ask('/api/v1/events');
    expect(plain.headers).toMatchObject({
      vary: 'x-api-key, Accept-Encoding',
      'access-control-expose-headers': expect.stringContaining('RateLimit-Remaining'),
      'ratelimit-limit': '1000',
    });
    const br = await fake.ask('/api/v1/events', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.text);
    const again = await fake.ask('/api/v1/events', { 'if-none-match': String(plain.headers.etag) });
    expect(again).toMatchObject({ status: 304, headers: { 'ratelimit-limit': '1000' } });
  });

  test('returns the same bytes for a minute, but is not cached past midnight', async () => {
    const path = '/api/v1/events?limit=200';
    const tagAt = async (local: string) => (await askAt(local, path)).headers.etag;
    const before = await tagAt('2026-11-20T20:59:00');
    expect(await tagAt('2026-11-20T20:59:59')).toBe(before);
    await askAt('2026-11-20T23:59:02', '/api/v1/events?date=today');
    const late = await askAt('2026-11-20T23:59:50', '/api/v1/events?date=today');
    expect(late.headers['cache-control']).toBe('public, max-age=10, must-revalidate');
  });

  test('does not count preflights, and rejects an invalid key before invalid parameters', async () => {
    const preflight = {
      origin: 'https://x.example',
      'access-control-request-headers': 'x-api-key',
    };
    const { status, headers } = await fake.ask('/api/v1/events', preflight, 'OPTIONS');
    expect([status, headers['ratelimit-remaining']]).toEqual([204, undefined]);
    const rejected = await fake.ask('/api/v1/events?date=nonsense', { 'x-api-key': 'bad' });
    expect([rejected.status, JSON.parse(rejected.text).error.code]).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect(rejected.headers['www-authenticate']).toMatch(/^ApiKey /);
  });
});
