// Errors in the SDK's words, and our own sentences for them.
import * as v from 'valibot';
import type { HttpResponse } from '../http/message.ts';
import { INTERNAL_SENTENCE, RPC_CODES } from './rpc-response.ts';

const ErrorSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });
/** Errors are short; a result is not parsed only to see that it is none. */
const MAX_ERROR_LENGTH = 20_000;

/**
 * What the SDK's own schemas refuse is worded by them, many lines of JSON: those are not for
 * the caller.
 */
export function isForeignError({ body }: HttpResponse): boolean {
  if (
    typeof body !== 'string' ||
    !body.startsWith('{') ||
    body.length > MAX_ERROR_LENGTH ||
    !body.includes('"error":{"code":')
  )
    return false;
  const error = v.safeParse(ErrorSchema, JSON.parse(body));
  if (!error.success) return false;
  const { code, message } = error.output.error;
  return (code === RPC_CODES.internal && message !== INTERNAL_SENTENCE) || message.includes('\n');
}

const TAKES: Readonly<Record<string, string>> = {
  'tools/call': 'name, a text, and arguments, an object',
  'resources/read': 'uri, a text',
  initialize:
    'protocolVersion, a text, capabilities, an object, and clientInfo with name and version',
};

/** `params: tools/call takes name, a text, and arguments, an object`. */
export function toParamsSentence(method: string): string {
  const takes = Object.hasOwn(TAKES, method) ? TAKES[method] : undefined;
  return takes === undefined
    ? `params: are not what ${method} takes`
    : `params: ${method} takes ${takes}`;
}
