// API keys: shown once, stored as a hash, looked up on every request, revoked at once (contract 10.1).
import { randomBytes } from 'node:crypto';
import { refusal } from '../domain/app-error.ts';
import { REFERENCE_PREFIX } from '../domain/change.ts';
import { getToday, formatTimestamp } from '../domain/local-time.ts';
import { storageError } from './database-engine.ts';
import type { Inbox } from './open.ts';
import { sha256Hex } from './secrets.ts';

/** Enough for an id that a person types to revoke a key; it opens nothing. */
const ID_BYTES = 4;
/** Says whose key it is wherever one turns up, so that scanners for secrets find a leaked one. */
const PREFIX = `${REFERENCE_PREFIX.toLowerCase()}_`;
const KEY_BYTES = 32;

/** Makes a key. Gives it with its id: it cannot be shown again. Throws AppError for a bad name. */
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

/** All keys ever made, the oldest first; `last_used_on` is a local day. */
export const listApiKeys = (inbox: Inbox) =>
  inbox.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'created_at', 'last_used_on', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Revokes a live key: the next request with it gets 401. False where no live key has this id. */
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
 * Whether the key of a hash is live: looked up each time, so that every serving process knows of a new or
 * revoked key at once. The first use of a day is noted after the answer; where somebody else is writing, a later
 * use is noted instead.
 */
export const createApiKeyCheck =
  (inbox: Inbox, clock: () => number) =>
  async (hash: string): Promise<boolean> => {
    const look = () =>
      inbox.db
        .selectFrom('api_keys')
        .select('last_used_on')
        .where('hash', '=', hash)
        .where('revoked_at', 'is', null)
        .execute();
    // A reader waits for nobody in PostgreSQL.
    const found = inbox.kind === 'sqlite' ? await inbox.withoutWaiting(look) : await look();
    if (found === null) throw storageError('inbox_busy');
    const [row] = found;
    if (row === undefined) return false;
    const last_used_on = getToday(clock()).day;
    const note = () =>
      inbox.db.updateTable('api_keys').set({ last_used_on }).where('hash', '=', hash).execute();
    // The disk may be full, or the process end: then it is noted with the next use.
    if (row.last_used_on !== last_used_on)
      setImmediate(() => void inbox.withoutWaiting(note).catch(() => null));
    return true;
  };
