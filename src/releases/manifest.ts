// What files a release serves: one line of JSON for each, so that a big list is read in slices.
import { createReadStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';

/** A file that a release serves. */
export const FileEntrySchema = v.object({
  /** The address that it answers, decoded: `/fecha/2026-11-21`, `/_astro/a1b2.css`. */
  path: v.string(),
  type: v.string(),
  /** Stands for its bytes before any coding, and names them in the store: sha-256 in base64url, 22 characters. */
  tag: v.string(),
  size: v.number(),
  /** Sizes of its compressed forms, .br, .gz and .zst. */
  encodings: v.object({
    br: v.optional(v.number()),
    gzip: v.optional(v.number()),
    zstd: v.optional(v.number()),
  }),
  /** Epoch ms: when a release first had these bytes here. */
  last_modified_ms: v.number(),
  /** Epoch ms: from then on it may say something else by the clock, so it is rendered when it is asked. */
  holds_until_ms: v.optional(v.number()),
});

export type FileEntry = v.InferOutput<typeof FileEntrySchema>;

/** Whether a file still says what it would say if it were made at `now_ms`. */
export const isHeld = ({ holds_until_ms }: FileEntry, now_ms: number): boolean =>
  holds_until_ms === undefined || now_ms < holds_until_ms;

/** The endings of compressed forms. */
export const CODING_ENDINGS = { br: '.br', gzip: '.gz', zstd: '.zst' } as const;

/** The files of a release, one after the other. Throws where a line is no entry. */
export async function* readEntries(path: string): AsyncGenerator<FileEntry> {
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  }))
    yield v.parse(FileEntrySchema, JSON.parse(line));
}

/** The same by path. */
export async function readManifest(path: string): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for await (const entry of readEntries(path)) entries.set(entry.path, entry);
  return entries;
}

export function writeManifest(path: string, entries: readonly FileEntry[]): void {
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}
