// Going back: which release served before, and letting it serve again.
import { join } from 'node:path';
import type { RunSmokeTests } from './build-release.ts';
import { inspectRelease } from './check-release.ts';
import { isReleaseId, type Layout, linkPackages, readCurrent, writeCurrent } from './layout.ts';
import { takeLock } from './lock.ts';
import { refuse } from './progress.ts';
import { listReleases } from './prune.ts';
import type { ReleaseFacts } from './release-facts.ts';

export interface Rollback {
  readonly from: string | null;
  readonly to: ReleaseFacts;
  /** Requests that it answered. */
  readonly tested: number;
}

/**
 * Lets the release before serve again, or the one named. Throws a sentence where there is none,
 * where it is damaged, where it answers wrongly, or while a release is being built; nothing has
 * changed then.
 */
export async function rollBack(
  layout: Layout,
  named: string | null,
  smokeTest: RunSmokeTests,
): Promise<Rollback> {
  linkPackages(layout);
  // A build that ends meanwhile would serve in its place, and may remove the release that is gone
  // back to.
  const unlock = takeLock(layout.lock_file);
  try {
    return await pointBack(layout, named, smokeTest);
  } finally {
    unlock();
  }
}

async function pointBack(
  layout: Layout,
  named: string | null,
  smokeTest: RunSmokeTests,
): Promise<Rollback> {
  const from = readCurrent(layout);
  const id = named ?? (await findBefore(layout, from));
  const known = listReleases(layout);
  if (!isReleaseId(id) || !known.includes(id))
    throw new Error(`There is no release '${id}'. There are: ${known.join(', ') || 'none'}`);
  if (id === from) throw new Error(`Release ${id} serves already`);
  const { facts, issue } = await inspectRelease(layout, id);
  if (facts === null)
    throw new Error(
      `Release ${id} cannot serve: ${issue}. Choose another with --to ID: ${known.filter((other) => other !== id).join(', ')}`,
    );
  const { tested, issues } = await smokeTest(join(layout.releases_dir, id));
  refuse('release', issues);
  writeCurrent(layout, id);
  return { from, to: facts, tested };
}

/**
 * The one that served when the current one was made; where that is gone or damaged, the newest that
 * was made earlier.
 */
async function findBefore(layout: Layout, current: string | null): Promise<string> {
  const { facts } = current === null ? { facts: null } : await inspectRelease(layout, current);
  const known = listReleases(layout);
  const position = current === null ? -1 : known.indexOf(current);
  const candidates = [...(facts?.before ? [facts.before] : []), ...known.slice(position + 1)];
  for (const id of candidates)
    if (known.includes(id) && (await inspectRelease(layout, id)).facts !== null) return id;
  throw new Error('There is no release before this one to go back to');
}
