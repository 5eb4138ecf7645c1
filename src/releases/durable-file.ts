// Writing a file so that a reader finds the old text or the new, never half of one, even after a
// power cut. The package write-file-atomic does not sync the folder, so its rename may be lost.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where anything fails, the file stays as it was. */
export function writeFileDurably(path: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text, { flush: true });
    renameSync(beside, path);
  } catch (thrown) {
    rmSync(beside, { force: true });
    throw thrown;
  }
  syncFolder(dirname(path));
}

/** Makes renames in a folder last, or what was written to a file. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
