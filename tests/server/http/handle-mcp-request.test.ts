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
const post = (body: string, headers: Record<string, string> = {}, port = fake.port) =>
  fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('a response has rate limit headers and no ETag, and is compressed if it is long', async () => {
  const reply = await post(PING);
  expect([reply.status, await reply.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'ratelimit-limit': '1000',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(reply.headers.has('etag')).toBe(false);
  const long = await post(LIST_TOOLS, { 'accept-encoding': 'br' });
  expect(long.headers.get('content-encoding')).toBe('br');
  expect(long.headers.get('vary')).toBe('Origin, Accept-Encoding');
});

test('a key that is not live is rejected', async () => {
  expect((await post(PING, { 'x-api-key': 'bad' })).status).toBe(401);
});

test('an endless body is rejected with 413, and the connection is closed', async () => {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const options = { port: fake.port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers };
  const sending = request(options);
  for (let n = 0; n < 20; n++) sending.write(' '.repeat(8192));
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

test('over the limit a tool call gets a result with the retry time; other messages get 429', async () => {
  const limited = await startFake({ address: 1, key: 1 });
  // MCP and the API share a limit.
  expect((await limited.ask('/api/v1/notices')).status).toBe(200);
  const call = buildMessage('tools/call', { name: 'avisos_hoy', arguments: {} });
  const rejected = await post(call, {}, limited.port);
  const text = expect.stringMatching(/^rate: .* in \d+ seconds$/);
  expect([rejected.status, await rejected.json()]).toMatchObject([
    200,
    { id: 1, result: { isError: true, content: [{ type: 'text', text }] } },
  ]);
  expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
  const list = await post(LIST_TOOLS, {}, limited.port);
  expect([list.status, await list.json()]).toMatchObject([
    429,
    { jsonrpc: '2.0', id: 1, error: { code: -32029, message: expect.stringMatching(/^rate: /) } },
  ]);
  await limited.stop();
});
