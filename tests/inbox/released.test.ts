// Files of other versions: the inbox of each that was released is opened with all that is in it, and a newer one is
// used where it says that it can be.
import { readValue, SUBMISSION } from '../fixtures/inbox.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../src/desk/editors.ts';
import { refuse } from '../../src/desk/review.ts';
import { signIn } from '../../src/desk/sign-in.ts';
import { undo } from '../../src/desk/decide.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { listKeys } from '../../src/inbox/api-keys.ts';
import { compact, isCompactDue } from '../../src/inbox/erase.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { VERSION } from '../../src/inbox/engine.ts';
import { openInbox } from '../../src/inbox/open.ts';
import {
  getSubmission,
  listPending,
  countWaiting,
  getDecidedText,
} from '../../src/inbox/changes.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { toVisit } from '../fixtures/visit.ts';

const RELEASED = join(import.meta.dirname, 'released');
const folder = mkdtempSync(join(tmpdir(), 'hoy-released-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('one is kept of each version that CHANGELOG.md names', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(
    ([, name]) => `${name}.sql`,
  );
  expect(versions.length).toBeGreaterThan(0);
  expect(readdirSync(RELEASED).sort()).toEqual(versions.sort());
});

describe.each(readdirSync(RELEASED))('the inbox of %s', (name) => {
  /** As its version left it: written by that one's own code, and dumped. */
  function open(hash: string | null = null) {
    const path = join(folder, `${name}.db`);
    rmSync(path, { force: true });
    const old = new Database(path);
    old.exec(readFileSync(join(RELEASED, name), 'utf8'));
    if (hash !== null) old.prepare('update editors set hash = ?').run(hash);
    old.close();
    return openInbox(path);
  }

  test('is brought forward whole: what waits, what was published, who decided, who may come in', async () => {
    const inbox = await open();
    expect(await readValue(inbox, 'pragma user_version')).toBe(VERSION);
    expect(await readValue(inbox, 'pragma integrity_check')).toBe('ok');
    const pending = (await listPending(inbox)).map(({ title, asks }) => `${title} ${asks}`);
    expect(pending.sort()).toEqual(['Noche por cancelar cancel', 'Noche que espera publish']);
    expect(await countWaiting(inbox)).toMatchObject({ waiting: 2, urgent: 1 });
    const { publications, left_out } = await readInboxRecords(inbox);
    expect([publications.length, left_out]).toEqual([2, []]);
    expect((await listDecisions(inbox, 10)).map(({ action }) => action)).toEqual([
      'cancel',
      'approve',
      'reject',
      'approve',
    ]);
    expect(await listEditors(inbox)).toMatchObject([{ name: 'ana' }]);
    expect(await listKeys(inbox)).toMatchObject([{ name: 'una agenda', revoked_at: null }]);
    // What it erased may lie in unused parts of it.
    expect([await isCompactDue(inbox), await compact(inbox)]).toEqual([true, true]);
    await inbox.close();
  });

  test('lets its editor in by the password of then', async () => {
    const password = 'quince faros y un muelle';
    const inbox = await open(await hashPassword(password));
    const browser = toVisit(inbox, { device: 'Firefox, Linux' });
    const kindOf = async (word: string) =>
      (await signIn(browser, { name: 'ana', password: word }, 'x', FRIDAY_NOON_MS)).kind;
    expect([await kindOf(`${password}s`), await kindOf(password)]).toEqual(['wrong', 'in']);
    await inbox.close();
  });

  test('is worked with: a decision of then is undone, a new one is made', async () => {
    const inbox = await open();
    const actor = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
    const [cancelled] = await listDecisions(inbox, 1);
    await undo(inbox, cancelled?.id ?? 0, actor);
    expect((await readInboxRecords(inbox)).overrides).toEqual([]);
    const waiting = (await listPending(inbox)).find(({ asks }) => asks === 'publish');
    const { reference = '', revision = 0 } = waiting ?? {};
    await refuse(inbox, { ...actor, reference, revision }, 'reject', 'No es público.');
    expect((await getSubmission(inbox, reference))?.state).toBe('refused');
    await inbox.close();
  });
});

test('what was sent, decided and said in 1.0.0 becomes changes that say the same', async () => {
  const path = join(folder, 'lived-with.db');
  const old = new Database(path);
  old.exec(readFileSync(join(RELEASED, '1.0.0.sql'), 'utf8'));
  const at = (minute: number): string => `2026-11-20T12:0${minute}:00-05:00`;
  const text = (title: string): string => JSON.stringify({ ...SUBMISSION, title });
  const put = old.prepare(`insert into submissions
    (reference, received_at, state, asks, revision, record, message, draft, reason, channel, digest, token_hash)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'form', hex(randomblob(8)), hex(randomblob(8)))`);
  const wrote = old.prepare('insert into submission_texts values (?, ?, ?, ?)');
  const publish = old.prepare('insert into publications values (?, ?)');
  const log = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values (?, 'ana', ?, ?, ?)",
  );
  const row = (table: string, key: readonly string[], was: object | null = null) => ({
    ...{ table, key, row: was, after: {} },
  });
  const decide = (action: string, subject: string, rows: readonly object[]) =>
    log.run(at(2), action, subject, JSON.stringify(rows));
  const approve = (reference: string) =>
    decide('approve', reference, [
      row('submissions', [reference], {}),
      row('publications', [reference]),
    ]);

  put.run('HC-UNO', at(0), 'approved', 'publish', 1, text('Uno'), null, null, null);
  wrote.run('HC-UNO', 1, at(0), text('Uno'));
  publish.run('HC-UNO', '{"text":"uno"}');
  approve('HC-UNO');

  put.run('HC-DOS', at(3), 'pending', 'change', 2, text('Dos, otra'), null, null, null);
  wrote.run('HC-DOS', 1, at(0), text('Dos'));
  wrote.run('HC-DOS', 2, at(3), text('Dos, otra'));
  publish.run('HC-DOS', '{"text":"dos"}');
  approve('HC-DOS');

  put.run('HC-TRES', at(3), 'approved', 'cancel', 2, text('Tres'), 'Llueve', null, null);
  wrote.run('HC-TRES', 1, at(0), text('Tres'));
  publish.run('HC-TRES', '{"text":"tres"}');
  approve('HC-TRES');
  decide('approve', 'HC-TRES', [
    row('submissions', ['HC-TRES'], {}),
    row('publications', ['HC-TRES'], {}),
    row('overrides', ['ev_tres', '']),
  ]);

  const [draft, why] = ['{"summary":"S"}', 'Falta la hora'];
  put.run('HC-CUATRO', at(3), 'pending', 'publish', 2, text('Cuatro'), null, draft, null);
  wrote.run('HC-CUATRO', 1, at(0), text('Cuatro, sin hora'));
  wrote.run('HC-CUATRO', 2, at(3), text('Cuatro'));
  decide('ask', 'HC-CUATRO', [row('submissions', ['HC-CUATRO'], {})]);
  put.run('HC-CINCO', at(0), 'changes_requested', 'publish', 1, text('5'), null, null, why);
  decide('ask', 'HC-CINCO', [row('submissions', ['HC-CINCO'], {})]);
  put.run('HC-SEIS', at(0), 'withdrawn', 'publish', 1, text('Seis'), null, null, null);

  old.exec(`delete from overrides; insert into desk_notices values ('notice-1', '{"title":"x"}');
    insert into overrides values ('ev_a', '', '{"status":"cancelled"}'), ('ev_b', '2026-12-06', '{"change":null}'),
      ('ev_c', '2026-12-07', '{"change":{"date":"2026-12-07","status":"postponed"}}'), ('ev_tres', '', '{"status":"cancelled"}')`);
  decide('cancel', 'ev_a', [row('overrides', ['ev_a', ''])]);
  old.close();

  const inbox = await openInbox(path);
  onTestFinished(() => inbox.close());
  const look = async (reference: string): Promise<readonly unknown[]> => {
    const stored = await getSubmission(inbox, reference);
    return [stored?.state, stored?.asks, stored?.revision, stored?.is_published, stored?.reason];
  };
  const all = ['HC-UNO', 'HC-DOS', 'HC-TRES', 'HC-CUATRO', 'HC-CINCO', 'HC-SEIS'];
  expect(await Array.fromAsync(all, look)).toEqual([
    ['applied', 'publish', 1, true, null],
    ['waiting', 'edit', 2, true, null],
    ['applied', 'cancel', 2, true, null],
    ['waiting', 'publish', 2, false, null],
    ['asked', 'publish', 1, false, why],
    ['taken_back', 'publish', 1, false, null],
  ]);
  expect((await getDecidedText(inbox, 'HC-DOS'))?.title).toBe('Dos');
  expect((await getDecidedText(inbox, 'HC-CUATRO'))?.title).toBe('Cuatro, sin hora');
  expect((await getSubmission(inbox, 'HC-CUATRO'))?.draft).toEqual({ summary: 'S' });
  const { publications, overrides, notices } = await readApplied(inbox);
  expect(publications.filter(({ id }) => all.includes(id)).map(({ record }) => record)).toEqual([
    { text: 'dos' },
    { text: 'tres' },
    { text: 'uno' },
  ]);
  expect(overrides).toEqual([
    { event: 'ev_a', date: '', record: { status: 'cancelled' } },
    { event: 'ev_b', date: '2026-12-06', record: { change: null } },
    {
      event: 'ev_c',
      date: '2026-12-07',
      record: { change: { date: '2026-12-07', status: 'postponed' } },
    },
    { event: 'ev_tres', date: '', record: { status: 'cancelled' } },
  ]);
  expect(notices).toEqual([{ id: 'notice-1', record: { title: 'x' } }]);

  const newest = async (subject: string): Promise<number> =>
    (await listDecisions(inbox, 1, { subjects: [subject] }))[0]?.id ?? 0;
  for (const subject of ['ev_a', 'HC-TRES', 'HC-UNO'])
    await undo(inbox, await newest(subject), { editor: 'eva', now_ms: FRIDAY_NOON_MS });
  expect((await readApplied(inbox)).overrides.map(({ event }) => event)).toEqual(['ev_b', 'ev_c']);
  expect(await Array.fromAsync(['HC-TRES', 'HC-UNO'], look)).toEqual([
    ['waiting', 'cancel', 2, true, null],
    ['waiting', 'publish', 1, false, null],
  ]);
});

test('one of a version that was in no release is refused, and stays as it is', async () => {
  const path = join(folder, 'between.db');
  const old = new Database(path);
  old.pragma('user_version = 20');
  await expect(() => openInbox(path)).rejects.toThrow(
    'The inbox is of version 20, which was in no',
  );
  expect(old.pragma('user_version', { simple: true })).toBe(20);
  old.close();
});

describe('the inbox of a newer version', () => {
  /** One with a change more, which says from which version on programs can use it. */
  async function write(oldest: number): Promise<string> {
    const path = join(folder, `newer-${oldest}.db`);
    await (await openInbox(path)).close();
    const newer = new Database(path);
    newer.exec("alter table changes add column later text not null default ''");
    newer.pragma(`user_version = ${VERSION + 1}`);
    newer.pragma(`application_id = ${oldest}`);
    newer.close();
    return path;
  }

  test('is used where it only has more, and stays of that version', async () => {
    const path = await write(VERSION);
    const inbox = await openInbox(path);
    expect(await listPending(inbox)).toEqual([]);
    expect(await readValue(inbox, 'pragma user_version')).toBe(VERSION + 1);
    await inbox.close();
  });

  test.each([0, VERSION + 1])(
    'is refused, with what to do, where it cannot be (oldest reader %i)',
    async (oldest) => {
      const path = await write(oldest);
      await expect(() => openInbox(path)).rejects.toThrow(
        `The inbox is of version ${VERSION + 1}; this program knows ${VERSION}. Use the newer program`,
      );
    },
  );
});
