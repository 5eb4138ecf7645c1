// Backups with PostgreSQL: a backup is two SQLite files and can be restored to SQLite and to PostgreSQL.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createBackup } from '../../src/backup/backups.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { addEditor } from '../../src/desk/editor-accounts.ts';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { insertUnsubscription, isUnsubscribed } from '../../src/inbox/outbox.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { getPublishedRelease } from '../../src/inbox/shared-releases.ts';
import { getUpload, storePendingUpload } from '../../src/inbox/uploads.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { createTestFolder } from '../fixtures/folder.ts';
import { ANA, queryRows, submitTestEvent, SUBMISSION } from '../fixtures/inbox.ts';
import { createTestDatabase } from '../fixtures/postgres.ts';

const PICTURE = { id: 'p'.repeat(32), width: 2, height: 1, bytes: Buffer.from([0, 1, 255]) };

test('has all data, opens in SQLite, and is restored with later erasures applied again', async () => {
  const folder = createTestFolder();
  const database = await createTestDatabase(inject('postgres_url') ?? '');
  onTestFinished(database.drop);
  mkdirSync(join(folder, 'data'));
  cpSync(FIXTURE_DIR, join(folder, 'content'), { recursive: true });
  const locations = (database_url: string | null, data = 'data') => ({
    data_dir: join(folder, data),
    content_dir: join(folder, 'content'),
    database_url,
  });
  let inbox = await openInbox(database.url);
  await addEditor(inbox, 'ana', FRIDAY_NOON_MS);
  await storePendingUpload(inbox, PICTURE, { sender: '192.0.2.1', now_ms: FRIDAY_NOON_MS });
  const { reference } = await submitTestEvent(inbox);
  const retained = (await submitTestEvent(inbox, { title: 'Otra noche' })).reference;
  const postgres = locations(database.url);
  const backup = await createBackup(postgres, join(folder, 'backups'), FRIDAY_NOON_MS);

  await restoreBackup({ ...locations(null, 'other'), backup, now_ms: FRIDAY_NOON_MS });
  const files = await openInbox(join(folder, 'other', 'inbox.db'));
  expect(await getSubmission(files, reference)).toEqual(await getSubmission(inbox, reference));
  expect(await getUpload(files, PICTURE.id)).toEqual(PICTURE);
  expect(await listEditors(files)).toEqual(await listEditors(inbox));
  // The id sequence continues after the copied rows.
  await addEditor(files, 'eva', FRIDAY_NOON_MS);
  expect((await listDecisions(files, 9)).map(({ id }) => id)).toEqual([2, 1]);
  await files.close();

  await erasePrivateData(inbox, reference, ANA);
  await insertUnsubscription(inbox, 'digest');
  const later = (await submitTestEvent(inbox, { title: 'Después' })).reference;
  await queryRows(inbox, "insert into releases (at_ms, digest) values (0, 'of what is gone')");
  await expect(restoreBackup({ ...postgres, backup, now_ms: 0 })).rejects.toThrow(/in use/);
  await inbox.close();
  const result = await restoreBackup({ ...postgres, backup, now_ms: 0 });
  expect(result).toMatchObject({ erased: [reference], unsubscribed_count: 1 });
  inbox = await openInbox(database.url);
  expect(await getPublishedRelease(inbox)).toBe(null);
  const contact = async (id: string) => (await getSubmission(inbox, id))?.text.contact_email;
  expect([await contact(reference), await contact(retained)]).toEqual([
    null,
    SUBMISSION.contact_email,
  ]);
  expect(await getSubmission(inbox, later)).toBe(null);
  expect(await isUnsubscribed(inbox, 'digest')).toBe(true);
  expect((await submitTestEvent(inbox, { title: 'Y otra' })).is_repeat).toBe(false);
  await inbox.close();
  // The replaced data is still available.
  const before = await openInbox(join(result.moved[0] ?? '', 'inbox.db'));
  expect(await getSubmission(before, later)).not.toBe(null);
  await before.close();
});
