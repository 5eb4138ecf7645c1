// Opening the inbox: with another writer, in an impossible folder, and with a damaged file.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ensureDataFolder } from '../../src/inbox/data-folder.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { createTestFolder } from '../fixtures/folder.ts';

test('a current inbox opens while another program writes', async () => {
  const path = join(createTestFolder(), 'inbox.db');
  await (await openInbox(path)).close();
  const first = new Database(path);
  first.exec('begin immediate');
  await expect(openInbox(path).then((inbox) => inbox.close())).resolves.toBeUndefined();
  first.close();
});

test('missing folders are created; below a file, the error names the folder', async () => {
  const folder = createTestFolder();
  for (const _ of ['once', 'twice']) ensureDataFolder(join(folder, 'a', 'b'));
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
  const below = join(folder, 'file', 'data');
  writeFileSync(join(folder, 'file'), '');
  const message = `DATA_DIR: ${below} cannot be created by this user`;
  expect(() => ensureDataFolder(below)).toThrow(message);
  await expect(openInbox(join(below, 'inbox.db'))).rejects.toThrow(message);
});

test('a damaged file is rejected with instructions', async () => {
  const damaged = join(createTestFolder(), 'damaged.db');
  writeFileSync(damaged, 'not a database, and long enough to be recognized as none');
  const message = /damaged\.db is damaged or not an inbox\. Stop the service/;
  await expect(openInbox(damaged)).rejects.toThrow(message);
});
