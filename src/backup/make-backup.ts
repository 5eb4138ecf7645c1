// Making a backup while everything runs: what cannot be built again (inbox.db, with its pictures) and
// what a release is built from (content), checked and listed; it has its name only once it is whole.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { backupInbox, openCopy } from '../inbox/backup.ts';
import { countRows } from '../inbox/received.ts';
import { openInbox } from '../inbox/open.ts';
import { listPrivateHolders } from '../inbox/private.ts';
import { digestFile, listFiles } from '../releases/digests.ts';
import { syncFolder as sync } from '../releases/durable-file.ts';
import { type Layout, readCurrent, toReleasePaths } from '../releases/layout.ts';
import { isDiskFull } from '../releases/progress.ts';
import { readReleaseFacts } from '../releases/release-facts.ts';
import {
  type Backup,
  type BackupList,
  LIST_FILE,
  PARTS,
  readBackup,
  toBackupName,
  UNFINISHED,
} from './backup-folder.ts';

/** What is backed up, and where to. */
export interface BackupOrder {
  readonly layout: Layout;
  readonly content_dir: string;
  /** The folder of all backups; made where it is missing. */
  readonly folder: string;
  readonly now_ms: number;
}

/** Makes one. Throws a sentence where it cannot; nothing is left then. */
export async function makeBackup(order: BackupOrder): Promise<Backup> {
  const { layout, content_dir, folder, now_ms } = order;
  checkPlaces(order);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dir = join(folder, toBackupName(now_ms));
  if (existsSync(dir)) throw new Error(`${dir} is there already. Wait a second`);
  const beside = `${dir}${UNFINISHED}`;
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { mode: 0o700 });
  try {
    await backupInboxOf(layout, join(beside, PARTS.inbox));
    // What a link leads to is copied; the history of a checkout is not content.
    cpSync(content_dir, join(beside, PARTS.content), {
      recursive: true,
      dereference: true,
      filter: (path) => basename(path) !== '.git',
    });
    if (existsSync(layout.settings_file))
      cpSync(layout.settings_file, join(beside, PARTS.settings));
    const list = listWhat(beside, layout, now_ms);
    writeFileSync(join(beside, LIST_FILE), `${JSON.stringify(list, null, 1)}\n`);
    chmodSync(beside, 0o700);
    for (const path of listFiles(beside)) sync(path);
    renameSync(beside, dir);
    sync(folder);
  } catch (thrown) {
    rmSync(beside, { recursive: true, force: true });
    if (!isDiskFull(thrown)) throw thrown;
    throw new Error(
      `The disk that holds ${folder} is full, and no backup was made. Free some space`,
      {
        cause: thrown,
      },
    );
  }
  return readBackup(dir);
}

/** Throws where something is missing, or where the copy would lie in what it is a copy of. */
function checkPlaces({ layout, content_dir, folder }: BackupOrder): void {
  const inbox = join(layout.data_dir, PARTS.inbox);
  if (!existsSync(inbox))
    throw new Error(`There is no ${inbox}. Set DATA_DIR to where the service keeps its data`);
  if (!existsSync(content_dir))
    throw new Error(`There is no ${content_dir}. Set CONTENT_DIR to where the content is`);
  for (const source of [layout.data_dir, content_dir])
    if (`${resolve(folder)}${sep}`.startsWith(`${resolve(source)}${sep}`))
      throw new Error(
        `${folder} is inside ${source}: what is lost with the original is no backup. Name a folder elsewhere, better on another disk`,
      );
}

async function backupInboxOf(layout: Layout, path: string): Promise<void> {
  const inbox = openInbox(join(layout.data_dir, PARTS.inbox));
  try {
    await backupInbox(inbox, path);
  } finally {
    inbox.close();
  }
}

/** Of the copy, not of what it was made of: that has gone on meanwhile. */
function listWhat(dir: string, layout: Layout, now_ms: number): BackupList {
  const files = listFiles(dir).map((path) => ({
    path: relative(dir, path),
    size: statSync(path).size,
    digest: digestFile(path),
  }));
  const copy = openCopy(join(dir, PARTS.inbox));
  try {
    return {
      made_at: formatTimestamp(now_ms),
      made_ms: now_ms,
      events: countServing(layout),
      rows: countRows(copy),
      holds: listPrivateHolders(copy).map(({ reference }) => reference),
      files,
    };
  } finally {
    copy.close();
  }
}

function countServing(layout: Layout): number | null {
  const id = readCurrent(layout);
  if (id === null) return null;
  return readReleaseFacts(toReleasePaths(join(layout.releases_dir, id)).facts).events;
}
