// Old releases go; the newest stay, and whichever serves.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pruneFiles } from './file-store.ts';
import { isReleaseId, type Layout, readCurrent, toReleasePaths } from './layout.ts';
import { readReleaseFacts } from './release-facts.ts';

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

/** Removes all but the newest KEPT_RELEASES that were built, the last amended ones and the current one, with the files that only those had; gives the ids of what went. */
export function pruneReleases(layout: Layout): string[] {
  const current = readCurrent(layout);
  const built = listReleases(layout).filter((id) => !isAmended(layout, id));
  const old = [...built.slice(KEPT_RELEASES), ...listOldAmended(layout)].filter(
    (id) => id !== current,
  );
  for (const id of old) removeFolder(join(layout.releases_dir, id));
  if (old.length > 0)
    pruneFiles(
      layout.files_dir,
      listReleases(layout).map((id) => toReleasePaths(join(layout.releases_dir, id)).files),
    );
  return old;
}

/** What serves and what served until now: a process may still be answering from that. */
const KEPT_AMENDED = 2;

/** Amended releases that may go: each is made again where somebody goes back to what it was made of. */
const listOldAmended = (layout: Layout): string[] =>
  listReleases(layout)
    .filter((id) => isAmended(layout, id))
    .slice(KEPT_AMENDED)
    .filter((id) => id !== readCurrent(layout));

/** Removes them; their files stay until the next build. */
export function pruneAmended(layout: Layout): void {
  for (const id of listOldAmended(layout)) removeFolder(join(layout.releases_dir, id));
}

function isAmended(layout: Layout, id: string): boolean {
  try {
    const { facts } = toReleasePaths(join(layout.releases_dir, id));
    return readReleaseFacts(facts).amends !== undefined;
  } catch {
    return false;
  }
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
  // Another process may remove it too.
  if (!existsSync(path)) return;
  renameSync(path, old);
  rmSync(old, { recursive: true, force: true });
}

/** Removes what builds that were killed have left. To be called by whoever holds the lock. */
export function sweepLeftovers(layout: Layout): void {
  rmSync(layout.building_dir, { recursive: true, force: true });
  rmSync(layout.trial_dir, { recursive: true, force: true });
  for (const name of readdirSync(layout.releases_dir)) {
    if (name.startsWith(OLD))
      rmSync(join(layout.releases_dir, name), { recursive: true, force: true });
  }
  for (const name of readdirSync(layout.data_dir))
    if (BESIDE.test(name)) rmSync(join(layout.data_dir, name), { force: true });
}
