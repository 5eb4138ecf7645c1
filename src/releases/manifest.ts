// What files a release serves: one line of JSON for each, so that a big list is read in parts.
import { createReadStream, writeFileSync } from 'node:fs';
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

/** Whoever serves meanwhile answers between two parts: five thousand files are read in some ten milliseconds. */
const PART_BYTES = 1024 * 1024;

/** The files of a release by path. Throws where a line is no entry. */
export async function readManifest(path: string): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const add = (line: string): void => {
    const entry = v.parse(FileEntrySchema, JSON.parse(line));
    entries.set(entry.path, entry);
  };
  let rest = '';
  const parts = createReadStream(path, { encoding: 'utf8', highWaterMark: PART_BYTES });
  for await (const part of parts) {
    const lines = (rest + String(part)).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(add);
  }
  if (rest !== '') add(rest);
  return entries;
}

export function writeManifest(path: string, entries: readonly FileEntry[]): void {
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}
