// Questions to the MCP server as plain values, in both eras: what the tests of this folder speak
// with.
import type { HttpResponse, HttpRequest } from '../../src/http/message.ts';
import { handleMcp } from '../../src/mcp/handle-mcp.ts';
import type { McpContext } from '../../src/mcp/tool.ts';
import type { Snapshot } from '../../src/snapshot/open.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

export const SITE = { url: 'https://hoy.example', name: 'Hoy Cancún', contact_email: null };
export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

export const contextOf = (snapshot: Snapshot, more: Partial<McpContext> = {}): McpContext => ({
  snapshot,
  now_ms: FRIDAY_NOON_MS,
  site: SITE,
  sender: '192.0.2.1',
  desk: null,
  ...more,
});

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

export function toHttpRequest(
  headers: Record<string, string | undefined>,
  method = 'POST',
): HttpRequest {
  return {
    method,
    path: '/mcp',
    query: '',
    headers: {
      host: 'hoy.example',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  };
}

export async function post(
  body: unknown,
  headers: Record<string, string | undefined>,
  context: McpContext,
): Promise<HttpResponse> {
  return handleMcp(
    toHttpRequest(headers),
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    context,
  );
}

const nameOf = (params: Record<string, unknown>): string | undefined =>
  [params.name, params.uri].find((name) => typeof name === 'string');

/** A request of 2026-07-28 with the headers and envelope it demands. */
export function askModern(
  method: string,
  params: Record<string, unknown>,
  context: McpContext,
): Promise<HttpResponse> {
  const name = nameOf(params);
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
  return post(
    { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: META } },
    headers,
    context,
  );
}

/** A request of 2025-11-25. */
export function askLegacy(
  method: string,
  params: Record<string, unknown>,
  context: McpContext,
  version: string = LEGACY,
): Promise<HttpResponse> {
  return post(
    { jsonrpc: '2.0', id: 7, method, params },
    { 'mcp-protocol-version': version },
    context,
  );
}

export const bodyOf = (answer: HttpResponse) => JSON.parse(String(answer.body));

/** The result of a tool call, in the newest revision. */
export async function call(name: string, args: Record<string, unknown>, context: McpContext) {
  return bodyOf(await askModern('tools/call', { name, arguments: args }, context)).result;
}
