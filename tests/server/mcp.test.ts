// The MCP server behind the front server, over real HTTP: counted with the API, keyed, cut at its
// size, read by pages of ours.
import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { serveFake, startFake } from './fake-release.ts';

const fake = await serveFake();
afterAll(() => expect(fake.issues).toEqual([]));

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const post = (
  body: string,
  headers: Record<string, string> = {},
  port = fake.port,
  path = '/mcp',
) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('a message is answered, with its rates and without a tag', async () => {
  const reply = await post(PING);
  expect([reply.status, await reply.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'ratelimit-limit': '1000',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'Origin',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(reply.headers.has('etag')).toBe(false);
  expect((await post(PING, {}, fake.port, '/mcp/')).status).toBe(200);
});

test('a long answer is compressed', async () => {
  const reply = await post(LIST, { 'accept-encoding': 'br' });
  expect([reply.headers.get('content-encoding'), reply.headers.get('vary')]).toEqual([
    'br',
    'Origin, Accept-Encoding',
  ]);
  expect(await reply.json()).toHaveProperty('result.tools.8.name', 'seguir_envio');
});

test('a key that is not live: 401; a live one counts by itself', async () => {
  const refused = await post(PING, { 'x-api-key': 'bad' });
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { error: expect.objectContaining({ code: 'invalid_api_key' }) },
  ]);
  const taken = await post(PING, { 'x-api-key': 'good' });
  expect([taken.status, taken.headers.get('ratelimit-limit')]).toEqual([200, '2000']);
});

describe('sizes', () => {
  test.each([
    [64 * 1024, 200],
    [64 * 1024 + 1, 413],
  ])('%i bytes: %i', async (bytes, status) => {
    expect((await post(PING.padEnd(bytes, ' '))).status).toBe(status);
  });

  test('a body without end is cut, and its connection with it', async () => {
    const status = await new Promise((resolve, reject) => {
      const sending = request(
        {
          port: fake.port,
          host: '127.0.0.1',
          path: '/mcp',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
        },
        (reply) => {
          resolve([reply.statusCode, reply.headers.connection]);
          reply.resume();
          sending.destroy();
        },
      );
      sending.on('error', reject);
      for (let n = 0; n < 20; n++) sending.write(' '.repeat(8192));
    });
    expect(status).toEqual([413, 'close']);
  });
});

describe('pages', () => {
  test('of this machine may ask, key and all; the preflight is not counted', async () => {
    const before = Number((await post(PING)).headers.get('ratelimit-remaining'));
    const preflight = await fetch(`http://127.0.0.1:${fake.port}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:6274',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-protocol-version,x-api-key',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'http://localhost:6274',
    ]);
    const reply = await post(PING, { origin: 'http://localhost:6274' });
    expect(reply.headers.get('access-control-allow-origin')).toBe('http://localhost:6274');
    expect(Number(reply.headers.get('ratelimit-remaining'))).toBe(before - 1);
  });
});

test.each([
  '/mcp/server-card',
  '/.well-known/mcp/server-card.json',
  '/.well-known/ai-catalog.json',
  '/mcp/server.json',
])('%s is open, tagged and not counted', async (path) => {
  const reply = await fake.ask(path);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600',
    etag: expect.stringMatching(/^"/),
  });
  expect(reply.headers).not.toHaveProperty('ratelimit-limit');
  expect(JSON.parse(reply.text)).toBeTypeOf('object');
  expect((await fake.ask(path, { 'if-none-match': String(reply.headers.etag) })).status).toBe(304);
  expect((await fake.ask(path, {}, 'POST')).status).toBe(405);
});

test('past its rate a call is a result that says when to go on; everything else is 429', async () => {
  const narrow = await startFake({ address: 1, key: 1 });
  try {
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'avisos_hoy', arguments: {} },
    });
    // It is counted together with the API.
    expect((await narrow.ask('/api/v1/notices')).status).toBe(200);
    const refused = await post(call, {}, narrow.port);
    expect([refused.status, await refused.json()]).toMatchObject([
      200,
      {
        id: 5,
        result: {
          isError: true,
          content: [{ type: 'text', text: expect.stringMatching(/^rate: .* in \d+ seconds$/) }],
        },
      },
    ]);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    const listed = await post(LIST, {}, narrow.port);
    expect([listed.status, await listed.json()]).toMatchObject([
      429,
      { jsonrpc: '2.0', id: 1, error: { code: -32029, message: expect.stringMatching(/^rate: /) } },
    ]);
    expect(listed.headers.get('retry-after')).toMatch(/^\d+$/);
  } finally {
    await narrow.stop();
  }
});
