// Ledger storage: a ledger is loaded as it was saved, and saving again overwrites changed entries.
import { expect, test } from 'vitest';
import { loadLedger, saveLedger } from '../../src/inbox/ledger.ts';
import { loadFixture } from '../fixtures/fixture.ts';
import { inbox, useInbox } from '../fixtures/inbox.ts';

useInbox();

test('loads the ledger that was saved last', async () => {
  const { ledger } = loadFixture();
  const [[id = '', revision] = []] = ledger.revisions;
  if (revision === undefined) throw new Error('the town is empty');
  const changed = { ...revision, digest: 'another', sequence: revision.sequence + 1 };
  await saveLedger(inbox, { ...ledger, revisions: new Map([[id, changed]]) });
  await saveLedger(inbox, ledger);
  const loaded = await loadLedger(inbox);
  expect(new Map([...loaded.revisions].sort())).toEqual(new Map([...ledger.revisions].sort()));
  expect(loaded.histories).toEqual(new Map([...ledger.histories]));
  expect(loaded.slugs).toHaveLength(ledger.slugs.length);
});
