// MCP requests over real HTTP: rate limits, API keys and the size limit.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { serveFake, startFake } from '../fake-release.ts';

const fake = await serveFake();
afterAll(() => expect(fake.issues).toEqual([]));

const buildMessage = (method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const PING = buildMessage('ping');
const LIST_TOOLS = buildMessage('tools/list');
const CALL = buildMessage('tools/call', { name: 'avisos_hoy', arguments: {} });
const post = (body: string, headers: Record<string, string> = {}, port = fake.port) =>
  fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('a response has rate limit headers and no ETag, and is compressed if it is long', async () => {
  const reply = await post(CALL);
  expect([reply.status, await reply.json()]).toMatchObject([200, { id: 1, result: {} }]);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'ratelimit-limit': '1000',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(reply.headers.has('etag')).toBe(false);
  const long = await post(LIST_TOOLS, { 'accept-encoding': 'br' });
  expect(long.headers.get('content-encoding')).toBe('br');
  expect(long.headers.get('vary')).toBe('Accept-Encoding');
});

test('a key that is not live gets a JSON-RPC error that says to leave it out; an empty one is no key', async () => {
  const rejected = await post(PING, { 'x-api-key': 'bad' });
  expect([rejected.status, await rejected.json()]).toMatchObject([
    401,
    { jsonrpc: '2.0', id: 1, error: { message: expect.stringMatching(/not a live key.*Leave/) } },
  ]);
  expect((await post(PING, { 'x-api-key': '' })).status).toBe(200);
});

const OAUTH_PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/mcp/.well-known/openid-configuration',
];
test.each(OAUTH_PATHS)('%s says in JSON that no sign-in is needed', async (path) => {
  const reply = await fake.ask(path);
  expect([reply.status, reply.headers]).toMatchObject([
    404,
    { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' },
  ]);
  expect(JSON.parse(reply.text)).toEqual({
    error: 'not_found',
    error_description: expect.stringMatching(/not a live key.*Leave/),
  });
});

test('a registration of a client gets the same sentence, as an OAuth error', async () => {
  const reply = await fake.ask('/register', { 'content-type': 'application/json' }, 'POST');
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    400,
    { error: 'invalid_request', error_description: expect.stringMatching(/not a live key/) },
  ]);
});

test('an endless body is rejected with 413, and the connection is closed', async () => {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const options = { port: fake.port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers };
  const sending = request(options);
  for (let n = 0; n < 10; n++) sending.write(' '.repeat(8192));
  const [reply]: IncomingMessage[] = await once(sending, 'response');
  expect([reply?.statusCode, reply?.headers.connection]).toEqual([413, 'close']);
  sending.destroy();
});

const CARDS = ['/.well-known/mcp/server-card.json', '/mcp/server.json'];
test.each(CARDS)('%s is public, has an ETag and is not rate-limited', async (path) => {
  const { status, headers } = await fake.ask(path);
  expect([status, headers]).toMatchObject([
    200,
    { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' },
  ]);
  expect(headers).not.toHaveProperty('ratelimit-limit');
  expect((await fake.ask(path, { 'if-none-match': String(headers.etag) })).status).toBe(304);
  expect((await fake.ask(path, {}, 'POST')).status).toBe(405);
});

test('only answers use up the limit: a conversation costs one', async () => {
  const limited = await startFake({ address: 3, key: 1 });
  const ask = (method: string, params?: object) =>
    post(buildMessage(method, params), {}, limited.port);
  const clientInfo = { name: 'host', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  for (let person = 0; person < 3; person++) {
    const replies = [
      await ask('initialize', hello),
      await post(
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
        {},
        limited.port,
      ),
      await fetch(`http://127.0.0.1:${limited.port}/mcp`),
      await ask('ping'),
      ...(await Promise.all(['tools/list', 'resources/list'].map((method) => ask(method)))),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 202, 405, 200, 200, 200]);
    for (const { headers } of replies) expect(headers.get('ratelimit-limit')).toBe('30');
    const answer = await post(CALL, {}, limited.port);
    expect([
      answer.headers.get('ratelimit-limit'),
      answer.headers.get('ratelimit-remaining'),
    ]).toEqual(['3', `${2 - person}`]);
  }
  expect((await limited.ask('/api/v1/notices')).status).toBe(429);
  await limited.stop();
});

test('over the limit a tool call gets a result with the retry time; other messages get 429', async () => {
  const limited = await startFake({ address: 1, key: 1 });
  // MCP and the API share a limit.
  expect((await limited.ask('/api/v1/notices')).status).toBe(200);
  const rejected = await post(CALL, {}, limited.port);
  const text = expect.stringMatching(/^rate: .* in \d+ seconds$/);
  expect([rejected.status, await rejected.json()]).toMatchObject([
    200,
    { id: 1, result: { isError: true, content: [{ type: 'text', text }] } },
  ]);
  expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
  for (let n = 0; n < 10; n++) expect((await post(LIST_TOOLS, {}, limited.port)).status).toBe(200);
  const list = await post(LIST_TOOLS, {}, limited.port);
  expect([list.status, await list.json()]).toMatchObject([
    429,
    { jsonrpc: '2.0', id: 1, error: { code: -32029, message: expect.stringMatching(/^rate: /) } },
  ]);
  await limited.stop();
});
