// Letting a release serve: under the lock that only one has at a time, first its name, then the ledger,
// then data/current. Whoever is killed between leaves the one before serving, whole.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../domain/ledger.ts';
import { writeLedger } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { syncFolder } from './durable-file.ts';
import { type Layout, readCurrent, writeCurrent } from './layout.ts';

/** A release that is made, in a folder that is none of a release yet. */
export interface Finished {
  readonly id: string;
  readonly dir: string;
  /** What it tells that was not told before. */
  readonly ledger: Ledger;
  /** What was told before, as it was read here; nothing where that is not known. */
  readonly before?: Ledger;
}

/** Gives it its name among the releases; it does not serve yet. */
export function place(layout: Layout, { id, dir }: Pick<Finished, 'id' | 'dir'>): string {
  const placed = join(layout.releases_dir, id);
  renameSync(dir, placed);
  syncFolder(layout.releases_dir);
  return placed;
}

/**
 * Lets it serve. First the ledger: a change that was published must never be taken for a new one by
 * the next release.
 */
export function publish(layout: Layout, inbox: Inbox, finished: Finished): void {
  const { id, dir, ledger, before } = finished;
  const placed = place(layout, finished);
  try {
    writeLedger(inbox, ledger, before);
    writeCurrent(layout, id);
  } catch (thrown) {
    // It never served: nobody may go back to it.
    if (readCurrent(layout) !== id) renameSync(placed, dir);
    throw thrown;
  }
}
