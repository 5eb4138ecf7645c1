// Release content: loads the files of CONTENT_DIR or those stored in an older snapshot. Snapshots
// also store the parsed files, so that only changed ones are parsed again.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { PublishedContentIssue } from '../domain/health.ts';
import {
  createBuiltEventLookup,
  isOfThisTown,
  loadContentRows,
} from '../snapshot/snapshot-meta.ts';
import { formatIssue } from '../yaml.ts';
import { FOLDERS, type PreviousContent, NO_PREVIOUS_CONTENT } from '../sources/load-content.ts';
import { type DatasetOptions, loadDataset } from '../sources/build-dataset.ts';
import { type LenientContent, loadContentLeniently } from '../sources/load-content-leniently.ts';
import { TOWN } from '../town.ts';
import type { LogLine } from './build-log.ts';
import type { SnapshotFile } from './snapshots.ts';

/**
 * Opens the parsed content files of a snapshot, so that unchanged files need not be parsed again.
 * @param code Digest of this program version.
 */
export function openPreviousContent(snapshot: SnapshotFile | null, code: string): PreviousContent {
  if (snapshot === null) return NO_PREVIOUS_CONTENT;
  const rows = new Map(loadContentRows(snapshot.path).map((row) => [row.file, row]));
  // Another version of the program may parse the same file differently.
  const is_of_this_code = snapshot.meta.made_by === code;
  return {
    findEvent: is_of_this_code
      ? createBuiltEventLookup(snapshot.path)
      : NO_PREVIOUS_CONTENT.findEvent,
    find: (file) => {
      const row = rows.get(file);
      return row === undefined ? null : { ...row, value: JSON.parse(row.value), is_of_this_code };
    },
  };
}

const KeySchema = v.object({ key: v.string() });

/**
 * Checks the town of DATA_DIR. With data of another town, its addresses would disappear and its
 * decisions be mixed in.
 * @throws Error if DATA_DIR belongs to another town.
 */
export function assertSameTown(previous: PreviousContent): void {
  const town = v.safeParse(KeySchema, previous.find('town.yml')?.value);
  if (town.success && town.output.key !== TOWN.key)
    throw new Error(
      `DATA_DIR belongs to ${town.output.key}. Set another DATA_DIR for ${TOWN.key}: each town needs its own`,
    );
}

/**
 * Loads the content of a folder; an invalid file is replaced by its last valid version or left out.
 * @throws ContentError with all issues if `is_strict` and a file is invalid.
 */
export function loadReleaseContent(
  folder: string,
  options: DatasetOptions,
  previous: PreviousContent,
  is_strict: boolean,
): LenientContent {
  const content = loadContentLeniently(folder, options, previous);
  // A strict load reports all issues, without follow-up issues of files that were left out.
  if (is_strict && content.faults.length > 0)
    loadDataset(folder, options.ledger, options.now_ms, options.records, previous);
  return content;
}

/**
 * Writes the content files stored in a snapshot to a temporary folder, for the duration of `work`.
 * town.yml is the current one, because this process has loaded it. For a snapshot of another town,
 * zones and categories are the current ones too.
 */
export async function withSnapshotContent<T>(
  { path, meta }: SnapshotFile,
  content_dir: string,
  parent_dir: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(parent_dir, '.content-'));
  try {
    for (const kind of FOLDERS) mkdirSync(join(folder, kind));
    for (const { file, text } of loadContentRows(path)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    for (const file of ['town.yml', ...(isOfThisTown(meta) ? [] : ['zones.yml', 'categories.yml'])])
      cpSync(join(content_dir, file), join(folder, file));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Logs all content issues: `events/paseo.yml:12 when[0].start: must be …; left out, no valid
 * version exists`.
 */
export function logContentIssues(log: LogLine, issues: readonly PublishedContentIssue[]): void {
  if (issues.length === 0) return;
  const count = issues.length === 1 ? '1 issue' : `${issues.length} issues`;
  log(`  ATTENTION: the content has ${count}; all other files are used:`);
  for (const issue of issues) {
    const effect = issue.is_left_out
      ? 'left out, no valid version exists'
      : 'still using the last valid version';
    log(`    ${formatIssue(issue)}; ${effect}`);
  }
}
