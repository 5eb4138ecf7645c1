// Digests of what is said: neither the order of keys is part of them nor a key that says nothing.
import { hash } from 'node:crypto';

/** Tells these digests from those of old-digest.ts. */
export const DIGEST_MARK = '2:';

/** A short digest of anything JSON can say. */
export const toDigest = (value: unknown): string =>
  `${DIGEST_MARK}${hash('sha256', JSON.stringify(toSaid(value) ?? null), 'base64url').slice(0, 22)}`;

/**
 * The same with keys in order, without those that say nothing: null, an empty text, list or group. False and 0 say
 * something.
 */
function toSaid(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((one) => toSaid(one) ?? null);
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object') return value;
  const fields = new Map(Object.entries(value));
  const said: Record<string, unknown> = {};
  let is_empty = true;
  for (const key of [...fields.keys()].sort()) {
    const part = toSaid(fields.get(key));
    if (part === undefined) continue;
    said[key] = part;
    is_empty = false;
  }
  return is_empty ? undefined : said;
}
