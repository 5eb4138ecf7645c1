// Whether a backup is still what it was: every file there, of its size and digest, and no other.
import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { digestFile, listFiles } from '../releases/digests.ts';
import { type Backup, LIST_FILE } from './backup-folder.ts';

/** Throws one sentence that names every file that is not as it was. */
export function checkBackup({ dir, list }: Backup): void {
  const issues = list.files.flatMap(({ path, size, digest }) => {
    const full = join(dir, path);
    if (!existsSync(full)) return [`${path} is missing`];
    const is_same = statSync(full).size === size && digestFile(full) === digest;
    return is_same ? [] : [`${path} is not as it was written`];
  });
  const known = new Set([LIST_FILE, ...list.files.map(({ path }) => path)]);
  for (const path of listFiles(dir).map((full) => relative(dir, full)))
    if (!known.has(path)) issues.push(`${path} was not part of it`);
  if (issues.length > 0)
    throw new Error(`The backup ${dir} is damaged. Take another one:\n  ${issues.join('\n  ')}`);
}
