// Asking for a release before it is due (a file that the process with the schedule looks for), and
// how releases go: what the desk tells whoever pressed "publish now".
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseNews } from '../domain/release-news.ts';
import { writeDurably } from './durable-file.ts';
import { listFaults, readLastBuild } from './last-build.ts';
import type { Layout } from './layout.ts';
import { isLocked } from './lock.ts';
import { findServing } from './release-facts.ts';

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

/** Read from the files that builds leave. */
export function readReleaseNews(layout: Layout): ReleaseNews {
  const last = readLastBuild(layout);
  const { success, failure } = last;
  return {
    is_wanted: isReleaseRequested(layout),
    is_building: isLocked(layout.lock_file),
    last: success && { at: success.generated_at, changes: success.changes ?? null },
    failure,
    kept: findServing(layout)?.amends?.decisions ?? [],
    faults: listFaults(last),
  };
}
