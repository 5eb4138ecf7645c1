// A backup is two files of SQLite, wherever the inbox lies: made of PostgreSQL, put back there or beside.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type Backup, makeBackup } from '../../src/backup/backups.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { addEditor } from '../../src/desk/editors.ts';
import { erase } from '../../src/desk/forget.ts';
import { holdPicture, getUpload } from '../../src/inbox/uploads.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { makeDatabase } from '../fixtures/postgres.ts';

const ANA = { editor: 'ana', now_ms: FRIDAY_NOON_MS } as const;
let folder = '';
let database: Awaited<ReturnType<typeof makeDatabase>>;
let inbox: Inbox;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-backup-'));
  mkdirSync(join(folder, 'data'));
  cpSync(FIXTURE_DIR, join(folder, 'content'), { recursive: true });
  database = await makeDatabase(inject('postgres_url') ?? '');
  inbox = await openInbox(database.url);
});
afterEach(async () => {
  await inbox.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const toSources = (database_url: string | null, data = 'data') => ({
  data_dir: join(folder, data),
  content_dir: join(folder, 'content'),
  database_url,
});
const make = (): Promise<Backup> =>
  makeBackup(toSources(database.url), join(folder, 'backups'), FRIDAY_NOON_MS);
const PICTURE = { id: 'p'.repeat(32), width: 2, height: 1, bytes: Buffer.from([0, 1, 255]) };

/** Fills it; gives the reference of what was sent in. */
async function fill(): Promise<string> {
  await addEditor(inbox, 'ana', FRIDAY_NOON_MS);
  await holdPicture(inbox, PICTURE, { sender: '192.0.2.1', now_ms: FRIDAY_NOON_MS });
  return (await sendIn(inbox)).reference;
}

test('has all of it, and opens in SQLite as it was', async () => {
  const reference = await fill();
  const backup = await make();
  await restoreBackup({ ...toSources(null, 'other'), backup, now_ms: FRIDAY_NOON_MS });
  const files = await openInbox(join(folder, 'other', 'inbox.db'));
  expect(await getSubmission(files, reference)).toEqual(await getSubmission(inbox, reference));
  expect(await getUpload(files, PICTURE.id)).toEqual(PICTURE);
  expect(await listEditors(files)).toEqual(await listEditors(inbox));
  // The next has a number of its own.
  await addEditor(files, 'eva', FRIDAY_NOON_MS);
  expect((await listDecisions(files, 9)).map(({ id }) => id)).toEqual([2, 1]);
  await files.close();
});

test('is put back into PostgreSQL, with what was forgotten since forgotten again', async () => {
  const reference = await fill();
  const kept = (await sendIn(inbox, { title: 'Otra noche' })).reference;
  const backup = await make();
  await erase(inbox, reference, ANA);
  const later = (await sendIn(inbox, { title: 'Después' })).reference;
  await expect(restoreBackup({ ...toSources(database.url), backup, now_ms: 0 })).rejects.toThrow(
    /in use/,
  );
  await inbox.close();
  const done = await restoreBackup({ ...toSources(database.url), backup, now_ms: 0 });
  expect(done.forgotten).toEqual([reference]);
  inbox = await openInbox(database.url);
  const contact = async (one: string) => (await getSubmission(inbox, one))?.text.contact_email;
  expect([await contact(reference), await contact(kept)]).toEqual([null, SUBMISSION.contact_email]);
  expect(await getSubmission(inbox, later)).toBe(null);
  expect((await sendIn(inbox, { title: 'Y otra' })).is_repeat).toBe(false);
  // What was there is lost to nobody.
  const before = await openInbox(join(done.aside[0] ?? '', 'inbox.db'));
  expect(await getSubmission(before, later)).not.toBe(null);
  await before.close();
});
