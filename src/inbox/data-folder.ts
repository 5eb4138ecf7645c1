// Data folder: creates DATA_DIR and the folders below it, with a clear error if that fails, and tells how much of its
// disk is free.
import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Free disk space reserved for unflagged submissions, API keys and the desk: below it, flagged submissions are rejected,
 * and the page cache shrinks.
 */
export const RESERVE_BYTES = 256 * 1024 * 1024;

/** Tells if the disk of a folder has more free space than this. */
export function hasFreeSpace(folder: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > bytes;
}

/**
 * Creates a folder below DATA_DIR and its missing parents. One level at a time, because Node's recursive mkdir
 * never returns in a file system that rejects new folders (/proc).
 * @throws Error with a sentence for the operator if the folder cannot be created.
 */
export function ensureDataFolder(path: string): void {
  try {
    createFolder(path);
  } catch (cause) {
    throw new Error(
      `DATA_DIR: ${path} cannot be created by this user. Create it, make this user its owner, or set another path`,
      { cause },
    );
  }
}

function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (thrown) {
    // Ignore the error if another process created it first.
    if (!existsSync(path)) throw thrown;
  }
}
