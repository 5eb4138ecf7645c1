// API keys: shown once, kept as a hash, found while live, revoked at once, their last use noted
// without anybody waiting.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/domain/api-key.ts';
import { createKey } from '../../src/desk/api-keys.ts';
import { createKeyLookup, listKeys, revokeKey } from '../../src/inbox/api-keys.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { at } from '../fixtures/fixture.ts';

const NOON_MS = at('2026-11-20T12:00:00');
let folder: string;
let inbox: Inbox;
const path = (): string => join(folder, 'inbox.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-keys-'));
  inbox = openInbox(path());
});
afterEach(() => {
  inbox.close();
  rmSync(folder, { recursive: true });
});

const settle = (): Promise<void> =>
  new Promise((done) => {
    setImmediate(() => setImmediate(done));
  });
const lastUse = (): (string | null)[] => listKeys(inbox).map((key) => key.last_used_on);

describe('a key', () => {
  test('is 256 bits of chance behind its prefix, another each time, and nowhere on disk', () => {
    const made = [createKey(inbox, 'Ana', NOON_MS), createKey(inbox, 'Ana', NOON_MS)];
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
      listKeys(inbox).map(({ name, created_at, last_used_on, revoked_at }) => [
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
    (name) => {
      expect(() => createKey(inbox, name, NOON_MS)).toThrow(/^name: 2 to 60/);
    },
  );

  test.each(['An', `A${'n'.repeat(59)}`, 'Peña & hijos'.replace(' & ', ' + '), 'ana@example.com'])(
    'is made for the name %j',
    (name) => {
      createKey(inbox, name, NOON_MS);
      expect(listKeys(inbox)[0]?.name).toBe(name);
    },
  );

  test('is live from its making to its revocation, also where another process makes and revokes it', () => {
    const isLive = createKeyLookup(inbox, () => NOON_MS);
    const other = openInbox(path());
    const { id, key } = createKey(other, 'Ana', NOON_MS);
    expect([isLive(hashKey(key)), isLive(hashKey(`${key} `)), isLive(key), isLive('')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([
      revokeKey(other, id, NOON_MS),
      revokeKey(other, id, NOON_MS),
      revokeKey(other, 'key_nada', NOON_MS),
    ]).toEqual([true, false, false]);
    expect(isLive(hashKey(key))).toBe(false);
    expect(listKeys(inbox)[0]?.revoked_at).toBe('2026-11-20T12:00:00-05:00');
    other.close();
  });
});

describe('the last use', () => {
  test('is noted after the answer, by Cancún’s day, once a day', async () => {
    let now_ms = at('2026-11-20T23:59:59');
    const isLive = createKeyLookup(inbox, () => now_ms);
    const hash = hashKey(createKey(inbox, 'Ana', NOON_MS).key);
    isLive(hash);
    expect(lastUse()).toEqual([null]);
    await settle();
    expect(lastUse()).toEqual(['2026-11-20']);
    const writes = (): unknown => inbox.prepare('select total_changes()').pluck().get();
    const before = writes();
    isLive(hash);
    await settle();
    expect(writes()).toBe(before);
    now_ms = at('2026-11-21T00:00:00');
    isLive(hash);
    await settle();
    expect(lastUse()).toEqual(['2026-11-21']);
  });

  test('waits for no other writer: the key is live, and a later use is noted', async () => {
    const isLive = createKeyLookup(inbox, () => NOON_MS);
    const hash = hashKey(createKey(inbox, 'Ana', NOON_MS).key);
    const other = openInbox(path());
    other.exec('begin immediate');
    const begun_ms = performance.now();
    expect(isLive(hash)).toBe(true);
    await settle();
    expect(performance.now() - begun_ms).toBeLessThan(1_000);
    expect(lastUse()).toEqual([null]);
    other.exec('rollback');
    other.close();
    isLive(hash);
    await settle();
    expect(lastUse()).toEqual(['2026-11-20']);
    expect(inbox.pragma('busy_timeout', { simple: true })).toBe(10_000);
  });

  test('is no concern of a server that has ended', async () => {
    const closed = openInbox(path());
    const hash = hashKey(createKey(inbox, 'Ana', NOON_MS).key);
    createKeyLookup(closed, () => NOON_MS)(hash);
    closed.close();
    await settle();
    expect(lastUse()).toEqual([null]);
  });
});
