// The ledger on disk: what was remembered is there after closing and opening.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { readFixture } from '../fixtures/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-inbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a ledger comes back as it was written, twice', () => {
  const path = join(folder, 'inbox.db');
  const { ledger } = readFixture();
  for (let round = 0; round < 2; round += 1) {
    const inbox = openInbox(path);
    writeLedger(inbox, ledger);
    inbox.close();
  }
  const inbox = openInbox(path);
  const found = readLedger(inbox);
  inbox.close();
  expect(new Map([...found.revisions].sort())).toEqual(new Map([...ledger.revisions].sort()));
  expect(found.slugs).toHaveLength(ledger.slugs.length);
});

test('an inbox of a newer program is left alone', () => {
  const path = join(folder, 'newer.db');
  const inbox = openInbox(path);
  inbox.pragma('user_version = 999');
  inbox.pragma('application_id = 999');
  inbox.close();
  expect(() => openInbox(path)).toThrow('Use the newer program');
});
