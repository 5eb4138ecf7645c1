// One JSON-RPC message out of a body: a single request or notification, in the form its method demands.
import * as v from 'valibot';
import type { Answer } from '../http/exchange.ts';
import { RPC_CODES, toRpcFault } from './rpc-answer.ts';

const MessageSchema = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.pipe(v.number(), v.safeInteger())])),
  method: v.pipe(v.string(), v.maxLength(200)),
  params: v.optional(v.looseObject({ _meta: v.optional(v.looseObject({})) })),
});
export type Message = v.InferOutput<typeof MessageSchema>;

const record = v.record(v.string(), v.unknown());

/** What a method must be told, beside what is the same for all. */
const PARAMS: Readonly<Record<string, { readonly schema: v.GenericSchema; readonly sentence: string }>> = {
  'tools/call': {
    schema: v.looseObject({ name: v.string(), arguments: v.optional(record) }),
    sentence: 'params: tools/call takes name, a text, and arguments, an object',
  },
  ...Object.fromEntries(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map((method) => [method, {
    schema: v.looseObject({ cursor: v.optional(v.never()) }), sentence: `params: ${method} has one page and no cursor`,
  }])),
  'resources/read': { schema: v.looseObject({ uri: v.string() }), sentence: 'params: resources/read takes uri, a text' },
  'prompts/get': {
    schema: v.looseObject({ name: v.string(), arguments: v.optional(v.record(v.string(), v.string())) }),
    sentence: 'params: prompts/get takes name, a text, and arguments, an object of texts',
  },
  initialize: {
    schema: v.looseObject({ protocolVersion: v.string(), capabilities: record, clientInfo: v.looseObject({ name: v.string(), version: v.string() }) }),
    sentence: 'params: initialize takes protocolVersion, capabilities and clientInfo with name and version',
  },
};

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

/** The message, or the 400 that says what is wrong with it. Batches are refused: each call counts (decisions, MCP 0). */
export function parseMessage(body: Buffer): { readonly message: Message } | { readonly fault: Answer } {
  const parsed = parseJson(body);
  if (!parsed) return { fault: toRpcFault(400, RPC_CODES.parse, 'body: is not JSON in UTF-8') };
  const { value } = parsed;
  if (Array.isArray(value)) return { fault: toRpcFault(400, RPC_CODES.request, 'body: is a batch. Send each message by itself') };
  const result = v.safeParse(MessageSchema, value);
  if (!result.success || isTooDeep(value)) {
    return { fault: toRpcFault(400, RPC_CODES.request, 'body: is not a JSON-RPC 2.0 request or notification') };
  }
  const message = result.output;
  const demanded = message.id !== undefined && Object.hasOwn(PARAMS, message.method) ? PARAMS[message.method] : undefined;
  if (demanded && !v.is(demanded.schema, message.params ?? {})) {
    return { fault: toRpcFault(400, RPC_CODES.params, demanded.sentence, message.id) };
  }
  return { message };
}
