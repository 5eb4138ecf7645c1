// The copy of the inbox: made while it is in use, and put back by hand.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupInbox } from '../../src/inbox/backup.ts';
import { insertEditor } from '../../src/inbox/editors.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { folder, inbox, readRows, sendIn, useInbox } from '../fixtures/inbox.ts';

useInbox();

test('has all that was there but sessions, for this user alone, and serves in its place', async () => {
  const { reference } = await sendIn(inbox);
  await insertEditor(inbox, { name: 'ana', added_at: 'x', hash: 'x' });
  const columns = 'id, expiresAt, token, createdAt, updatedAt, userId';
  await readRows(
    inbox,
    `insert into session (${columns}) select 's', 'x', 'token-of-a-browser', 'x', 'x', id from "user"`,
  );
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  await backupInbox(join(folder, 'inbox.db'), copies);
  expect(readdirSync(copies)).toEqual(['inbox.db', 'uploads.db']);
  for (const place of [folder, copies])
    for (const name of readdirSync(place).filter((one) => one.includes('.db')))
      expect((statSync(join(place, name)).mode & 0o777).toString(8), name).toBe('600');
  const copy = readFileSync(join(copies, 'inbox.db'));
  expect([copy.includes('ana'), copy.includes('token-of-a-browser')]).toEqual([true, false]);
  await inbox.close();
  // Restoring: the service is stopped, the copy takes the file's place, the journal of the old one
  // goes.
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `inbox.db${end}`), { force: true });
  copyFileSync(join(copies, 'inbox.db'), join(folder, 'inbox.db'));
  const restored = await openInbox(join(folder, 'inbox.db'));
  expect(await getSubmission(restored, reference)).not.toBeNull();
  expect((await sendIn(restored)).is_repeat).toBe(true);
  await restored.close();
});

test('is not written over a file that is there already', async () => {
  await expect(backupInbox(join(folder, 'inbox.db'), folder)).rejects.toThrow(/is there already/);
});
