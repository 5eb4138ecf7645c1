// Copies of what cannot be built again (inbox.db and uploads.db, its pictures) and of what a release is built from
// (content): a folder for each, named for its moment, with a manifest of what is in it.
import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { formatTimestamp, toLocalDay } from '../domain/local-time.ts';
import { backupInbox } from '../inbox/backup.ts';
import { type InboxConfig, inboxLocation } from '../inbox/open.ts';
import { syncFolder as sync } from '../releases/durable-file.ts';
import { isDiskFull } from '../releases/build-log.ts';

/** What a backup has below it; the manifest is written last. */
export const BACKUP_FILES = {
  inbox: 'inbox.db',
  uploads: 'uploads.db',
  content: 'content',
  manifest: 'backup.json',
} as const;
/** What a backup is called until it is whole. */
const UNFINISHED = '.part';
const NAME = /^\d{8}T\d{6}Z(\.part)?$/;

const ManifestSchema = v.object({
  made_at: v.string(),
  /** `digest` is of SHA-256. */
  files: v.array(v.object({ path: v.string(), size: v.number(), digest: v.string() })),
});

export interface Backup {
  readonly dir: string;
  readonly manifest: v.InferOutput<typeof ManifestSchema>;
}

/** `20261122T031500Z`. */
export const formatBackupName = (now_ms: number): string =>
  new Date(now_ms).toISOString().replace(/[-:]|\.\d+/g, '');
const toMomentMs = (name: string): number =>
  Temporal.Instant.from(name.replace(UNFINISHED, '')).epochMilliseconds;
const isWhole = (name: string): boolean => !name.endsWith(UNFINISHED);

/** The backup in a folder. Throws a sentence where it is none that can be read. */
export function openBackup(dir: string): Backup {
  try {
    const text: unknown = JSON.parse(readFileSync(join(dir, BACKUP_FILES.manifest), 'utf8'));
    return { dir, manifest: v.parse(ManifestSchema, text) };
  } catch (cause) {
    throw new Error(
      `${dir} is no backup, or its ${BACKUP_FILES.manifest} cannot be read. Name another`,
      {
        cause,
      },
    );
  }
}

/** Their names, the newest first; none where the folder is not there or cannot be read. */
function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}

export function findNewestBackup(folder: string): string | null {
  const name = listNames(folder).find(isWhole);
  return name === undefined ? null : join(folder, name);
}

export function findNewestBackupMs(folder: string): number | null {
  const newest = findNewestBackup(folder);
  return newest === null ? null : toMomentMs(basename(newest));
}

export type BackupSources = InboxConfig & { readonly content_dir: string };

/** Makes one in `folder` while everything runs. Throws a sentence where it cannot; nothing is left then. */
export async function createBackup(
  { data_dir, content_dir, database_url }: BackupSources,
  folder: string,
  now_ms: number,
): Promise<Backup> {
  for (const source of [data_dir, content_dir])
    if (`${resolve(folder)}${sep}`.startsWith(`${resolve(source)}${sep}`))
      throw new Error(
        `${folder} is inside ${source}: what is lost with the original is no backup. Name a folder elsewhere, better on another disk`,
      );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dir = join(folder, formatBackupName(now_ms));
  if (existsSync(dir)) throw new Error(`${dir} is there already. Wait a second`);
  const beside = `${dir}${UNFINISHED}`;
  mkdirSync(beside, { mode: 0o700 });
  try {
    await backupInbox(inboxLocation({ data_dir, database_url }), beside);
    // What a link leads to is copied; the history of a checkout is not content.
    cpSync(content_dir, join(beside, BACKUP_FILES.content), {
      recursive: true,
      dereference: true,
      filter: (path) => basename(path) !== '.git',
    });
    const paths = listFiles(beside);
    const files = await Array.fromAsync(paths, (path) => describeFile(beside, path));
    const manifest = { made_at: formatTimestamp(now_ms), files };
    writeFileSync(join(beside, BACKUP_FILES.manifest), `${JSON.stringify(manifest, null, 1)}\n`);
    for (const path of [...paths, BACKUP_FILES.manifest]) sync(join(beside, path));
    renameSync(beside, dir);
    sync(folder);
  } catch (cause) {
    rmSync(beside, { recursive: true, force: true });
    if (!isDiskFull(cause)) throw cause;
    throw new Error(
      `The disk that holds ${folder} is full, and no backup was made. Free some space`,
      { cause },
    );
  }
  return openBackup(dir);
}

const listFiles = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(dir, path)).isFile())
    .sort();

async function describeFile(dir: string, path: string) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(dir, path)), hash);
  const digest = hash.digest('base64url').slice(0, 22);
  return { path, size: statSync(join(dir, path)).size, digest };
}

/** Throws one sentence that names every file that is not as it was written, and every other. */
export async function verifyBackup({ dir, manifest }: Backup): Promise<void> {
  const found = new Set(listFiles(dir));
  const issues: string[] = [];
  for (const { path, digest } of manifest.files)
    if (!found.delete(path)) issues.push(`${path} is missing`);
    else if ((await describeFile(dir, path)).digest !== digest)
      issues.push(`${path} is not as it was written`);
  found.delete(BACKUP_FILES.manifest);
  issues.push(...[...found].map((path) => `${path} was not part of it`));
  if (issues.length > 0)
    throw new Error(`The backup ${dir} is damaged. Take another one:\n  ${issues.join('\n  ')}`);
}

/** What was begun longer ago was given up. */
const GIVEN_UP_MS = 24 * 3_600_000;

/**
 * Those of some moments, the newest first, that stay: the newest of each of seven days and five weeks; days of
 * the town, weeks from Monday on.
 */
export function selectRetained(moments: readonly number[]): ReadonlySet<number> {
  const days = new Map<string, number>();
  const weeks = new Map<string, number>();
  for (const made_ms of moments.toReversed()) {
    const day = toLocalDay(made_ms);
    days.set(day.toString(), made_ms);
    weeks.set(day.subtract({ days: day.dayOfWeek - 1 }).toString(), made_ms);
  }
  return new Set([...[...days.values()].slice(-7), ...[...weeks.values()].slice(-5)]);
}

/** Removes the others of a folder, and what a killed command has left; gives the names of what went. */
export function pruneBackups(folder: string, now_ms: number): readonly string[] {
  const names = listNames(folder);
  const kept = selectRetained(names.filter(isWhole).map(toMomentMs));
  const gone = names.filter((name) =>
    isWhole(name) ? !kept.has(toMomentMs(name)) : toMomentMs(name) < now_ms - GIVEN_UP_MS,
  );
  for (const name of gone) rmSync(join(folder, name), { recursive: true });
  return gone;
}
