// The checks a release passes before it may serve: the snapshot opens, what must be there is there,
// both languages of it.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { closeSnapshot, openSnapshot } from '../snapshot/open.ts';
import type { ReleasePaths } from './layout.ts';
import { CODING_ENDINGS, type FileEntry } from './manifest.ts';

/**
 * The faults of a built release; none where it may serve. `required`: addresses that must be among
 * its files.
 */
export function checkRelease(
  paths: ReleasePaths,
  files: readonly FileEntry[],
  required: readonly string[],
): string[] {
  const issues: string[] = [];
  if (!existsSync(paths.entry))
    issues.push('site: the handler for what is rendered on demand is missing');
  const addresses = new Set(files.map((entry) => entry.path));
  if (addresses.size !== files.length)
    issues.push(`site: ${files.length - addresses.size} addresses are there twice`);
  for (const path of required) if (!addresses.has(path)) issues.push(`site: ${path} is missing`);
  issues.push(...findFileIssues(paths, files));
  try {
    closeSnapshot(openSnapshot(paths.snapshot));
  } catch (cause) {
    issues.push(`snapshot: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return issues;
}

/** Files that are missing or not as long as they were written. */
export function findFileIssues(paths: ReleasePaths, files: Iterable<FileEntry>): string[] {
  return [...files]
    .filter((entry) => !hasItsSizes(paths.client, entry))
    .map((entry) => `site: ${entry.file} is not as it was written`);
}

function hasItsSizes(client_dir: string, entry: FileEntry): boolean {
  const path = join(client_dir, entry.file);
  const sizes: readonly (readonly [string, number | undefined])[] = [
    ['', entry.size],
    [CODING_ENDINGS.br, entry.encodings.br],
    [CODING_ENDINGS.gzip, entry.encodings.gzip],
    [CODING_ENDINGS.zstd, entry.encodings.zstd],
  ];
  return sizes.every(
    ([ending, size]) =>
      size === undefined || statSync(`${path}${ending}`, { throwIfNoEntry: false })?.size === size,
  );
}
