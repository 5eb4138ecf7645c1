// JSON-RPC over HTTP: validates Host, Origin, method and content type of a request, and parses the
// one message in its body (MCP 2026-07-28, Streamable HTTP, Security Warning).
import * as v from 'valibot';
import type { Site } from '../domain/site.ts';
import { type HttpRequest, type HttpResponse, createJsonResponse } from '../http/message.ts';
import { isOurHost, isOurOrigin } from '../http/request-origin.ts';

/** Larger bodies are rejected with 413 (contract 13.1). */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Error codes of JSON-RPC 2.0 (5.1), and `too_many` for the rate limit, outside the reserved range
 * -32000 to -32019 (MCP 2026-07-28, error codes).
 */
export const RPC_CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  too_many: -32029,
} as const;

/** Message of any internal error, without its cause or a path. */
export const INTERNAL_ERROR_MESSAGE = 'server: internal error. It was logged. Try again later';

/**
 * Creates an error response with an HTTP status; `id` is that in the request, or null if it could
 * not be parsed.
 */
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

const ALLOWED_METHOD = 'POST';
/** Headers of the response to a CORS preflight. */
const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  allow: ALLOWED_METHOD,
  'access-control-allow-methods': ALLOWED_METHOD,
  'access-control-allow-headers':
    'content-type, accept, authorization, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-api-key',
  // Seconds; the maximum of Chromium.
  'access-control-max-age': '7200',
};

/** Rejects an invalid request, or answers a preflight. @returns null if the request is valid. */
export function rejectRequest(
  request: HttpRequest,
  body_bytes: number,
  site: Site,
): HttpResponse | null {
  const { headers, method } = request;
  const reject = (status: number, message: string, extra_headers = {}): HttpResponse =>
    createRpcError(status, RPC_CODES.request, message, null, extra_headers);
  if (!isOurHost(headers.host, site)) return reject(403, 'host: unknown host name');
  if (!isOurOrigin(headers.origin, site))
    return reject(403, 'origin: requests from pages of other sites are not allowed');
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method !== 'POST')
    return reject(
      405,
      'method: use POST. Each message is one request, without streams or sessions',
      { allow: ALLOWED_METHOD },
    );
  if (!/^application\/json\s*(;|$)/i.test((headers['content-type'] ?? '').trim()))
    return reject(415, 'content-type: must be application/json');
  return body_bytes > MAX_BODY_BYTES
    ? reject(413, `body: too large. The limit is ${MAX_BODY_BYTES} bytes`)
    : null;
}

/** Returns the CORS headers that let pages of our origins read the response. */
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

/** An object that is not an array, which valibot's object schemas accept. */
const objectSchema = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A JSON-RPC request, or a notification without `id`. */
const MessageSchema = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.pipe(v.number(), v.safeInteger())])),
  method: v.pipe(v.string(), v.maxLength(200)),
  params: v.optional(v.pipe(objectSchema, v.looseObject({ _meta: v.optional(objectSchema) }))),
});
export type RpcMessage = v.InferOutput<typeof MessageSchema>;

/** Messages with deeper nesting are rejected. */
const MAX_DEPTH = 20;

/** Returns true if a JSON value is nested more than MAX_DEPTH levels. */
function isTooDeep(value: unknown, remaining_depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (remaining_depth === 0) return true;
  return Object.values(value).some((nested_value) => isTooDeep(nested_value, remaining_depth - 1));
}

/**
 * Parses the message of a body, or returns a 400 response. Rejects batches, because the rate limit
 * counts each call (contract 13.1).
 */
export function parseMessage(
  body: Buffer,
): { readonly message: RpcMessage } | { readonly error: HttpResponse } {
  const reject = (code: number, message: string) => ({
    error: createRpcError(400, code, message),
  });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return reject(RPC_CODES.parse, 'body: not valid JSON in UTF-8');
  }
  if (Array.isArray(value))
    return reject(
      RPC_CODES.request,
      'body: batches are not supported. Send one message per request',
    );
  const { success, output } = v.safeParse(MessageSchema, value);
  return success && !isTooDeep(value)
    ? { message: output }
    : reject(RPC_CODES.request, 'body: not a JSON-RPC 2.0 request or notification');
}

/** Returns true if a body calls a tool, so that a model reads the response. */
export function isToolCall(body: Buffer): boolean {
  const parsed = parseMessage(body);
  return 'message' in parsed && parsed.message.method === 'tools/call';
}

/** Creates the 429 response for a message over the rate limit; protocol clients wait and retry. */
export function createRateLimitError(body: Buffer, message: string): HttpResponse {
  const parsed = parseMessage(body);
  const id = 'message' in parsed ? parsed.message.id : null;
  return createRpcError(429, RPC_CODES.too_many, message, id);
}
