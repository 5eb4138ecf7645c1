// The JSON envelope of interface 2 and the content type of every JSON answer.
import type { Answer } from './message.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A JSON answer of any status; `headers` are added to its content type. */
export function toJsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...headers },
    body: JSON.stringify(value),
  };
}

/** `{data, meta}` with status 200 (interface 2, Envelope). */
export function toEnvelopeAnswer(
  data: unknown,
  meta: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return toJsonAnswer(200, { data, meta }, headers);
}
