// MCP endpoint: handles a request at {base_url}/mcp in the protocol revision of its client
// (contract 13.1). Each request is one JSON-RPC message; the SDK (@modelcontextprotocol/server)
// implements the protocol, without sessions.
import {
  createMcpHandler,
  isLegacyRequest,
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
import { NEWEST_VERSION, PROTOCOL_VERSIONS } from './server-card.ts';
import type { McpContext } from './tool.ts';

/** Requests that take longer get 503, so that none stays open. */
const DEADLINE_MS = 10_000;

/**
 * Handles a request of any method; the front server has checked rate limit and key before. Never
 * throws; reports unexpected errors to `context.onError`.
 * @param body The request body, truncated one byte after MAX_BODY_BYTES.
 */
export async function handleMcp(
  request: HttpRequest,
  body: Buffer,
  context: McpContext,
): Promise<HttpResponse> {
  const response =
    rejectRequest(request, body, context.site) ?? (await handleBody(request, body, context));
  return {
    ...response,
    headers: { ...response.headers, ...mcpCorsHeaders(request, context.site) },
  };
}

/** Handles a valid request: parses its message, and lets the SDK answer it within the deadline. */
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
    if (isSdkError(response))
      return createRpcError(response.status, RPC_CODES.params, describeParams(method), id);
    return { ...response, headers: { 'cache-control': 'no-store', ...response.headers } };
  } catch (error) {
    context.onError?.(error);
    return createRpcError(500, RPC_CODES.internal, INTERNAL_ERROR_MESSAGE, id);
  } finally {
    clearTimeout(timer);
  }
}

/** Matches the names of the request headers that the protocol uses; others do not reach the SDK. */
const PROTOCOL_HEADER_PATTERN = /^mcp-(protocol-version|method|name|param-.+)$/;
/** Valid header values (RFC 9110, 5.5). */
const FIELD_VALUE_PATTERN = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Creates the request for the SDK, which gets the parsed body separately. */
function createSdkRequest(request: HttpRequest, { site }: McpContext): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && isProtocolHeader(name, value)) headers.set(name, value);
  return new Request(absoluteUrl(site.url, MCP_PATH), { method: 'POST', headers });
}

const isProtocolHeader = (name: string, value: string): boolean =>
  PROTOCOL_HEADER_PATTERN.test(name) && FIELD_VALUE_PATTERN.test(value);

/**
 * Serves revision 2026-07-28 with the SDK's handler, and earlier ones with its transport without
 * sessions, as one JSON body. The stream of `subscriptions/listen` ends at once, because the lists
 * do not change.
 */
async function serveMessage(
  message: RpcMessage,
  request: HttpRequest,
  context: McpContext,
): Promise<HttpResponse> {
  const sdk_request = createSdkRequest(request, context);
  const { requested, supported } = findVersions(message, sdk_request);
  if (requested !== null && !supported.includes(requested)) {
    const error_message = `mcp-protocol-version: '${requested}' is not spoken. Use ${supported.join(', ')}`;
    const data = { supported, requested };
    return createRpcError(400, RPC_CODES.version, error_message, message.id, {}, data);
  }
  if (!(await isLegacyRequest(sdk_request, message))) {
    const handler = createMcpHandler(() => createProtocolServer(context), { legacy: 'reject' });
    return readResponse(await handler.fetch(sdk_request, { parsedBody: message }));
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // Not closed: the transport holds no resources beyond this call.
  await createProtocolServer(context).connect(transport);
  return readResponse(await transport.handleRequest(sdk_request, { parsedBody: message }));
}

const EnvelopeSchema = v.looseObject({
  'io.modelcontextprotocol/protocolVersion': v.pipe(v.string(), v.maxLength(40)),
});

/**
 * Returns the version that a message asks for, in its envelope or header, and those that it may ask
 * for there: the newest has the envelope. It is null for the default, for `initialize`, which
 * negotiates it, and for an envelope unlike the header, which the SDK rejects.
 */
function findVersions(
  { method, params }: RpcMessage,
  { headers }: Request,
): { readonly requested: string | null; readonly supported: readonly string[] } {
  const in_header = headers.get('mcp-protocol-version')?.slice(0, 40) ?? null;
  const envelope = params?._meta;
  if (!v.is(EnvelopeSchema, envelope))
    return { requested: method === 'initialize' ? null : in_header, supported: PROTOCOL_VERSIONS };
  const requested = envelope['io.modelcontextprotocol/protocolVersion'];
  const is_equal = in_header === null || in_header === requested;
  return { requested: is_equal ? requested : null, supported: [NEWEST_VERSION] };
}

/** Converts the SDK's response to ours; an empty body becomes null. */
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
/** Longer bodies are results, which are not parsed again: errors are short. */
const MAX_ERROR_LENGTH = 20_000;

/**
 * Returns true for an error by which the SDK rejects invalid params: an internal error that is not
 * ours, or a message of several lines. The caller gets describeParams instead.
 */
function isSdkError({ body }: HttpResponse): boolean {
  if (typeof body !== 'string' || body.length > MAX_ERROR_LENGTH) return false;
  if (!body.startsWith('{') || !body.includes('"error":{"code":')) return false;
  const { success, output } = v.safeParse(ErrorSchema, JSON.parse(body));
  if (!success) return false;
  const { code, message } = output.error;
  const is_sdk_internal = code === RPC_CODES.internal && message !== INTERNAL_ERROR_MESSAGE;
  return is_sdk_internal || message.includes('\n');
}

/** Description of the params of each method that needs some. */
const METHOD_PARAMS = new Map([
  ['tools/call', 'name, a text, and arguments, an object'],
  ['resources/read', 'uri, a text'],
  [
    'initialize',
    'protocolVersion, a text, capabilities, an object, and clientInfo with name and version',
  ],
]);

/**
 * Formats the error for invalid params: `params: tools/call takes name, a text, and arguments, an
 * object`.
 */
function describeParams(method: string): string {
  const params = METHOD_PARAMS.get(method);
  return params === undefined
    ? `params: are not what ${method} takes`
    : `params: ${method} takes ${params}`;
}
