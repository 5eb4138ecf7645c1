// Erased words leave PostgreSQL's files, unless somebody still reads an older state: then they are to be looked
// for again.
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { erase } from '../../src/desk/forget.ts';
import { compact, isCompactDue } from '../../src/inbox/erase.ts';
import { openFixtureInbox, readStored, sendIn } from '../fixtures/inbox.ts';

const EMAIL = 'secreto.de.alguien@correo.example';
let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
let reader: pg.Client;
beforeEach(async () => {
  opened = await openFixtureInbox();
  reader = new pg.Client({ connectionString: opened.location });
  await reader.connect();
});
afterEach(async () => {
  await reader.end();
  await opened.close();
});

test('what somebody still reads stays to be compacted', async () => {
  const { inbox } = opened;
  const { reference } = await sendIn(inbox, { contact_email: EMAIL });
  await reader.query('begin isolation level repeatable read');
  await reader.query('select 1 from decisions');
  await erase(inbox, reference, null);
  expect([await compact(inbox), await isCompactDue(inbox)]).toEqual([false, true]);
  await reader.query('rollback');
  expect(await readStored(opened)).not.toContain(EMAIL);
  expect(await isCompactDue(inbox)).toBe(false);
});
