// API keys: shown once, kept as a hash, found while live, revoked at once, their last use noted
// without anybody waiting.
import { readValue } from '../fixtures/inbox.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey, createKeyLookup, listKeys, revokeKey } from '../../src/inbox/api-keys.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { toDigest } from '../../src/inbox/secret.ts';
import { at } from '../fixtures/fixture.ts';

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

const settle = (): Promise<void> =>
  new Promise((done) => {
    setImmediate(() => setImmediate(done));
  });
const lastUse = async (): Promise<(string | null)[]> =>
  (await listKeys(inbox)).map((key) => key.last_used_on);

describe('a key', () => {
  test('is 256 bits of chance behind its prefix, another each time, and nowhere on disk', async () => {
    const made = [await createKey(inbox, 'Ana', NOON_MS), await createKey(inbox, 'Ana', NOON_MS)];
    for (const { id, key } of made) {
      expect([id, key]).toEqual([
        expect.stringMatching(/^key_[0-9a-f]{8}$/),
        expect.stringMatching(/^hc_[0-9a-f]{64}$/),
      ]);
      for (const file of readdirSync(folder))
        expect(readFileSync(join(folder, file)).includes(key)).toBe(false);
    }
    expect(made[0]?.key).not.toBe(made[1]?.key);
    expect(
      (await listKeys(inbox)).map(({ name, created_at, last_used_on, revoked_at }) => [
        name,
        created_at,
        last_used_on,
        revoked_at,
      ]),
    ).toEqual([
      ['Ana', '2026-11-20T12:00:00-05:00', null, null],
      ['Ana', '2026-11-20T12:00:00-05:00', null, null],
    ]);
  });

  test.each(['', 'A', ' Ana', '-x', `A${'n'.repeat(60)}`, 'a\nb', 'a\u202eb', '<b>'])(
    'is not made for the name %j',
    async (name) => {
      await expect(() => createKey(inbox, name, NOON_MS)).rejects.toThrow(/^name: 2 to 60/);
    },
  );

  test.each(['An', `A${'n'.repeat(59)}`, 'Peña & hijos'.replace(' & ', ' + '), 'ana@example.com'])(
    'is made for the name %j',
    async (name) => {
      await createKey(inbox, name, NOON_MS);
      expect((await listKeys(inbox))[0]?.name).toBe(name);
    },
  );

  test('is live from its making to its revocation, also where another process makes and revokes it', async () => {
    const isLive = createKeyLookup(inbox, () => NOON_MS);
    const other = await openInbox(path());
    const { id, key } = await createKey(other, 'Ana', NOON_MS);
    expect(await Array.fromAsync([toDigest(key), toDigest(`${key} `), key, ''], isLive)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([
      await revokeKey(other, id, NOON_MS),
      await revokeKey(other, id, NOON_MS),
      await revokeKey(other, 'key_nada', NOON_MS),
    ]).toEqual([true, false, false]);
    expect(await isLive(toDigest(key))).toBe(false);
    expect((await listKeys(inbox))[0]?.revoked_at).toBe('2026-11-20T12:00:00-05:00');
    await other.close();
  });
});

describe('the last use', () => {
  test('is noted after the answer, by Cancún’s day, once a day', async () => {
    let now_ms = at('2026-11-20T23:59:59');
    const isLive = createKeyLookup(inbox, () => now_ms);
    const hash = toDigest((await createKey(inbox, 'Ana', NOON_MS)).key);
    await isLive(hash);
    expect(await lastUse()).toEqual([null]);
    await settle();
    expect(await lastUse()).toEqual(['2026-11-20']);
    const writes = (): Promise<unknown> => readValue(inbox, 'select total_changes()');
    const before = await writes();
    await isLive(hash);
    await settle();
    expect(await writes()).toBe(before);
    now_ms = at('2026-11-21T00:00:00');
    await isLive(hash);
    await settle();
    expect(await lastUse()).toEqual(['2026-11-21']);
  });

  test('waits for no other writer: the key is live, and a later use is noted', async () => {
    const isLive = createKeyLookup(inbox, () => NOON_MS);
    const hash = toDigest((await createKey(inbox, 'Ana', NOON_MS)).key);
    const other = new Database(path());
    other.exec('begin immediate');
    const begun_ms = performance.now();
    expect(await isLive(hash)).toBe(true);
    await settle();
    expect(performance.now() - begun_ms).toBeLessThan(1_000);
    expect(await lastUse()).toEqual([null]);
    other.exec('rollback');
    other.close();
    await isLive(hash);
    await settle();
    expect(await lastUse()).toEqual(['2026-11-20']);
    expect(await readValue(inbox, 'pragma busy_timeout')).toBe(10_000);
  });

  test('is no concern of a server that has ended', async () => {
    const closed = await openInbox(path());
    const hash = toDigest((await createKey(inbox, 'Ana', NOON_MS)).key);
    await createKeyLookup(closed, () => NOON_MS)(hash);
    await closed.close();
    await settle();
    expect(await lastUse()).toEqual([null]);
  });
});
