// What a migration takes away, and what of the rows of the version before stays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';
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
