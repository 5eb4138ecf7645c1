// JSON-RPC over HTTP: validates Host, Origin, method and content type of a request, and parses the
// one message in its body (MCP 2026-07-28, Streamable HTTP, Security Warning).
import * as v from 'valibot';
import { INVALID_KEY_MESSAGE } from '../domain/app-error.ts';
import type { Site } from '../domain/site.ts';
import { type HttpRequest, type HttpResponse, createJsonResponse } from '../http/message.ts';
import { isLocalSite, isOurHost, isOurOrigin } from '../http/request-origin.ts';

/** Larger bodies are rejected with 413 (contract 13.1). */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Error codes of JSON-RPC 2.0 (5.1) and MCP, and `too_many` and `bad_key` for the rate limit and an
 * API key, outside the reserved range -32000 to -32019 (MCP 2026-07-28, error codes).
 */
export const RPC_CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  version: -32022,
  bad_key: -32028,
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
  data?: object,
): HttpResponse {
  return createJsonResponse(
    status,
    { jsonrpc: '2.0', error: { code, message, ...(data && { data }) }, id },
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
export function rejectRequest(request: HttpRequest, body: Buffer, site: Site): HttpResponse | null {
  const { headers, method } = request;
  const reject = (status: number, message: string, extra_headers = {}): HttpResponse =>
    createRpcError(status, RPC_CODES.request, message, parseId(body), extra_headers);
  if (!isOurHost(headers.host, site)) return reject(403, 'host: unknown host name');
  if (!isAllowedOrigin(headers.origin, site))
    return reject(403, 'origin: pages of other sites may not call a local server');
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method !== 'POST')
    return reject(
      405,
      'method: use POST. Each message is one request, without streams or sessions',
      { allow: ALLOWED_METHOD },
    );
  if (!/^application\/json\s*(;|$)/i.test((headers['content-type'] ?? '').trim()))
    return reject(415, 'content-type: must be application/json');
  return body.length > MAX_BODY_BYTES
    ? reject(413, `body: too large. The limit is ${MAX_BODY_BYTES} bytes`)
    : null;
}

/**
 * Returns true if pages of an origin may call the server. A public one has no secrets or sessions,
 * so any page may. A local one may only be reached from pages of its own machine: a page could
 * otherwise reach it through the visitor's browser (DNS rebinding).
 */
const isAllowedOrigin = (origin: string | undefined, site: Site): boolean =>
  !isLocalSite(site) || isOurOrigin(origin, site);

/** Returns the CORS headers that let pages read the response (contract 14.72). */
export function mcpCorsHeaders(
  { headers: { origin } }: HttpRequest,
  site: Site,
): Readonly<Record<string, string>> {
  const is_local = isLocalSite(site);
  const vary = is_local ? { vary: 'Origin' } : {};
  if (is_local && (origin === undefined || !isOurOrigin(origin, site))) return vary;
  return {
    ...vary,
    'access-control-allow-origin': is_local && origin !== undefined ? origin : '*',
    'access-control-expose-headers':
      'Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  };
}

/** An object that is not an array, which valibot's object schemas accept. */
const objectSchema = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const IdSchema = v.union([v.string(), v.pipe(v.number(), v.safeInteger())]);
/** A JSON-RPC request, or a notification without `id`. */
const MessageSchema = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(IdSchema),
  method: v.pipe(v.string(), v.maxLength(200)),
  params: v.optional(v.pipe(objectSchema, v.looseObject({ _meta: v.optional(objectSchema) }))),
});
export type RpcMessage = v.InferOutput<typeof MessageSchema>;

/** Members of `params` in which null means absent: hosts send every optional member. */
const NULLABLE_PARAMS = ['_meta', 'arguments', 'cursor'];

/** Removes the members that are null instead of absent. */
function withoutNulls(message: unknown): unknown {
  if (!v.is(objectSchema, message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!v.is(objectSchema, params)) return message;
  const members = Object.entries(params).filter(
    ([name, value]) => value !== null || !NULLABLE_PARAMS.includes(name),
  );
  return { ...rest, params: Object.fromEntries(members) };
}

/** Parses a body as JSON in UTF-8; undefined if it is not. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const IdentifiedSchema = v.looseObject({ id: IdSchema });
const idOf = (message: unknown): string | number | null =>
  v.is(IdentifiedSchema, message) ? message.id : null;

/** Returns the id of a request that is rejected before it is parsed; null if there is none. */
const parseId = (body: Buffer): string | number | null =>
  body.length > MAX_BODY_BYTES ? null : idOf(parseJson(body));

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
  const value = withoutNulls(parseJson(body));
  const reject = (code: number, message: string) => ({
    error: createRpcError(400, code, message, idOf(value)),
  });
  if (value === undefined) return reject(RPC_CODES.parse, 'body: not valid JSON in UTF-8');
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

/** Methods that connect a client, and carry nothing of the agenda (contract 14.70). */
const HANDSHAKE_PATTERN = /^(?:initialize|ping|server\/discover|notifications\/.+|.+\/list)$/;

/** Returns true if a body gets an answer from the agenda; false for one that only connects. */
export function carriesAnswer(body: Buffer): boolean {
  const parsed = parseMessage(body);
  return !('message' in parsed && HANDSHAKE_PATTERN.test(parsed.message.method));
}

/**
 * Creates the response for a message over the rate limit (429; protocol clients wait and retry) or
 * with a key that is not live (401).
 * @param rate_limit_message Null if the key is the reason.
 */
export function createAuthorizationError(
  body: Buffer,
  rate_limit_message: string | null,
): HttpResponse {
  const id = parseId(body);
  return rate_limit_message === null
    ? createRpcError(401, RPC_CODES.bad_key, INVALID_KEY_MESSAGE, id)
    : createRpcError(429, RPC_CODES.too_many, rate_limit_message, id);
}
