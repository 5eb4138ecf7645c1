// The revision 2026-07-28: the SDK's handler, which checks headers and envelope before anything is asked of us.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Answer } from '../http/exchange.ts';
import type { McpContext } from './context.ts';
import type { Message } from './message.ts';
import { createServer } from './server.ts';

/** Answers a message; the answer to `subscriptions/listen` is a stream that ends at once, for nothing here changes. */
export async function serveModern(message: Message, request: Request, context: McpContext): Promise<Answer> {
  const handler = createMcpHandler(() => createServer(context), { legacy: 'reject' });
  try {
    const response = await handler.fetch(request, { parsedBody: message });
    const type = response.headers.get('content-type');
    const body = await response.text();
    return { status: response.status, headers: type === null ? {} : { 'content-type': type }, body: body === '' ? null : body };
  } finally {
    await handler.close();
  }
}
