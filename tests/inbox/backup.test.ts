// The copy of the inbox: made while it is in use, and put back by hand.
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
import { getSubmission, listPending } from '../../src/inbox/submissions.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { openFixtureInbox, sendIn } from '../fixtures/inbox.ts';

test('a copy made while it is in use holds all that was there, and serves in its place', () => {
  const { inbox, folder, close } = openFixtureInbox();
  const references = Array.from(
    { length: 100 },
    (_, at) => sendIn(inbox, { title: `Evento ${at}` }).reference,
  );
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  backupInbox(inbox, copies);
  for (const place of [folder, copies])
    for (const name of readdirSync(place).filter((one) => one.includes('.db')))
      expect((statSync(join(place, name)).mode & 0o777).toString(8), name).toBe('600');
  expect(readdirSync(copies)).toEqual(['inbox.db', 'uploads.db']);
  inbox.close();
  // Restoring: the service is stopped, the copy takes the file's place, the journal of the old one
  // goes.
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `inbox.db${end}`), { force: true });
  copyFileSync(join(copies, 'inbox.db'), join(folder, 'inbox.db'));
  const restored = openInbox(join(folder, 'inbox.db'));
  expect(references.every((reference) => getSubmission(restored, reference) !== null)).toBe(true);
  expect(listPending(restored).length).toBeGreaterThanOrEqual(100);
  expect(sendIn(restored, { title: 'Evento 7' }).is_repeat).toBe(true);
  restored.close();
  close();
});

test('nobody comes in by a copy: no session is in it', () => {
  const { inbox, folder, close } = openFixtureInbox();
  insertEditor(inbox, { name: 'ana', added_at: 'x', hash: 'x' });
  const columns = 'id, expiresAt, token, createdAt, updatedAt, userId';
  inbox.exec(
    `insert into session (${columns}) select 's', 'x', 'token-of-a-browser', 'x', 'x', id from "user"`,
  );
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  backupInbox(inbox, copies);
  const copy = readFileSync(join(copies, 'inbox.db'));
  expect([copy.includes('ana'), copy.includes('token-of-a-browser')]).toEqual([true, false]);
  close();
});

test('a file that is there already is not written over', () => {
  const { inbox, folder, close } = openFixtureInbox();
  expect(() => backupInbox(inbox, folder)).toThrow(/is there already/);
  close();
});

test('a file that is damaged, or that somebody writes, is said in a sentence', () => {
  const { inbox, folder, close } = openFixtureInbox();
  const damaged = join(folder, 'damaged.db');
  writeFileSync(damaged, 'no database, and long enough to be seen as none');
  expect(() => openInbox(damaged)).toThrow(
    /damaged\.db is damaged, or is no inbox\. Stop the service/,
  );
  inbox.pragma('user_version = 99');
  inbox.pragma('application_id = 99');
  expect(() => openInbox(join(folder, 'inbox.db'))).toThrow(/^inbox\.db is of version 99/);
  close();
});
