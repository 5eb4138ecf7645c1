// Backups: copies the data that cannot be rebuilt (inbox.db and uploads.db) and the content that releases are built
// from. Each backup is a folder with a timestamp as its name and a manifest of its files.
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
import { syncFolder } from '../releases/durable-file.ts';
import { isDiskFull } from '../releases/build-log.ts';

/** Files and folders of a backup. The manifest is written last. */
export const BACKUP_FILES = {
  inbox: 'inbox.db',
  uploads: 'uploads.db',
  content: 'content',
  manifest: 'backup.json',
} as const;
/** Suffix of a backup folder until it is complete. */
const INCOMPLETE_SUFFIX = '.part';
const NAME_PATTERN = /^\d{8}T\d{6}Z(\.part)?$/;

const ManifestSchema = v.object({
  /** Timestamp of the backup's creation. */
  made_at: v.string(),
  /** `digest`: shortened SHA-256, which is verified; `size`: bytes, for information only. */
  files: v.array(v.object({ path: v.string(), size: v.number(), digest: v.string() })),
});

export interface Backup {
  readonly dir: string;
  readonly manifest: v.InferOutput<typeof ManifestSchema>;
}

/** Formats the folder name of a backup, such as `20261122T031500Z`. */
export const formatBackupName = (now_ms: number): string =>
  new Date(now_ms).toISOString().replace(/[-:]|\.\d+/g, '');
const parseBackupNameMs = (name: string): number =>
  Temporal.Instant.from(name.replace(INCOMPLETE_SUFFIX, '')).epochMilliseconds;
const isComplete = (name: string): boolean => !name.endsWith(INCOMPLETE_SUFFIX);

/** Opens the backup in a folder. @throws Error if the folder has no valid manifest. */
export function openBackup(dir: string): Backup {
  try {
    const json: unknown = JSON.parse(readFileSync(join(dir, BACKUP_FILES.manifest), 'utf8'));
    return { dir, manifest: v.parse(ManifestSchema, json) };
  } catch (cause) {
    throw new Error(
      `${dir} is not a backup, or its ${BACKUP_FILES.manifest} is unreadable. Choose another one`,
      {
        cause,
      },
    );
  }
}

/** Lists the names of backups, including incomplete ones, newest first. Empty if the folder is missing or unreadable. */
function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME_PATTERN.test(name))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}

/** Finds the path of the newest complete backup in a folder. @returns null if there is no backup. */
export function findNewestBackup(folder: string): string | null {
  const name = listNames(folder).find(isComplete);
  return name === undefined ? null : join(folder, name);
}

/** Finds the time of the newest complete backup, epoch ms. @returns null if there is no backup. */
export function findNewestBackupMs(folder: string): number | null {
  const newest = findNewestBackup(folder);
  return newest === null ? null : parseBackupNameMs(basename(newest));
}

export type BackupSources = InboxConfig & { readonly content_dir: string };

/** Creates a backup in `folder` while the service runs. If it fails, it removes its files and throws an Error. */
export async function createBackup(
  { data_dir, content_dir, database_url }: BackupSources,
  folder: string,
  now_ms: number,
): Promise<Backup> {
  for (const source of [data_dir, content_dir])
    if (`${resolve(folder)}${sep}`.startsWith(`${resolve(source)}${sep}`))
      throw new Error(
        `${folder} is inside ${source}: a backup must not be lost with its original. Choose a folder elsewhere, preferably on another disk`,
      );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dir = join(folder, formatBackupName(now_ms));
  if (existsSync(dir)) throw new Error(`${dir} already exists. Retry in a second`);
  const incomplete_dir = `${dir}${INCOMPLETE_SUFFIX}`;
  mkdirSync(incomplete_dir, { mode: 0o700 });
  try {
    await backupInbox(inboxLocation({ data_dir, database_url }), incomplete_dir);
    // Copy the targets of links; the Git history of a checkout is not content.
    cpSync(content_dir, join(incomplete_dir, BACKUP_FILES.content), {
      recursive: true,
      dereference: true,
      filter: (path) => basename(path) !== '.git',
    });
    const paths = listFiles(incomplete_dir);
    const files = await Array.fromAsync(paths, (path) => describeFile(incomplete_dir, path));
    const manifest = { made_at: formatTimestamp(now_ms), files };
    writeFileSync(
      join(incomplete_dir, BACKUP_FILES.manifest),
      `${JSON.stringify(manifest, null, 1)}\n`,
    );
    for (const path of [...paths, BACKUP_FILES.manifest]) syncFolder(join(incomplete_dir, path));
    renameSync(incomplete_dir, dir);
    syncFolder(folder);
  } catch (cause) {
    rmSync(incomplete_dir, { recursive: true, force: true });
    if (!isDiskFull(cause)) throw cause;
    throw new Error(`The disk with ${folder} is full, so no backup was made. Free some space`, {
      cause,
    });
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

/** Verifies the files of a backup. @throws Error that lists all missing, modified and added files. */
export async function verifyBackup({ dir, manifest }: Backup): Promise<void> {
  const unlisted = new Set(listFiles(dir));
  const issues: string[] = [];
  for (const { path, digest } of manifest.files)
    if (!unlisted.delete(path)) issues.push(`${path} is missing`);
    else if ((await describeFile(dir, path)).digest !== digest) issues.push(`${path} was modified`);
  unlisted.delete(BACKUP_FILES.manifest);
  issues.push(...[...unlisted].map((path) => `${path} is not in the manifest`));
  if (issues.length > 0)
    throw new Error(`The backup ${dir} is damaged. Use another one:\n  ${issues.join('\n  ')}`);
}

/** An incomplete backup older than this was aborted. */
const ABORTED_AFTER_MS = 24 * 3_600_000;

/**
 * Selects the backups to retain: the newest of each of the last seven days and five weeks that have one. Days are local,
 * weeks start on Monday.
 * @param backup_times_ms Epoch ms of the backups, newest first.
 */
export function selectRetained(backup_times_ms: readonly number[]): ReadonlySet<number> {
  const days = new Map<string, number>();
  const weeks = new Map<string, number>();
  for (const moment_ms of backup_times_ms.toReversed()) {
    const day = toLocalDay(moment_ms);
    days.set(day.toString(), moment_ms);
    weeks.set(day.subtract({ days: day.dayOfWeek - 1 }).toString(), moment_ms);
  }
  return new Set([...[...days.values()].slice(-7), ...[...weeks.values()].slice(-5)]);
}

/** Deletes all other backups of a folder, and aborted ones. @returns the deleted names. */
export function pruneBackups(folder: string, now_ms: number): readonly string[] {
  const names = listNames(folder);
  const retained = selectRetained(names.filter(isComplete).map(parseBackupNameMs));
  const obsolete = names.filter((name) => {
    const moment_ms = parseBackupNameMs(name);
    return isComplete(name) ? !retained.has(moment_ms) : moment_ms < now_ms - ABORTED_AFTER_MS;
  });
  for (const name of obsolete) rmSync(join(folder, name), { recursive: true });
  return obsolete;
}
