// MCP interoperability: both SDKs, the Inspector and the conformance suites against the server.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOOL_NAMES } from '../../src/i18n/translate.ts';
import { useFolder } from '../fixtures/folder.ts';
import { serveFake } from '../server/fake-release.ts';

const fake = await serveFake({ address: 1_000_000, key: 1_000_000 });
afterAll(() => expect(fake.issues).toEqual([]));
/** With `localhost`, the name that browsers and the suites use. */
const url = `http://localhost:${fake.port}/mcp`;

const INFO = { name: 'interop', version: '1.0.0' };
const connectV1 = async () => {
  const client = new ClientV1(INFO);
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(Object(new TransportV1(new URL(url))));
  return client;
};
const connectV2 = async (mode: 'legacy' | 'auto' | { pin: string }) => {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  await client.connect(new TransportV2(new URL(url)));
  return client;
};

describe.each([
  ['v1', connectV1],
  ['v2, legacy', () => connectV2('legacy')],
  ['v2, negotiating', () => connectV2('auto')],
  ['v2, newest version only', () => connectV2({ pin: '2026-07-28' })],
])('the client %s', (name, connect) => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test('gets the server name, instructions and capabilities', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'hoy-cancun', version: '1.0.0' });
    expect(client.getInstructions()).toContain('eventos_hoy');
    if (name === 'v2, negotiating')
      expect(Object(client).getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([...TOOL_NAMES].sort());
    expect((await client.listResources()).resources).toHaveLength(6);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(8);
  });

  test('calls a tool, validates its answer against the schema, and gets an error for invalid input', async () => {
    const result = await client.callTool({ name: 'eventos_hoy', arguments: { free: true } });
    const structuredContent = { meta: { count: 1 } };
    expect(result).toMatchObject({ structuredContent, content: [{ type: 'text' }] });
    expect((await client.callTool({ name: 'avisos_hoy' })).isError).toBeFalsy();
    const error_result = await client.callTool({
      name: 'buscar_eventos',
      arguments: { date: 'ayer' },
    });
    const text = expect.stringMatching(/^date: 'ayer' is invalid/);
    expect(error_result).toMatchObject({ isError: true, content: [{ text }] });
  });

  test('reads a resource', async () => {
    const { contents } = await client.readResource({ uri: 'https://hoy.example/hoy.md' });
    const text = expect.stringContaining('UTC−5');
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text }]);
    const missing = client.readResource({ uri: 'https://hoy.example/nada.md' });
    await expect(missing).rejects.toMatchObject({ code: -32602 });
  });
});

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const timeout = 240_000;
const folder = useFolder();

function runNode(script: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(MODULES, script), ...args],
      options,
      (error, output, error_output) =>
        error
          ? reject(new Error(`${error.code}: ${output}\n${error_output}`.slice(-6000)))
          : resolve(output),
    );
  });
}

test.each([
  ['@modelcontextprotocol/conformance', 'baseline-2025.yml', []],
  ['mcp-conformance-next', 'baseline-2026.yml', ['--requirements', '2026-07-28', '-o', folder]],
])(
  'the suite %s passes except for the failures in %s',
  { timeout },
  async (suite, baseline, more) => {
    const failures = ['--expected-failures', join(import.meta.dirname, baseline)];
    await runNode(`${suite}/dist/index.js`, 'server', '--url', url, ...failures, ...more);
  },
);

/** Runs the Inspector. It exits with 6 if a client cannot parse a schema. */
const inspect = (...args: readonly string[]): Promise<string> =>
  runNode(
    '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    ...['--cli', url, '--transport', 'http', ...args, '--format', 'json'],
  );

test('the Inspector lists the tools, accepts all schemas with --strict, and calls a tool', async () => {
  const listed = await inspect('--method', 'tools/list', '--strict');
  for (const name of TOOL_NAMES) expect(listed).toContain(`"${name}"`);
  const call = ['--method', 'tools/call', '--tool-name', 'eventos_hoy', '--tool-arg', 'lang=en'];
  expect(await inspect(...call)).toMatch(/"structuredContent":\s*\{\s*[\s\S]*"data":\s*\[\s*\{/);
});
