// Both eras on one endpoint, and what each demands (MCP 2026-07-28, Streamable HTTP; 2025-11-25,
// Transports).
import { afterAll, describe, expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from '../../src/mcp/server-card.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { askLegacy, askModern, bodyOf, contextOf, LEGACY, MODERN, post } from './ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const issues: unknown[] = [];
const context = contextOf(snapshot, { onError: (issue) => issues.push(issue) });
afterAll(() => expect(issues).toEqual([]));

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CALL = {
  jsonrpc: '2.0',
  id: 'a',
  method: 'tools/call',
  params: { name: 'avisos_hoy', arguments: {}, _meta: META },
};
const HEADERS = {
  'mcp-protocol-version': MODERN,
  'mcp-method': 'tools/call',
  'mcp-name': 'avisos_hoy',
};

describe('2026-07-28', () => {
  test('discovery says what is spoken, what there is, and how to use it', async () => {
    const { result } = bodyOf(await askModern('server/discover', {}, context));
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      cacheScope: 'public',
      ttlMs: 3_600_000,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
      },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hoy-cancun', version: '1.0.0' } },
    });
    for (const words of ['UTC−5', 'eventos_hoy', 'English:', ': https://hoy.example/en/docs.'])
      expect(result.instructions).toContain(words);
  });

  const BARE = { 'io.modelcontextprotocol/protocolVersion': MODERN };
  const NAME_64 = `=?base64?${Buffer.from('avisos_hoy').toString('base64')}?=`;
  test.each([
    ['everything in its place', {}, META, 200, undefined],
    ['no version in the header', { 'mcp-protocol-version': undefined }, META, 400, -32020],
    ['another version in the header', { 'mcp-protocol-version': LEGACY }, META, 400, -32020],
    ['no method in the header', { 'mcp-method': undefined }, META, 400, -32020],
    ['another method in the header', { 'mcp-method': 'tools/list' }, META, 400, -32020],
    ['no name in the header', { 'mcp-name': undefined }, META, 400, -32020],
    ['another name in the header', { 'mcp-name': 'eventos_hoy' }, META, 400, -32020],
    ['the name in base64', { 'mcp-name': NAME_64 }, META, 200, undefined],
    ['no envelope', {}, undefined, 400, -32602],
    ['an envelope without capabilities', {}, BARE, 400, -32602],
    ['a session of old', { 'mcp-session-id': 'x', 'last-event-id': '7' }, META, 200, undefined],
    ['JSON alone accepted', { accept: 'application/json' }, META, 200, undefined],
  ])('%s', async (_, headers, _meta, status, code) => {
    const body = { ...CALL, params: { ...CALL.params, _meta } };
    const answer = await post(body, { ...HEADERS, ...headers }, context);
    expect([answer.status, bodyOf(answer).error?.code]).toEqual([status, code]);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  test.each(['initialize', 'ping', 'nothing/there', 'prompts/list'])(
    '%s is no method: 404',
    async (method) => {
      const answer = await askModern(method, {}, context);
      expect([answer.status, bodyOf(answer).error.code, bodyOf(answer).id]).toEqual([
        404, -32601, 7,
      ]);
    },
  );
});

describe('the earlier revisions', () => {
  test.each([
    ...PROTOCOL_VERSIONS.slice(1).map((version): [string, string] => [version, version]),
    ['2099-01-01', '2025-11-25'],
  ])('who asks for %s gets %s', async (protocolVersion, agreed) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const { result } = bodyOf(await askLegacy('initialize', params, context));
    expect(result).toMatchObject({
      protocolVersion: agreed,
      serverInfo: { name: 'hoy-cancun' },
    });
  });

  test.each([
    ['2025-03-26', 200],
    ['1999-01-01', 400],
  ])('the header %s: %i', async (version, status) => {
    expect((await askLegacy('tools/list', {}, context, version)).status).toBe(status);
  });

  test('a notification is taken and not answered', async () => {
    const answer = await post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-protocol-version': '2025-11-25' },
      context,
    );
    expect([answer.status, answer.body]).toEqual([202, null]);
  });
});

describe('what is asked wrongly', () => {
  test.each([
    ['tools/call', { name: 5 }, /^params: tools\/call takes name/],
    [
      'tools/call',
      { name: 'toString', arguments: {} },
      /^name: no such tool\. Use buscar_eventos, /,
    ],
    ['resources/read', { uri: 5 }, /^params: resources\/read takes uri/],
    ['resources/read', { uri: 'https://hoy.example/nada.md' }, /^uri: there is no such resource/],
    ['tools/list', { cursor: 'x' }, /^cursor: this list has one page$/],
    ['tools/list', { cursor: 5 }, /^params: are not what tools\/list takes$/],
  ])('%s with %o has a sentence of ours', async (method, params, sentence) => {
    for (const answer of [
      await askModern(method, params, context),
      await askLegacy(method, params, context),
    ]) {
      const { error } = bodyOf(answer);
      expect(answer.status).toBeLessThan(500);
      // A header that cannot match is told first.
      if (error.code !== -32020)
        expect([error.code, error.message]).toEqual([-32602, expect.stringMatching(sentence)]);
    }
  });

  test('what fails here says nothing of why, and is told to us', async () => {
    const broken = openFixture();
    broken.close();
    const told: unknown[] = [];
    const answer = await askModern(
      'tools/call',
      { name: 'detalle_evento', arguments: { id: 'feria-diaria' } },
      contextOf(broken.snapshot, { onError: (issue) => told.push(issue) }),
    );
    expect(bodyOf(answer).result).toMatchObject({
      isError: true,
      content: [{ text: 'server: something failed here. It has been logged. Try again later' }],
    });
    const read = await askModern(
      'resources/read',
      { uri: 'https://hoy.example/eventos/feria-diaria.md' },
      contextOf(broken.snapshot, { onError: (issue) => told.push(issue) }),
    );
    expect(bodyOf(read).error).toMatchObject({
      code: -32603,
      message: 'server: something failed here. It has been logged. Try again later',
    });
    expect(told).toHaveLength(2);
  });
});
