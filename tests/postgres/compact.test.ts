// Erased words leave PostgreSQL's files, unless somebody still reads an older state: then they are to be looked
// for again.
import pg from 'pg';
import { expect, test } from 'vitest';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { compactStore, isCompactionDue } from '../../src/inbox/erase.ts';
import { folder, inbox, location, readStored, sendIn, useInbox } from '../fixtures/inbox.ts';

const EMAIL = 'secreto.de.alguien@correo.example';
useInbox();

test('what somebody still reads stays to be compacted', async () => {
  const reader = new pg.Client({ connectionString: location });
  await reader.connect();
  const { reference } = await sendIn(inbox, { contact_email: EMAIL });
  await reader.query('begin isolation level repeatable read');
  await reader.query('select 1 from decisions');
  await erasePrivateData(inbox, reference, null);
  expect([await compactStore(inbox), await isCompactionDue(inbox)]).toEqual([false, true]);
  await reader.query('rollback');
  // Before its database is dropped under it.
  await reader.end();
  expect(await readStored({ inbox, folder })).not.toContain(EMAIL);
  expect(await isCompactionDue(inbox)).toBe(false);
});
