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
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Backup, listBackups, readBackup } from '../../src/backup/backup-folder.ts';
import { listHeldStill } from '../../src/backup/forgotten-since.ts';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { listKept, rotate } from '../../src/backup/rotation.ts';
import { createKey } from '../../src/desk/api-keys.ts';
import { erase } from '../../src/desk/forget.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { listKeys, revokeKey } from '../../src/inbox/api-keys.ts';
import { insertMailStop, isMailStopped } from '../../src/inbox/outbox.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { digestFile } from '../../src/releases/digests.ts';
import { readConfig } from '../../src/config.ts';
import { toLayout } from '../../src/releases/layout.ts';
import { startBackups } from '../../src/server/process/backups.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';

const DAY_MS = 86_400_000;
const PRIVATE = SUBMISSION.contact_email ?? '';

describe('rotation', () => {
  const daily = Array.from({ length: 60 }, (_, day) => FRIDAY_NOON_MS - day * DAY_MS);
  const toDays = (kept: ReadonlySet<number>): number[] =>
    [...kept].map((ms) => (FRIDAY_NOON_MS - ms) / DAY_MS).sort((a, b) => a - b);

  test('keeps the newest of each day and of each week, from Monday on', () => {
    // Friday; the weeks before end on the Sundays 5, 12 and 19 days ago.
    expect(toDays(listKept(daily, { daily: 3, weekly: 4 }))).toEqual([0, 1, 2, 5, 12, 19]);
    const twice = [...daily, FRIDAY_NOON_MS - 3_600_000];
    expect(toDays(listKept(twice, { daily: 2, weekly: 0 }))).toEqual([0, 1]);
  });

  test('never lets the newest go', () => {
    expect(toDays(listKept(daily, { daily: 0, weekly: 0 }))).toEqual([0]);
    expect(listKept([], { daily: 7, weekly: 5 }).size).toBe(0);
  });
});

describe('a backup', () => {
  let folder = '';
  let inbox: Inbox;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hoy-backup-'));
    mkdirSync(join(folder, 'data'));
    cpSync(FIXTURE_DIR, join(folder, 'content'), { recursive: true });
    inbox = openInbox(join(folder, 'data', 'inbox.db'));
  });
  afterEach(() => {
    inbox.close();
    rmSync(folder, { recursive: true });
  });

  const at = (...names: string[]): string => join(folder, ...names);
  const make = (day = 0): Promise<Backup> =>
    makeBackup({
      layout: toLayout(at('data')),
      content_dir: at('content'),
      folder: at('backups'),
      now_ms: FRIDAY_NOON_MS + day * DAY_MS,
    });
  const restore = (backup: Backup, data = 'data', with_content = false) =>
    restoreBackup({
      ...{ backup, with_content },
      layout: toLayout(at(data)),
      content_dir: at('content'),
      now_ms: FRIDAY_NOON_MS + 9 * DAY_MS,
    });

  test('has the inbox and all of content, for this user alone, and goes by rotation with nothing else', async () => {
    sendIn(inbox);
    mkdirSync(at('content', '.git'));
    symlinkSync(join(FIXTURE_DIR, 'zones.yml'), at('content', 'linked.yml'));
    const { dir, list } = await make();
    expect(list.rows.submissions).toBe(1);
    expect(lstatSync(join(dir, 'content', 'linked.yml')).isFile()).toBe(true);
    rmSync(join(dir, 'content', 'linked.yml'));
    expect(readdirSync(join(dir, 'content')).sort()).toEqual(readdirSync(FIXTURE_DIR).sort());
    const rights = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect([rights(at('backups')), rights(dir), rights(join(dir, 'inbox.db'))]).toEqual([
      '700',
      '700',
      '600',
    ]);
    await make(1);
    await make(2);
    writeFileSync(at('backups', 'mine.txt'), 'mine');
    mkdirSync(at('backups', '20261101T120000Z.part'));
    utimesSync(at('backups', '20261101T120000Z.part'), 1, 1);
    expect(rotate(at('backups'), { daily: 2, weekly: 0 })).toEqual(['20261120T170000Z']);
    expect(readdirSync(at('backups')).sort()).toEqual([
      '20261121T170000Z',
      '20261122T170000Z',
      'mine.txt',
    ]);
  });

  test('whose folder cannot be read is told in the log, and ends no service', async () => {
    const file = join(folder, 'no-folder');
    writeFileSync(file, '');
    const said: string[] = [];
    const end = startBackups(
      { ...readConfig({}), backup_dir: file },
      () => FRIDAY_NOON_MS,
      pino({}, { write: (line) => void said.push(line) }),
      'never run',
    );
    await expect.poll(() => said.join('')).toMatch(/ENOTDIR.*no backup could be made/);
    end();
  });

  test('is refused inside what it is a copy of, and where there is nothing to copy', async () => {
    const order = { layout: toLayout(at('data')), content_dir: at('content'), now_ms: 0 };
    await expect(makeBackup({ ...order, folder: at('data', 'b') })).rejects.toThrow(
      /is inside .*data: what is lost with the original is no backup/,
    );
    const nowhere = { ...order, layout: toLayout(at('nowhere')), folder: at('backups') };
    await expect(makeBackup(nowhere)).rejects.toThrow(/^There is no .*inbox\.db/);
    expect(existsSync(at('backups'))).toBe(false);
  });

  test('that has changed is named with each file, and nothing is restored from it', async () => {
    const backup = await make();
    const zones = join(backup.dir, 'content', 'zones.yml');
    writeFileSync(zones, 'x'.repeat(statSync(zones).size));
    rmSync(join(backup.dir, 'content', 'categories.yml'));
    writeFileSync(join(backup.dir, 'content', 'events', 'more.yml'), 'title: x');
    inbox.close();
    expect(() => restore(backup)).toThrow(
      /is damaged[\s\S]*categories\.yml is missing[\s\S]*zones\.yml is not as it was[\s\S]*more\.yml was not part/,
    );
    expect(() => readBackup(at('content'))).toThrow(/is no backup/);
    expect(readdirSync(at('data')).filter((name) => name.includes('before'))).toEqual([]);
  });

  test('is not put back under a service that runs', async () => {
    const backup = await make();
    expect(() => restore(backup)).toThrow(/is in use\. Stop the service/);
  });

  test('says what it holds though it was forgotten since; put back, that is forgotten again', async () => {
    const [kept, forgotten] = ['Se queda', 'Se olvida'].map(
      (title) => sendIn(inbox, { title }).reference,
    );
    const key = createKey(inbox, 'Una app', FRIDAY_NOON_MS);
    const old = await make();
    expect(listHeldStill(inbox, old)).toEqual([]);
    erase(inbox, forgotten ?? '', null);
    insertMailStop(inbox, 'digest');
    revokeKey(inbox, listKeys(inbox)[0]?.id ?? '', FRIDAY_NOON_MS);
    expect(key).toBeDefined();
    sendIn(inbox, { title: 'Llegó después' });
    expect(listHeldStill(inbox, old)).toEqual([forgotten]);
    inbox.close();

    const done = restore(old);
    expect(done).toMatchObject({
      forgotten: [forgotten],
      revoked: ['Una app'],
      mail_stops: 1,
      lost: { submissions: 1, decisions: 0 },
      is_content_restored: false,
    });
    expect(done.aside).toEqual([expect.stringMatching(/inbox\.db\.before-20261129T170000Z$/)]);
    inbox = openInbox(at('data', 'inbox.db'));
    expect(getSubmission(inbox, kept ?? '')?.submission.contact_email).toBe(PRIVATE);
    expect(getSubmission(inbox, forgotten ?? '')?.submission.contact_email).toBeNull();
    expect(isMailStopped(inbox, 'digest')).toBe(true);
    expect(existsSync(at('data', 'release-requested'))).toBe(true);
  });

  test('of content is put back where that is wanted, and what was there stays aside', async () => {
    writeFileSync(at('data', 'settings.json'), '{}');
    const backup = await make();
    inbox.close();
    writeFileSync(at('content', 'zones.yml'), 'edited since');
    writeFileSync(at('data', 'settings.json'), 'as they are now');
    const { aside, is_content_restored } = restore(backup, 'data', true);
    expect(is_content_restored).toBe(true);
    const [, content = ''] = aside;
    expect(readFileSync(join(content, 'zones.yml'), 'utf8')).toBe('edited since');
    expect(readFileSync(at('content', 'zones.yml'))).toEqual(
      readFileSync(join(FIXTURE_DIR, 'zones.yml')),
    );
    // The service is started with what is set now.
    expect(readFileSync(at('data', 'settings.json'), 'utf8')).toBe('as they are now');
    inbox = openInbox(at('data', 'inbox.db'));
  });

  test('of a newer program is refused, and what is there stays', async () => {
    const backup = await make();
    const path = join(backup.dir, 'inbox.db');
    const newer = openInbox(path);
    newer.pragma('user_version = 99');
    newer.pragma('application_id = 99');
    newer.pragma('journal_mode = delete');
    newer.close();
    const [size, digest] = [statSync(path).size, digestFile(path)];
    const files = backup.list.files.map((file) =>
      file.path === 'inbox.db' ? { ...file, size, digest } : file,
    );
    const { reference } = sendIn(inbox);
    inbox.close();
    expect(() => restore({ ...backup, list: { ...backup.list, files } })).toThrow(
      /is of version 99/,
    );
    expect(readdirSync(at('data'))).toEqual(['inbox.db']);
    inbox = openInbox(at('data', 'inbox.db'));
    expect(getSubmission(inbox, reference)).not.toBeNull();
  });

  test('in an empty place learns what was forgotten from a newer one beside it', async () => {
    const { reference } = sendIn(inbox);
    const old = await make();
    erase(inbox, reference, null);
    await make(1);
    expect(listBackups(at('backups')).map(({ name }) => name)).toEqual([
      '20261121T170000Z',
      '20261120T170000Z',
    ]);
    rmSync(at('content'), { recursive: true });
    const done = restore(old, 'elsewhere');
    expect(done).toMatchObject({ forgotten: [reference], lost: null, is_content_restored: true });
    expect(readdirSync(at('content')).sort()).toEqual(readdirSync(FIXTURE_DIR).sort());
    const bytes = readFileSync(at('elsewhere', 'inbox.db'), 'latin1');
    expect(bytes.includes(PRIVATE)).toBe(false);
  });
});
