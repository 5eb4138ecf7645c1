// The files that releases serve, once each whatever releases have them: DATA_DIR/files, a file named
// by the tag of its bytes, its compressed forms beside it. A release only lists what it has.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { TAG_LENGTH } from './file-facts.ts';
import { linkFile } from './link-files.ts';
import { CODING_ENDINGS, type FileEntry } from './manifest.ts';
import type { Compressed } from './precompress.ts';

/** What stands for bytes, and what is stored of them. */
export type StoredFile = Pick<FileEntry, 'tag' | 'size' | 'encodings'>;
type Coding = keyof typeof CODING_ENDINGS;
export type Form = Coding | 'identity';

const CODINGS = ['br', 'gzip', 'zstd'] as const;

/** Where a form of the bytes with a tag lies in the store of a folder. */
export function toStoredPath(dir: string, tag: string, form: Form): string {
  // Sixty-four folders: few enough for a small site, short enough for a million files.
  return join(dir, tag.slice(0, 1), toName(tag, form));
}

const toName = (tag: string, form: Form): string =>
  form === 'identity' ? tag : `${tag}${CODING_ENDINGS[form]}`;

/** Its forms with their sizes. */
const toForms = ({ size, encodings }: StoredFile): readonly (readonly [Form, number])[] => [
  ['identity', size],
  ...CODINGS.flatMap((coding): readonly (readonly [Form, number])[] => {
    const coded = encodings[coding];
    return coded === undefined ? [] : [[coding, coded]];
  }),
];

/** Whether every form is there and as long as it was written. */
export const isStored = (dir: string, file: StoredFile): boolean =>
  toForms(file).every(
    ([form, size]) =>
      statSync(toStoredPath(dir, file.tag, form), { throwIfNoEntry: false })?.size === size,
  );

/** Stores bytes with their compressed forms; whatever is damaged there is mended. */
export function storeBytes(dir: string, tag: string, bytes: Buffer, coded: Compressed): StoredFile {
  for (const [coding, form] of coded) writeWhole(toStoredPath(dir, tag, coding), form);
  writeWhole(toStoredPath(dir, tag, 'identity'), bytes);
  return {
    tag,
    size: bytes.length,
    encodings: Object.fromEntries([...coded].map(([coding, form]) => [coding, form.length])),
  };
}

/** Beside it and renamed: whoever is killed meanwhile leaves nothing that looks like the file. */
function writeWhole(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = join(dirname(path), `${UNFINISHED}${process.pid}-${threadId}`);
  writeFileSync(beside, bytes);
  renameSync(beside, path);
}

/** Takes a file with its forms from another store on the same disk, without a copy where it can. */
export function takeStored(dir: string, other: string, file: StoredFile): void {
  for (const [form] of toForms(file)) {
    const target = toStoredPath(dir, file.tag, form);
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { force: true });
    linkFile(toStoredPath(other, file.tag, form), target);
  }
}

const UNFINISHED = '.part-';
const TAG = /"tag":"([\w-]+)"/;

/** The lines of a list of files; none where it cannot be read: such a release cannot serve. */
function readLines(manifest: string): readonly string[] {
  try {
    return readFileSync(manifest, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** All tags in lists of files. Neighbours are alike: a line that the one before has in its place, too, tells nothing new. */
function readTags(manifests: readonly string[]): ReadonlySet<string> {
  const tags = new Set<string>();
  let before: readonly string[] = [];
  for (const manifest of manifests) {
    const lines = readLines(manifest);
    for (const [at, line] of lines.entries())
      if (line !== before[at]) tags.add(TAG.exec(line)?.[1] ?? '');
    before = lines;
  }
  return tags;
}

/**
 * Removes what none of the lists of files names, and what killed builds have left. To be called by
 * whoever holds the lock of builds.
 */
export function pruneFiles(dir: string, manifests: readonly string[]): void {
  if (!existsSync(dir)) return;
  const kept = readTags(manifests);
  for (const folder of readdirSync(dir))
    for (const name of readdirSync(join(dir, folder)))
      if (!kept.has(name.slice(0, TAG_LENGTH))) rmSync(join(dir, folder, name));
}
