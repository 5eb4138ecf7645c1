// The clients of both SDK versions, each in every way it can speak: they connect, list, call, read
// and are told what is wrong.
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServing } from './serving.ts';

let serving: Awaited<ReturnType<typeof startServing>>;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(async () => {
  expect(serving.fake.issues).toEqual([]);
  await serving.fake.stop();
});

const INFO = { name: 'interop', version: '1.0.0' };
const connectV1 = async () => {
  const client = new ClientV1(INFO);
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(Object(new TransportV1(new URL(serving.url))));
  return client;
};
const connectV2 = async (mode: 'legacy' | 'auto' | { pin: string }) => {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  await client.connect(new TransportV2(new URL(serving.url)));
  return client;
};

describe.each([
  ['v1', connectV1],
  ['v2, as of old', () => connectV2('legacy')],
  ['v2, by itself', () => connectV2('auto')],
  ['v2, the newest alone', () => connectV2({ pin: '2026-07-28' })],
])('the client %s', (name, connect) => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test('is told who answers and how to use it', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'hoy-cancun', version: '1.0.0' });
    expect(client.getInstructions()).toContain('eventos_hoy');
    if (name === 'v2, by itself')
      expect(Object(client).getNegotiatedProtocolVersion()).toBe('2026-07-28');
  });

  test('lists the tools, resources and templates', async () => {
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
      'buscar_eventos',
      'detalle_evento',
      'eventos_hoy',
      'eventos_fin_de_semana',
      'lugares',
      'avisos_hoy',
      'cambios',
      'enviar_evento',
      'seguir_envio',
    ]);
    expect((await client.listResources()).resources).toHaveLength(6);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(8);
  });

  test('calls a tool; the client itself checks the answer against the promised schema', async () => {
    const found = await client.callTool({ name: 'eventos_hoy', arguments: { free: true } });
    expect(found).toMatchObject({
      structuredContent: { meta: { count: 1 } },
      content: [{ type: 'text' }],
    });
    const { data } = Object(found.structuredContent);
    expect(
      (await client.callTool({ name: 'detalle_evento', arguments: { id: data[0].id } })).isError,
    ).toBeFalsy();
    expect((await client.callTool({ name: 'avisos_hoy' })).isError).toBeFalsy();
  });

  test('is told what is wrong with a call, as a result', async () => {
    const result = await client.callTool({ name: 'buscar_eventos', arguments: { date: 'ayer' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^date: 'ayer' is not accepted/) }],
    });
  });

  test('sends an event in, sends it again, follows it and withdraws it', async () => {
    const event = {
      title: `Jazz ${name}`,
      description: 'Concierto al aire libre con cuatro grupos.',
      category: 'live-music',
      start: '2026-12-05T20:00',
      venue_name: 'Parque',
    };
    const sent = await client.callTool({ name: 'enviar_evento', arguments: event });
    expect(sent.structuredContent).toMatchObject({ data: { state: 'pending_review' } });
    expect(
      (await client.callTool({ name: 'enviar_evento', arguments: event })).structuredContent,
    ).toEqual(sent.structuredContent);
    const { status_url: token } = Object(sent.structuredContent).data;
    const follow = async (more: object): Promise<unknown> =>
      (await client.callTool({ name: 'seguir_envio', arguments: { token, ...more } }))
        .structuredContent;
    expect(await follow({})).toMatchObject({
      data: { can: ['correct', 'withdraw'], sent: { title: event.title } },
    });
    expect(await follow({ action: 'withdraw', confirm: true })).toMatchObject({
      data: { state: 'withdrawn', can: ['correct'] },
    });
  });

  test('reads a resource', async () => {
    const { contents } = await client.readResource({ uri: 'https://hoy.example/hoy.md' });
    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('UTC−5') },
    ]);
    await expect(client.readResource({ uri: 'https://hoy.example/nada.md' })).rejects.toMatchObject(
      { code: -32602 },
    );
  });
});
