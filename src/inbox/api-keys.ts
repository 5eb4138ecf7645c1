// API keys: made and shown once, kept as a hash, found on every request, revoked at once (interface
// 5; decisions, Limits 4).
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { formatKey, hashKey, KEY_BYTES } from '../domain/api-key.ts';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Inbox } from './open.ts';

export interface ApiKey {
  readonly id: string;
  /** Whom it was given to. */
  readonly name: string;
  readonly created_at: string;
  /** The Cancún day on which it was last used, or null. */
  readonly last_used_on: string | null;
  readonly revoked_at: string | null;
}
const ApiKeyRow = v.object({
  id: v.string(),
  name: v.string(),
  created_at: v.string(),
  last_used_on: v.nullable(v.string()),
  revoked_at: v.nullable(v.string()),
});

/** Enough for an id that a person types to revoke a key; it opens nothing. */
const ID_BYTES = 4;

/**
 * Makes a key. Gives it with its id: it is not kept and cannot be shown again. Throws AppError for
 * a bad name.
 */
export function createKey(
  inbox: Inbox,
  name: string,
  now_ms: number,
): { readonly id: string; readonly key: string } {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+-]{1,59}$/u.test(name)) {
    throw new AppError(
      'invalid_parameter',
      'name: 2 to 60 letters, digits, spaces and . _ @ + - that begin with a letter or digit',
    );
  }
  const id = `key_${randomBytes(ID_BYTES).toString('hex')}`;
  const key = formatKey(randomBytes(KEY_BYTES));
  inbox
    .prepare('insert into api_keys (id, name, hash, created_at) values (?, ?, ?, ?)')
    .run(id, name, hashKey(key), formatTimestamp(now_ms));
  return { id, key };
}

/** All keys ever made, the oldest first. */
export function listKeys(inbox: Inbox): readonly ApiKey[] {
  const rows = inbox
    .prepare(
      'select id, name, created_at, last_used_on, revoked_at from api_keys order by created_at, id',
    )
    .all();
  return v.parse(v.array(ApiKeyRow), rows);
}

/** Revokes a live key: the next request with it gets 401. False where no live key has this id. */
export function revokeKey(inbox: Inbox, id: string, now_ms: number): boolean {
  return (
    inbox
      .prepare('update api_keys set revoked_at = ? where id = ? and revoked_at is null')
      .run(formatTimestamp(now_ms), id).changes > 0
  );
}
