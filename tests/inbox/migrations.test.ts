// What a migration takes away, and what of the rows of the version before stays.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { undo } from '../../src/desk/decide.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { listSent } from '../../src/inbox/batches.ts';
import {
  getCorrection,
  getDecidedText,
  getSubmission,
  getTold,
  listWaiting,
} from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import {
  beginRun,
  isMailStopped,
  listDueLetters,
  listFailedMail,
  listSentLetters,
} from '../../src/inbox/letters.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getUpload, hasUpload } from '../../src/inbox/uploads.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { EVA, makeOldInbox, readColumn, readRows, SUBMISSION } from '../fixtures/inbox.ts';

const folder = makeFolder();
let files = 0;
/** A file of an older version, in a folder of its own; with what it says, once it is filled. */
function makeOld(version: number) {
  const path = join(folder, String(files++), 'inbox.db');
  mkdirSync(dirname(path));
  const old = makeOldInbox(path, version);
  const bring = async (): Promise<Inbox> => {
    old.close();
    const inbox = await openInbox(path);
    onTestFinished(() => inbox.close());
    return inbox;
  };
  return { path, old, bring };
}

test('pictures move to a file of their own, and say since when nothing needs them', async () => {
  const { old, bring } = makeOld(20);
  old.exec(`insert into uploads values ('form', 'somebody', 1, 10, 20, x'01'), ('used', '', 2, 10, 20, x'02'),
      ('ended', '', 3, 10, 20, x'03'), ('both', '', 4, 10, 20, x'04');
    insert into upload_uses values ('used', 'HC-A', null), ('ended', 'HC-B', 7), ('both', 'HC-C', 8), ('both', 'HC-D', null);`);
  const inbox = await bring();
  const moved = await readRows(inbox, 'select id, sender, unused_ms from uploads.uploads');
  expect(moved.map((row) => Object.values(row))).toEqual([
    ['form', 'somebody', 1],
    ['used', '', null],
    ['ended', '', 7],
    ['both', '', null],
  ]);
  expect(await getUpload(inbox, 'ended')).toMatchObject({ width: 10, bytes: Buffer.from([3]) });
  const tables = "select name from main.sqlite_schema where name like 'upload%'";
  expect(await readColumn(inbox, tables)).toEqual([]);
});

test('a power cut between the two files loses no picture', async () => {
  const { path, old, bring } = makeOld(20);
  old.exec("insert into uploads values ('form', 'somebody', 1, 10, 20, x'01')");
  // So that it cannot be brought forward: the pictures were copied by then.
  old.exec('drop table unswept');
  await expect(bring).rejects.toThrow('no such table: unswept');
  const again = new Database(path);
  again.exec('create table unswept (erasure integer primary key autoincrement)');
  again.close();
  const inbox = await openInbox(path);
  expect(await hasUpload(inbox, 'form')).toBe(true);
});

test('what was sent, decided and said becomes changes that say the same', async () => {
  const { old, bring } = makeOld(23);
  const at = (minute: number): string => `2026-11-20T12:0${minute}:00-05:00`;
  const text = (title: string): string => JSON.stringify({ ...SUBMISSION, title });
  const put = old.prepare(`insert into submissions
    (reference, received_at, state, asks, revision, record, message, dates, draft, reason, channel, digest, token_hash)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'form', hex(randomblob(8)), hex(randomblob(8)))`);
  const wrote = old.prepare('insert into submission_texts values (?, ?, ?, ?)');
  const log = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values (?, 'ana', ?, ?, ?)",
  );
  const touched = old.prepare('insert into decision_rows values (?, ?, ?)');
  type Row = readonly [table: string, key: readonly string[], was?: object];
  const decide = (action: string, subject: string, ...rows: readonly Row[]): void => {
    const before = rows.map(([table, key, was = null]) => ({ table, key, row: was, after: {} }));
    const { lastInsertRowid } = log.run(at(2), action, subject, JSON.stringify(before));
    for (const [table, key] of rows) touched.run(table, JSON.stringify(key), lastInsertRowid);
  };
  type More = readonly (string | null)[];
  // Its texts, what was asked with the last of them, its days, the editor's draft, the reason.
  const SENT: readonly (readonly [string, string, string, readonly string[], ...More])[] = [
    ['HC-DOS', 'pending', 'change', ['Dos', 'Dos, otra'], null, null, null, null],
    ['HC-TRES', 'approved', 'cancel', ['Tres', 'Tres'], 'Llueve', '["2026-12-05"]', null, null],
    ['HC-CUATRO', 'pending', 'publish', ['Sin hora', '4'], null, null, '{"summary":"S"}', null],
    ['HC-CINCO', 'changes_requested', 'publish', ['5'], null, null, null, 'Falta la hora'],
    ['HC-SEIS', 'withdrawn', 'publish', ['Seis'], null, null, null, null],
  ];
  for (const [reference, state, asks, texts, ...rest] of SENT) {
    const [count, moment] = [texts.length, at(texts.length === 1 ? 0 : 3)];
    put.run(reference, moment, state, asks, count, text(texts.at(-1) ?? ''), ...rest);
    // What only asks for something has no text of its own.
    for (const [n, one] of texts.entries())
      if (asks !== 'cancel' || n === 0) wrote.run(reference, n + 1, at(n * 3), text(one));
  }
  for (const reference of ['HC-DOS', 'HC-TRES']) {
    old.prepare('insert into publications values (?, ?)').run(reference, '{"text":"x"}');
    decide('approve', reference, ['submissions', [reference], {}], ['publications', [reference]]);
  }
  decide(
    'approve',
    'HC-TRES',
    ['submissions', ['HC-TRES'], {}],
    ['publications', ['HC-TRES'], {}],
    ['overrides', ['ev_tres', '2026-12-05']],
  );
  for (const reference of ['HC-CUATRO', 'HC-CINCO'])
    decide('ask', reference, ['submissions', [reference], {}]);
  const off = { date: '2026-12-05', status: 'cancelled' };
  old.exec(`insert into overrides values ('ev_a', '', '{"status":"cancelled"}'), ('ev_b', '2026-12-06', '{"change":null}'),
      ('ev_tres', '2026-12-05', '${JSON.stringify({ change: off })}');
    insert into desk_notices values ('notice-1', '{"title":"x"}');
    insert into edits values ('ev_c', 'event', '{"tags":["a"]}', '{"tags":[]}');
    insert into corrections values ('HC-LEE', 'l', '${at(0)}', 'venue', 've_a', 'Foro', 'es', 'pending', null, '{"change":"Cerró","source_url":null,"contact_email":null}');
    insert into doubts values ('HC-CUATRO');
    insert into told values ('HC-CINCO', 1, 'changes_requested');
    insert into batches (id, token_hash, reference, sender, name, lang, at, at_ms, choices) values (7, 'b', 'HC-LOTE', '', 'Ciclo', 'es', 'x', 1, '{}');
    insert into batch_items values ('HC-SEIS', 7, 'seis@ejemplo', 'digest');`);
  decide('cancel', 'ev_a', ['overrides', ['ev_a', '']]);

  const inbox = await bring();
  const look = async (reference: string): Promise<readonly unknown[]> => {
    const stored = await getSubmission(inbox, reference);
    return [stored?.state, stored?.asks, stored?.revision, stored?.is_published, stored?.reason];
  };
  expect(await Array.fromAsync(SENT, ([reference]) => look(reference))).toEqual([
    ['waiting', 'edit', 2, true, null],
    ['applied', 'cancel', 2, true, null],
    ['waiting', 'publish', 2, false, null],
    ['asked', 'publish', 1, false, 'Falta la hora'],
    ['taken_back', 'publish', 1, false, null],
  ]);
  expect(await readApplied(inbox)).toEqual({
    publications: ['HC-DOS', 'HC-TRES'].map((id) => ({ id, record: { text: 'x' } })),
    overrides: [
      { event: 'ev_a', date: '', record: { status: 'cancelled' } },
      { event: 'ev_b', date: '2026-12-06', record: { status: 'published' } },
      { event: 'ev_tres', date: '2026-12-05', record: { status: 'cancelled' } },
    ],
    notices: [{ id: 'notice-1', record: { title: 'x' } }],
    edits: [{ kind: 'event', thing: 'ev_c', record: { tags: ['a'] }, source: { tags: [] } }],
  });
  expect((await getDecidedText(inbox, 'HC-DOS'))?.title).toBe('Dos');
  expect((await getDecidedText(inbox, 'HC-CUATRO'))?.title).toBe('Sin hora');
  expect((await getSubmission(inbox, 'HC-CUATRO'))?.draft).toEqual({ summary: 'S' });
  expect(await getCorrection(inbox, 'HC-LEE')).toMatchObject({
    ...{ kind: 'venue', thing: 've_a', title: 'Foro', state: 'waiting' },
    text: { change: 'Cerró' },
  });
  const doubtful = (await listWaiting(inbox)).filter((one) => one.is_doubtful);
  expect(doubtful.map(({ reference }) => reference)).toEqual(['HC-CUATRO']);
  expect((await getTold(inbox, 'HC-CINCO'))?.told).toBe('changes_requested');
  expect((await listSent(inbox, { id: 7 })).map(({ stored }) => stored)).toMatchObject([
    { reference: 'HC-SEIS', uid: 'seis@ejemplo', uid_digest: 'digest' },
  ]);
  for (const subject of ['ev_a', 'HC-TRES'])
    await undo(inbox, (await listDecisions(inbox, 1, { subjects: [subject] }))[0]?.id ?? 0, EVA);
  expect((await readApplied(inbox)).overrides.map(({ event }) => event)).toEqual(['ev_b']);
  expect(await look('HC-TRES')).toEqual(['waiting', 'cancel', 2, true, null]);
});

test('no letter that waits is lost: what was decided is told by how it stands, whatever told of it', async () => {
  const { old, bring } = makeOld(24);
  const queue =
    old.prepare(`insert into outbox (kind, subject, revision, detail, queued_ms, next_ms, attempts, failed_ms, code)
    values (?, ?, 1, ?, ?, ?, ?, ?, ?)`);
  const now_ms = FRIDAY_NOON_MS;
  const kinds = ['question', 'changed', 'approved', 'rejected'] as const;
  for (const [at, kind] of kinds.entries())
    queue.run(kind, `HC-${at}`, String(7 + at), now_ms - at, now_ms, at, null, null);
  // From version 14 and before: no decision was noted with it.
  old.exec(`insert into changes (at, maker, door, kind, reference, asks, title, state, decided)
    values ('x', 'sender', 'form', 'event', 'HC-OLD', 'publish', 'x', 'asked', 5)`);
  queue.run('question', 'HC-OLD', '', now_ms, now_ms, 0, null, null);
  queue.run('urgent', 'HC-5', 'an editor', now_ms, now_ms, 0, null, null);
  queue.run('receipt', 'HC-6', '', now_ms, now_ms + 1, 0, null, null);
  queue.run('approved', 'HC-7', '3', now_ms - 86_400_000, now_ms, 4, now_ms - 1, 550);
  // The ids of letters make the Message-ID: none is given twice.
  const { lastInsertRowid } = queue.run('receipt', 'HC-8', '', now_ms, now_ms, 0, null, null);
  old.exec(`delete from outbox where subject = 'HC-8';
    insert into mail_sent values ('somebody', 'approved', ${now_ms - 1});
    insert into mail_stops values ('nobody');
    insert into mail_runs values ('digest', '2026-11-20')`);
  const inbox = await bring();
  const listDue = async (ms: number) =>
    (await listDueLetters(inbox, ms, 99)).map((one) => [
      ...[one.kind, one.subject, one.detail, one.attempts],
    ]);
  const waiting = [
    ['urgent', 'HC-5', 'an editor', 0],
    ...kinds.map((_, at) => ['state', `HC-${at}`, String(7 + at), at]),
    ['state', 'HC-OLD', '5', 0],
  ];
  expect(await listDue(now_ms)).toEqual(waiting);
  expect((await listDue(now_ms + 1)).map(([, subject]) => subject)).toContain('HC-6');
  expect(await listFailedMail(inbox, 9)).toEqual([{ kind: 'state', subject: 'HC-7', code: 550 }]);
  expect(await listSentLetters(inbox, now_ms)).toMatchObject([{ reader: 'somebody' }]);
  expect(await isMailStopped(inbox, 'nobody')).toBe(true);
  expect(await beginRun(inbox, 'digest', '2026-11-20')).toBe(false);
  const [newest] = await readColumn(inbox, 'select max(id) from letters');
  expect(newest).toBeGreaterThan(Number(lastInsertRowid));
});
