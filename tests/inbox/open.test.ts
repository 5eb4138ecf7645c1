// Opening the inbox: beside another program, where it cannot be, and where it is none of ours.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ensureDataFolder } from '../../src/inbox/data-folder.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

test('one that is up to date opens while another program writes', async () => {
  const path = join(makeTestFolder(), 'inbox.db');
  await (await openInbox(path)).close();
  const first = new Database(path);
  first.exec('begin immediate');
  await expect(openInbox(path).then((inbox) => inbox.close())).resolves.toBeUndefined();
  first.close();
});

test('what is missing of a folder is made; below a file it cannot be, and the sentence says which', async () => {
  const folder = makeTestFolder();
  for (const _ of ['once', 'twice']) ensureDataFolder(join(folder, 'a', 'b'));
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
  const below = join(folder, 'file', 'data');
  writeFileSync(join(folder, 'file'), '');
  const sentence = `DATA_DIR: ${below} cannot be made by this user`;
  expect(() => ensureDataFolder(below)).toThrow(sentence);
  await expect(openInbox(join(below, 'inbox.db'))).rejects.toThrow(sentence);
});

test('a file that is damaged is said in a sentence', async () => {
  const damaged = join(makeTestFolder(), 'damaged.db');
  writeFileSync(damaged, 'no database, and long enough to be seen as none');
  const sentence = /damaged\.db is damaged, or is no inbox\. Stop the service/;
  await expect(openInbox(damaged)).rejects.toThrow(sentence);
});
