// A release from sources to serving: build, check, smoke test, switch, prune. A failure at any step leaves
// what serves alone.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { type Inbox, openInbox } from '../inbox/open.ts';
import { pruneBundles } from './bundle.ts';
import { checkRelease, hasItsSnapshot } from './check-release.ts';
import { type Changes, compareWithServing, formatChanges, toUnchanged } from './compare.ts';
import { digestFolder, digestMakers } from './digests.ts';
import { writeFailure, writeSuccess } from './last-build.ts';
import {
  type Layout,
  linkPackages,
  type ReleasePaths,
  toLayout,
  toReleasePaths,
} from './layout.ts';
import { takeLock } from './lock.ts';
import { checkSettings, rememberSettings } from './made-for.ts';
import { beginSite, type BegunSite, type MadeSite } from './make-site.ts';
import { checkMade, type MadeSnapshot, makeSnapshot, type SnapshotOrder } from './make-snapshot.ts';
import { prunePictures } from './picture-store.ts';
import { refuse, runStep, toBuildFailure } from './progress.ts';
import type { Renderer } from './render-pages.ts';
import { publishBuilt } from './publish-built.ts';
import { type Asked, passSmokeTest, type RunSmokeTests, type TestAmended } from './smoke-tests.ts';
import { toKeptLines } from './tell-kept.ts';
import { pruneReleases, sweepLeftovers } from './prune.ts';
import {
  findServing,
  type ReleaseFacts,
  toBuiltId,
  toReleaseId,
  writeReleaseFacts,
} from './release-facts.ts';
import { takeReleaseRequest } from './request-release.ts';
import { takeAllAndKeep, takeGood } from './take-sources.ts';

/** Events whose sources are worth collecting: of fewer it only costs time. */
const MANY = 2_000;

export interface Order extends SnapshotOrder {
  /** The digest of the code (digests.ts). */
  readonly code: string;
  /** Addresses that must be among its files. */
  readonly required: readonly string[];
  readonly smokeTest: RunSmokeTests;
  /** Threads that are ready to render its pages; null where they are begun with it. */
  readonly renderer: Renderer | null;
  /** Loads what asks it, and the bundle of which this is the module, while threads render. */
  readonly prepareTests: (entry: string) => Promise<unknown>;
  /** Asks an amended release what it says of the events that are decided otherwise. */
  readonly testAmended: TestAmended;
  /** Called once it could serve; it does when this resolves. */
  readonly beforePublish: () => Promise<void>;
  /** Whether other settings than those that DATA_DIR was made with are meant. */
  readonly new_settings: boolean;
  /** Whether a great loss of events is meant. */
  readonly allow_loss: boolean;
  /** Whether a faulty file stops it; else what that last said stands. */
  readonly is_strict: boolean;
}

export interface Built {
  readonly id: string;
  /** What it brings: `143 events read, 2 new, …`. */
  readonly summary: string;
}

/**
 * Builds a release, checks it and lets it serve. Throws, with nothing changed that serves, where
 * anything fails.
 */
export async function buildRelease(order: Order): Promise<Built> {
  const layout = toLayout(order.config.data_dir);
  if (!order.new_settings) checkSettings(order.config, layout);
  linkPackages(layout);
  const unlock = takeLock(layout.lock_file);
  try {
    sweepLeftovers(layout);
    takeReleaseRequest(layout);
    const inbox = openInbox(join(layout.data_dir, 'inbox.db'));
    try {
      return await build(order, layout, inbox);
    } finally {
      inbox.close();
    }
  } catch (thrown) {
    rmSync(layout.building_dir, { recursive: true, force: true });
    const failure = toBuildFailure(thrown);
    writeFailure(layout, formatTimestamp(order.now_ms), failure);
    throw failure;
  } finally {
    unlock();
  }
}

async function build(order: Order, layout: Layout, inbox: Inbox): Promise<Built> {
  const { say, now_ms } = order;
  const begun_ms = performance.now();
  const paths = toReleasePaths(layout.building_dir);
  mkdirSync(paths.site, { recursive: true });
  const { bundles_dir } = order.config;
  const bundle = { bundles_dir, code: order.code };
  const made_with = digestMakers(order.config, order.code);
  const snapshot_before = findSnapshotBefore(layout, made_with);
  const { renderer } = order;
  const site = await beginSite(
    { now_ms, bundle, made_with, say, renderer, snapshot_before },
    layout,
    paths,
  );
  const folder = { layout, inbox, paths, snapshot_before };
  const filled = await fill(site, order, folder).finally(site.stop);
  const { made, brought, files, written, pages } = filled;
  const facts = toFacts(order, layout, paths, made_with, filled);
  writeReleaseFacts(paths.facts, facts);
  await runStep(
    say,
    () => refuse('release', checkRelease(paths, files, order.required, written)),
    () => 'checks passed',
  );
  await runStep(
    say,
    () =>
      passSmokeTest(
        order.smokeTest(paths.dir, toAsked(snapshot_before !== null, made), made.replaced ?? []),
      ),
    (tested) => `${tested} questions answered`,
  );
  await order.beforePublish();
  const { before, ledger } = made;
  const { testAmended } = order;
  const amended = await publishBuilt(
    { layout, inbox, facts, dir: paths.dir, before, ledger, testAmended },
    Math.round(now_ms + performance.now() - begun_ms),
  );
  for (const line of toKeptLines(amended?.decisions ?? [])) say(`  ${line}`);
  made.keep();
  rememberSettings(order.config, layout);
  const summary = formatChanges(brought);
  const changes = {
    ...brought,
    duration_s: Math.round((performance.now() - begun_ms) / 1000),
    pages,
  };
  writeSuccess(layout, {
    release: facts.id,
    generated_at: facts.generated_at,
    generated_ms: facts.generated_ms,
    summary,
    changes,
    faults: [...made.faults],
  });
  prunePictures(layout.pictures_dir);
  const gone = pruneReleases(layout);
  pruneBundles(bundle);
  say(
    `  release ${(amended ?? facts).id} serves${gone.length > 0 ? `; ${gone.length} old ${gone.length === 1 ? 'one' : 'ones'} removed` : ''}`,
  );
  return { id: facts.id, summary };
}

interface Folder {
  readonly layout: Layout;
  readonly inbox: Inbox;
  readonly paths: ReleasePaths;
  readonly snapshot_before: string | null;
}

interface Filled extends MadeSite {
  readonly made: MadeSnapshot;
  readonly brought: Changes;
}

/** Its snapshot and its site, and what they bring. */
async function fill(
  site: BegunSite,
  order: Order,
  { layout, inbox, paths, snapshot_before }: Folder,
): Promise<Filled> {
  const take = order.is_strict ? takeAllAndKeep : takeGood;
  const made = await makeSnapshot(order, paths.snapshot, inbox, take, {
    pictures_dir: layout.pictures_dir,
    before: snapshot_before,
  });
  // Threads take as much again: what was read is given back before they do.
  if (made.counts.events > MANY) globalThis.gc?.();
  let brought = toUnchanged(made.counts.events);
  const compare = (): void => {
    checkMade(paths.snapshot, made.counts);
    brought = compareWithServing(layout, paths.snapshot, order.allow_loss);
  };
  const one = await site.make(made.pictures, async () => {
    if (!made.is_same) compare();
    await order.prepareTests(paths.entry);
  });
  return { made, brought, ...one };
}

const toAsked = (is_known_code: boolean, { replaced }: MadeSnapshot): Asked => {
  if (!is_known_code) return 'all';
  return replaced === null ? 'today' : 'few';
};

/** That of the release that serves, where the same code made it and nothing has damaged it since. */
function findSnapshotBefore(layout: Layout, made_with: string): string | null {
  const serving = findServing(layout);
  if (serving?.made_with !== made_with) return null;
  const paths = toReleasePaths(join(layout.releases_dir, serving.id));
  return hasItsSnapshot(serving, paths) ? paths.snapshot : null;
}

function toFacts(
  { now_ms }: Order,
  layout: Layout,
  paths: ReleasePaths,
  made_with: string,
  { made: { counts }, digest, files }: Filled,
): ReleaseFacts {
  const serving = findServing(layout);
  return {
    id: toReleaseId(now_ms),
    generated_at: formatTimestamp(now_ms),
    generated_ms: now_ms,
    made_with,
    before: serving && toBuiltId(serving),
    bundle: digestFolder(dirname(paths.entry)),
    snapshot: digest,
    events: counts.events,
    occurrences: counts.occurrences,
    files: files.length,
  };
}
