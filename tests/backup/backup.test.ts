// Backups: rotation, verification, and erasures that a restore repeats.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Backup,
  findNewestBackupMs,
  selectRetained,
  createBackup,
  openBackup,
  pruneBackups,
  formatBackupName,
} from '../../src/backup/backups.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { createApiKey, revokeApiKey } from '../../src/inbox/api-keys.ts';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { storePendingUpload, getUpload } from '../../src/inbox/uploads.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { insertUnsubscription, isUnsubscribed } from '../../src/inbox/outbox.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { insertEditor } from '../../src/inbox/editors.ts';
import { hash } from 'node:crypto';
import { loadConfig } from '../../src/config.ts';
import { createBackupSchedule } from '../../src/server/process/maintenance.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { createTestFolder } from '../fixtures/folder.ts';
import { queryRows, submitTestEvent, SUBMISSION } from '../fixtures/inbox.ts';

const DAY_MS = 86_400_000;
const PRIVATE = SUBMISSION.contact_email ?? '';

test('selectRetained returns the newest of each of seven days and five weeks from Monday on', () => {
  const daily = Array.from({ length: 60 }, (_, day) => FRIDAY_NOON_MS - day * DAY_MS);
  const earlier = daily.flatMap((ms) => [ms, ms - 3_600_000]);
  // Today is Friday; earlier weeks end on the Sundays 5, 12, 19 and 26 days ago.
  for (const moments of [daily, earlier])
    expect(
      [...selectRetained(moments)].map((ms) => (FRIDAY_NOON_MS - ms) / DAY_MS).sort(byNumber),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 12, 19, 26]);
  expect(selectRetained([]).size).toBe(0);
});
const byNumber = (a: number, b: number): number => a - b;

describe('a backup', () => {
  let folder = '';
  let inbox: Inbox;
  beforeEach(async () => {
    folder = createTestFolder();
    mkdirSync(join(folder, 'data'));
    cpSync(FIXTURE_DIR, join(folder, 'content'), { recursive: true });
    inbox = await openInbox(join(folder, 'data', 'inbox.db'));
  });
  afterEach(() => inbox.close());

  const at = (...names: string[]): string => join(folder, ...names);
  const from = (data: string) => ({
    data_dir: at(data),
    content_dir: at('content'),
    database_url: null,
  });
  const make = (day = 0): Promise<Backup> =>
    createBackup(from('data'), at('backups'), FRIDAY_NOON_MS + day * DAY_MS);
  const restore = (backup: Backup, data = 'data') =>
    restoreBackup({ ...from(data), backup, now_ms: FRIDAY_NOON_MS + 9 * DAY_MS });
  /** Returns the backup with a manifest of its current files. */
  const withCurrentManifest = ({ dir, manifest }: Backup): Backup => {
    const files = manifest.files.map((file) => {
      const digest = hash('sha256', readFileSync(join(dir, file.path)), 'base64url');
      return { ...file, digest: digest.slice(0, 22) };
    });
    return { dir, manifest: { ...manifest, files } };
  };

  test('has the inbox without sessions and all content, readable by this user only; rotation deletes only backups', async () => {
    await submitTestEvent(inbox);
    await insertEditor(inbox, { name: 'ana', added_at: 'x', hash: 'x' });
    const columns = 'id, expiresAt, token, createdAt, updatedAt, userId';
    const session = `select 's', 'x', 'token-of-a-browser', 'x', 'x', id from "user"`;
    await queryRows(inbox, `insert into session (${columns}) ${session}`);
    mkdirSync(at('content', '.git'));
    symlinkSync(join(FIXTURE_DIR, 'zones.yml'), at('content', 'linked.yml'));
    const { dir } = await make();
    const copy = readFileSync(join(dir, 'inbox.db'));
    expect([copy.includes('ana'), copy.includes('token-of-a-browser')]).toEqual([true, false]);
    expect(lstatSync(join(dir, 'content', 'linked.yml')).isFile()).toBe(true);
    rmSync(join(dir, 'content', 'linked.yml'));
    expect(readdirSync(join(dir, 'content')).sort()).toEqual(readdirSync(FIXTURE_DIR).sort());
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    const files = ['inbox.db', 'uploads.db'].map((name) => join(dir, name));
    const paths = [at('backups'), dir, ...files, at('data', 'inbox.db')];
    expect(paths.map(modeOf)).toEqual(['700', '700', '600', '600', '600']);
    const nameOf = (day: number): string => formatBackupName(FRIDAY_NOON_MS + day * DAY_MS);
    for (const day of [30, 31, 60]) mkdirSync(at('backups', nameOf(day)));
    expect(findNewestBackupMs(at('backups'))).toBe(FRIDAY_NOON_MS + 60 * DAY_MS);
    const others = ['20261101T120000Z.part', '20270119T120000Z.part', 'mine'];
    for (const name of others) mkdirSync(at('backups', name));
    for (const day of [61, 62, 63, 64, 65, 66, 40, 47, 54]) mkdirSync(at('backups', nameOf(day)));
    const deleted = pruneBackups(at('backups'), FRIDAY_NOON_MS + 60 * DAY_MS);
    expect(deleted).toEqual([nameOf(31), nameOf(30), nameOf(0), '20261101T120000Z.part']);
    const remaining = readdirSync(at('backups'));
    expect(remaining.filter((name) => !/^\d+T\d+Z$/.test(name))).toEqual(others.slice(1));
  });

  test('is made by the service if the newest is too old, without an immediate retry after a failure', async () => {
    const output: string[] = [];
    const runs: string[][] = [];
    const reported: unknown[] = [];
    const config = loadConfig({ BACKUP_DIR: at('backups') });
    const log = pino({}, { write: (line) => void output.push(line) });
    const startSchedule = () =>
      createBackupSchedule(
        config,
        { log, report: (...words) => reported.push(words) },
        async (words) => {
          runs.push([...words]);
          return { problem: 'the log says why', lines: ['the disk is full'] };
        },
      );
    await make();
    void startSchedule()(FRIDAY_NOON_MS + DAY_MS - 1);
    expect(runs).toEqual([]);
    const later = startSchedule();
    for (let i = 0; i < 2; i++) void later(FRIDAY_NOON_MS + DAY_MS);
    expect(runs).toEqual([['backup']]);
    await expect.poll(() => output.join('')).toMatch(/the disk is full.*the backup failed/);
    expect(reported).toEqual([['backup', 'the log says why']]);
    void later(FRIDAY_NOON_MS + DAY_MS);
    expect(runs.length).toBe(1);
  });

  test('is rejected inside the data folder', async () => {
    const message = /is inside .*data: a backup must not be lost with its original/;
    await expect(createBackup(from('data'), at('data', 'b'), 0)).rejects.toThrow(message);
    expect(existsSync(at('data', 'b'))).toBe(false);
  });

  test('with modified files is not restored, and the error names each file', async () => {
    const backup = await make();
    const zones = join(backup.dir, 'content', 'zones.yml');
    writeFileSync(zones, 'x'.repeat(statSync(zones).size));
    rmSync(join(backup.dir, 'content', 'categories.yml'));
    writeFileSync(join(backup.dir, 'content', 'events', 'more.yml'), 'title: x');
    await inbox.close();
    await expect(restore(backup)).rejects.toThrow(
      /is damaged[\s\S]*categories\.yml is missing[\s\S]*zones\.yml was modified[\s\S]*more\.yml is not in the manifest/,
    );
    expect(() => openBackup(at('content'))).toThrow(/is not a backup/);
    expect(readdirSync(at('data')).filter((name) => name.includes('before'))).toEqual([]);
  });

  test('is not restored while the service runs', async () => {
    const backup = await make();
    await expect(restore(backup)).rejects.toThrow(/is in use\. Stop the service/);
  });

  test('is restored with later erasures, revocations and unsubscriptions applied again', async () => {
    const { reference: retained } = await submitTestEvent(inbox, { title: 'Se queda' });
    const { reference: erased } = await submitTestEvent(inbox, { title: 'Se olvida' });
    const { id } = await createApiKey(inbox, 'Una app', FRIDAY_NOON_MS);
    const old = await make();
    await erasePrivateData(inbox, erased, null);
    await insertUnsubscription(inbox, 'digest');
    await revokeApiKey(inbox, id, FRIDAY_NOON_MS);
    await submitTestEvent(inbox, { title: 'Llegó después' });
    await inbox.close();
    writeFileSync(at('data', 'current'), 'a release\n');

    const result = await restore(old);
    const reapplied = { erased: [erased], revoked: [id], unsubscribed_count: 1 };
    expect(result).toMatchObject({ ...reapplied, is_content_restored: false });
    const moved = ['uploads.db', 'inbox.db'].map((name) => `${name}.before-20261129T170000Z`);
    expect(result.moved.map((path) => basename(path))).toEqual(moved);
    inbox = await openInbox(at('data', 'inbox.db'));
    expect((await getSubmission(inbox, retained))?.text.contact_email).toBe(PRIVATE);
    expect((await getSubmission(inbox, erased))?.text.contact_email).toBeNull();
    expect(await isUnsubscribed(inbox, 'digest')).toBe(true);
    // The current release does not match the inbox any more: the next start builds one.
    expect(existsSync(at('data', 'current'))).toBe(false);
  });

  /** Marks a file as written by another version. */
  const writeVersion = (path: string, version: number): void => {
    const file = new Database(path);
    file.pragma(`user_version = ${version}`);
    file.pragma(`application_id = ${version}`);
    file.close();
  };

  test.each([
    ['a newer program', 99, /has version 99; .*Use the newer program/],
    ['an older program', 32, /has version 32; .*git checkout [0-9a-f]{12}/],
  ])('of %s is rejected, and existing data stays', async (_, version, message) => {
    const backup = await make();
    writeVersion(join(backup.dir, 'inbox.db'), version);
    const { reference } = await submitTestEvent(inbox);
    await inbox.close();
    await expect(restore(withCurrentManifest(backup))).rejects.toThrow(message);
    expect(readdirSync(at('data'))).toEqual(['inbox.db', 'uploads.db']);
    inbox = await openInbox(at('data', 'inbox.db'));
    expect(await getSubmission(inbox, reference)).not.toBeNull();
  });

  test.each([99, 32])(
    'is not restored over an inbox of version %i, whose erasures cannot be read',
    async (version) => {
      const { reference } = await submitTestEvent(inbox);
      const backup = await make();
      await erasePrivateData(inbox, reference, null);
      await inbox.close();
      writeVersion(at('data', 'inbox.db'), version);
      await expect(restore(backup)).rejects.toThrow(`has version ${version}`);
      expect(readdirSync(at('data'))).toEqual(['inbox.db', 'uploads.db']);
    },
  );

  test('is restored over a damaged inbox', async () => {
    const { reference } = await submitTestEvent(inbox);
    const backup = await make();
    await inbox.close();
    writeFileSync(
      at('data', 'inbox.db'),
      'not a database, and long enough to be recognized as none',
    );
    await restore(backup);
    inbox = await openInbox(at('data', 'inbox.db'));
    expect(await getSubmission(inbox, reference)).not.toBeNull();
  });

  test('is restored to an empty folder with its pictures and the erasures of a newer backup', async () => {
    const { reference } = await submitTestEvent(inbox);
    const picture = { id: 'p', width: 1, height: 1, bytes: Buffer.from('PICTURE') };
    await storePendingUpload(inbox, picture, { sender: '192.0.2.1', now_ms: FRIDAY_NOON_MS });
    const old = await make();
    await erasePrivateData(inbox, reference, null);
    await make(1);
    rmSync(at('content'), { recursive: true });
    const result = await restore(old, 'elsewhere');
    expect(result).toMatchObject({ erased: [reference], moved: [], is_content_restored: true });
    expect(readdirSync(at('content')).sort()).toEqual(readdirSync(FIXTURE_DIR).sort());
    const bytes = readFileSync(at('elsewhere', 'inbox.db'), 'latin1');
    expect(bytes.includes(PRIVATE)).toBe(false);
    const restored = await openInbox(at('elsewhere', 'inbox.db'));
    expect(await getUpload(restored, 'p')).toEqual(picture);
    await restored.close();
  });
});
