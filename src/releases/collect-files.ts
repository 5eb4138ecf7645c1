// The list of what a release serves, with the compressed forms made on the way.
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { listFiles } from './digests.ts';
import { toContentType, toFileAddress, toTag } from './file-facts.ts';
import type { FileEntry } from './manifest.ts';
import { compressFile, isWorthCompressing, reuseCompressed } from './precompress.ts';

/** Files worked on at the same time; compression runs on as many threads. */
const AT_ONCE = 4;

/** The release before: what did not change keeps its date and its compressed forms. */
export interface Earlier {
  readonly client_dir: string;
  readonly files: ReadonlyMap<string, FileEntry>;
}

/**
 * Every file of `client_dir`, or of the folder `within` it, in the order of their names. `now_ms`
 * dates what is new.
 */
export async function collectFiles(
  client_dir: string,
  earlier: Earlier | null,
  now_ms: number,
  within = '',
): Promise<FileEntry[]> {
  const paths = listFiles(join(client_dir, within));
  const entries: FileEntry[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < paths.length; index = next++) {
      const path = paths[index] ?? '';
      entries[index] = await toEntry(client_dir, path, earlier, now_ms);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return entries;
}

async function toEntry(
  client_dir: string,
  path: string,
  earlier: Earlier | null,
  now_ms: number,
): Promise<FileEntry> {
  const file = relative(client_dir, path);
  const bytes = await readFile(path);
  const tag = toTag(bytes);
  const type = toContentType(file);
  const address = toFileAddress(file);
  const found = earlier?.files.get(address);
  const same = found?.tag === tag ? found : undefined;
  const is_reused =
    same !== undefined &&
    earlier !== null &&
    (await reuseCompressed(path, join(earlier.client_dir, same.file), same.encodings));
  const encodings = is_reused
    ? same.encodings
    : isWorthCompressing(type, bytes.length)
      ? await compressFile(path, bytes)
      : {};
  return {
    path: address,
    file,
    type,
    tag,
    size: bytes.length,
    encodings,
    last_modified_ms: same?.last_modified_ms ?? now_ms,
  };
}
