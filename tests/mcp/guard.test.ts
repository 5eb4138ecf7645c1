// Request validation: tests Host, Origin, method, content type, size and form of MCP requests.
import { describe, expect, test } from 'vitest';
import { handleMcp } from '../../src/mcp/handle-mcp.ts';
import { isOurHost, isOurOrigin } from '../../src/http/request-origin.ts';
import { MAX_BODY_BYTES } from '../../src/mcp/json-rpc.ts';
import { useFixture } from '../fixtures/fixture.ts';
import { bodyOf, contextOf, post, SITE, toHttpRequest } from './ask.ts';

const { snapshot } = useFixture();
const context = contextOf(snapshot);
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const LOCAL = 'http://localhost:6274';

describe('Host and Origin', () => {
  test.each([
    ['HOY.example:8443', true],
    ['[::1]:4321', true],
    ['evil.example', false],
    ['hoy.example.evil.example', false],
    ['hoy.example@evil.example', false],
    ['127.0.0.2', false],
    ['', false],
    [undefined, false],
  ])('Host %s is ours: %s', (host, is_ours) => expect(isOurHost(host, SITE)).toBe(is_ours));

  test.each([
    [undefined, true],
    ['https://hoy.example', true],
    ['http://[::1]:4321', true],
    ['https://hoy.example.evil.example', false],
    ['null', false],
    ['', false],
    ['file://', false],
  ])('Origin %s is ours: %s', (origin, is_ours) => expect(isOurOrigin(origin, SITE)).toBe(is_ours));

  const FOREIGN = [{ host: 'evil.example' }, { origin: 'https://evil.example' }];
  const local = contextOf(snapshot, { site: { ...SITE, url: 'http://localhost:4321' } });
  test.each(FOREIGN)(
    '%o is rejected by a local server with 403 and without CORS headers',
    async (headers) => {
      const answer = await post(PING, { host: 'localhost', ...headers }, local);
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(bodyOf(answer).error.message).toMatch(/^(host|origin): /);
    },
  );
});

test('a public server serves pages of every origin, but only under its own name', async () => {
  for (const origin of ['https://web-client.example', 'null']) {
    const answer = await post(PING, { origin }, context);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  }
  const rebound = { host: 'evil.example', origin: 'https://evil.example' };
  expect((await post(PING, rebound, context)).status).toBe(403);
});

test.each(['GET', 'DELETE'])('%s is rejected with 405 and Allow: POST', async (method) => {
  const answer = await handleMcp(toHttpRequest({}, method), Buffer.alloc(0), context);
  expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  expect(bodyOf(answer)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
});

test('a preflight allows every header of the protocol and x-api-key', async () => {
  const request = toHttpRequest({ origin: LOCAL }, 'OPTIONS');
  const { status, headers } = await handleMcp(request, Buffer.alloc(0), context);
  expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
  for (const name of 'content-type mcp-protocol-version mcp-method mcp-name x-api-key'.split(' '))
    expect(headers['access-control-allow-headers']).toContain(name);
});

test.each([
  ['application/jsonp', 415],
  [undefined, 415],
  ['Application/JSON;charset=UTF-8', 200],
])('a body of type %s gets status %i', async (type, status) =>
  expect((await post(PING, { 'content-type': type }, context)).status).toBe(status),
);

test.each([
  [MAX_BODY_BYTES, 200],
  [MAX_BODY_BYTES + 1, 413],
])('a body of %i bytes gets status %i', async (bytes, status) => {
  const body = JSON.stringify(PING).padEnd(bytes, ' ');
  expect((await post(body, {}, context)).status).toBe(status);
});

test.each([
  ['an empty text', '', -32700],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700],
  ['a batch', [PING, PING], -32600],
  ['a text', '"ping"', -32600],
  ['another version', { ...PING, jsonrpc: '1.0' }, -32600],
  ['a null id', { ...PING, id: null }, -32600],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600],
  ['params that are a list', { ...PING, params: [] }, -32600],
  ['_meta that is a text', { ...PING, params: { _meta: 'x' } }, -32600],
  ['nesting without end', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, -32600],
])('%s as a body is rejected with 400', async (_, body, code) => {
  const answer = Buffer.isBuffer(body)
    ? await handleMcp(toHttpRequest({}), body, context)
    : await post(body, {}, context);
  expect([answer.status, bodyOf(answer).error.code]).toEqual([400, code]);
  expect(bodyOf(answer).error.message).toMatch(/^body: /);
});

test.each([
  ['params that are a list', { ...PING, id: 'a7', params: [] }, {}, 400],
  ['a method that is a number', { jsonrpc: '2.0', id: 'a7', method: 5 }, {}, 400],
  ['another type', { ...PING, id: 'a7' }, { 'content-type': 'text/plain' }, 415],
  ['a foreign host', { ...PING, id: 'a7' }, { host: 'evil.example' }, 403],
])('the error about %s has the id of the request', async (_, body, headers, status) => {
  const answer = await post(body, headers, context);
  expect([answer.status, bodyOf(answer).id]).toEqual([status, 'a7']);
});

test.each([
  ['tools/list', null],
  ['tools/list', { cursor: null, _meta: null }],
  ['resources/list', { cursor: null }],
  ['tools/call', { name: 'avisos_hoy', arguments: null, _meta: null }],
])('null is absent: %s with params %o is answered', async (method, params) => {
  const answer = await post({ jsonrpc: '2.0', id: 1, method, params }, {}, context);
  expect([answer.status, bodyOf(answer)]).toMatchObject([200, { id: 1, result: {} }]);
});
