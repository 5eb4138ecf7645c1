// API keys: creates, lists, revokes and checks the keys that give programs a higher rate limit. A key is shown once and
// stored as a hash (contract 10.1).
import { randomBytes } from 'node:crypto';
import { refusal } from '../domain/app-error.ts';
import { REFERENCE_PREFIX } from '../domain/change.ts';
import { getToday, formatTimestamp } from '../domain/local-time.ts';
import { storageError } from './database-engine.ts';
import type { Inbox } from './open.ts';
import { sha256Hex } from './secrets.ts';

/** Random bytes of a key's public id. Short, because an operator types it to revoke a key; it grants no access. */
const ID_BYTES = 4;
/** Prefix of every key, such as `hc_`, so that secret scanners detect a leaked one. */
const PREFIX = `${REFERENCE_PREFIX.toLowerCase()}_`;
/** Random bytes of the key itself. */
const KEY_BYTES = 32;

/**
 * Creates a key and returns it with its id. The key itself is not stored and cannot be shown again.
 * @param name Name of the holder, for the operator.
 * @throws AppError bad_name if the name is invalid.
 */
export async function createApiKey(inbox: Inbox, name: string, now_ms: number) {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+-]{1,59}$/u.test(name))
    throw refusal(
      'bad_name',
      'name: 2 to 60 letters, digits, spaces and . _ @ + - that begin with a letter or digit',
    );
  const id = `key_${randomBytes(ID_BYTES).toString('hex')}`;
  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString('hex')}`;
  const row = { id, name, hash: sha256Hex(key), created_at: formatTimestamp(now_ms) };
  await inbox.db.insertInto('api_keys').values(row).execute();
  return { id, key };
}

/** Lists all keys, including revoked ones, oldest first; `last_used_on` is a local day. */
export const listApiKeys = (inbox: Inbox) =>
  inbox.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'created_at', 'last_used_on', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Revokes a live key: the next request with it gets 401. @returns false if no live key has this id. */
export async function revokeApiKey(inbox: Inbox, id: string, now_ms: number): Promise<boolean> {
  const { numUpdatedRows } = await inbox.db
    .updateTable('api_keys')
    .set({ revoked_at: formatTimestamp(now_ms) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Creates a check that tells if the key with a hash is live. It queries the inbox on every call, so that all
 * serving processes see a new or revoked key at once. The first use of a day is recorded after the response; if
 * another process is writing at that moment, the next use is recorded instead.
 */
export const createApiKeyCheck =
  (inbox: Inbox, clock: () => number) =>
  async (hash: string): Promise<boolean> => {
    const findLiveKey = () =>
      inbox.db
        .selectFrom('api_keys')
        .select('last_used_on')
        .where('hash', '=', hash)
        .where('revoked_at', 'is', null)
        .execute();
    // Reads never block in PostgreSQL.
    const rows =
      inbox.kind === 'sqlite' ? await inbox.withoutWaiting(findLiveKey) : await findLiveKey();
    if (rows === null) throw storageError('inbox_busy');
    const [row] = rows;
    if (row === undefined) return false;
    const today = getToday(clock()).day;
    const recordUse = () =>
      inbox.db
        .updateTable('api_keys')
        .set({ last_used_on: today })
        .where('hash', '=', hash)
        .execute();
    // Best effort: if the disk is full or the process ends, the next use is recorded.
    if (row.last_used_on !== today)
      setImmediate(() => void inbox.withoutWaiting(recordUse).catch(() => null));
    return true;
  };
