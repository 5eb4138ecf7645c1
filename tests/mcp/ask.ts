// MCP requests: sends requests to the MCP endpoint in the current and the previous protocol revision.
import type { HttpRequest, HttpResponse } from '../../src/http/message.ts';
import { handleMcp } from '../../src/mcp/handle-mcp.ts';
import type { McpContext } from '../../src/mcp/tool.ts';
import type { Snapshot } from '../../src/snapshot/open-snapshot.ts';
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

export const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Headers = Readonly<Record<string, string | undefined>>;

export const toHttpRequest = (headers: Headers, method = 'POST'): HttpRequest => ({
  method,
  path: '/mcp',
  query: '',
  headers: { host: 'hoy.example', 'content-type': 'application/json', ...headers },
});

const toBytes = (body: unknown) =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
export const post = (body: unknown, headers: Headers, context: McpContext): Promise<HttpResponse> =>
  handleMcp(toHttpRequest(headers), toBytes(body), context);

type Ask = (
  method: string,
  params: Record<string, unknown>,
  context: McpContext,
  version?: string,
) => Promise<HttpResponse>;

export const askModern: Ask = (method, params, context) => {
  const name = [params.name, params.uri].find((value) => typeof value === 'string');
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': method, 'mcp-name': name };
  const body = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: META } };
  return post(body, headers, context);
};

export const askLegacy: Ask = (method, params, context, version = LEGACY) =>
  post({ jsonrpc: '2.0', id: 7, method, params }, { 'mcp-protocol-version': version }, context);

export const bodyOf = (answer: HttpResponse) => JSON.parse(String(answer.body));

export const call = async (name: string, args: Record<string, unknown>, context: McpContext) =>
  bodyOf(await askModern('tools/call', { name, arguments: args }, context)).result;
