// The MCP server as a function: a request at {base_url}/mcp with its body, and the response, in the
// revision that it is written in (contract 13.1).
import {
  createMcpHandler,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isLegacyRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { type HttpRequest, type HttpResponse, JSON_TYPE } from '../http/message.ts';
import { MCP_PATH, absoluteUrl } from '../i18n/paths.ts';
import {
  rejectRequest,
  INTERNAL_ERROR_MESSAGE,
  type RpcMessage,
  parseMessage,
  RPC_CODES,
  mcpCorsHeaders,
  createRpcError,
} from './json-rpc.ts';
import { createProtocolServer } from './protocol-server.ts';
import type { McpContext } from './tool.ts';

/** Nothing takes longer; what never ends is ended here, so that nothing is held open. */
const DEADLINE_MS = 10_000;

/**
 * The response to any method. `body` is what was sent, read no further than one byte past
 * MAX_BODY_BYTES. Rate limit and key are the front server's, before this. Never throws; what is no
 * error of the caller is told to `context.onError`.
 */
export async function handleMcp(
  request: HttpRequest,
  body: Buffer,
  context: McpContext,
): Promise<HttpResponse> {
  const response =
    rejectRequest(request, body.length, context.site) ?? (await handleBody(request, body, context));
  return {
    ...response,
    headers: { ...response.headers, ...mcpCorsHeaders(request, context.site) },
  };
}

async function handleBody(
  request: HttpRequest,
  body: Buffer,
  context: McpContext,
): Promise<HttpResponse> {
  const parsed = parseMessage(body);
  if ('error' in parsed) return parsed.error;
  const { id, method } = parsed.message;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DEADLINE_MS);
  });
  try {
    const response = await Promise.race([serveMessage(parsed.message, request, context), deadline]);
    if (response === null)
      return createRpcError(503, RPC_CODES.internal, INTERNAL_ERROR_MESSAGE, id);
    if (isForeignError(response))
      return createRpcError(response.status, RPC_CODES.params, describeParams(method), id);
    return { ...response, headers: { 'cache-control': 'no-store', ...response.headers } };
  } catch (error) {
    context.onError?.(error);
    return createRpcError(500, RPC_CODES.internal, INTERNAL_ERROR_MESSAGE, id);
  } finally {
    clearTimeout(timer);
  }
}

/** Of the caller's headers those that the protocol reads, where a header can hold them (RFC 9110, 5.5). */
const READ = /^mcp-(protocol-version|method|name|param-.+)$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request as the SDK reads it; the body goes beside it, already parsed. */
function toSdkRequest(request: HttpRequest, { site }: McpContext): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && READ.test(name) && FIELD_VALUE.test(value)) headers.set(name, value);
  return new Request(absoluteUrl(site.url, MCP_PATH), { method: 'POST', headers });
}

/**
 * 2026-07-28 by the SDK's handler, whose `subscriptions/listen` is a stream that ends at once, for
 * nothing here changes; the earlier revisions by its transport without sessions, as one JSON body.
 */
async function serveMessage(
  message: RpcMessage,
  request: HttpRequest,
  context: McpContext,
): Promise<HttpResponse> {
  const asked = toSdkRequest(request, context);
  if (!(await isLegacyRequest(asked, message)))
    return readResponse(
      await createMcpHandler(() => createProtocolServer(context), { legacy: 'reject' }).fetch(
        asked,
        {
          parsedBody: message,
        },
      ),
    );
  // `initialize` does without the header, for it is what agrees on a version.
  const version =
    message.method === 'initialize' ? null : asked.headers.get('mcp-protocol-version');
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(version ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION)) {
    const sentence = `mcp-protocol-version: is not spoken here. Use 2026-07-28, ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
    return createRpcError(400, RPC_CODES.request, sentence, message.id);
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // Not closed: it holds nothing, and is gone with this call.
  await createProtocolServer(context).connect(transport);
  return readResponse(await transport.handleRequest(asked, { parsedBody: message }));
}

async function readResponse(response: Response): Promise<HttpResponse> {
  const type = response.headers.get('content-type');
  const body = await response.text();
  return {
    status: response.status,
    headers:
      type === null ? {} : { 'content-type': type === 'application/json' ? JSON_TYPE : type },
    body: body === '' ? null : body,
  };
}

const ErrorSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });
/** Errors are short; a result is not parsed only to see that it is none. */
const MAX_ERROR_LENGTH = 20_000;

/** Whether it is what the SDK's own schemas refuse, worded by them in many lines of JSON. */
function isForeignError({ body }: HttpResponse): boolean {
  if (typeof body !== 'string' || body.length > MAX_ERROR_LENGTH) return false;
  if (!body.startsWith('{') || !body.includes('"error":{"code":')) return false;
  const { success, output } = v.safeParse(ErrorSchema, JSON.parse(body));
  if (!success) return false;
  const { code, message } = output.error;
  return (
    (code === RPC_CODES.internal && message !== INTERNAL_ERROR_MESSAGE) || message.includes('\n')
  );
}

const TAKES = new Map([
  ['tools/call', 'name, a text, and arguments, an object'],
  ['resources/read', 'uri, a text'],
  [
    'initialize',
    'protocolVersion, a text, capabilities, an object, and clientInfo with name and version',
  ],
]);

/** Our sentence for it: `params: tools/call takes name, a text, and arguments, an object`. */
function describeParams(method: string): string {
  const takes = TAKES.get(method);
  return takes === undefined
    ? `params: are not what ${method} takes`
    : `params: ${method} takes ${takes}`;
}
