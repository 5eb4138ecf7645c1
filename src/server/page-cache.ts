// Page cache: stores rendered pages in memory up to a limit. The warm-up, which renders the most
// visited pages after a build, also writes them as files, each with its compressed encodings. The
// key is a digest of all inputs of a page, so an entry is never out of date.
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import {
  compress,
  isCompressible,
  type Representation,
  computeTag,
} from '../http/representation.ts';
import { PRECOMPRESSED_CODINGS, type ContentCoding } from '../http/negotiation.ts';

/** Size of the pages in memory, including their compressed encodings. */
const MAX_MEMORY_BYTES = 48 * 1024 * 1024;

/** Encoding of a page: compressed with a content coding, or `identity`, its plain bytes. */
type Encoding = ContentCoding | 'identity';
const ENCODINGS: readonly Encoding[] = ['identity', ...PRECOMPRESSED_CODINGS];

/**
 * First line of a cache file; the encodings follow in the order of ENCODINGS, without separators.
 */
const FileHeaderSchema = v.object({
  headers: v.record(v.string(), v.string()),
  /** Digest of the plain bytes, for the ETag. */
  tag: v.string(),
  /** Epoch ms of the first rendering of these bytes. */
  last_modified_ms: v.number(),
  /** CRC-32 of all encodings, which detects disk errors and truncated files. */
  checksum: v.number(),
  /** Bytes of each encoding. An encoding that is larger than the plain bytes is absent. */
  sizes: v.partial(
    v.object({ identity: v.number(), br: v.number(), zstd: v.number(), gzip: v.number() }),
  ),
});

/** Gets the page of a key, or renders it once for all concurrent requests. */
export type PageCache = (
  cacheKey: () => string,
  render: () => Promise<Representation>,
) => Promise<Representation>;

/** Computes a key from all inputs of a page. */
export const pageCacheKey = (...inputs: readonly string[]): string =>
  hash('sha256', inputs.join('\n'), 'base64url').slice(0, 22);

const cacheFile = (dir: string, key: string): string => join(dir, key.slice(0, 1), key);

/** Creates a page cache. @param dir Folder of the cache files. */
export function createPageCache(dir: string): PageCache {
  const memory = new LRUCache<string, Representation>({
    maxSize: MAX_MEMORY_BYTES,
    // Estimate: the plain bytes, their compressed encodings, and the headers.
    sizeCalculation: ({ size }) => 2 * size + 1024,
  });
  const renders = new Map<string, Promise<Representation>>();
  return async (cacheKey, render) => {
    const key = cacheKey();
    const cached = memory.get(key);
    if (cached) return cached;
    let page = readCachedPage(cacheFile(dir, key));
    if (page === null) {
      const pending = renders.get(key) ?? render().finally(() => renders.delete(key));
      renders.set(key, pending);
      page = await pending;
    }
    // Errors and redirects are rendered each time: a cached error would outlive its cause.
    if (page.status === 200) memory.set(key, page);
    return page;
  };
}

/** Reads a cache file. @returns null if it is missing or damaged. */
function readCachedPage(path: string): Representation | null {
  try {
    const bytes = readFileSync(path);
    const header_end = bytes.indexOf('\n');
    const { headers, tag, last_modified_ms, checksum, sizes } = v.parse(
      FileHeaderSchema,
      JSON.parse(bytes.toString('utf8', 0, header_end)),
    );
    const ranges = new Map<Encoding, readonly [start: number, end: number]>();
    let offset = header_end + 1;
    for (const encoding of ENCODINGS) {
      const size = sizes[encoding];
      if (size === undefined) continue;
      ranges.set(encoding, [offset, offset + size]);
      offset += size;
    }
    if (offset !== bytes.length || crc32(bytes.subarray(header_end + 1)) !== checksum) return null;
    return {
      status: 200,
      headers,
      tag,
      last_modified_ms,
      codings: PRECOMPRESSED_CODINGS.filter((coding) => ranges.has(coding)),
      size: sizes.identity ?? 0,
      read: (encoding) => bytes.subarray(...(ranges.get(encoding) ?? [0, 0])),
    };
  } catch {
    return null;
  }
}

/**
 * Updates the time of a cache file, so that it is not pruned.
 * @returns false if it is missing or damaged.
 */
export function touchCachedPage(dir: string, key: string, now_ms: number): boolean {
  const path = cacheFile(dir, key);
  if (readCachedPage(path) === null) return false;
  const now = new Date(now_ms);
  utimesSync(path, now, now);
  return true;
}

/** Writes a page with its compressed encodings to a cache file, atomically. */
export async function writeCachedPage(
  dir: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  now_ms: number,
): Promise<void> {
  const encodings = new Map<Encoding, Buffer>([['identity', bytes]]);
  if (isCompressible(headers['content-type'] ?? '', bytes.length))
    for (const coding of PRECOMPRESSED_CODINGS) {
      const compressed = await compress(bytes, coding, 'best');
      if (compressed.length < bytes.length) encodings.set(coding, compressed);
    }
  const body = Buffer.concat(ENCODINGS.flatMap((encoding) => encodings.get(encoding) ?? []));
  const header: v.InferInput<typeof FileHeaderSchema> = {
    headers,
    tag: computeTag(bytes),
    last_modified_ms: now_ms,
    checksum: crc32(body),
    sizes: Object.fromEntries([...encodings].map(([encoding, { length }]) => [encoding, length])),
  };
  const path = cacheFile(dir, key);
  mkdirSync(dirname(path), { recursive: true });
  const temporary_path = `${path}.${process.pid}.part`;
  writeFileSync(temporary_path, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
  renameSync(temporary_path, path);
}

/** Removes cache files that were not written or touched since `before_ms`. */
export function pruneCachedPages(dir: string, before_ms: number): void {
  if (!existsSync(dir)) return;
  for (const folder of readdirSync(dir))
    for (const name of readdirSync(join(dir, folder))) {
      const path = join(dir, folder, name);
      const used_ms = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before_ms;
      if (used_ms < before_ms) rmSync(path, { force: true });
    }
}
