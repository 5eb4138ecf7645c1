// Page cache: stores rendered pages in memory up to a limit. The warm-up, which renders the most
// visited pages after a build, also writes them as files, each with its compressed encodings, within
// limits of their own. The key is a digest of all inputs of a page, so an entry is never out of date.
import { hash } from 'node:crypto';
import {
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
import { hasFreeSpace, RESERVE_BYTES } from '../inbox/data-folder.ts';
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

/** File systems store files in blocks of this size. */
const BLOCK_BYTES = 4096;
const sizeOnDisk = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

interface CacheFile {
  readonly path: string;
  /** On the disk, in bytes. */
  readonly size: number;
  /** Time of its last listing by a warm-up, or of its rendering. */
  readonly used_ms: number;
}

/** Lists the cache files, the least recently used first. */
function listCacheFiles(dir: string): readonly CacheFile[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .flatMap((name) => {
      const path = join(dir, name);
      // Another warm-up may have removed it meanwhile.
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats?.isFile()
        ? [{ path, size: sizeOnDisk(stats.size), used_ms: stats.mtimeMs }]
        : [];
    })
    .sort((a, b) => a.used_ms - b.used_ms);
}

export interface CacheFileLimits {
  readonly max_bytes: number;
  /** Time of the file system, which may differ from the time of the pages. */
  readonly now_ms: number;
  /** Tells if the disk has this many bytes besides the reserve for senders. */
  readonly hasSpace?: (bytes: number) => boolean;
}

/** Files that no warm-up has listed for this long are removed. */
const UNUSED_MS = 36 * 3_600_000;
/** Suffix of a file that is being written. */
const PART_SUFFIX = '.part';

/**
 * Opens the cache files for a warm-up, which lists the pages of a release, the most visited first.
 * To stay within the limits, the least recently used files of other releases leave first.
 */
export function openCacheFiles(dir: string, limits: CacheFileLimits) {
  const { max_bytes, now_ms } = limits;
  const unused_before_ms = now_ms - UNUSED_MS;
  const { hasSpace = (bytes: number) => hasFreeSpace(dir, RESERVE_BYTES + bytes) } = limits;
  mkdirSync(dir, { recursive: true });
  /** Paths and sizes of the files of this release, in the order of the list. */
  const listed = new Map<string, number>();
  let others: CacheFile[] = [];
  let total_bytes = 0;
  const scan = (): void => {
    const files = listCacheFiles(dir);
    total_bytes = files.reduce((sum, { size }) => sum + size, 0);
    const isBeingWritten = ({ path, used_ms }: CacheFile): boolean =>
      path.endsWith(PART_SUFFIX) && used_ms >= unused_before_ms;
    others = files.filter((file) => !listed.has(file.path) && !isBeingWritten(file));
  };
  const remove = (path: string, size: number): void => {
    rmSync(path, { force: true });
    total_bytes -= size;
  };
  /** @returns false if there are no files of other releases. */
  const removeOldest = (): boolean => {
    const oldest = others.shift();
    if (oldest !== undefined && !listed.has(oldest.path)) remove(oldest.path, oldest.size);
    return oldest !== undefined;
  };
  const exceedsLimits = (bytes: number): boolean =>
    total_bytes + bytes > max_bytes || !hasSpace(bytes);
  scan();
  return {
    /** Lists a page that is in the cache. @returns false if its file is missing or damaged. */
    list: (key: string): boolean => {
      const path = cacheFile(dir, key);
      if (readCachedPage(path) === null) return false;
      const now = new Date(now_ms);
      utimesSync(path, now, now);
      listed.set(path, sizeOnDisk(statSync(path).size));
      return true;
    },
    /** Adds a page with its compressed encodings. @returns false if there is no room for it. */
    add: async (key: string, page: RenderedPage): Promise<boolean> => {
      const path = cacheFile(dir, key);
      const bytes = await serializePage(page);
      const size = sizeOnDisk(bytes.length);
      while (exceedsLimits(size)) if (!removeOldest()) return false;
      writeAtomically(path, bytes);
      total_bytes += size;
      listed.set(path, size);
      return true;
    },
    /** Removes unused files, and those beyond the limits: of this release, those listed last. */
    prune: (): void => {
      // Another warm-up may have added files.
      scan();
      while ((others[0]?.used_ms ?? unused_before_ms) < unused_before_ms) removeOldest();
      const last_first = [...listed].reverse();
      while (exceedsLimits(0) && !removeOldest() && last_first.length > 0) {
        const [path, size] = last_first.shift() ?? ['', 0];
        remove(path, size);
      }
    },
  };
}

interface RenderedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Time of the rendering. */
  readonly now_ms: number;
}

/** Serializes a page with its compressed encodings as a cache file. */
async function serializePage({ headers, body, now_ms }: RenderedPage): Promise<Buffer> {
  const encodings = new Map<Encoding, Buffer>([['identity', body]]);
  if (isCompressible(headers['content-type'] ?? '', body.length))
    for (const coding of PRECOMPRESSED_CODINGS) {
      const compressed = await compress(body, coding, 'best');
      if (compressed.length < body.length) encodings.set(coding, compressed);
    }
  const content = Buffer.concat(ENCODINGS.flatMap((encoding) => encodings.get(encoding) ?? []));
  const header: v.InferInput<typeof FileHeaderSchema> = {
    headers,
    tag: computeTag(body),
    last_modified_ms: now_ms,
    checksum: crc32(content),
    sizes: Object.fromEntries([...encodings].map(([encoding, { length }]) => [encoding, length])),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), content]);
}

function writeAtomically(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary_path = `${path}.${process.pid}${PART_SUFFIX}`;
  try {
    writeFileSync(temporary_path, bytes);
    renameSync(temporary_path, path);
  } catch (thrown) {
    rmSync(temporary_path, { force: true });
    throw thrown;
  }
}
