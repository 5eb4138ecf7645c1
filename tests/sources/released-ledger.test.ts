// Released ledger: tests that a release of a newer program changes no revisions and histories (contract 5.8).
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
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
/** The content of a service of November 2026, and its ledger, which the program of that time wrote. */
const packed = readFileSync(join(import.meta.dirname, '../fixtures/released-ledger.json.br'));
const stored: Stored = JSON.parse(brotliDecompressSync(packed).toString());
cpSync(join(import.meta.dirname, '../../content/town.yml'), join(content, 'town.yml'));
for (const [file, text] of Object.entries(stored.files)) {
  mkdirSync(dirname(join(content, file)), { recursive: true });
  writeFileSync(join(content, file), text);
}

test('a release of the same content keeps every revision and history of a stored ledger', async () => {
  const inbox = await openInbox(join(folder, 'inbox.db'));
  await saveLedger(inbox, {
    revisions: new Map(stored.revisions),
    slugs: stored.slugs,
    histories: new Map(stored.histories.map((history) => [history.id, history])),
  });
  const loaded = await loadLedger(inbox);
  await inbox.close();
  const later_ms = stored.now_ms + 60_000;
  const dataset = updateHistories(loadDataset(content, loaded, later_ms), later_ms);
  const { ledger } = dataset;
  // The certainty of this event was wrong: it said `confirmed` before its dates were published.
  const sortById = <T>(entries: Iterable<readonly [string, T]>) =>
    [...entries]
      .filter(([id]) => !id.startsWith('ev_v6gbg7v7ex'))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  expect(sortById(ledger.revisions)).toEqual(sortById(loaded.revisions));
  // These events lost past dates of old rules, which no source confirms (contract 6.2).
  const published = new Set(dataset.occurrences.map(({ id }) => id));
  const lost_dates = new Set(
    [...loaded.revisions.keys()].flatMap((id) => {
      const [event = id, start] = id.split('-');
      return start === undefined || published.has(id) ? [] : [event];
    }),
  );
  expect(lost_dates.size).toBeLessThan(loaded.histories.size / 5);
  const keepDated = (histories: Ledger['histories']) =>
    sortById(histories)
      .filter(([id]) => !lost_dates.has(id))
      // Histories of that time had no `dates`.
      .map(([id, { dates: _, ...history }]) => [id, history]);
  expect(keepDated(ledger.histories)).toEqual(keepDated(loaded.histories));
});
