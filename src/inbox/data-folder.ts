// Data folder: creates DATA_DIR and the folders below it, with a clear error if that fails.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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
