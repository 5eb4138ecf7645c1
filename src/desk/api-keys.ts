// Making an API key: shown once, stored as a hash (contract 10.1, 10.4).
import { randomBytes } from 'node:crypto';
import { formatKey, hashKey, KEY_BYTES } from '../domain/api-key.ts';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { insertKey } from '../inbox/api-keys.ts';
import type { Inbox } from '../inbox/open.ts';

/** Enough for an id that a person types to revoke a key; it opens nothing. */
const ID_BYTES = 4;

/**
 * Makes a key. Gives it with its id: it is not stored and cannot be shown again. Throws AppError for
 * a bad name.
 */
export async function createKey(
  inbox: Inbox,
  name: string,
  now_ms: number,
): Promise<{ readonly id: string; readonly key: string }> {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+-]{1,59}$/u.test(name))
    throw new AppError(
      'invalid_parameter',
      'name: 2 to 60 letters, digits, spaces and . _ @ + - that begin with a letter or digit',
      'bad_name',
    );
  const id = `key_${randomBytes(ID_BYTES).toString('hex')}`;
  const key = formatKey(randomBytes(KEY_BYTES));
  await insertKey(inbox, { id, name, created_at: formatTimestamp(now_ms) }, hashKey(key));
  return { id, key };
}
