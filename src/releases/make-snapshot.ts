// The first half of a build: sources to a checked snapshot, compared with the one that serves.
import type { Config } from '../config.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Dataset } from '../domain/dataset.ts';
import { buildSnapshot, type SnapshotCounts } from '../snapshot/build.ts';
import { checkSnapshot } from '../snapshot/check.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';
import { readDataset } from '../sources/read-dataset.ts';
import { readLedger } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { type Changes, compareWithServing } from './compare.ts';
import type { Layout, ReleasePaths } from './layout.ts';
import { runStep, type Say } from './progress.ts';
import { refuse } from './refuse.ts';

export interface SnapshotOrder {
  readonly config: Config;
  readonly now_ms: number;
  /** Whether a great loss of events is meant. */
  readonly allow_loss: boolean;
  readonly say: Say;
}

export interface MadeSnapshot {
  readonly counts: SnapshotCounts;
  /** To be written when the release serves. */
  readonly ledger: Ledger;
  readonly changes: Changes;
}

/**
 * Writes `paths.snapshot`. Throws with every fault of the sources, or of the snapshot, or where it
 * loses too much.
 */
export async function makeSnapshot(
  { config, now_ms, allow_loss, say }: SnapshotOrder,
  layout: Layout,
  paths: ReleasePaths,
  inbox: Inbox,
): Promise<MadeSnapshot> {
  const records = readInboxRecords(inbox);
  for (const row of records.left_out)
    say(`  left out, for it does not pass the schema any more: ${row}`);
  const dataset = await runStep(
    say,
    () => readDataset(config.content_dir, readLedger(inbox), now_ms, records),
    toDatasetWords,
  );
  const counts = await runStep(
    say,
    () => buildSnapshot(paths.snapshot, dataset, now_ms),
    (made) => `snapshot of ${made.occurrences} dates`,
  );
  refuse('snapshot', checkSnapshot(paths.snapshot, counts));
  const { changes, loss } = compareWithServing(layout, paths.snapshot);
  if (loss !== null && !allow_loss) throw new Error(loss);
  return { counts, ledger: dataset.ledger, changes };
}

const toDatasetWords = (dataset: Dataset): string =>
  `sources: ${dataset.events.length} events, ${dataset.venues.length} venues, ${dataset.organizers.length} organizers, ${dataset.notices.length} notices`;
