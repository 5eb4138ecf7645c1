// The ledger on disk: what was remembered is there after closing and opening.
import { readRows } from '../fixtures/inbox.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { readFixture } from '../fixtures/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-inbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a ledger comes back as it was written, twice', async () => {
  const path = join(folder, 'inbox.db');
  const { ledger } = readFixture();
  for (let round = 0; round < 2; round += 1) {
    const inbox = await openInbox(path);
    await writeLedger(inbox, ledger);
    await inbox.close();
  }
  const inbox = await openInbox(path);
  const found = await readLedger(inbox);
  await inbox.close();
  expect(new Map([...found.revisions].sort())).toEqual(new Map([...ledger.revisions].sort()));
  expect(found.slugs).toHaveLength(ledger.slugs.length);
});

test('an inbox of a newer program is left alone', async () => {
  const path = join(folder, 'newer.db');
  const inbox = await openInbox(path);
  await readRows(inbox, 'pragma user_version = 999');
  await readRows(inbox, 'pragma application_id = 999');
  await inbox.close();
  await expect(() => openInbox(path)).rejects.toThrow('Use the newer program');
});
