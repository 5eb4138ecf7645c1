// Writing a file so that a reader finds the old text or the new, never half of one, even after a power cut.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes beside the file, syncs, renames over it and syncs the folder. */
export function writeDurably(path: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`;
  const file = openSync(beside, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(beside, path);
  syncFolder(dirname(path));
}

/** Makes renames in a folder last. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
