// The copy of the inbox: made while it is in use, and put back by hand.
import { readRows, openFixtureInbox, sendIn } from '../fixtures/inbox.ts';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupInbox } from '../../src/inbox/backup.ts';
import { insertEditor } from '../../src/inbox/editors.ts';
import { getSubmission, listPending } from '../../src/inbox/changes.ts';
import { openInbox } from '../../src/inbox/open.ts';

test('a copy made while it is in use holds all that was there, and serves in its place', async () => {
  const { inbox, folder, close } = await openFixtureInbox();
  const references = await Array.fromAsync(
    Array(100).keys(),
    async (at) => (await sendIn(inbox, { title: `Evento ${at}` })).reference,
  );
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  await backupInbox(join(folder, 'inbox.db'), copies);
  for (const place of [folder, copies])
    for (const name of readdirSync(place).filter((one) => one.includes('.db')))
      expect((statSync(join(place, name)).mode & 0o777).toString(8), name).toBe('600');
  expect(readdirSync(copies)).toEqual(['inbox.db', 'uploads.db']);
  await inbox.close();
  // Restoring: the service is stopped, the copy takes the file's place, the journal of the old one
  // goes.
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `inbox.db${end}`), { force: true });
  copyFileSync(join(copies, 'inbox.db'), join(folder, 'inbox.db'));
  const restored = await openInbox(join(folder, 'inbox.db'));
  const found = await Array.fromAsync(references, (reference) =>
    getSubmission(restored, reference),
  );
  expect(found.every((submission) => submission !== null)).toBe(true);
  expect((await listPending(restored)).length).toBeGreaterThanOrEqual(100);
  expect((await sendIn(restored, { title: 'Evento 7' })).is_repeat).toBe(true);
  await restored.close();
  await close();
});

test('nobody comes in by a copy: no session is in it', async () => {
  const { inbox, folder, close } = await openFixtureInbox();
  await insertEditor(inbox, { name: 'ana', added_at: 'x', hash: 'x' });
  const columns = 'id, expiresAt, token, createdAt, updatedAt, userId';
  await readRows(
    inbox,
    `insert into session (${columns}) select 's', 'x', 'token-of-a-browser', 'x', 'x', id from "user"`,
  );
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  await backupInbox(join(folder, 'inbox.db'), copies);
  const copy = readFileSync(join(copies, 'inbox.db'));
  expect([copy.includes('ana'), copy.includes('token-of-a-browser')]).toEqual([true, false]);
  await close();
});

test('a file that is there already is not written over', async () => {
  const { folder, close } = await openFixtureInbox();
  await expect(backupInbox(join(folder, 'inbox.db'), folder)).rejects.toThrow(/is there already/);
  await close();
});

test('a file that is damaged, or that somebody writes, is said in a sentence', async () => {
  const { inbox, folder, close } = await openFixtureInbox();
  const damaged = join(folder, 'damaged.db');
  writeFileSync(damaged, 'no database, and long enough to be seen as none');
  await expect(() => openInbox(damaged)).rejects.toThrow(
    /damaged\.db is damaged, or is no inbox\. Stop the service/,
  );
  await readRows(inbox, 'pragma user_version = 99');
  await readRows(inbox, 'pragma application_id = 99');
  await expect(() => openInbox(join(folder, 'inbox.db'))).rejects.toThrow(
    /^The inbox is of version 99/,
  );
  await close();
});
