// The release that serves, with what the desk has decided since it was made: within seconds, whatever
// else is built meanwhile (contract 14.9).
import { join } from 'node:path';
import type { KeptDecision } from '../domain/decision.ts';
import { openInbox } from '../inbox/open.ts';
import { type AmendedRelease, amendRelease } from './amend-release.ts';
import { hasItsSnapshot } from './check-release.ts';
import { readLastBuild } from './last-build.ts';
import { type Layout, linkPackages, toReleasePaths } from './layout.ts';
import { takePublishLock } from './lock.ts';
import { toBuildFailure } from './progress.ts';
import { pruneAmended } from './prune.ts';
import { publish } from './publish.ts';
import { findServing, toBuiltId } from './release-facts.ts';
import { requestRelease } from './request-release.ts';
import { passSmokeTest, type TestAmended } from './smoke-tests.ts';

/** What came of it. */
export interface Amended {
  readonly id: string;
  readonly decisions: readonly KeptDecision[];
}

/**
 * Amends it and lets that serve; null where it says all that the desk says. What only counts the event
 * follows with a whole release, which is asked for, but not after a rollback: the next one that is due
 * comes soon enough. Throws, with nothing changed, where there is no release, its snapshot is damaged or the
 * amended one does not pass.
 */
export async function amendServing(
  layout: Layout,
  now_ms: number,
  test: TestAmended,
): Promise<Amended | null> {
  linkPackages(layout);
  const inbox = openInbox(join(layout.data_dir, 'inbox.db'));
  const unlock = takePublishLock(layout.publish_lock_file);
  try {
    const base = findServing(layout);
    if (base === null) throw new Error('There is no release to amend. Run "npm run release"');
    if (!hasItsSnapshot(base, toReleasePaths(join(layout.releases_dir, base.id))))
      throw new Error(`The snapshot of release ${base.id} is damaged. Run "npm run release"`);
    const amended = await amendRelease({ layout, inbox, base, now_ms });
    if (amended === null) return null;
    await passSmokeTest(test(amended.dir, amended.amendments));
    publish(layout, inbox, amended);
    pruneAmended(layout);
    if (isNewest(layout, amended)) requestRelease(layout);
    return { id: amended.id, decisions: amended.decisions };
  } catch (thrown) {
    throw toBuildFailure(thrown);
  } finally {
    unlock();
    inbox.close();
  }
}

const isNewest = (layout: Layout, { facts }: AmendedRelease): boolean => {
  const { success } = readLastBuild(layout);
  return success === null || success.release === toBuiltId(facts);
};
