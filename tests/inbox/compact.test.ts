// Compacting: what erased words left where rows were moved from page to page goes, and no row with it
// (contract 14.26).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backupInbox } from '../../src/inbox/backup.ts';
import { compact, isCompactDue } from '../../src/inbox/compact.ts';
import { type Inbox, inTransaction, openInbox } from '../../src/inbox/open.ts';
import { clearPrivate } from '../../src/inbox/private.ts';
import {
  insertSubmission,
  insertText,
  setDecided,
  setRequest,
  setTakenBack,
} from '../../src/inbox/submissions.ts';
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

/** The files in which it stands: of the inbox, of its pictures, their journals. */
const listHolding = (words = EMAIL, place = folder): readonly string[] =>
  readdirSync(place)
    .filter((name) => name.includes('.db'))
    .filter((name) => readFileSync(join(place, name), 'latin1').includes(words));
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
  inbox.pragma('wal_checkpoint(truncate)');
}

test('what stays in unused parts of pages is gone, and every row is as it was', () => {
  eraseMany();
  expect(listHolding()).toEqual(['inbox.db']);
  const rows = readTables();
  expect([isCompactDue(inbox), compact(inbox), isCompactDue(inbox)]).toEqual([true, true, false]);
  expect(listHolding()).toEqual([]);
  expect(readTables()).toEqual(rows);
  expect(inbox.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('somebody who reads an older state has it done again later', () => {
  eraseMany();
  inbox.pragma('busy_timeout = 0');
  const reader = openInbox(join(folder, 'inbox.db'));
  reader.exec('begin; select * from submissions');
  expect([compact(inbox), isCompactDue(inbox)]).toEqual([false, true]);
  reader.exec('rollback');
  expect([compact(inbox), isCompactDue(inbox)]).toEqual([true, false]);
  expect(listHolding()).toEqual([]);
  reader.close();
});

test('what is erased meanwhile has it done again', () => {
  eraseMany();
  insert('HC-OTRA');
  const other = openInbox(join(folder, 'inbox.db'));
  const pragma = inbox.pragma.bind(inbox);
  // By another process, between the file and its journal.
  vi.spyOn(inbox, 'pragma').mockImplementation((source, options) => {
    if (source.startsWith('wal_checkpoint')) clearPrivate(other, 'HC-OTRA');
    return pragma(source, options);
  });
  expect([compact(inbox), isCompactDue(inbox)]).toEqual([true, true]);
  other.close();
});

test('who decides meanwhile waits and does not fail', async () => {
  const references = Array.from({ length: 2_000 }, (_, at) => `HC-${at}`);
  inTransaction(inbox, () => references.forEach(insert));
  const program = `import { compact, noteErased } from './src/inbox/compact.ts';
    import { openInbox } from './src/inbox/open.ts';
    const inbox = openInbox(process.argv[1]);
    for (let turn = 0; turn < 3; turn++) { noteErased(inbox); compact(inbox); }`;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, join(folder, 'inbox.db')],
    { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit' },
  );
  const ended = once(child, 'exit');
  let decided = 0;
  for (; child.exitCode === null; decided++) {
    inTransaction(inbox, () => setDecided(inbox, 'HC-0', 'approved', String(decided)));
    await new Promise(setImmediate);
  }
  expect(await ended).toEqual([0, null]);
  expect(decided).toBeGreaterThan(10);
  const reason: unknown = inbox
    .prepare("select reason from submissions where reference = 'HC-0'")
    .pluck()
    .get();
  expect(reason).toBe(String(decided - 1));
});

test('a backup made before holds none of it', () => {
  eraseMany();
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  backupInbox(inbox, copies);
  expect([listHolding(), listHolding(EMAIL, copies)]).toEqual([['inbox.db'], []]);
});

test.each([
  ['takes back', () => setTakenBack(inbox, 'HC-UNO', 'approved')],
  ['replaces', () => setRequest(inbox, 'HC-UNO', { ...REQUEST, message: 'otras' }, AT)],
  ['sends a new text after', () => insertText(inbox, { ...TEXT, draft: null })],
])('a message that its sender %s is erased, a decision erases nothing', (_, change) => {
  insert('HC-UNO');
  setDecided(inbox, 'HC-UNO', 'approved', null);
  setRequest(inbox, 'HC-UNO', REQUEST, AT);
  expect(isCompactDue(inbox)).toBe(false);
  change();
  expect([isCompactDue(inbox), compact(inbox)]).toEqual([true, true]);
  expect(listHolding(REQUEST.message)).toEqual([]);
});
const REQUEST = { asks: 'cancel', message: 'palabras en privado', dates: null } as const;
const TEXT = { reference: 'HC-UNO', revision: 3, at: AT, asks: 'change', record: '{}' } as const;
