// The list of what a release serves, with the compressed forms made on the way.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { listFiles } from './digests.ts';
import type { FileEntry } from './manifest.ts';
import { compressFile, isWorthCompressing, reuseCompressed } from './precompress.ts';

/** Files worked on at the same time; compression runs on as many threads. */
const AT_ONCE = 4;
const TAG_LENGTH = 22;

/** The release before: what did not change keeps its date and its compressed forms. */
export interface Earlier {
  readonly client_dir: string;
  readonly files: ReadonlyMap<string, FileEntry>;
}

/**
 * Every file of `client_dir`, in the order of their names. `now_ms` dates what is new; `onFile`
 * counts along.
 */
export async function collectFiles(
  client_dir: string,
  earlier: Earlier | null,
  now_ms: number,
  onFile: (done: number, of: number) => void,
): Promise<FileEntry[]> {
  const paths = listFiles(client_dir);
  const entries: FileEntry[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < paths.length; index = next++) {
      const path = paths[index] ?? '';
      entries[index] = await toEntry(client_dir, path, earlier, now_ms);
      onFile(++done, paths.length);
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
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_LENGTH);
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

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.ics': 'text/calendar; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.geojson': 'application/geo+json; charset=utf-8',
  '.sqlite': 'application/vnd.sqlite3',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Files under the names that their readers look for (llmstxt.org; sha256sum). */
const NAMED: Readonly<Record<string, string>> = {
  'llms.txt': 'text/markdown; charset=utf-8',
  SHA256SUMS: 'text/plain; charset=utf-8',
};

/** The type of a file; an unknown ending is bytes and nothing more. */
export function toContentType(file: string): string {
  return NAMED[basename(file)] ?? TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
}

/** The address of a file of site/client: pages without `.html`, `index.html` as its folder. */
export function toFileAddress(file: string): string {
  const path = `/${file}`;
  if (path.endsWith('/index.html')) return path.slice(0, -'/index.html'.length) || '/';
  return path.endsWith('.html') ? path.slice(0, -'.html'.length) : path;
}
