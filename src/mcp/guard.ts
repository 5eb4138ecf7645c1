// Who may ask and in which form: Host, Origin, method, media type, size (MCP 2026-07-28, Streamable
// HTTP, Security Warning).
import type { Site } from '../domain/site.ts';
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import { isOurHost, isOurOrigin } from '../http/origin.ts';
import { RPC_CODES, toRpcError } from './rpc-response.ts';

/** Most bytes of a body (contract 13.2). */
export const MAX_BODY_BYTES = 64 * 1024;

const ALLOW = 'POST';
/** Chromium caches a preflight no longer than this. */
const PREFLIGHT_SECONDS = 7200;
/**
 * The refusal of a request that must not go on, or the response to a preflight; null where it
 * may go on.
 */
export function guard(request: HttpRequest, body_bytes: number, site: Site): HttpResponse | null {
  const { headers, method } = request;
  if (!isOurHost(headers.host, site))
    return toRpcError(403, RPC_CODES.request, 'host: this server does not answer to that name');
  if (!isOurOrigin(headers.origin, site))
    return toRpcError(403, RPC_CODES.request, 'origin: pages of other sites are not answered here');
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT, body: null };
  if (method !== 'POST') {
    const sentence =
      'method: only POST is answered here: every message is one request, and no stream or session is kept';
    return toRpcError(405, RPC_CODES.request, sentence, null, { allow: ALLOW });
  }
  if (!/^application\/json\s*(;|$)/i.test((headers['content-type'] ?? '').trim())) {
    return toRpcError(415, RPC_CODES.request, 'content-type: is not application/json');
  }
  if (body_bytes > MAX_BODY_BYTES)
    return toRpcError(413, RPC_CODES.request, `body: at most ${MAX_BODY_BYTES} bytes are read`);
  return null;
}

const PREFLIGHT: Readonly<Record<string, string>> = {
  allow: ALLOW,
  'access-control-allow-methods': ALLOW,
  'access-control-allow-headers':
    'content-type, accept, authorization, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-api-key',
  'access-control-max-age': String(PREFLIGHT_SECONDS),
};

const EXPOSED =
  'Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';

/**
 * What lets a page read the response, where its origin is one of ours; nothing where no page asks.
 */
export function toCorsHeaders(
  { headers: { origin } }: HttpRequest,
  site: Site,
): Readonly<Record<string, string>> {
  if (origin === undefined || !isOurOrigin(origin, site)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
  };
}
