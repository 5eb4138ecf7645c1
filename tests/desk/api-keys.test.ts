// API keys: shown once, kept as a hash, found while live, revoked at once, their last use noted without anybody
// waiting (contract 10.1).
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey, createKeyLookup, listKeys, revokeKey } from '../../src/inbox/api-keys.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { toDigest } from '../../src/inbox/secret.ts';
import { at } from '../fixtures/fixture.ts';
import { readValue } from '../fixtures/inbox.ts';

const NOON_MS = at('2026-11-20T12:00:00');
let folder: string;
let inbox: Inbox;
const path = (): string => join(folder, 'inbox.db');
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-keys-'));
  inbox = await openInbox(path());
});
afterEach(async () => {
  await inbox.close();
  rmSync(folder, { recursive: true });
});

test('a key is 256 bits of chance behind its prefix, another each time, and nowhere on disk', async () => {
  const made = [await createKey(inbox, 'Ana', NOON_MS), await createKey(inbox, 'Ana', NOON_MS)];
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  for (const { id, key } of made) {
    expect(`${id} ${key}`).toMatch(/^key_[0-9a-f]{8} hc_[0-9a-f]{64}$/);
    expect(files.some((bytes) => bytes.includes(key))).toBe(false);
  }
  expect(made[0]?.key).not.toBe(made[1]?.key);
});

const BAD_NAMES = ['', 'A', ' Ana', '-x', `A${'n'.repeat(60)}`, 'a\nb', 'a\u202eb', '<b>'];
const GOOD_NAMES = ['An', `A${'n'.repeat(59)}`, 'Peña + hijos', 'ana@example.com'];

test('one is made for a name that a person can read', async () => {
  for (const name of BAD_NAMES)
    await expect(() => createKey(inbox, name, NOON_MS), name).rejects.toThrow(/^name: 2 to 60/);
  for (const name of GOOD_NAMES) await createKey(inbox, name, NOON_MS);
  const made = await listKeys(inbox);
  expect(made.map(({ name }) => name).sort()).toEqual(GOOD_NAMES.sort());
  expect(made[0]?.created_at).toBe('2026-11-20T12:00:00-05:00');
});

test('it is live from its making to its revocation, also where another process makes and revokes it', async () => {
  const isLive = createKeyLookup(inbox, () => NOON_MS);
  const other = await openInbox(path());
  const { id, key } = await createKey(other, 'Ana', NOON_MS);
  const tried = [toDigest(key), toDigest(`${key} `), key, ''];
  expect(await Array.fromAsync(tried, isLive)).toEqual([true, false, false, false]);
  const revoked = [id, id, 'key_nada'].map((one) => revokeKey(other, one, NOON_MS));
  expect(await Promise.all(revoked)).toEqual([true, false, false]);
  expect(await isLive(toDigest(key))).toBe(false);
  expect((await listKeys(inbox))[0]?.revoked_at).toBe('2026-11-20T12:00:00-05:00');
  await other.close();
});

describe('the last use', () => {
  const settle = () => new Promise((done) => setImmediate(() => setImmediate(done)));
  /** Uses a key at a moment; gives what is noted once that is done. */
  async function use(hash: string, now_ms: number): Promise<string | null | undefined> {
    expect(await createKeyLookup(inbox, () => now_ms)(hash)).toBe(true);
    await settle();
    return (await listKeys(inbox))[0]?.last_used_on;
  }
  test('is noted after the answer, by Cancún’s day, once a day', async () => {
    const hash = toDigest((await createKey(inbox, 'Ana', NOON_MS)).key);
    const last_ms = at('2026-11-20T23:59:59');
    expect(await use(hash, last_ms)).toBe('2026-11-20');
    const countWrites = () => readValue(inbox, 'select total_changes()');
    const before = await countWrites();
    await use(hash, last_ms);
    expect(await countWrites()).toBe(before);
    expect(await use(hash, last_ms + 1_000)).toBe('2026-11-21');
  });
  test('waits for no other writer: the key is live, and a later use is noted', async () => {
    const hash = toDigest((await createKey(inbox, 'Ana', NOON_MS)).key);
    const other = new Database(path());
    other.exec('begin immediate');
    const begun_ms = performance.now();
    expect(await use(hash, NOON_MS)).toBeNull();
    expect(performance.now() - begun_ms).toBeLessThan(1_000);
    other.exec('rollback');
    other.close();
    expect(await use(hash, NOON_MS)).toBe('2026-11-20');
    expect(await readValue(inbox, 'pragma busy_timeout')).toBe(10_000);
  });
});
