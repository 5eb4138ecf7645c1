// The revision 2026-07-28: the SDK's handler, which checks headers and envelope before anything is
// asked of us.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import { toAbsolute, MCP_PATH } from '../i18n/paths.ts';
import type { McpContext } from './context.ts';
import type { Message } from './message.ts';
import { createServer } from './server.ts';

/** What a header can hold (RFC 9110, 5.5); node lets no other value in. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What of the caller's headers the protocol reads. */
const READ = /^mcp-(protocol-version|method|name|param-.+)$/;

/**
 * Responds to a message; the response to `subscriptions/listen` is a stream that ends at once, for
 * nothing here changes.
 */
export async function serveModern(
  message: Message,
  request: HttpRequest,
  context: McpContext,
): Promise<HttpResponse> {
  const { fetch } = createMcpHandler(() => createServer(context), { legacy: 'reject' });
  const response = await fetch(toRequest(request, context), { parsedBody: message });
  const type = response.headers.get('content-type');
  const body = await response.text();
  return {
    status: response.status,
    headers: type === null ? {} : { 'content-type': type },
    body: body === '' ? null : body,
  };
}

/** The request as the SDK reads it. The body goes beside it, already parsed. */
function toRequest(request: HttpRequest, { site }: McpContext): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && READ.test(name) && FIELD_VALUE.test(value)) headers.set(name, value);
  }
  return new Request(toAbsolute(site.url, MCP_PATH), { method: 'POST', headers });
}
