// What a ledger remembers does not move because the code is newer (contract 5.8).
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { RecordHistory } from '../../src/domain/record-history.ts';
import type { Ledger, Revision } from '../../src/domain/ledger.ts';
import { loadLedger, saveLedger } from '../../src/inbox/ledger.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { updateHistories } from '../../src/sources/update-histories.ts';
import { makeFolder } from '../fixtures/folder.ts';

interface Stored {
  readonly now_ms: number;
  readonly files: Readonly<Record<string, string>>;
  readonly revisions: readonly [string, Revision][];
  readonly histories: readonly RecordHistory[];
  readonly slugs: Ledger['slugs'];
}

const folder = makeFolder();
const content = join(folder, 'content');
/**
 * The ledger of a service of November 2026 and the content it was made of, with digests of all keys in their
 * order; written by the code of then after two releases three days apart.
 */
const packed = readFileSync(join(import.meta.dirname, '../fixtures/ledger-of-2026-11.json.br'));
const stored: Stored = JSON.parse(brotliDecompressSync(packed).toString());
cpSync(join(import.meta.dirname, '../../content/town.yml'), join(content, 'town.yml'));
for (const [file, text] of Object.entries(stored.files)) {
  mkdirSync(dirname(join(content, file)), { recursive: true });
  writeFileSync(join(content, file), text);
}
const old: Ledger = {
  revisions: new Map(stored.revisions),
  slugs: stored.slugs,
  histories: new Map(stored.histories.map((history) => [history.id, history])),
};
const LATER_MS = stored.now_ms + 60_000;

/** A release of the code of today a minute later. */
const release = (ledger: Ledger): Dataset =>
  updateHistories(loadDataset(content, ledger, LATER_MS), LATER_MS);

/** What readers, calendars and followers see of a ledger. */
const toSeen = ({ revisions, histories }: Ledger) => ({
  revisions: [...revisions]
    .map(([id, { digest: _, former_digest: __, ...seen }]) => ({ id, ...seen }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  histories: [...histories.values()]
    .map(({ digest: _, ...seen }) => seen)
    // What was renamed was called restored then.
    .map((seen) => (seen.kind === 'event' ? seen : { ...seen, status_at: '' }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
});

test('the ledger of November 2026 stays as it was, also once it was stored anew', async () => {
  const inbox = await openInbox(join(folder, 'inbox.db'));
  await saveLedger(inbox, old);
  const { ledger } = release(await loadLedger(inbox));
  await saveLedger(inbox, ledger);
  const renewed = await loadLedger(inbox);
  await inbox.close();
  expect(toSeen(ledger)).toEqual(toSeen(old));
  expect(toSeen(renewed)).toEqual(toSeen(old));
  for (const [id, revision] of release(renewed).ledger.revisions)
    expect(revision, id).toBe(renewed.revisions.get(id));
});
