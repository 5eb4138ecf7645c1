// What a migration takes away, and what of the rows of the version before stays.
import { makeOldInbox, readColumn, readRows, readValue, SUBMISSION } from '../fixtures/inbox.ts';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { undo } from '../../src/desk/decide.ts';
import { listSent } from '../../src/inbox/batches.ts';
import {
  getCorrection,
  getDecidedText,
  getSubmission,
  getTold,
  listWaiting,
} from '../../src/inbox/changes.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { getDecision, listDecisions } from '../../src/inbox/decisions.ts';
import {
  isMailStopped,
  beginRun,
  listDueLetters,
  listFailedMail,
  listSentLetters,
} from '../../src/inbox/letters.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getUpload, hasUpload } from '../../src/inbox/uploads.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));
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
  expect(await getUpload(inbox, 'ended')).toEqual({
    ...{ id: 'ended', width: 10, height: 20 },
    bytes: Buffer.from([3]),
  });
  const tables = await readColumn(inbox, 'select name from main.sqlite_schema');
  expect(tables).not.toEqual(expect.arrayContaining([expect.stringMatching(/^upload/)]));
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

test('what an older version patched or merged is an edit of the whole; its decisions stay in the log', async () => {
  const { old, bring } = makeOld(17);
  const put = old.prepare('insert into sources (id, kind, file, record) values (?, ?, ?, ?)');
  const fair = {
    id: 'ev_a',
    status: 'published',
    tags: ['familia'],
    verified: false,
    price: 'free',
  };
  put.run('ev_a', 'event', 'events/a.yml', JSON.stringify(fair));
  put.run('ve_old', 'venue', 'venues/old.yml', JSON.stringify({ name: 'Uno', capacity: 300 }));
  const patch = old.prepare("insert into patches values ('event', 'ev_a', ?, ?)");
  patch.run('tags', JSON.stringify({ value: ['puestos'], source: ['antes'] }));
  patch.run('price', JSON.stringify({ source: 'free' }));
  patch.run('title', JSON.stringify({ value: { es: 'Una "fería"', en: '1' } }));
  old.exec("insert into merges (old, kind, kept) values ('ve_old', 'venue', 've_kept')");
  const log = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values ('x', 'ana', ?, 'ev_a', ?)",
  );
  const row = { old: 've_old', kind: 'venue', kept: 've_kept' };
  const patched = { table: 'patches', key: ['ev_a', 'tags'], row: null, after: null };
  const off = { table: 'overrides', key: ['ev_a', ''], row: null, after: null };
  log.run('merge', JSON.stringify([{ table: 'merges', key: ['ve_old'], row: null, after: row }]));
  log.run('edit', JSON.stringify([patched, off]));
  const inbox = await bring();
  const kept = { tags: ['familia'], verified: false, price: 'free' };
  const title = { es: 'Una "fería"', en: '1' };
  expect((await readApplied(inbox)).edits).toEqual([
    {
      kind: 'event',
      thing: 'ev_a',
      record: { tags: ['puestos'], verified: false, title },
      source: { ...kept, tags: ['antes'] },
    },
    {
      kind: 'venue',
      thing: 've_old',
      record: { name: 'Uno', capacity: 300, same_as: 've_kept' },
      source: { name: 'Uno', capacity: 300 },
    },
  ]);
  expect(
    await Array.fromAsync([1, 2], async (id) => (await getDecision(inbox, id))?.outcomes),
  ).toEqual([[], []]);
  await expect(() => undo(inbox, 1, { editor: 'ana', now_ms: FRIDAY_NOON_MS })).rejects.toThrow(
    'nothing to undo',
  );
});

test('what was sent, decided and said becomes changes that say the same', async () => {
  const { old, bring } = makeOld(23);
  const at = (minute: number): string => `2026-11-20T12:0${minute}:00-05:00`;
  const text = (title: string): string => JSON.stringify({ ...SUBMISSION, title });
  const put = old.prepare(`insert into submissions
    (reference, received_at, state, asks, revision, record, message, dates, draft, reason, channel, digest, token_hash)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'form', hex(randomblob(8)), hex(randomblob(8)))`);
  const wrote = old.prepare('insert into submission_texts values (?, ?, ?, ?)');
  const publish = old.prepare('insert into publications values (?, ?)');
  const log = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values (?, 'ana', ?, ?, ?)",
  );
  const row = (table: string, key: readonly string[], was: object | null = null) => ({
    ...{ table, key, row: was, after: {} },
  });
  const decide = (action: string, subject: string, rows: readonly ReturnType<typeof row>[]) => {
    const { lastInsertRowid } = log.run(at(2), action, subject, JSON.stringify(rows));
    for (const { table, key } of rows)
      old
        .prepare('insert into decision_rows values (?, ?, ?)')
        .run(table, JSON.stringify(key), lastInsertRowid);
  };
  const approve = (reference: string) =>
    decide('approve', reference, [
      row('submissions', [reference], {}),
      row('publications', [reference]),
    ]);

  put.run('HC-UNO', at(0), 'approved', 'publish', 1, text('Uno'), null, null, null, null);
  wrote.run('HC-UNO', 1, at(0), text('Uno'));
  publish.run('HC-UNO', '{"text":"uno"}');
  approve('HC-UNO');

  put.run('HC-DOS', at(3), 'pending', 'change', 2, text('Dos, otra'), null, null, null, null);
  wrote.run('HC-DOS', 1, at(0), text('Dos'));
  wrote.run('HC-DOS', 2, at(3), text('Dos, otra'));
  publish.run('HC-DOS', '{"text":"dos"}');
  approve('HC-DOS');

  const dates = '["2026-12-05"]';
  put.run('HC-TRES', at(3), 'approved', 'cancel', 2, text('Tres'), 'Llueve', dates, null, null);
  wrote.run('HC-TRES', 1, at(0), text('Tres'));
  publish.run('HC-TRES', '{"text":"tres"}');
  approve('HC-TRES');
  decide('approve', 'HC-TRES', [
    row('submissions', ['HC-TRES'], {}),
    row('publications', ['HC-TRES'], {}),
    row('overrides', ['ev_tres', '2026-12-05']),
  ]);
  old
    .prepare("insert into overrides values ('ev_tres', '2026-12-05', ?)")
    .run('{"change":{"date":"2026-12-05","status":"cancelled"}}');

  const [draft, why] = ['{"summary":"S"}', 'Falta la hora'];
  put.run('HC-CUATRO', at(3), 'pending', 'publish', 2, text('Cuatro'), null, null, draft, null);
  wrote.run('HC-CUATRO', 1, at(0), text('Cuatro, sin hora'));
  wrote.run('HC-CUATRO', 2, at(3), text('Cuatro'));
  decide('ask', 'HC-CUATRO', [row('submissions', ['HC-CUATRO'], {})]);
  put.run('HC-CINCO', at(0), 'changes_requested', 'publish', 1, text('5'), null, null, null, why);
  decide('ask', 'HC-CINCO', [row('submissions', ['HC-CINCO'], {})]);
  put.run('HC-SEIS', at(0), 'withdrawn', 'publish', 1, text('Seis'), null, null, null, null);

  old.exec(`insert into overrides values ('ev_a', '', '{"status":"cancelled"}'), ('ev_b', '2026-12-06', '{"change":null}');
    insert into desk_notices values ('notice-1', '{"title":"x"}');
    insert into edits values ('ev_c', 'event', '{"tags":["a"]}', '{"tags":[]}');
    insert into corrections values ('HC-LEE', 'l', '${at(0)}', 'venue', 've_a', 'Foro', 'es', 'pending', null, '{"change":"Cerró","source_url":null,"contact_email":null}');
    insert into doubts values ('HC-CUATRO');
    insert into told values ('HC-CINCO', 1, 'changes_requested');
    insert into batches (id, token_hash, reference, sender, name, lang, at, at_ms, choices) values (7, 'b', 'HC-LOTE', '', 'Ciclo', 'es', 'x', 1, '{}');
    insert into batch_items values ('HC-SEIS', 7, 'seis@ejemplo', 'digest');`);
  decide('cancel', 'ev_a', [row('overrides', ['ev_a', ''])]);

  const inbox = await bring();
  const look = async (reference: string): Promise<readonly unknown[]> => {
    const stored = await getSubmission(inbox, reference);
    return [stored?.state, stored?.asks, stored?.revision, stored?.is_published, stored?.reason];
  };
  expect(
    await Array.fromAsync(
      ['HC-UNO', 'HC-DOS', 'HC-TRES', 'HC-CUATRO', 'HC-CINCO', 'HC-SEIS'],
      look,
    ),
  ).toEqual([
    ['applied', 'publish', 1, true, null],
    ['waiting', 'edit', 2, true, null],
    ['applied', 'cancel', 2, true, null],
    ['waiting', 'publish', 2, false, null],
    ['asked', 'publish', 1, false, why],
    ['taken_back', 'publish', 1, false, null],
  ]);
  expect((await readApplied(inbox)).publications.map(({ record }) => record)).toEqual([
    { text: 'dos' },
    { text: 'tres' },
    { text: 'uno' },
  ]);
  expect((await getDecidedText(inbox, 'HC-DOS'))?.title).toBe('Dos');
  expect((await getDecidedText(inbox, 'HC-CUATRO'))?.title).toBe('Cuatro, sin hora');
  expect((await getSubmission(inbox, 'HC-CUATRO'))?.draft).toEqual({ summary: 'S' });
  expect((await readApplied(inbox)).overrides).toEqual([
    { event: 'ev_a', date: '', record: { status: 'cancelled' } },
    { event: 'ev_b', date: '2026-12-06', record: { change: null } },
    {
      event: 'ev_tres',
      date: '2026-12-05',
      record: { change: { date: '2026-12-05', status: 'cancelled' } },
    },
  ]);
  expect([(await readApplied(inbox)).notices, (await readApplied(inbox)).edits]).toEqual([
    [{ id: 'notice-1', record: { title: 'x' } }],
    [{ kind: 'event', thing: 'ev_c', record: { tags: ['a'] }, source: { tags: [] } }],
  ]);
  expect(await getCorrection(inbox, 'HC-LEE')).toMatchObject({
    ...{ kind: 'venue', thing: 've_a', title: 'Foro', state: 'waiting' },
    text: { change: 'Cerró' },
  });
  expect(
    (await listWaiting(inbox)).map(({ reference, is_doubtful }) => [reference, is_doubtful]),
  ).toEqual([
    ['HC-LEE', false],
    ['HC-CUATRO', true],
    ['HC-DOS', false],
  ]);
  expect(await getTold(inbox, 'HC-CINCO')).toMatchObject({
    told: 'changes_requested',
    revision: 1,
  });
  expect((await listSent(inbox, { id: 7 })).map(({ stored }) => stored)).toMatchObject([
    { reference: 'HC-SEIS', uid: 'seis@ejemplo', uid_digest: 'digest' },
  ]);
  const eva = { editor: 'eva', now_ms: FRIDAY_NOON_MS };
  const newest = async (subject: string): Promise<number> =>
    (await listDecisions(inbox, 1, { subjects: [subject] }))[0]?.id ?? 0;
  await undo(inbox, await newest('ev_a'), eva);
  await undo(inbox, await newest('HC-TRES'), eva);
  await undo(inbox, await newest('HC-UNO'), eva);
  expect([
    (await readApplied(inbox)).overrides.map(({ event }) => event),
    await look('HC-TRES'),
    await look('HC-UNO'),
  ]).toEqual([
    ['ev_b'],
    ['waiting', 'cancel', 2, true, null],
    ['waiting', 'publish', 1, false, null],
  ]);
});

test('no letter that waits is lost: what was decided is told by how it stands, whatever told of it', async () => {
  const { old, bring } = makeOld(24);
  const queue =
    old.prepare(`insert into outbox (kind, subject, revision, detail, queued_ms, next_ms, attempts, failed_ms, code)
    values (?, ?, 1, ?, ?, ?, ?, ?, ?)`);
  const change =
    old.prepare(`insert into changes (at, maker, door, kind, reference, asks, title, state, decided)
    values ('x', 'sender', 'form', 'event', ?, 'publish', 'x', ?, ?)`);
  const [now_ms, day_ms] = [FRIDAY_NOON_MS, 86_400_000];
  const kinds = ['question', 'changed', 'approved', 'rejected'] as const;
  for (const [at, kind] of kinds.entries())
    queue.run(kind, `HC-${at}`, String(7 + at), now_ms - at, now_ms, at, null, null);
  // From version 14 and before: no decision was noted with it.
  change.run('HC-OLD', 'asked', 5);
  queue.run('question', 'HC-OLD', '', now_ms, now_ms, 0, null, null);
  queue.run('urgent', 'HC-5', 'an editor', now_ms, now_ms, 0, null, null);
  queue.run('receipt', 'HC-6', '', now_ms, now_ms + 1, 0, null, null);
  queue.run('approved', 'HC-7', '3', now_ms - day_ms, now_ms, 4, now_ms - 1, 550);
  // The ids of letters make the Message-ID: none is given twice.
  const { lastInsertRowid } = queue.run('receipt', 'HC-8', '', now_ms, now_ms, 0, null, null);
  old.exec(`delete from outbox where subject = 'HC-8';
    insert into mail_sent values ('somebody', 'approved', ${now_ms - 1}), ('somebody', 'receipt', ${now_ms - 1});
    insert into mail_stops values ('nobody');
    insert into mail_runs values ('digest', '2026-11-20'), ('reminders', '2026-11-20')`);
  const inbox = await bring();
  const waiting = (until_ms: number) => listDueLetters(inbox, until_ms, 99);
  expect(
    (await waiting(now_ms)).map(({ kind, subject, detail, attempts }) => [
      kind,
      subject,
      detail,
      attempts,
    ]),
  ).toEqual([
    ['urgent', 'HC-5', 'an editor', 0],
    ...kinds.map((_, at) => ['state', `HC-${at}`, String(7 + at), at]),
    ['state', 'HC-OLD', '5', 0],
  ]);
  expect((await waiting(now_ms + 1)).map(({ kind, subject }) => `${kind} ${subject}`)).toContain(
    'receipt HC-6',
  );
  expect(await listFailedMail(inbox, 9)).toEqual([{ kind: 'state', subject: 'HC-7', code: 550 }]);
  expect((await listSentLetters(inbox, now_ms)).map(({ reader }) => reader)).toEqual([
    'somebody',
    'somebody',
  ]);
  expect([await isMailStopped(inbox, 'nobody'), await isMailStopped(inbox, 'somebody')]).toEqual([
    true,
    false,
  ]);
  const days = ['2026-11-20', '2026-11-21', '2026-11-21'];
  for (const kind of ['digest', 'reminder'] as const)
    expect(await Array.fromAsync(days, (day) => beginRun(inbox, kind, day))).toEqual([
      false,
      true,
      false,
    ]);
  const newest = await readValue(inbox, 'select max(id) from letters');
  expect(newest).toBeGreaterThan(Number(lastInsertRowid));
  const tables = await readColumn(
    inbox,
    "select name from sqlite_schema where name like '%mail%' or name like '%outbox%'",
  );
  expect(tables).toEqual(['mail_stops']);
});
