// Compaction with PostgreSQL: erased bytes leave its files, unless a reader uses an older state; then it stays due.
import pg from 'pg';
import { expect, test } from 'vitest';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { compactStore, isCompactionDue } from '../../src/inbox/erase.ts';
import {
  folder,
  inbox,
  location,
  readStoredBytes,
  submitTestEvent,
  useInbox,
} from '../fixtures/inbox.ts';

const EMAIL = 'secreto.de.alguien@correo.example';
useInbox();

test('compaction stays due while a reader uses an older state', async () => {
  const reader = new pg.Client({ connectionString: location });
  await reader.connect();
  const { reference } = await submitTestEvent(inbox, { contact_email: EMAIL });
  await reader.query('begin isolation level repeatable read');
  await reader.query('select 1 from decisions');
  await erasePrivateData(inbox, reference, null);
  expect([await compactStore(inbox), await isCompactionDue(inbox)]).toEqual([false, true]);
  await reader.query('rollback');
  // Close it before its database is dropped.
  await reader.end();
  expect(await readStoredBytes({ inbox, folder })).not.toContain(EMAIL);
  expect(await isCompactionDue(inbox)).toBe(false);
});
