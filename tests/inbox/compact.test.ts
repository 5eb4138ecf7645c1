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
import { getCurrent, setStanding } from '../../src/inbox/changes.ts';
import { askNext, endWaiting, insertSubmission, setDraft } from '../../src/inbox/submissions.ts';
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
  ['changes', 'decisions'].map((table) => inbox.prepare(`select * from ${table}`).all());
const insert = (reference: string): number =>
  insertSubmission(inbox, {
    ...{ reference, digest: `digest ${reference}`, token_hash: `token ${reference}`, at: AT },
    door: 'form',
    submission: { ...SUBMISSION, contact_email: EMAIL },
    is_doubtful: false,
  });
const decide = (id: number, reason: string | null = null): void =>
  setStanding(inbox, id, { state: 'applied', decided: 1, reason });

/** So many, cleared as a split of pages does it: what was there stays in the unused part of the page. */
function eraseMany(): void {
  const references = Array.from({ length: 100 }, (_, at) => `HC-${at}`);
  for (const reference of references) insert(reference);
  inbox.pragma('secure_delete = off');
  inTransaction(inbox, () => {
    for (const reference of references) setDraft(inbox, reference, { summary: 'x'.repeat(900) });
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
  reader.exec('begin; select * from changes');
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
  const [first = 0] = inTransaction(inbox, () => references.map(insert));
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
    inTransaction(inbox, () => decide(first, String(decided)));
    await new Promise(setImmediate);
  }
  expect(await ended).toEqual([0, null]);
  expect(decided).toBeGreaterThan(10);
  expect(getCurrent(inbox, 'HC-0')?.reason).toBe(String(decided - 1));
});

test('a backup made before holds none of it', () => {
  eraseMany();
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  backupInbox(inbox, copies);
  expect([listHolding(), listHolding(EMAIL, copies)]).toEqual([['inbox.db'], []]);
});

test.each([
  ['takes back', () => endWaiting(inbox, current(), 'taken_back')],
  ['replaces', () => askNext(inbox, 'HC-UNO', { ...REQUEST, message: 'otras' })],
  ['sends a new text after', () => askNext(inbox, 'HC-UNO', { at: AT, asks: 'edit' })],
])('a message that its sender %s is erased, a decision erases nothing', (_, change) => {
  decide(insert('HC-UNO'));
  askNext(inbox, 'HC-UNO', REQUEST);
  expect(isCompactDue(inbox)).toBe(false);
  change();
  expect([isCompactDue(inbox), compact(inbox)]).toEqual([true, true]);
  expect(listHolding(REQUEST.message)).toEqual([]);
});
const REQUEST = { at: AT, asks: 'cancel', message: 'palabras en privado' } as const;
function current() {
  const change = getCurrent(inbox, 'HC-UNO');
  if (change === null) throw new Error('there is none');
  return change;
}
