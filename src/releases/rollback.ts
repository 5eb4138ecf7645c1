// Going back: which release served before, and letting it serve again.
import { join } from 'node:path';
import type { KeptDecision } from '../domain/decision.ts';
import { type Inbox, openInbox } from '../inbox/open.ts';
import { amendRelease } from './amend-release.ts';
import { inspectRelease } from './check-release.ts';
import { isReleaseId, type Layout, linkPackages, writeCurrent } from './layout.ts';
import { takeLock, takePublishLock } from './lock.ts';
import { listReleases } from './prune.ts';
import { publish } from './publish.ts';
import { findServing, type ReleaseFacts, toBuiltId } from './release-facts.ts';
import { passSmokeTest, type RunSmokeTests } from './smoke-tests.ts';

export interface Rollback {
  readonly from: string | null;
  readonly to: ReleaseFacts;
  /** Requests that it answered. */
  readonly tested: number;
  /** Decisions of the desk that it was built without, and has nevertheless. */
  readonly keeps: readonly KeptDecision[];
}

/**
 * Lets the release before serve again, or the one named, with all that the desk has decided since
 * (contract 14.9): then what serves is made from it. Throws a sentence where there is none, where it is damaged, where it answers wrongly, or while a release is being built; nothing has
 * changed then.
 */
export async function rollBack(
  layout: Layout,
  named: string | null,
  now_ms: number,
  smokeTest: RunSmokeTests,
): Promise<Rollback> {
  linkPackages(layout);
  // A build that ends meanwhile would serve in its place, and may remove the release that is gone
  // back to.
  const unlock = takeLock(layout.lock_file);
  const inbox = openInbox(join(layout.data_dir, 'inbox.db'));
  try {
    const unlockPublishing = takePublishLock(layout.publish_lock_file);
    try {
      return await pointBack({ layout, inbox, now_ms, smokeTest }, named);
    } finally {
      unlockPublishing();
    }
  } finally {
    inbox.close();
    unlock();
  }
}

interface Going {
  readonly layout: Layout;
  readonly inbox: Inbox;
  readonly now_ms: number;
  readonly smokeTest: RunSmokeTests;
}

async function pointBack(going: Going, named: string | null): Promise<Rollback> {
  const { layout, inbox, smokeTest } = going;
  const from = findServing(layout);
  const id = named ?? (await findBefore(layout, from));
  const known = listReleases(layout);
  if (!isReleaseId(id) || !known.includes(id))
    throw new Error(`There is no release '${id}'. There are: ${known.join(', ') || 'none'}`);
  if (from !== null && (id === from.id || id === toBuiltId(from)))
    throw new Error(`Release ${id} serves already${id === from.id ? '' : `, as ${from.id}`}`);
  const { facts, issue } = await inspectRelease(layout, id);
  if (facts === null)
    throw new Error(
      `Release ${id} cannot serve: ${issue}. Choose another with --to ID: ${known.filter((other) => other !== id).join(', ')}`,
    );
  const amended = await amendRelease({ ...going, base: facts });
  const dir = amended?.dir ?? join(layout.releases_dir, id);
  const tested = await passSmokeTest(smokeTest(dir, 'all'));
  if (amended === null) writeCurrent(layout, id);
  else publish(layout, inbox, amended);
  return {
    from: from && toBuiltId(from),
    to: facts,
    tested,
    keeps: (amended?.facts ?? facts).amends?.decisions ?? [],
  };
}

/**
 * The one that served when the current one was made; where that is gone or damaged, the newest that
 * was made earlier.
 */
async function findBefore(layout: Layout, current: ReleaseFacts | null): Promise<string> {
  const known = listReleases(layout);
  const position = current === null ? -1 : known.indexOf(toBuiltId(current));
  const candidates = [...(current?.before ? [current.before] : []), ...known.slice(position + 1)];
  for (const id of candidates) if (known.includes(id) && (await isBuilt(layout, id))) return id;
  throw new Error('There is no release before this one to go back to');
}

/** Whether it is sound, and was built as it is: one that was amended is made again from that. */
async function isBuilt(layout: Layout, id: string): Promise<boolean> {
  const { facts } = await inspectRelease(layout, id);
  return facts !== null && facts.amends === undefined;
}
