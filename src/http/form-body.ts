// A form as browsers send it (application/x-www-form-urlencoded, WHATWG URL 5), and whether it
// comes from our own pages.
import type { Site } from '../domain/site.ts';
import type { HttpRequest } from './message.ts';
import { isHostOfForms } from './own-host.ts';

/** Most bytes of a form that is taken in (contract 14.5). */
export const MAX_FORM_BYTES = 64 * 1024;
/** Most bytes that are read of one, so that too much text comes back to be shortened. */
export const MAX_READ_BYTES = 256 * 1024;

/** Whether the body is a form. */
export const isForm = (content_type: string | undefined): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(content_type ?? '');

/** The fields of a form (joinFields). */
export const parseForm = (body: string): Record<string, string> =>
  joinFields(new URLSearchParams(body));

/** The fields of as much of a form as was read: one that is cut is left out. */
export const parseFormStart = (body: Buffer): Record<string, string> => {
  const text = body.subarray(0, MAX_READ_BYTES).toString('utf8');
  return parseForm(body.length > MAX_READ_BYTES ? text.slice(0, text.lastIndexOf('&') + 1) : text);
};

/** Fields by name; a name that stands there several times has its values joined with commas. */
export function joinFields(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(fields);
}

/**
 * Whether a form was sent from a page of this very host: by Origin, which browsers always send with
 * a form (Fetch 3.2); by Sec-Fetch-Site where that says more. A foreign name that is made to lead here
 * (DNS rebinding) is none of ours. A client that sends neither is no
 * browser and has no cookies of a visitor.
 */
export function isOwnPage({ headers }: HttpRequest, site: Site): boolean {
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin' && from !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return (
    origin === site.url ||
    (URL.canParse(origin) && new URL(origin).host === host && isHostOfForms(host, site))
  );
}

/** The value of a cookie (RFC 6265, 5.4), or null. */
export function readCookie(header: string | undefined, name: string): string | null {
  const pair = (header ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}
