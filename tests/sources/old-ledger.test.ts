// Legacy ledger: tests that a release of newer code does not change revisions and histories (contract 5.8).
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
import { useFolder } from '../fixtures/folder.ts';

interface Stored {
  readonly now_ms: number;
  readonly files: Readonly<Record<string, string>>;
  readonly revisions: readonly [string, Revision][];
  readonly histories: readonly RecordHistory[];
  readonly slugs: Ledger['slugs'];
}

const folder = useFolder();
const content = join(folder, 'content');
/**
 * The ledger of a service of November 2026 with legacy digests, and its content; written by the code of that time
 * after two releases three days apart.
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

/** Builds a release with the current code a minute later. */
const release = (ledger: Ledger): Dataset =>
  updateHistories(loadDataset(content, ledger, LATER_MS), LATER_MS);

/** Returns the public fields of a ledger. */
const pickPublicFields = ({ revisions, histories }: Ledger) => ({
  revisions: [...revisions]
    .map(([id, { digest: _, former_digest: __, ...fields }]) => ({ id, ...fields }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  histories: [...histories.values()]
    .map(({ digest: _, ...fields }) => fields)
    // Releases of that time set status_at of other kinds after a rename.
    .map((fields) => (fields.kind === 'event' ? fields : { ...fields, status_at: '' }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
});

test('the public fields of the November 2026 ledger stay the same, also after it is stored again', async () => {
  const inbox = await openInbox(join(folder, 'inbox.db'));
  await saveLedger(inbox, old);
  const { ledger } = release(await loadLedger(inbox));
  await saveLedger(inbox, ledger);
  const reloaded = await loadLedger(inbox);
  await inbox.close();
  expect(pickPublicFields(ledger)).toEqual(pickPublicFields(old));
  expect(pickPublicFields(reloaded)).toEqual(pickPublicFields(old));
  for (const [id, revision] of release(reloaded).ledger.revisions)
    expect(revision, id).toBe(reloaded.revisions.get(id));
});
