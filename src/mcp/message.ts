// One JSON-RPC message out of a body: a single request or notification.
import * as v from 'valibot';
import type { HttpResponse } from '../http/message.ts';
import { RPC_CODES, toRpcError } from './rpc-response.ts';

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
export type Message = v.InferOutput<typeof MessageSchema>;

/** Whether a body calls a tool: what it is answered with, a model reads. */
export function isToolCall(body: Buffer): boolean {
  const parsed = parseMessage(body);
  return 'message' in parsed && parsed.message.method === 'tools/call';
}

/** The refusal of a message that comes too soon, for which a client of the protocol waits. */
export function toTooManyError(body: Buffer, sentence: string): HttpResponse {
  const parsed = parseMessage(body);
  const id = 'message' in parsed ? parsed.message.id : null;
  return toRpcError(429, RPC_CODES.too_many, sentence, id);
}

/** Levels of nesting that anybody needs; more only costs. */
const MAX_DEPTH = 20;

function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1));
}

function parseJson(body: Buffer): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return null;
  }
}

/**
 * The message, or the 400 that says what is wrong with it. Batches are refused: each call counts
 * (contract 13.2).
 */
export function parseMessage(
  body: Buffer,
): { readonly message: Message } | { readonly error: HttpResponse } {
  const parsed = parseJson(body);
  if (!parsed) return { error: toRpcError(400, RPC_CODES.parse, 'body: is not JSON in UTF-8') };
  const { value } = parsed;
  if (Array.isArray(value))
    return {
      error: toRpcError(400, RPC_CODES.request, 'body: is a batch. Send each message by itself'),
    };
  const result = v.safeParse(MessageSchema, value);
  if (!result.success || isTooDeep(value)) {
    return {
      error: toRpcError(
        400,
        RPC_CODES.request,
        'body: is not a JSON-RPC 2.0 request or notification',
      ),
    };
  }
  return { message: result.output };
}
