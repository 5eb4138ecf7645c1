// The ledger in the store: it comes back as it was written, and what changed is written over it.
import { expect, test } from 'vitest';
import { loadLedger, saveLedger } from '../../src/inbox/ledger.ts';
import { readFixture } from '../fixtures/fixture.ts';
import { inbox, useInbox } from '../fixtures/inbox.ts';

useInbox();

test('a ledger comes back as it was written, twice', async () => {
  const { ledger } = readFixture();
  const [[id = '', revision] = []] = ledger.revisions;
  if (revision === undefined) throw new Error('the town is empty');
  const changed = { ...revision, digest: 'another', sequence: revision.sequence + 1 };
  await saveLedger(inbox, { ...ledger, revisions: new Map([[id, changed]]) });
  await saveLedger(inbox, ledger);
  const found = await loadLedger(inbox);
  expect(new Map([...found.revisions].sort())).toEqual(new Map([...ledger.revisions].sort()));
  expect(found.histories).toEqual(new Map([...ledger.histories]));
  expect(found.slugs).toHaveLength(ledger.slugs.length);
});
