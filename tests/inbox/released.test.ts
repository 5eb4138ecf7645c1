// Migrations: an inbox of version 33 is migrated completely, an older one is refused, and a newer one is used if it is
// compatible.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listApiKeys } from '../../src/inbox/api-keys.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { STORE_VERSION } from '../../src/inbox/database-engine.ts';
import { getSourceState } from '../../src/inbox/followed-sources.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import {
  countPending,
  getLastDecidedText,
  getSubmission,
  listPendingSubmissions,
} from '../../src/inbox/changes.ts';
import { loadInboxRecords } from '../../src/sources/inbox/load-inbox.ts';
import { createTestFolder, useFolder } from '../fixtures/folder.ts';
import { ANA, reviewByAna, queryRows, queryValue, undoNewestDecision } from '../fixtures/inbox.ts';
import { returnSubmission } from '../fixtures/changes.ts';

const folder = useFolder();

/** SQL of an inbox of version 33 that was created by version 4. */
const VERSION_33 = readFileSync(join(import.meta.dirname, 'released/33.sqlite.sql'), 'utf8');

describe('an inbox of version 33', () => {
  const path = join(folder, 'inbox.db');
  let inbox: Inbox;
  beforeEach(async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const old = new Database(path);
    old.exec(VERSION_33);
    old.close();
    inbox = await openInbox(path);
  });
  afterEach(() => inbox.close());

  test('gets the schema of a new one', async () => {
    const created = await openInbox(':memory:');
    const listSchema = (of: Inbox) =>
      queryRows(of, 'select type, name, tbl_name, sql from main.sqlite_schema order by 1, 2');
    expect(await listSchema(inbox)).toEqual(await listSchema(created));
    await created.close();
    expect(await queryValue(inbox, 'pragma integrity_check')).toBe('ok');
    expect(await queryRows(inbox, 'pragma foreign_key_check')).toEqual([]);
    expect(await queryValue(inbox, 'pragma user_version')).toBe(STORE_VERSION);
  });

  test('keeps its submissions, decisions, editors and keys, and gives no id twice', async () => {
    const pending = (await listPendingSubmissions(inbox)).map(
      ({ title, asks }) => `${title} ${asks}`,
    );
    expect(pending.sort()).toEqual([
      ...['Noche corregida edit', 'Noche por cancelar cancel', 'Noche que espera publish'],
    ]);
    expect(await countPending(inbox)).toMatchObject({ waiting: 3, urgent: 1 });
    expect((await getLastDecidedText(inbox, 'HC-M3X7KJ'))?.title).toBe('Noche de antes');
    const { publications, overrides, omitted } = await loadInboxRecords(inbox);
    expect([publications.length, overrides.map(({ date }) => date), omitted]).toEqual([
      ...[3, ['2027-02-06', ''], []],
    ]);
    expect(await getSubmission(inbox, 'HC-A5K2ME')).toMatchObject({
      ...{ state: 'asked', reason: 'Falta la hora.', draft: { summary: 'Una noche.' } },
    });
    expect((await getSubmission(inbox, 'HC-T8R4WD'))?.state).toBe('taken_back');
    const decided = (await listDecisions(inbox, 10)).map(({ action }) => action);
    expect(decided).toEqual(['cancel', 'approve', 'approve', 'reject', 'approve']);
    expect(await listEditors(inbox)).toMatchObject([{ name: 'ana' }]);
    expect(await listApiKeys(inbox)).toMatchObject([{ name: 'una agenda', revoked_at: null }]);
    const columns = 'kind, subject, detail, queued_ms, at_ms';
    const insert = `insert into letters (${columns}) values ('state', '', '', 0, 0) returning id`;
    expect(await queryValue(inbox, insert)).toBe(8);
  });

  test('allows to undo an old decision and to make a new one', async () => {
    await undoNewestDecision(inbox, ANA);
    const { overrides } = await loadInboxRecords(inbox);
    expect(overrides.map(({ date }) => date)).toEqual(['2027-02-06']);
    const waiting = (await listPendingSubmissions(inbox)).find(({ asks }) => asks === 'publish');
    const { reference = '', revision = 0 } = waiting ?? {};
    await returnSubmission(inbox, reviewByAna(reference, revision), 'reject', 'No es público.');
    expect((await getSubmission(inbox, reference))?.state).toBe('refused');
  });
});

test('an inbox older than version 33 is refused unchanged, and the error names the commit to start once', async () => {
  const dir = createTestFolder();
  const path = join(dir, 'inbox.db');
  const old = new Database(path);
  old.exec('create table submissions (reference text primary key)');
  old.pragma('user_version = 32');
  old.pragma('journal_mode = wal');
  old.close();
  const bytes = readFileSync(path);
  await expect(openInbox(path)).rejects.toThrow(
    /^The inbox has version 32; this program needs version 33 or newer\. Run: git checkout [0-9a-f]{12}\./,
  );
  expect([readdirSync(dir), readFileSync(path)]).toEqual([['inbox.db'], bytes]);
});

describe('the inbox of a newer version', () => {
  /** Writes an inbox with one more migration, which programs from version `oldest` on can use. */
  async function write(oldest: number): Promise<string> {
    const path = join(folder, `newer-${oldest}.db`);
    await (await openInbox(path)).close();
    const newer = new Database(path);
    newer.exec("alter table changes add column later text not null default ''");
    newer.pragma(`user_version = ${STORE_VERSION + 1}`);
    newer.pragma(`application_id = ${oldest}`);
    newer.close();
    return path;
  }

  test('is used if it is compatible, and keeps its version', async () => {
    const inbox = await openInbox(await write(STORE_VERSION));
    expect(await listPendingSubmissions(inbox)).toEqual([]);
    expect(await queryValue(inbox, 'pragma user_version')).toBe(STORE_VERSION + 1);
    await inbox.close();
  });

  test.each([0, STORE_VERSION + 1])(
    'is rejected if it is incompatible (oldest compatible version %i)',
    async (oldest) => {
      await expect(openInbox(await write(oldest))).rejects.toThrow(
        `The inbox has version ${STORE_VERSION + 1}; this program supports up to ${STORE_VERSION}. Use the newer program`,
      );
    },
  );
});

test('alerts of version 33 stay, now identified within their source', async () => {
  const path = join(folder, 'alerts.db');
  const old = new Database(path);
  old.exec(VERSION_33);
  old.exec('delete from changes');
  const insert_source = `insert into sources (key, url, tried_ms, next_ms, failures, brought, missing)
    values (?, ?, 0, 0, 0, '{}', '{}')`;
  old.prepare(insert_source).run('smn', 'https://smn.example/a.xml');
  const insert_change = `insert into changes (at, maker, door, kind, thing, asks, title, record, uid, uid_digest, state)
    values ('', 'editor', ?, ?, 'x', 'publish', '', ?, 'a', ?, 'applied')`;
  const record = (url: string) => JSON.stringify({ sources: [{ url }] });
  const change = old.prepare(insert_change);
  change.run('source', 'notice', record('https://smn.example/a.xml'), 'b');
  change.run('source', 'notice', record('https://smn.example/a.xml'), null);
  change.run('source', 'notice', record('https://removed.example/a.xml'), null);
  change.run('desk', 'notice', record('https://smn.example/a.xml'), null);
  change.run('source', 'event', record('https://smn.example/a.xml'), 'b');
  old.close();
  const inbox = await openInbox(path);
  const ids = await queryRows(inbox, 'select uid, uid_digest from changes order by id');
  expect(ids).toEqual([
    { uid: 'smn:a', uid_digest: 'smn:b' },
    { uid: 'smn:a', uid_digest: null },
    { uid: 'a', uid_digest: null },
    { uid: 'a', uid_digest: null },
    { uid: 'a', uid_digest: 'b' },
  ]);
  expect(await getSourceState(inbox, 'smn')).toMatchObject({ senders: {} });
  await inbox.close();
});
