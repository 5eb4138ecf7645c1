// Durable files: replaces a file atomically, so that readers see the old or the new text even after
// a power cut. The package write-file-atomic does not sync the folder, so its rename may be lost.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file atomically. On an error the file stays unchanged. */
export function writeFileDurably(path: string, text: string): void {
  const temporary_path = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary_path, text, { flush: true });
    renameSync(temporary_path, path);
  } catch (thrown) {
    rmSync(temporary_path, { force: true });
    throw thrown;
  }
  syncFolder(dirname(path));
}

/** Flushes the renames in a folder, or the content of a file, to the disk. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
