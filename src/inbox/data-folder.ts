// The data folder and those in it: made where they are missing, with a sentence where they cannot be.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder below DATA_DIR and what is missing above it. Step by step: given all at
 * once, Node never ends in a file system that takes no folders (/proc). Throws one sentence where that cannot be.
 */
export function ensureDataFolder(path: string): void {
  try {
    make(path);
  } catch (cause) {
    throw new Error(
      `DATA_DIR: ${path} cannot be made by this user. Make it, give it to whoever runs this, or name another`,
      { cause },
    );
  }
}

function make(path: string): void {
  if (existsSync(path)) return;
  make(dirname(path));
  try {
    mkdirSync(path);
  } catch (thrown) {
    // Another process was quicker.
    if (!existsSync(path)) throw thrown;
  }
}
