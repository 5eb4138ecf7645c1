// The JSON envelope of interface 2 and the content type of every JSON response.
import type { HttpResponse } from './message.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A JSON response of any status; `headers` are added to its content type. */
export function toJsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...headers },
    body: JSON.stringify(value),
  };
}

/** `{data, meta}` with status 200 (interface 2, Envelope). */
export function toEnvelopeResponse(
  data: unknown,
  meta: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return toJsonResponse(200, { data, meta }, headers);
}
