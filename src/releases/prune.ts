// Old releases go; the newest stay, and whichever serves.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pruneFiles } from './file-store.ts';
import { isReleaseId, type Layout, readCurrent, toReleasePaths } from './layout.ts';

/** Releases on disk: enough to go back to, few enough for a small disk. */
export const KEPT_RELEASES = 5;

/** The ids of all releases on disk, the one that was finished last first. */
export function listReleases(layout: Layout): string[] {
  if (!existsSync(layout.releases_dir)) return [];
  const finished = readdirSync(layout.releases_dir)
    .filter(isReleaseId)
    .flatMap((id) => {
      const found = statSync(join(layout.releases_dir, id), { throwIfNoEntry: false });
      return found ? [{ id, time_ms: found.mtimeMs }] : [];
    });
  return finished
    .sort((a, b) => b.time_ms - a.time_ms || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

/** Removes all but the newest KEPT_RELEASES and the current one, with the files that only those had; gives the ids of what went. */
export function pruneReleases(layout: Layout): string[] {
  const current = readCurrent(layout);
  const old = listReleases(layout)
    .slice(KEPT_RELEASES)
    .filter((id) => id !== current);
  for (const id of old) removeFolder(join(layout.releases_dir, id));
  if (old.length > 0)
    pruneFiles(
      layout.files_dir,
      listReleases(layout).map((id) => toReleasePaths(join(layout.releases_dir, id)).files),
    );
  return old;
}

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
