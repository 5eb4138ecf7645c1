// Backups: what stays of many, what a damaged one is told by, and what a restore does with what was
// forgotten since.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Backup,
  findNewestMs,
  listKept,
  makeBackup,
  readBackup,
  rotate,
} from '../../src/backup/backups.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { createKey, revokeKey } from '../../src/inbox/api-keys.ts';
import { erase } from '../../src/desk/forget.ts';
import { holdPicture, getUpload, hasUpload } from '../../src/inbox/uploads.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { insertMailStop, isMailStopped } from '../../src/inbox/letters.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { hash } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import { createBackups } from '../../src/server/process/chores.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeOldInbox, sendIn, SUBMISSION } from '../fixtures/inbox.ts';

const DAY_MS = 86_400_000;
const PRIVATE = SUBMISSION.contact_email ?? '';

describe('rotation', () => {
  const daily = Array.from({ length: 60 }, (_, day) => FRIDAY_NOON_MS - day * DAY_MS);
  const toDays = (kept: ReadonlySet<number>): number[] =>
    [...kept].map((ms) => (FRIDAY_NOON_MS - ms) / DAY_MS).sort((a, b) => a - b);

  test('keeps the newest of each of seven days and five weeks, from Monday on', () => {
    // Friday; the weeks before end on the Sundays 5, 12, 19 and 26 days ago.
    const kept = [0, 1, 2, 3, 4, 5, 6, 12, 19, 26];
    expect(toDays(listKept(daily))).toEqual(kept);
    const earlier = daily.flatMap((ms) => [ms, ms - 3_600_000]);
    expect(toDays(listKept(earlier))).toEqual(kept);
    expect(listKept([]).size).toBe(0);
  });
});

describe('a backup', () => {
  let folder = '';
  let inbox: Inbox;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hoy-backup-'));
    mkdirSync(join(folder, 'data'));
    cpSync(FIXTURE_DIR, join(folder, 'content'), { recursive: true });
    inbox = await openInbox(join(folder, 'data', 'inbox.db'));
  });
  afterEach(async () => {
    await inbox.close();
    rmSync(folder, { recursive: true });
  });

  const at = (...names: string[]): string => join(folder, ...names);
  const from = (data: string) => ({
    data_dir: at(data),
    content_dir: at('content'),
    database_url: null,
  });
  const make = (day = 0): Promise<Backup> =>
    makeBackup(from('data'), at('backups'), FRIDAY_NOON_MS + day * DAY_MS);
  const restore = (backup: Backup, data = 'data') =>
    restoreBackup({
      ...from(data),
      backup,
      now_ms: FRIDAY_NOON_MS + 9 * DAY_MS,
    });

  test('has the inbox and all of content, for this user alone, and goes by rotation with nothing else', async () => {
    await sendIn(inbox);
    mkdirSync(at('content', '.git'));
    symlinkSync(join(FIXTURE_DIR, 'zones.yml'), at('content', 'linked.yml'));
    const { dir } = await make();
    expect(lstatSync(join(dir, 'content', 'linked.yml')).isFile()).toBe(true);
    rmSync(join(dir, 'content', 'linked.yml'));
    expect(readdirSync(join(dir, 'content')).sort()).toEqual(readdirSync(FIXTURE_DIR).sort());
    const rights = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect([rights(at('backups')), rights(dir), rights(join(dir, 'inbox.db'))]).toEqual([
      '700',
      '700',
      '600',
    ]);
    for (const days of [30, 31, 60]) await make(days);
    writeFileSync(at('backups', 'mine.txt'), 'mine');
    for (const left of ['20261101T120000Z.part', '20270119T120000Z.part'])
      mkdirSync(at('backups', left));
    expect(findNewestMs(at('backups'))).toBe(FRIDAY_NOON_MS + 60 * DAY_MS);
    for (const days of [61, 62, 63, 64, 65, 66]) await make(days);
    for (const days of [40, 47, 54]) await make(days);
    const gone = rotate(at('backups'), FRIDAY_NOON_MS + 60 * DAY_MS);
    expect(gone).toEqual([
      '20261221T170000Z',
      '20261220T170000Z',
      '20261120T170000Z',
      '20261101T120000Z.part',
    ]);
    const rest = readdirSync(at('backups'));
    expect(rest.filter((name) => !/^\d+T\d+Z$/.test(name))).toEqual([
      '20270119T120000Z.part',
      'mine.txt',
    ]);
  });

  test('is made by the service where the newest is too old, and one that failed not again at once', async () => {
    const said: string[] = [];
    const runs: string[][] = [];
    const config = readConfig({ BACKUP_DIR: at('backups') });
    const log = pino({}, { write: (line) => void said.push(line) });
    const begin = () =>
      createBackups(config, log, async (words) => {
        runs.push([...words]);
        return { code: 1, lines: ['the disk is full'] };
      });
    await make();
    void begin()(FRIDAY_NOON_MS + DAY_MS - 1);
    expect(runs).toEqual([]);
    const later = begin();
    for (let i = 0; i < 2; i++) void later(FRIDAY_NOON_MS + DAY_MS);
    expect(runs).toEqual([['backup']]);
    await expect.poll(() => said.join('')).toMatch(/the disk is full.*no backup could be made/);
    void later(FRIDAY_NOON_MS + DAY_MS);
    expect(runs.length).toBe(1);
  });

  test('is refused inside what it is a copy of', async () => {
    await expect(makeBackup(from('data'), at('data', 'b'), 0)).rejects.toThrow(
      /is inside .*data: what is lost with the original is no backup/,
    );
    expect(existsSync(at('data', 'b'))).toBe(false);
  });

  test('that has changed is named with each file, and nothing is restored from it', async () => {
    const backup = await make();
    const zones = join(backup.dir, 'content', 'zones.yml');
    writeFileSync(zones, 'x'.repeat(statSync(zones).size));
    rmSync(join(backup.dir, 'content', 'categories.yml'));
    writeFileSync(join(backup.dir, 'content', 'events', 'more.yml'), 'title: x');
    await inbox.close();
    await expect(restore(backup)).rejects.toThrow(
      /is damaged[\s\S]*categories\.yml is missing[\s\S]*zones\.yml is not as it was[\s\S]*more\.yml was not part/,
    );
    expect(() => readBackup(at('content'))).toThrow(/is no backup/);
    expect(readdirSync(at('data')).filter((name) => name.includes('before'))).toEqual([]);
  });

  test('is not put back under a service that runs', async () => {
    const backup = await make();
    await expect(restore(backup)).rejects.toThrow(/is in use\. Stop the service/);
  });

  test('put back forgets again what was forgotten since', async () => {
    const [kept, forgotten] = await Array.fromAsync(
      ['Se queda', 'Se olvida'],
      async (title) => (await sendIn(inbox, { title })).reference,
    );
    const { id } = await createKey(inbox, 'Una app', FRIDAY_NOON_MS);
    const old = await make();
    await erase(inbox, forgotten ?? '', null);
    await insertMailStop(inbox, 'digest');
    await revokeKey(inbox, id, FRIDAY_NOON_MS);
    await sendIn(inbox, { title: 'Llegó después' });
    await inbox.close();
    writeFileSync(at('data', 'current'), 'a release\n');

    const done = await restore(old);
    expect(done).toMatchObject({
      forgotten: [forgotten],
      revoked: [id],
      mail_stops: 1,
      is_content_restored: false,
    });
    expect(done.aside).toEqual(
      ['uploads', 'inbox'].map((name) =>
        expect.stringMatching(new RegExp(`${name}\\.db\\.before-20261129T170000Z$`)),
      ),
    );
    inbox = await openInbox(at('data', 'inbox.db'));
    expect((await getSubmission(inbox, kept ?? ''))?.text.contact_email).toBe(PRIVATE);
    expect((await getSubmission(inbox, forgotten ?? ''))?.text.contact_email).toBeNull();
    expect(await isMailStopped(inbox, 'digest')).toBe(true);
    // What serves was made of something else: the next start builds.
    expect(existsSync(at('data', 'current'))).toBe(false);
  });

  test('has the pictures, and one of an older program that kept them in the inbox brings them too', async () => {
    const picture = { id: 'p', width: 1, height: 1, bytes: Buffer.from('PICTURE') };
    await holdPicture(inbox, picture, { sender: '192.0.2.1', now_ms: FRIDAY_NOON_MS });
    const backup = await make();
    await restore(backup, 'elsewhere');
    const restored = await openInbox(at('elsewhere', 'inbox.db'));
    expect(await getUpload(restored, 'p')).toEqual(picture);
    await restored.close();
    const old = makeOldInbox(at('old.db'), 20);
    old.exec("insert into uploads values ('q', 'somebody', 1, 1, 1, x'02')");
    old.close();
    renameSync(at('old.db'), join(backup.dir, 'inbox.db'));
    rmSync(join(backup.dir, 'uploads.db'));
    const digest = hash('sha256', readFileSync(join(backup.dir, 'inbox.db')), 'base64url');
    const files = backup.manifest.files
      .filter(({ path }) => path !== 'uploads.db')
      .map((file) => (file.path === 'inbox.db' ? { ...file, digest: digest.slice(0, 22) } : file));
    await restore({ ...backup, manifest: { ...backup.manifest, files } }, 'older');
    const older = await openInbox(at('older', 'inbox.db'));
    expect([await hasUpload(older, 'q'), await hasUpload(older, 'p')]).toEqual([true, false]);
    await older.close();
  });

  test('of an older program, whose manifest says more, is put back', async () => {
    const { dir, manifest } = await make();
    const text = '{}';
    writeFileSync(join(dir, 'settings.json'), text);
    const digest = hash('sha256', text, 'base64url').slice(0, 22);
    const files = [...manifest.files, { path: 'settings.json', size: 2, digest }];
    const older = { ...manifest, holds: [], rows: { submissions: 0 }, files };
    writeFileSync(join(dir, 'backup.json'), JSON.stringify(older));
    await inbox.close();
    expect((await restore(readBackup(dir))).forgotten).toEqual([]);
    inbox = await openInbox(at('data', 'inbox.db'));
  });

  test('of a newer program is refused, and what is there stays', async () => {
    const backup = await make();
    const path = join(backup.dir, 'inbox.db');
    const newer = new Database(path);
    newer.pragma('user_version = 99');
    newer.pragma('application_id = 99');
    newer.close();
    const digestOf = (name: string): string =>
      hash('sha256', readFileSync(join(backup.dir, name)), 'base64url').slice(0, 22);
    const files = backup.manifest.files.map((file) => ({ ...file, digest: digestOf(file.path) }));
    const { reference } = await sendIn(inbox);
    await inbox.close();
    const altered = { ...backup, manifest: { ...backup.manifest, files } };
    await expect(restore(altered)).rejects.toThrow(/is of version 99/);
    expect(readdirSync(at('data'))).toEqual(['inbox.db', 'uploads.db']);
    inbox = await openInbox(at('data', 'inbox.db'));
    expect(await getSubmission(inbox, reference)).not.toBeNull();
  });

  test('in an empty place learns what was forgotten from a newer one beside it', async () => {
    const { reference } = await sendIn(inbox);
    const old = await make();
    await erase(inbox, reference, null);
    await make(1);
    rmSync(at('content'), { recursive: true });
    const done = await restore(old, 'elsewhere');
    expect(done).toMatchObject({ forgotten: [reference], aside: [], is_content_restored: true });
    expect(readdirSync(at('content')).sort()).toEqual(readdirSync(FIXTURE_DIR).sort());
    const bytes = readFileSync(at('elsewhere', 'inbox.db'), 'latin1');
    expect(bytes.includes(PRIVATE)).toBe(false);
  });
});
