// Compacting: erased words go from moved pages too, and no row with them (contract 14.26).
import { SUBMISSION, folder, inbox, readRows, readValue, useInbox } from '../fixtures/inbox.ts';
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

const listHolding = (words = EMAIL, place = folder): readonly string[] =>
  readdirSync(place)
    .filter((name) => name.includes('.db'))
    .filter((name) => readFileSync(join(place, name), 'latin1').includes(words));
const readTables = (): Promise<readonly unknown[]> =>
  Array.fromAsync(['changes', 'decisions'], (table) => readRows(inbox, `select * from ${table}`));
async function insert(reference: string): Promise<number> {
  const row = { reference, digest: `digest ${reference}`, door: 'form', at: AT } as const;
  await insertSubmission(inbox, { ...SUBMISSION, contact_email: EMAIL }, row);
  return (await getCurrentChange(inbox, reference))?.id ?? 0;
}

/** So many, cleared as a split of pages does it: what was there stays in the unused part of the page. */
async function eraseMany(): Promise<void> {
  const references = Array.from({ length: 100 }, (_, at) => `HC-${at}`);
  for (const reference of references) await insert(reference);
  await readRows(inbox, 'pragma secure_delete = off');
  await inbox.transaction(async () => {
    for (const reference of references)
      await saveDraft(inbox, reference, { summary: 'x'.repeat(500) });
    for (const reference of references) await erasePrivateColumns(inbox, reference);
  });
  await readRows(inbox, 'pragma secure_delete = on');
  await readRows(inbox, 'pragma wal_checkpoint(truncate)');
}

test('what stays in unused parts of pages is gone, of a backup made before too, and every row is as it was', async () => {
  await eraseMany();
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  await backupInbox(join(folder, 'inbox.db'), copies);
  expect([listHolding(), listHolding(EMAIL, copies)]).toEqual([['inbox.db'], []]);
  const rows = await readTables();
  expect([await isCompactionDue(inbox), await compactStore(inbox)]).toEqual([true, true]);
  expect([await isCompactionDue(inbox), listHolding()]).toEqual([false, []]);
  expect(await readTables()).toEqual(rows);
  expect(await readValue(inbox, 'pragma integrity_check')).toBe('ok');
});

test('somebody who reads an older state has it done again later', async () => {
  await eraseMany();
  await readRows(inbox, 'pragma busy_timeout = 0');
  const reader = new Database(join(folder, 'inbox.db'));
  reader.exec('begin; select * from changes');
  expect([await compactStore(inbox), await isCompactionDue(inbox)]).toEqual([false, true]);
  reader.exec('rollback');
  expect([await compactStore(inbox), await isCompactionDue(inbox)]).toEqual([true, false]);
  expect(listHolding()).toEqual([]);
  reader.close();
});

const REQUEST = { at: AT, asks: 'cancel', message: 'palabras en privado' } as const;
test.each([
  ['takes back', null],
  ['replaces', { ...REQUEST, message: 'otras' }],
  ['sends a new text after', { at: AT, asks: 'edit' }],
] as const)('a message that a sender %s is erased, a decision erases nothing', async (_, next) => {
  const ask = async (changed: Parameters<typeof supersedeChange>[2]): Promise<void> => {
    const stored = await getSubmission(inbox, 'HC-UNO');
    if (stored === null) throw new Error('HC-UNO is not there');
    await supersedeChange(inbox, stored, changed);
  };
  await updateChange(inbox, await insert('HC-UNO'), { state: 'applied', decided: 1 });
  await ask(REQUEST);
  expect(await isCompactionDue(inbox)).toBe(false);
  await (next === null ? withdrawSubmission(inbox, 'HC-UNO') : ask(next));
  expect([await isCompactionDue(inbox), await compactStore(inbox)]).toEqual([true, true]);
  expect(listHolding(REQUEST.message)).toEqual([]);
});
