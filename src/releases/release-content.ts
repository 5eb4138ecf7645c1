// The content of a release: the files of CONTENT_DIR, or those that an older snapshot was made of. What
// each of them came to stands in the snapshot that serves, so that only what changed is parsed.
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

export function openPreviousContent(snapshot: SnapshotFile | null, code: string): PreviousContent {
  if (snapshot === null) return NO_PREVIOUS_CONTENT;
  const rows = new Map(loadContentRows(snapshot.path).map((row) => [row.file, row]));
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

/** Throws where another town has published here: its addresses would be gone, and its decisions this one's. */
export function assertSameTown(kept: PreviousContent): void {
  const last = v.safeParse(KeySchema, kept.find('town.yml')?.value);
  if (last.success && last.output.key !== TOWN.key)
    throw new Error(
      `DATA_DIR is that of ${last.output.key}. Give ${TOWN.key} another: a town has its own`,
    );
}

/** The content of a folder as far as it is good; where faults are not suffered, all of it or an Error. */
export function loadReleaseContent(
  folder: string,
  order: DatasetOptions,
  kept: PreviousContent,
  is_strict: boolean,
): LenientContent {
  const read = loadContentLeniently(folder, order, kept);
  // What is named by a file that is left out is no fault of its own: all of them are said.
  if (is_strict && read.faults.length > 0)
    loadDataset(folder, order.ledger, order.now_ms, order.records, kept);
  return read;
}

/**
 * Does something with the content that a snapshot was made of, in a folder that goes afterwards. Only town.yml is that of
 * now, as this process has read it; of a snapshot of another town also its lists of keys.
 */
export async function withSnapshotContent<T>(
  { path, meta }: SnapshotFile,
  content_dir: string,
  beside: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(beside, '.content-'));
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

/** Says every fault: `events/paseo.yml:12 when[0].start: must be …; left out, for it never was good`. */
export function logContentIssues(say: LogLine, faults: readonly PublishedContentIssue[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  say(`  ATTENTION: the content has ${count}, and all else goes on:`);
  for (const fault of faults) {
    const end = fault.is_left_out ? 'left out, for it never was good' : 'what it last said stands';
    say(`    ${formatIssue(fault)}; ${end}`);
  }
}
