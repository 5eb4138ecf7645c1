// A request to /mcp and its result, in the 2025-06-18 revision.
import * as v from 'valibot';

const AnswerSchema = v.looseObject({
  result: v.optional(v.unknown()),
  error: v.optional(v.looseObject({ message: v.string() })),
});

/** The JSON of an answer, plain or as the one event of a stream. */
const toJson = (body: string): unknown => JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);

/** The result; throws where there is none. */
export async function askRpc(origin: string, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = v.parse(AnswerSchema, toJson(await response.text()));
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
