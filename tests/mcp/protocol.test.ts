// Protocol revisions: tests the requirements of both supported revisions on one endpoint (MCP 2026-07-28; 2025-11-25).
import { afterAll, expect, test } from 'vitest';
import { openFixture, useFixture } from '../fixtures/fixture.ts';
import { askLegacy, askModern, bodyOf, contextOf, LEGACY, META, MODERN, post } from './ask.ts';

const { snapshot } = useFixture();
const unexpected_errors: unknown[] = [];
const context = contextOf(snapshot, { onError: (error) => unexpected_errors.push(error) });
afterAll(() => expect(unexpected_errors).toEqual([]));

const NAME = 'avisos_hoy';
const HEADERS = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': NAME };
const BARE = { 'io.modelcontextprotocol/protocolVersion': MODERN };
const NAME_64 = `=?base64?${Buffer.from(NAME).toString('base64')}?=`;
test.each([
  ['no version in the header', { 'mcp-protocol-version': undefined }, META, 400, -32020],
  ['another version in the header', { 'mcp-protocol-version': LEGACY }, META, 400, -32020],
  ['another method in the header', { 'mcp-method': 'tools/list' }, META, 400, -32020],
  ['no name in the header', { 'mcp-name': undefined }, META, 400, -32020],
  ['the name in base64', { 'mcp-name': NAME_64 }, META, 200, undefined],
  ['no envelope', {}, undefined, 400, -32602],
  ['an envelope without capabilities', {}, BARE, 400, -32602],
  ['a legacy session', { 'mcp-session-id': 'x', 'last-event-id': '7' }, META, 200, undefined],
  ['JSON alone accepted', { accept: 'application/json' }, META, 200, undefined],
])('2026-07-28 with %s gets the right status', async (_, headers, _meta, status, code) => {
  const params = { name: NAME, arguments: {}, _meta };
  const body = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params };
  const answer = await post(body, { ...HEADERS, ...headers }, context);
  expect([answer.status, bodyOf(answer).error?.code]).toEqual([status, code]);
  expect(answer.headers['mcp-session-id']).toBeUndefined();
});

test.each(['initialize', 'nothing/there'])(
  '2026-07-28 answers method %s with 404',
  async (method) => {
    const answer = await askModern(method, {}, context);
    expect([answer.status, bodyOf(answer)]).toMatchObject([
      404,
      { id: 7, error: { code: -32601 } },
    ]);
  },
);

const SPOKEN = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
test.each(['1999-01-01', '2024-11-05', '2099-01-01'])(
  'version %s gets an error that names the spoken ones, with and without an envelope',
  async (version) => {
    const envelope = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
    // With an envelope only the revisions of envelopes are named, as in `server/discover`.
    for (const [params, spoken] of [
      [{}, SPOKEN],
      [{ _meta: envelope }, SPOKEN.slice(0, 1)],
    ] as const) {
      const answer = await askLegacy('tools/list', params, context, version);
      expect([answer.status, bodyOf(answer)]).toMatchObject([
        400,
        { id: 7, error: { code: -32022, data: { supported: spoken, requested: version } } },
      ]);
      expect(bodyOf(answer).error.message).toContain(spoken.join(', '));
    }
  },
);

test.each([...SPOKEN.slice(1), '2024-11-05'])(
  'initialize with %s gets a spoken version',
  async (protocolVersion) => {
    const params = {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'host', version: '1' },
    };
    const { result } = bodyOf(
      await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, {}, context),
    );
    expect(result.protocolVersion).toBe(
      SPOKEN.includes(protocolVersion) ? protocolVersion : LEGACY,
    );
  },
);

test('a notification gets 202 without a body', async () => {
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const answer = await post(body, { 'mcp-protocol-version': LEGACY }, context);
  expect([answer.status, answer.body]).toEqual([202, null]);
});

test.each([
  ['tools/call', { name: 5 }, /^params: tools\/call takes name/],
  ['tools/call', { name: 'toString', arguments: {} }, /^name: no such tool\. Use buscar_eventos, /],
  ['resources/read', { uri: 'https://hoy.example/nada.md' }, /^uri: unknown resource/],
  ['tools/list', { cursor: 'x' }, /^cursor: this list has one page$/],
  ['tools/list', { cursor: 5 }, /^params: are not what tools\/list takes$/],
])('%s with %o gets our own error message', async (method, params, sentence) => {
  for (const ask of [askModern, askLegacy]) {
    const { error } = bodyOf(await ask(method, params, context));
    // A header that does not match the body is reported first.
    if (error.code !== -32020)
      expect([error.code, error.message]).toEqual([-32602, expect.stringMatching(sentence)]);
  }
});

test('an internal error gets a general message and is reported to onError', async () => {
  const broken = openFixture();
  broken.close();
  const errors: unknown[] = [];
  const failing = contextOf(broken.snapshot, { onError: (error) => errors.push(error) });
  const message = 'server: internal error. It was logged. Try again later';
  const called = { name: 'detalle_evento', arguments: { id: 'feria-diaria' } };
  const { result } = bodyOf(await askModern('tools/call', called, failing));
  expect(result).toMatchObject({ isError: true, content: [{ text: message }] });
  const read = { uri: 'https://hoy.example/eventos/feria-diaria.md' };
  const { error } = bodyOf(await askModern('resources/read', read, failing));
  expect(error).toMatchObject({ code: -32603, message });
  expect(errors).toHaveLength(2);
});
