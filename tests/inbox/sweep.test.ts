// Sweeping: what erased words left where rows were moved from page to page goes, and no row with it
// (contract 14.26).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupInbox } from '../../src/inbox/backup.ts';
import { type Inbox, inTransaction, openInbox } from '../../src/inbox/open.ts';
import { clearPrivate } from '../../src/inbox/private.ts';
import {
  insertSubmission,
  setDecided,
  setRequest,
  setTakenBack,
} from '../../src/inbox/submissions.ts';
import { emptyJournal, isUnswept, sweep } from '../../src/inbox/sweep.ts';
import { openFixtureInbox, SUBMISSION } from '../fixtures/inbox.ts';

const EMAIL = 'secreto.de.alguien@correo.example';
const AT = '2026-12-04';
let inbox: Inbox;
let folder: string;
let close: () => void;
beforeEach(() => {
  ({ inbox, folder, close } = openFixtureInbox());
});
afterEach(() => close());

const holdsEmail = (name = 'inbox.db'): boolean =>
  readFileSync(join(folder, name), 'latin1').includes(EMAIL);
const readTables = (): readonly unknown[] =>
  ['submissions', 'submission_texts', 'corrections', 'decisions'].map((table) =>
    inbox.prepare(`select * from ${table}`).all(),
  );
const insert = (reference: string): void =>
  insertSubmission(inbox, {
    ...{ reference, digest: `digest ${reference}`, token_hash: `token ${reference}`, at: AT },
    channel: 'form',
    record: JSON.stringify({ ...SUBMISSION, contact_email: EMAIL }),
  });

/** So many, cleared as a split of pages does it: what was there stays in the unused part of the page. */
function eraseMany(): void {
  const references = Array.from({ length: 100 }, (_, at) => `HC-${at}`);
  for (const reference of references) insert(reference);
  inbox.pragma('secure_delete = off');
  inTransaction(inbox, () => {
    for (const reference of references) clearPrivate(inbox, reference);
  });
  inbox.pragma('secure_delete = on');
  emptyJournal(inbox);
}

test('what stays in unused parts of pages is gone, and every row is as it was', () => {
  eraseMany();
  expect(holdsEmail()).toBe(true);
  const rows = readTables();
  expect([isUnswept(inbox), sweep(inbox), isUnswept(inbox)]).toEqual([true, true, false]);
  expect([holdsEmail(), holdsEmail('inbox.db-wal')]).toEqual([false, false]);
  expect(readTables()).toEqual(rows);
  expect(inbox.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('somebody who reads an older state has it done again later', () => {
  eraseMany();
  inbox.pragma('busy_timeout = 0');
  const reader = openInbox(join(folder, 'inbox.db'));
  reader.exec('begin; select * from submissions');
  expect([sweep(inbox), isUnswept(inbox)]).toEqual([false, true]);
  reader.exec('rollback');
  expect([sweep(inbox), isUnswept(inbox)]).toEqual([true, false]);
  expect(holdsEmail()).toBe(false);
  reader.close();
});

test('a backup made before the sweep holds none of it', async () => {
  eraseMany();
  backupInbox(inbox, join(folder, 'copy.db'));
  expect([holdsEmail(), holdsEmail('copy.db')]).toEqual([true, false]);
});

test('a message that its sender takes back leaves something to sweep, a decision does not', () => {
  insert('HC-UNO');
  setDecided(inbox, 'HC-UNO', 'approved', null);
  const request = { asks: 'cancel', message: 'palabras en privado', dates: null } as const;
  setRequest(inbox, 'HC-UNO', request, AT);
  expect(isUnswept(inbox)).toBe(false);
  setTakenBack(inbox, 'HC-UNO', 'approved');
  expect(isUnswept(inbox)).toBe(true);
});
