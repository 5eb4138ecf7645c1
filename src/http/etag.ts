// Entity tags and conditional questions (RFC 9110 8.8.3 and 13): strong, one for each
// representation and coding.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Coding } from './accept-encoding.ts';

/** Characters of a tag: 132 bits, far beyond chance. */
const TAG_LENGTH = 22;

/** The tag of a body's bytes before any coding, without quotes: sha-256 in base64url. */
export function toTag(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_LENGTH);
}

/**
 * The tag of an answer made on the spot: the version of what it was made from, a checksum of what
 * decides its bytes (or of themselves) and their number. Within one version an address says a few
 * different things a day at most, so 32 bits tell them apart; a digest of a long list would take
 * longer than making it.
 */
export function toQuickTag(version: string, made_of: Buffer, size: number): string {
  return `${version}-${crc32(made_of).toString(36)}-${size.toString(36)}`;
}

/** The ETag field of one coding of a body: `"…"`, `"…-br"`. */
export function toEtag(tag: string, coding: Coding | 'identity'): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

let known = { second: Number.NaN, text: '' };

/**
 * An HTTP date, whole seconds. Pure, though it keeps its last answer: the requests of a second
 * share one.
 */
export function toHttpDate(epoch_ms: number): string {
  const second = Math.floor(epoch_ms / 1000);
  if (second !== known.second) known = { second, text: new Date(second * 1000).toUTCString() };
  return known.text;
}

/**
 * Whether the caller has this answer already (304). If-None-Match is compared weakly, a list or
 * `*`; only where it is absent does If-Modified-Since count (RFC 9110 13.2.2). `last_modified_ms`
 * is null where it is not known.
 */
export function isNotModified(
  headers: Readonly<Record<string, string | undefined>>,
  etag: string,
  last_modified_ms: number | null,
): boolean {
  const none_match = headers['if-none-match'];
  if (none_match !== undefined) {
    if (none_match === etag || none_match.trim() === '*') return true;
    return (none_match.match(/(?:W\/)?"[^"]*"/g) ?? []).some(
      (tag) => tag.replace(/^W\//, '') === etag,
    );
  }
  const since = headers['if-modified-since'];
  if (since === undefined || last_modified_ms === null) return false;
  const since_ms = Date.parse(since);
  return !Number.isNaN(since_ms) && Math.floor(last_modified_ms / 1000) * 1000 <= since_ms;
}
