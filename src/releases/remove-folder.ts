// Folders that go: renamed first, so that no release is ever half there, and what an ended process
// left is swept.
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Layout } from './layout.ts';

const OLD = '.old-';
/** What writeDurably leaves where it is killed between writing and renaming. */
const BESIDE = /^(current|release-requested|last-build\.json)\.\d+\.tmp$/;

/**
 * Removes a folder of releases; whoever is killed meanwhile leaves nothing that looks like a
 * release.
 */
export function removeFolder(path: string): void {
  const old = join(dirname(path), `${OLD}${basename(path)}`);
  renameSync(path, old);
  rmSync(old, { recursive: true, force: true });
}

/** Removes what builds that were killed have left. To be called by whoever holds the lock. */
export function sweepLeftovers(layout: Layout): void {
  rmSync(layout.building_dir, { recursive: true, force: true });
  for (const name of readdirSync(layout.releases_dir)) {
    if (name.startsWith(OLD))
      rmSync(join(layout.releases_dir, name), { recursive: true, force: true });
  }
  for (const name of readdirSync(layout.data_dir))
    if (BESIDE.test(name)) rmSync(join(layout.data_dir, name), { force: true });
}
