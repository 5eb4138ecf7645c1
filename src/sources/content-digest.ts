// The files of content by the digests of their bytes: what tells, without parsing any, whether content says
// what it said, and which of its files do not. One that the file system has not touched is not opened.
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs';
import { hash } from 'node:crypto';
import type { StampedDigests } from '../inbox/source-store.ts';
import { toBytesDigest } from './kept-sources.ts';
import { FOLDERS, ONLY_ONES } from './read-content.ts';

/** By path from the content folder. */
export type ContentDigests = ReadonlyMap<string, string>;

export interface LookedAt {
  /** Of every file that is read, and empty for what lies among them and is none. */
  readonly digests: ContentDigests;
  /** Those of them that can be told again. */
  readonly stamped: StampedDigests;
}

/**
 * How long a file must have lain untouched: written twice within the grain of its file system's clock (two seconds
 * at the coarsest), it would have the same stamp. Git does the same with its index ("racy git").
 */
const SETTLED_MS = 5_000;

/**
 * Looks at all of them; those that have the stamp of `known` are taken to have its digest. `now_ms`: the real time,
 * which is that of the file system.
 */
export function lookAtContent(folder: string, known: StampedDigests, now_ms: number): LookedAt {
  const digests = new Map<string, string>();
  const stamped = new Map<string, { stamp: string; digest: string }>();
  const look = (file: string): void => {
    // Before it is read: what is written meanwhile has another stamp.
    const stats = statSync(`${folder}/${file}`, { bigint: true, throwIfNoEntry: false });
    if (!stats?.isFile()) return void digests.set(file, '');
    const stamp = toStamp(stats);
    const before = known.get(file);
    const digest =
      before?.stamp === stamp ? before.digest : toBytesDigest(readFileSync(`${folder}/${file}`));
    digests.set(file, digest);
    if (now_ms - Number(stats.ctimeMs) > SETTLED_MS) stamped.set(file, { stamp, digest });
  };
  const isFile = (file: string): boolean =>
    statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.isFile() ?? false;
  ONLY_ONES.filter(isFile).forEach(look);
  for (const kind of FOLDERS)
    for (const name of listNames(`${folder}/${kind}`))
      if (!name.startsWith('.')) look(`${kind}/${name}`);
  return { digests, stamped };
}

const toStamp = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}

/** Whether the same files with the same bytes were looked at twice. */
export const isSameContent = (a: ContentDigests, b: ContentDigests): boolean =>
  a.size === b.size && [...a].every(([file, digest]) => b.get(file) === digest);

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
