// Compaction: removes erased bytes from unused parts of pages, and no rows (contract 14.26).
import { SUBMISSION, folder, inbox, queryRows, queryValue, useInbox } from '../fixtures/inbox.ts';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backupInbox } from '../../src/inbox/backup.ts';
import { compactStore, isCompactionDue, erasePrivateColumns } from '../../src/inbox/erase.ts';
import {
  getCurrentChange,
  getSubmission,
  updateChange,
  saveDraft,
} from '../../src/inbox/changes.ts';
import {
  supersedeChange,
  insertSubmission,
  withdrawSubmission,
} from '../../src/desk/submissions.ts';

const EMAIL = 'secreto.de.alguien@correo.example';
const AT = '2026-12-04';
useInbox();

const listFilesWith = (text = EMAIL, dir = folder): readonly string[] =>
  readdirSync(dir)
    .filter((name) => name.includes('.db'))
    .filter((name) => readFileSync(join(dir, name), 'latin1').includes(text));
const readTables = (): Promise<readonly unknown[]> =>
  Array.fromAsync(['changes', 'decisions'], (table) => queryRows(inbox, `select * from ${table}`));
async function insert(reference: string): Promise<number> {
  const row = { reference, digest: `digest ${reference}`, door: 'form', at: AT } as const;
  await insertSubmission(inbox, { ...SUBMISSION, contact_email: EMAIL }, row);
  return (await getCurrentChange(inbox, reference))?.id ?? 0;
}

/** Inserts and erases many submissions without secure_delete, so that their bytes stay in unused parts of pages. */
async function eraseMany(): Promise<void> {
  const references = Array.from({ length: 100 }, (_, at) => `HC-${at}`);
  for (const reference of references) await insert(reference);
  await queryRows(inbox, 'pragma secure_delete = off');
  await inbox.transaction(async () => {
    for (const reference of references)
      await saveDraft(inbox, reference, { summary: 'x'.repeat(500) });
    for (const reference of references) await erasePrivateColumns(inbox, reference);
  });
  await queryRows(inbox, 'pragma secure_delete = on');
  await queryRows(inbox, 'pragma wal_checkpoint(truncate)');
}

test('compacting removes erased bytes and keeps all rows; a backup never contains such bytes', async () => {
  await eraseMany();
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  await backupInbox(join(folder, 'inbox.db'), copies);
  expect([listFilesWith(), listFilesWith(EMAIL, copies)]).toEqual([['inbox.db'], []]);
  const rows = await readTables();
  expect([await isCompactionDue(inbox), await compactStore(inbox)]).toEqual([true, true]);
  expect([await isCompactionDue(inbox), listFilesWith()]).toEqual([false, []]);
  expect(await readTables()).toEqual(rows);
  expect(await queryValue(inbox, 'pragma integrity_check')).toBe('ok');
});

test('compaction stays due while a reader uses an older state', async () => {
  await eraseMany();
  await queryRows(inbox, 'pragma busy_timeout = 0');
  const reader = new Database(join(folder, 'inbox.db'));
  reader.exec('begin; select * from changes');
  expect([await compactStore(inbox), await isCompactionDue(inbox)]).toEqual([false, true]);
  reader.exec('rollback');
  expect([await compactStore(inbox), await isCompactionDue(inbox)]).toEqual([true, false]);
  expect(listFilesWith()).toEqual([]);
  reader.close();
});

const REQUEST = { at: AT, asks: 'cancel', message: 'palabras en privado' } as const;
test.each([
  ['withdraws it', null],
  ['replaces it', { ...REQUEST, message: 'otras' }],
  ['sends a new text', { at: AT, asks: 'edit' }],
] as const)('a message is erased if the sender %s, but not by a decision', async (_, next) => {
  const supersede = async (changed: Parameters<typeof supersedeChange>[2]): Promise<void> => {
    const stored = await getSubmission(inbox, 'HC-UNO');
    if (stored === null) throw new Error('HC-UNO is missing');
    await supersedeChange(inbox, stored, changed);
  };
  await updateChange(inbox, await insert('HC-UNO'), { state: 'applied', decided: 1 });
  await supersede(REQUEST);
  expect(await isCompactionDue(inbox)).toBe(false);
  await (next === null ? withdrawSubmission(inbox, 'HC-UNO') : supersede(next));
  expect([await isCompactionDue(inbox), await compactStore(inbox)]).toEqual([true, true]);
  expect(listFilesWith(REQUEST.message)).toEqual([]);
});
