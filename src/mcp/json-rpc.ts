// A request before the protocol reads it: who may ask (Host, Origin), in which form, and the one JSON-RPC
// message in its body (MCP 2026-07-28, Streamable HTTP, Security Warning).
import * as v from 'valibot';
import type { Site } from '../domain/site.ts';
import { type HttpRequest, type HttpResponse, createJsonResponse } from '../http/message.ts';
import { isOurHost, isOurOrigin } from '../http/request-origin.ts';

/** Most bytes of a body (contract 13.1). */
export const MAX_BODY_BYTES = 64 * 1024;

/** JSON-RPC 2.0, 5.1. The range -32000 to -32019 is left alone (MCP 2026-07-28, error codes). */
export const RPC_CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  too_many: -32029,
} as const;

/** The sentence for an error of ours: no cause, no path. */
export const INTERNAL_ERROR_MESSAGE =
  'server: something failed here. It has been logged. Try again later';

/** An error with an HTTP status; `id` is the request's where it could be read. */
export function createRpcError(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return createJsonResponse(
    status,
    { jsonrpc: '2.0', error: { code, message }, id },
    { 'cache-control': 'no-store', ...headers },
  );
}

const ALLOW = 'POST';
const PREFLIGHT: Readonly<Record<string, string>> = {
  allow: ALLOW,
  'access-control-allow-methods': ALLOW,
  'access-control-allow-headers':
    'content-type, accept, authorization, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-api-key',
  // Chromium caches a preflight no longer than this.
  'access-control-max-age': '7200',
};

/** The refusal of a request, or the response to a preflight; null where it may go on. */
export function rejectRequest(
  request: HttpRequest,
  body_bytes: number,
  site: Site,
): HttpResponse | null {
  const { headers, method } = request;
  const refuse = (status: number, sentence: string, more = {}): HttpResponse =>
    createRpcError(status, RPC_CODES.request, sentence, null, more);
  if (!isOurHost(headers.host, site))
    return refuse(403, 'host: this server does not answer to that name');
  if (!isOurOrigin(headers.origin, site))
    return refuse(403, 'origin: pages of other sites are not answered here');
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT, body: null };
  if (method !== 'POST')
    return refuse(
      405,
      'method: only POST is answered here: every message is one request, and no stream or session is kept',
      { allow: ALLOW },
    );
  if (!/^application\/json\s*(;|$)/i.test((headers['content-type'] ?? '').trim()))
    return refuse(415, 'content-type: is not application/json');
  return body_bytes > MAX_BODY_BYTES
    ? refuse(413, `body: at most ${MAX_BODY_BYTES} bytes are read`)
    : null;
}

/** What lets a page of one of our origins read the response. */
export function mcpCorsHeaders(
  { headers: { origin } }: HttpRequest,
  site: Site,
): Readonly<Record<string, string>> {
  if (origin === undefined || !isOurOrigin(origin, site)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  };
}

/** valibot takes a list for an object; JSON-RPC does not. */
const record = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const MessageSchema = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.pipe(v.number(), v.safeInteger())])),
  method: v.pipe(v.string(), v.maxLength(200)),
  params: v.optional(v.pipe(record, v.looseObject({ _meta: v.optional(record) }))),
});
export type RpcMessage = v.InferOutput<typeof MessageSchema>;

/** Levels of nesting that anybody needs; more only costs. */
const MAX_DEPTH = 20;

function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1));
}

/**
 * The message of a body, or the 400 that says what is wrong with it. Batches are refused: each call
 * counts (contract 13.1).
 */
export function parseMessage(
  body: Buffer,
): { readonly message: RpcMessage } | { readonly error: HttpResponse } {
  const refuse = (code: number, sentence: string) => ({
    error: createRpcError(400, code, sentence),
  });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return refuse(RPC_CODES.parse, 'body: is not JSON in UTF-8');
  }
  if (Array.isArray(value))
    return refuse(RPC_CODES.request, 'body: is a batch. Send each message by itself');
  const { success, output } = v.safeParse(MessageSchema, value);
  return success && !isTooDeep(value)
    ? { message: output }
    : refuse(RPC_CODES.request, 'body: is not a JSON-RPC 2.0 request or notification');
}

/** Whether a body calls a tool: what it is answered with, a model reads. */
export function isToolCall(body: Buffer): boolean {
  const parsed = parseMessage(body);
  return 'message' in parsed && parsed.message.method === 'tools/call';
}

/** The refusal of a message that comes too soon, for which a client of the protocol waits. */
export function createRateLimitError(body: Buffer, sentence: string): HttpResponse {
  const parsed = parseMessage(body);
  const id = 'message' in parsed ? parsed.message.id : null;
  return createRpcError(429, RPC_CODES.too_many, sentence, id);
}
