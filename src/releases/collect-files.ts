// The list of what a folder serves, its files and their compressed forms stored on the way.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { listFiles } from './digests.ts';
import { toContentType, toFileAddress, toTag } from './file-facts.ts';
import { isStored, storeBytes } from './file-store.ts';
import type { FileEntry } from './manifest.ts';
import { compress } from './precompress.ts';

/** The files of the release before, by path. */
export type Earlier = ReadonlyMap<string, FileEntry>;

export interface CollectOrder {
  readonly store_dir: string;
  /** What is stored already; null where nothing is. */
  readonly earlier: Earlier | null;
  /** Dates what is new. */
  readonly now_ms: number;
}

/** An entry dated by when a release first had these bytes at this address. */
export function toDated(entry: FileEntry, { earlier, now_ms }: CollectOrder): FileEntry {
  const found = earlier?.get(entry.path);
  const last_modified_ms = found?.tag === entry.tag ? found.last_modified_ms : now_ms;
  return { ...entry, last_modified_ms };
}

/** Stores the file at a path; `file` is its path from the root of the site. */
export function collectFile(order: CollectOrder, path: string, file: string): FileEntry {
  const { store_dir, earlier, now_ms } = order;
  const bytes = readFileSync(path);
  const [tag, type, address] = [toTag(bytes), toContentType(file), toFileAddress(file)];
  const same = earlier?.get(address);
  const { size, encodings } =
    same?.tag === tag && isStored(store_dir, same)
      ? same
      : storeBytes(store_dir, tag, bytes, compress(type, bytes));
  return toDated({ path: address, type, tag, size, encodings, last_modified_ms: now_ms }, order);
}

/** Stores every file below a folder and lists them in the order of their names. */
export const collectFiles = (order: CollectOrder, root: string): FileEntry[] =>
  listFiles(root).map((path) => collectFile(order, path, relative(root, path)));
