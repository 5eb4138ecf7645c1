// Asking for a release before it is due: a file that the process with the schedule looks for.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from './durable-file.ts';
import type { Layout } from './layout.ts';

const toFile = (layout: Layout): string => join(layout.data_dir, 'release-requested');

/** Asks; asking twice is asking once. Whoever builds next answers. */
export function requestRelease(layout: Layout): void {
  writeDurably(toFile(layout), '');
}

/** Whether somebody waits for a release that has not begun yet. */
export const isReleaseRequested = (layout: Layout): boolean => existsSync(toFile(layout));

/**
 * To be called when a build begins, before the sources are read: what is decided after that asks
 * again.
 */
export function takeReleaseRequest(layout: Layout): void {
  rmSync(toFile(layout), { force: true, recursive: true });
}
