// Before serving: a release that this code can serve is there, or is built while one watches.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readCurrent } from '../releases/current.ts';
import { digestMakers } from '../releases/digests.ts';
import { toLayout, toReleasePaths } from '../releases/layout.ts';
import { linkPackages } from '../releases/link-packages.ts';
import { readReleaseFacts } from '../releases/release-facts.ts';
import { spawnRelease } from '../releases/spawn-release.ts';
import { closeSnapshot, openSnapshot } from '../snapshot/open.ts';

/** Why a release must be built before anything can be served; null where the current one does. */
function findReason(config: Config): string | null {
  const layout = toLayout(config.data_dir);
  const id = readCurrent(layout);
  if (id === null) return 'There is no release yet: building the first one.';
  const paths = toReleasePaths(join(layout.releases_dir, id));
  try {
    const { made_with } = readReleaseFacts(paths.facts);
    closeSnapshot(openSnapshot(paths.snapshot));
    return made_with === digestMakers(config) ? null : 'The code or the address of the site has changed since the last release: building a new one.';
  } catch {
    return `Release ${id} cannot be opened: building a new one.`;
  }
}

/** Throws where a release is needed and cannot be built; the build has said why by then. */
export async function ensureRelease(config: Config, clock: () => number, say: (line: string) => void): Promise<void> {
  linkPackages(toLayout(config.data_dir));
  const reason = findReason(config);
  if (reason === null) return;
  say(reason);
  if (!await spawnRelease(clock(), config.clock_start !== null, true, say)) {
    throw new Error('No release could be built, so there is nothing to serve. What must be mended stands above');
  }
}
