// Whether a finished release is still as it was made: a disk may have failed, a hand may have
// slipped.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFileIssues } from './check-release.ts';
import { digestFile } from './digests.ts';
import { type Layout, toReleasePaths } from './layout.ts';
import { readManifest } from './manifest.ts';
import { listReleases } from './prune.ts';
import { type ReleaseFacts, readReleaseFacts } from './release-facts.ts';

/** What a release on disk is worth: its facts, or what is wrong with it, in words. */
export type Soundness =
  | { readonly facts: ReleaseFacts; readonly issue: null }
  | { readonly facts: null; readonly issue: string };

/** Looks at every byte of the snapshot and at the size of every file. Never throws. */
export async function inspectRelease(layout: Layout, id: string): Promise<Soundness> {
  const paths = toReleasePaths(join(layout.releases_dir, id));
  const unsound = (issue: string): Soundness => ({ facts: null, issue });
  if (!existsSync(paths.dir)) return unsound('it is not there');
  try {
    const facts = readReleaseFacts(paths.facts);
    if (digestFile(paths.snapshot) !== facts.snapshot) return unsound('its snapshot is damaged');
    if (!existsSync(paths.entry)) return unsound('its handler is missing');
    const files = await readManifest(paths.files);
    const [first] = findFileIssues(paths, files.values());
    return files.size === facts.files && first === undefined
      ? { facts, issue: null }
      : unsound(first ?? 'its list of files is cut');
  } catch (thrown) {
    return unsound(
      `it cannot be read (${thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown)})`,
    );
  }
}

/** The facts of the newest sound release for which `isFit` holds; null where there is none. */
export async function findSoundRelease(
  layout: Layout,
  isFit: (facts: ReleaseFacts) => boolean,
): Promise<ReleaseFacts | null> {
  for (const id of listReleases(layout)) {
    const { facts } = await inspectRelease(layout, id);
    if (facts !== null && isFit(facts)) return facts;
  }
  return null;
}
