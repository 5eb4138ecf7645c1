// API keys: created once, stored as a hash, revoked at once, with the day of their last use (contract 10.1).
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import {
  createApiKey,
  createApiKeyCheck,
  listApiKeys,
  revokeApiKey,
} from '../../src/inbox/api-keys.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { sha256Hex } from '../../src/inbox/secrets.ts';
import { localMs } from '../fixtures/fixture.ts';
import {
  folder,
  inbox,
  location,
  readStoredBytes,
  queryValue,
  useInbox,
} from '../fixtures/inbox.ts';

const NOON_MS = localMs('2026-11-20T12:00:00');
useInbox();

test('a key is a prefix and 256 random bits, and is not stored', async () => {
  const created_keys = [
    await createApiKey(inbox, 'Ana', NOON_MS),
    await createApiKey(inbox, 'Ana', NOON_MS),
  ];
  const stored = await readStoredBytes({ inbox, folder });
  for (const { id, key } of created_keys) {
    expect(`${id} ${key}`).toMatch(/^key_[0-9a-f]{8} hc_[0-9a-f]{64}$/);
    expect(stored).toContain(id);
    expect(stored).not.toContain(key);
  }
  expect(created_keys[0]?.key).not.toBe(created_keys[1]?.key);
});

test('is valid from creation to revocation, even in another process', async () => {
  const isLive = createApiKeyCheck(inbox, () => NOON_MS);
  const other = await openInbox(location);
  const { id, key } = await createApiKey(other, 'Ana', NOON_MS);
  const tried = [sha256Hex(key), sha256Hex(`${key} `), key, ''];
  expect(await Array.fromAsync(tried, isLive)).toEqual([true, false, false, false]);
  const ids = [id, id, 'key_nada'];
  const revoked = await Array.fromAsync(ids, (each) => revokeApiKey(other, each, NOON_MS));
  expect(revoked).toEqual([true, false, false]);
  expect(await isLive(sha256Hex(key))).toBe(false);
  expect((await listApiKeys(inbox))[0]?.revoked_at).toBe('2026-11-20T12:00:00-05:00');
  await other.close();
});

describe('last use', () => {
  const use = async (hash: string, now_ms: number): Promise<void> =>
    expect(await createApiKeyCheck(inbox, () => now_ms)(hash)).toBe(true);
  const readLast = async () => (await listApiKeys(inbox))[0]?.last_used_on;
  test('is recorded after the response, by the local day', async () => {
    const hash = sha256Hex((await createApiKey(inbox, 'Ana', NOON_MS)).key);
    const last_ms = localMs('2026-11-20T23:59:59');
    await use(hash, last_ms);
    await expect.poll(readLast).toBe('2026-11-20');
    await use(hash, last_ms + 1_000);
    await expect.poll(readLast).toBe('2026-11-21');
  });
  test('does not wait for another writer: the key works, and a later use is recorded', async () => {
    if (inbox.kind !== 'sqlite') return;
    const hash = sha256Hex((await createApiKey(inbox, 'Ana', NOON_MS)).key);
    const other = new Database(location);
    other.exec('begin immediate');
    const begun_ms = performance.now();
    await use(hash, NOON_MS);
    expect(performance.now() - begun_ms).toBeLessThan(1_000);
    expect(await readLast()).toBeNull();
    other.exec('rollback');
    other.close();
    await use(hash, NOON_MS);
    await expect.poll(readLast).toBe('2026-11-20');
    expect(await queryValue(inbox, 'pragma busy_timeout')).toBe(10_000);
  });
});
