// JSON-RPC responses of ours, for what never reaches the protocol: wrong method, wrong form, too
// large.
import { type HttpResponse, toJsonResponse } from '../http/message.ts';

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
export const INTERNAL_SENTENCE =
  'server: something failed here. It has been logged. Try again later';

/** An error with an HTTP status; `id` is the request's where it could be read. */
export function toRpcError(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return toJsonResponse(
    status,
    { jsonrpc: '2.0', error: { code, message }, id },
    { 'cache-control': 'no-store', ...headers },
  );
}
