// What a migration takes away, and what of the rows of the version before stays.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';
import { getUpload, hasUpload } from '../../src/inbox/uploads.ts';
import { makeOldInbox } from '../fixtures/inbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('claims go, and what was doubtful stays so without its crowd', () => {
  const path = join(folder, '17.db');
  const old = makeOldInbox(path, 17);
  old.exec(`insert into claims values ('HC-AAAAAA', 'ana', 1);
    insert into doubts values ('HC-AAAAAA', 12), ('HC-BBBBBB', 1);`);
  old.close();
  const inbox = openInbox(path);
  const tables = inbox.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  expect(tables).not.toContain('claims');
  expect(inbox.prepare('select * from doubts').all()).toEqual([
    { reference: 'HC-AAAAAA' },
    { reference: 'HC-BBBBBB' },
  ]);
  inbox.close();
});

test('pictures move to a file of their own, and say since when nothing needs them', () => {
  const path = join(folder, 'pictures', 'inbox.db');
  mkdirSync(join(folder, 'pictures'));
  const old = makeOldInbox(path, 20);
  old.exec(`insert into uploads values ('form', 'somebody', 1, 10, 20, x'01'), ('used', '', 2, 10, 20, x'02'),
      ('ended', '', 3, 10, 20, x'03'), ('both', '', 4, 10, 20, x'04');
    insert into upload_uses values ('used', 'HC-A', null), ('ended', 'HC-B', 7), ('both', 'HC-C', 8), ('both', 'HC-D', null);`);
  old.close();
  const inbox = openInbox(path);
  expect(inbox.prepare('select id, sender, unused_ms from uploads.uploads').raw().all()).toEqual([
    ['form', 'somebody', 1],
    ['used', '', null],
    ['ended', '', 7],
    ['both', '', null],
  ]);
  expect(getUpload(inbox, 'ended')).toEqual({
    ...{ id: 'ended', width: 10, height: 20 },
    bytes: Buffer.from([3]),
  });
  const tables = inbox.prepare('select name from main.sqlite_schema').pluck().all();
  expect(tables).not.toEqual(expect.arrayContaining([expect.stringMatching(/^upload/)]));
  inbox.close();
});

test('a power cut between the two files loses no picture', () => {
  const path = join(folder, 'cut', 'inbox.db');
  mkdirSync(join(folder, 'cut'));
  const old = makeOldInbox(path, 20);
  old.exec("insert into uploads values ('form', 'somebody', 1, 10, 20, x'01')");
  // So that it cannot be brought forward: the pictures were copied by then.
  old.exec('drop table unswept');
  old.close();
  expect(() => openInbox(path)).toThrow('no such table: unswept');
  const again = new Database(path);
  again.exec('create table unswept (erasure integer primary key autoincrement)');
  again.close();
  const inbox = openInbox(path);
  expect(hasUpload(inbox, 'form')).toBe(true);
  inbox.close();
});
