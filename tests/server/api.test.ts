// The API over real HTTP: always JSON, counted, kept for its minute (contract 9.1, 10.5).
import { STATUS_CODES } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseReply, send, toBytes } from '../fixtures/bare-connection.ts';
import { at } from '../fixtures/fixture.ts';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

describe('every answer under /api is JSON', () => {
  test.each([
    ['GET', '/api', 404, 'not_found'],
    ['GET', '/api/', 404, 'not_found'],
    ['GET', '/api/v1/events/', 404, 'not_found'],
    ['GET', '//api/v1/events', 301, null],
    ['GET', '/api//v1/events', 404, 'not_found'],
    ['GET', '/api/v2/events', 404, 'not_found'],
    ['GET', '/api/v1/events/%zz', 400, 'invalid_parameter'],
    ['GET', '/api/v1/%zz', 404, 'not_found'],
    ['GET', '/api/v1/events?date=%zz', 400, 'invalid_parameter'],
    ['GET', '/api/v1/events?fecha=today', 400, 'invalid_parameter'],
    ['POST', '/api/v1/events', 405, 'method_not_allowed'],
    ['DELETE', '/api/v1/nothing', 404, 'not_found'],
  ])('%s %s: %i', async (method, path, status, code) => {
    const reply = await fake.ask(path, {}, method);
    expect(reply.status).toBe(status);
    if (code === null) return;
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const { error } = JSON.parse(reply.text);
    expect(error).toEqual({
      code,
      message: expect.stringMatching(/^\w+: /),
      documentation_url: expect.stringContaining('https://hoy.example/api/openapi.json'),
      help_url: `https://hoy.example/en/docs/errors#${code}`,
    });
    if (status === 405) expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('raw letters in an address are refused by the name of what they stand in', async () => {
    const query = Buffer.from('q=m\u00fasica', 'utf8').toString('latin1');
    const sent = { method: 'GET', path: '/api/v1/events', query, headers: {}, body: '' };
    const { status, body } = parseReply(await send(fake.port, toBytes(sent)));
    expect([status, body]).toEqual([
      400,
      expect.stringContaining('q: is not percent-encoded UTF-8. Percent-encode it as UTF-8'),
    ]);
  });

  test.each([
    [
      'an address far too long',
      `GET /api/v1/events?q=${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      414,
    ],
    ['what is not HTTP', 'GET /api/v1/events\r\nHost a\r\n\r\n', 400],
  ])('%s', async (_what, bytes, status) => {
    const reply = await fake.sendRaw(bytes);
    expect(reply.split('\r\n', 1)).toEqual([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4)).error.message).toMatch(/^\w+: /);
  });
});

describe('reading', () => {
  test('over HTTP/1.0 needs no Host', async () => {
    expect(await fake.sendRaw('GET /api/v1/events?limit=1 HTTP/1.0\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n/,
    );
  });

  test('a question has a tag, a 304, three codings and its rates', async () => {
    const plain = await fake.ask('/api/v1/events');
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      vary: 'x-api-key, Accept-Encoding',
      'access-control-expose-headers': expect.stringContaining('RateLimit-Remaining'),
      'ratelimit-limit': '1000',
    });
    const br = await fake.ask('/api/v1/events', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.text);
    const again = await fake.ask('/api/v1/events', { 'if-none-match': String(plain.headers.etag) });
    expect(again.status).toBe(304);
    expect(again.headers['ratelimit-remaining']).toMatch(/^\d+$/);
    const head = await fake.ask('/api/v1/events', {}, 'HEAD');
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
  });

  test('the same question within a minute gets the same bytes, and the next minute is asked afresh', async () => {
    fake.clock.now_ms = at('2026-11-20T20:59:00');
    const before = await fake.ask('/api/v1/events?limit=200');
    fake.clock.now_ms = at('2026-11-20T20:59:59');
    expect((await fake.ask('/api/v1/events?limit=200')).headers.etag).toBe(before.headers.etag);
    fake.clock.now_ms = at('2027-06-01T12:00:00');
    expect((await fake.ask('/api/v1/events?limit=200')).headers.etag).not.toBe(before.headers.etag);
  });

  test('is not kept past midnight, even out of memory', async () => {
    fake.clock.now_ms = at('2026-11-20T23:59:02');
    await fake.ask('/api/v1/events?date=today');
    fake.clock.now_ms = at('2026-11-20T23:59:50');
    expect((await fake.ask('/api/v1/events?date=today')).headers['cache-control']).toBe(
      'public, max-age=10, must-revalidate',
    );
  });

  test('preflight is answered without being counted', async () => {
    const { status, headers } = await fake.ask(
      '/api/v1/events',
      { origin: 'https://x.example', 'access-control-request-headers': 'x-api-key' },
      'OPTIONS',
    );
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toContain('x-api-key');
    expect(headers['ratelimit-remaining']).toBeUndefined();
  });
});

test('a key that is not live is refused before its parameters are looked at', async () => {
  const { status, headers, text } = await fake.ask('/api/v1/events?date=nonsense', {
    'x-api-key': 'bad',
  });
  expect([status, JSON.parse(text).error.code]).toEqual([401, 'invalid_api_key']);
  expect(headers['www-authenticate']).toMatch(/^ApiKey /);
});
