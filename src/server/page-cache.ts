// Rendered pages that are kept: in memory up to a bound, and as files, with their compressed forms, which
// the warmer writes. A key stands for all that a page is made of, so what is found is always true.
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

/** Bytes of pages in memory, with what they compress to. */
const MEMORY_BYTES = 48 * 1024 * 1024;

type Form = ContentCoding | 'identity';
const FORMS: readonly Form[] = ['identity', ...PRECOMPRESSED_CODINGS];

/** The first line of a kept file; the forms follow in their order. */
const HeadSchema = v.object({
  headers: v.record(v.string(), v.string()),
  tag: v.string(),
  /** Epoch ms: when these bytes were first made. */
  last_modified_ms: v.number(),
  /** CRC-32 of the forms: a disk that errs, or a file cut, is no page. */
  checksum: v.number(),
  sizes: v.partial(
    v.object({ identity: v.number(), br: v.number(), zstd: v.number(), gzip: v.number() }),
  ),
});

/** Gives the page that is kept under a key; else `make` is called, once for all who wait for it. */
export type PageCache = (
  /** To know what a page is made of is half of making it. */
  toKey: () => string,
  make: () => Promise<Representation>,
) => Promise<Representation>;

export const pageCacheKey = (...made_of: readonly string[]): string =>
  hash('sha256', made_of.join('\n'), 'base64url').slice(0, 22);

const toFile = (dir: string, key: string): string => join(dir, key.slice(0, 1), key);

export function createPageCache(dir: string): PageCache {
  const memory = new LRUCache<string, Representation>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ size }) => 2 * size + 1024,
  });
  const making = new Map<string, Promise<Representation>>();
  return async (toKey, make) => {
    const key = toKey();
    const known = memory.get(key);
    if (known) return known;
    let page = readPage(toFile(dir, key));
    if (page === null) {
      const made = making.get(key) ?? make().finally(() => making.delete(key));
      making.set(key, made);
      page = await made;
    }
    if (page.status === 200) memory.set(key, page);
    return page;
  };
}

function readPage(path: string): Representation | null {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf('\n');
    const { headers, tag, last_modified_ms, checksum, sizes } = v.parse(
      HeadSchema,
      JSON.parse(bytes.toString('utf8', 0, end)),
    );
    const forms = new Map<Form, readonly [from: number, until: number]>();
    let at = end + 1;
    for (const form of FORMS) {
      const size = sizes[form];
      if (size === undefined) continue;
      forms.set(form, [at, at + size]);
      at += size;
    }
    if (at !== bytes.length || crc32(bytes.subarray(end + 1)) !== checksum) return null;
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

/** Whether a page is kept as a file that can be read; dates it, so that it is not pruned. */
export function touchCachedPage(dir: string, key: string, now_ms: number): boolean {
  const path = toFile(dir, key);
  if (readPage(path) === null) return false;
  const now = new Date(now_ms);
  utimesSync(path, now, now);
  return true;
}

export async function writeCachedPage(
  dir: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  now_ms: number,
): Promise<void> {
  const forms = new Map<Form, Buffer>([['identity', bytes]]);
  if (isCompressible(headers['content-type'] ?? '', bytes.length))
    for (const coding of PRECOMPRESSED_CODINGS) {
      const coded = await compress(bytes, coding, 'well');
      if (coded.length < bytes.length) forms.set(coding, coded);
    }
  const body = Buffer.concat(FORMS.flatMap((form) => forms.get(form) ?? []));
  const head: v.InferInput<typeof HeadSchema> = {
    headers,
    tag: computeTag(bytes),
    last_modified_ms: now_ms,
    checksum: crc32(body),
    sizes: Object.fromEntries([...forms].map(([form, { length }]) => [form, length])),
  };
  const path = toFile(dir, key);
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.part`;
  writeFileSync(beside, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]));
  renameSync(beside, path);
}

export function pruneCachedPages(dir: string, before_ms: number): void {
  if (!existsSync(dir)) return;
  for (const folder of readdirSync(dir))
    for (const name of readdirSync(join(dir, folder))) {
      const path = join(dir, folder, name);
      const used_ms = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before_ms;
      if (used_ms < before_ms) rmSync(path, { force: true });
    }
}
