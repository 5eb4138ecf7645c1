// Page cache: stores rendered pages in memory up to a limit, and as files that the warm-up writes with compressed
// forms. The key is a digest of all inputs of a page, so an entry is never out of date.
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

/** Size of the pages in memory, including compressed forms. */
const MAX_MEMORY_BYTES = 48 * 1024 * 1024;

type EncodedForm = ContentCoding | 'identity';
const FORMS: readonly EncodedForm[] = ['identity', ...PRECOMPRESSED_CODINGS];

/** First line of a cache file; the forms follow in the order of FORMS. */
const FileHeaderSchema = v.object({
  headers: v.record(v.string(), v.string()),
  tag: v.string(),
  /** Epoch ms of the first rendering of these bytes. */
  last_modified_ms: v.number(),
  /** CRC-32 of the forms, which detects disk errors and truncated files. */
  checksum: v.number(),
  sizes: v.partial(
    v.object({ identity: v.number(), br: v.number(), zstd: v.number(), gzip: v.number() }),
  ),
});

/** Gets the page of a key, or renders it once for all concurrent requests. */
export type PageCache = (
  cacheKey: () => string,
  render: () => Promise<Representation>,
) => Promise<Representation>;

export const pageCacheKey = (...inputs: readonly string[]): string =>
  hash('sha256', inputs.join('\n'), 'base64url').slice(0, 22);

const cacheFile = (dir: string, key: string): string => join(dir, key.slice(0, 1), key);

export function createPageCache(dir: string): PageCache {
  const memory = new LRUCache<string, Representation>({
    maxSize: MAX_MEMORY_BYTES,
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
    if (page.status === 200) memory.set(key, page);
    return page;
  };
}

/** @returns null if the file is missing or damaged. */
function readCachedPage(path: string): Representation | null {
  try {
    const bytes = readFileSync(path);
    const header_end = bytes.indexOf('\n');
    const { headers, tag, last_modified_ms, checksum, sizes } = v.parse(
      FileHeaderSchema,
      JSON.parse(bytes.toString('utf8', 0, header_end)),
    );
    const forms = new Map<EncodedForm, readonly [start: number, end: number]>();
    let offset = header_end + 1;
    for (const form of FORMS) {
      const size = sizes[form];
      if (size === undefined) continue;
      forms.set(form, [offset, offset + size]);
      offset += size;
    }
    if (offset !== bytes.length || crc32(bytes.subarray(header_end + 1)) !== checksum) return null;
    return {
      status: 200,
      headers,
      tag,
      last_modified_ms,
      codings: PRECOMPRESSED_CODINGS.filter((coding) => forms.has(coding)),
      size: sizes.identity ?? 0,
      read: (form) => bytes.subarray(...(forms.get(form) ?? [0, 0])),
    };
  } catch {
    return null;
  }
}

/** Updates the time of a cache file, so that it is not pruned. @returns false if it is missing or damaged. */
export function touchCachedPage(dir: string, key: string, now_ms: number): boolean {
  const path = cacheFile(dir, key);
  if (readCachedPage(path) === null) return false;
  const now = new Date(now_ms);
  utimesSync(path, now, now);
  return true;
}

/** Writes a page with its compressed forms, atomically. */
export async function writeCachedPage(
  dir: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  now_ms: number,
): Promise<void> {
  const forms = new Map<EncodedForm, Buffer>([['identity', bytes]]);
  if (isCompressible(headers['content-type'] ?? '', bytes.length))
    for (const coding of PRECOMPRESSED_CODINGS) {
      const coded = await compress(bytes, coding, 'well');
      if (coded.length < bytes.length) forms.set(coding, coded);
    }
  const body = Buffer.concat(FORMS.flatMap((form) => forms.get(form) ?? []));
  const header: v.InferInput<typeof FileHeaderSchema> = {
    headers,
    tag: computeTag(bytes),
    last_modified_ms: now_ms,
    checksum: crc32(body),
    sizes: Object.fromEntries([...forms].map(([form, { length }]) => [form, length])),
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
