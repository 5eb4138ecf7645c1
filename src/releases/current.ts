// Which release serves: the id in data/current.
import { readFileSync } from 'node:fs';
import { writeDurably } from './durable-file.ts';
import { isReleaseId, type Layout } from './layout.ts';

/** The id of the release that serves, or null where there is none yet. */
export function readCurrent(layout: Layout): string | null {
  try {
    const id = readFileSync(layout.current_file, 'utf8').trim();
    return isReleaseId(id) ? id : null;
  } catch {
    return null;
  }
}

/** Points the service at a release; running servers follow within a second. */
export function writeCurrent(layout: Layout, id: string): void {
  writeDurably(layout.current_file, `${id}\n`);
}
