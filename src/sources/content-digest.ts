// The files of content by the digests of their bytes: what tells, without reading any, whether content says
// what it said, and which of its files do not.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { hash } from 'node:crypto';
import { toBytesDigest } from './kept-sources.ts';
import { FOLDERS, ONLY_ONES } from './read-content.ts';

/** By path from the content folder. */
export type ContentDigests = ReadonlyMap<string, string>;

/** Of every file that is read, and empty for what lies among them and is none. */
export function digestContent(folder: string): ContentDigests {
  const digests = new Map<string, string>();
  for (const file of ONLY_ONES)
    if (isFile(`${folder}/${file}`))
      digests.set(file, toBytesDigest(readFileSync(`${folder}/${file}`)));
  for (const kind of FOLDERS) {
    if (!existsSync(`${folder}/${kind}`)) continue;
    for (const entry of readdirSync(`${folder}/${kind}`, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      const file = `${kind}/${entry.name}`;
      const is_file = entry.isFile() || isFile(`${folder}/${file}`);
      digests.set(file, is_file ? toBytesDigest(readFileSync(`${folder}/${file}`)) : '');
    }
  }
  return digests;
}

/** Whether a link leads to one. */
const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** One digest for all of them, whatever their order. */
export const joinDigests = (digests: ContentDigests): string =>
  hash(
    'sha256',
    [...digests]
      .map(([file, digest]) => `${file} ${digest}`)
      .sort()
      .join('\n'),
    'base64url',
  );
