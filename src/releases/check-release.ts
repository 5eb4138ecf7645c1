// The checks a release passes before it may serve, and whether a finished one is still as it was
// made: a disk may have failed, a person may have changed a file.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { digestFile } from './digests.ts';
import { type Layout, type ReleasePaths, toReleasePaths } from './layout.ts';
import { isStored } from './file-store.ts';
import { type FileEntry, readManifest } from './manifest.ts';
import { listReleases } from './prune.ts';
import { readReleaseFacts, type ReleaseFacts } from './release-facts.ts';

/**
 * What is wrong with the site of a built release; nothing where it may serve. `required`: addresses that must be among
 * its files; `unseen`: those of its files that nobody has looked at yet.
 */
export function checkRelease(
  paths: ReleasePaths,
  files: readonly FileEntry[],
  required: readonly string[],
  unseen: readonly FileEntry[] = files,
): string[] {
  const issues: string[] = [];
  if (!existsSync(paths.entry))
    issues.push('site: the handler for what is rendered on demand is missing');
  const addresses = new Set(files.map((entry) => entry.path));
  if (addresses.size !== files.length)
    issues.push(`site: ${files.length - addresses.size} addresses are there twice`);
  for (const path of required) if (!addresses.has(path)) issues.push(`site: ${path} is missing`);
  issues.push(...findFileIssues(paths, unseen));
  return issues;
}

/** Files that are missing or not as long as they were written. */
const findFileIssues = ({ store }: ReleasePaths, files: Iterable<FileEntry>): string[] =>
  [...files]
    .filter((entry) => !isStored(store, entry))
    .map((entry) => `site: ${entry.path} is not as it was written`);

/** Whether the snapshot of a release is there, and as it was built. */
export function hasItsSnapshot({ snapshot }: ReleaseFacts, paths: ReleasePaths): boolean {
  try {
    return digestFile(paths.snapshot) === snapshot;
  } catch {
    return false;
  }
}

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
    if (!hasItsSnapshot(facts, paths)) return unsound('its snapshot is damaged');
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
