// Old releases go; the newest stay, and whichever serves.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readCurrent } from './current.ts';
import { isReleaseId, type Layout } from './layout.ts';
import { removeFolder } from './remove-folder.ts';

/** Releases kept: enough to go back to, few enough for a small disk. */
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

/** Removes all but the newest KEPT_RELEASES and the current one; gives the ids of what went. */
export function pruneReleases(layout: Layout): string[] {
  const current = readCurrent(layout);
  const old = listReleases(layout)
    .slice(KEPT_RELEASES)
    .filter((id) => id !== current);
  for (const id of old) removeFolder(join(layout.releases_dir, id));
  return old;
}
