// A release from sources to serving: build, check, switch, prune. A fault at any step leaves what serves alone.
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Town } from '../domain/town.ts';
import { buildSnapshot, type SnapshotCounts } from '../snapshot/build.ts';
import { checkSnapshot } from '../snapshot/check.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';
import { readTown } from '../sources/read-town.ts';
import { readLedger, writeLedger } from '../submissions/ledger.ts';
import { type Inbox, openInbox } from '../submissions/open-inbox.ts';
import { buildSite } from './build-site.ts';
import { checkRelease } from './check-release.ts';
import { collectFiles, type Earlier } from './collect-files.ts';
import { readCurrent, writeCurrent } from './current.ts';
import { digestFolder, digestMakers } from './digests.ts';
import { syncFolder } from './durable-file.ts';
import { type Layout, type ReleasePaths, toLayout, toReleasePaths } from './layout.ts';
import { linkPackages } from './link-packages.ts';
import { takeLock } from './lock.ts';
import { type FileEntry, readManifest, writeManifest } from './manifest.ts';
import { createCounter, runStep, type Say } from './progress.ts';
import { pruneReleases } from './prune.ts';
import { writeReleaseFacts } from './release-facts.ts';
import { takeReleaseRequest } from './request-release.ts';

export interface Order {
  readonly config: Config;
  /** The instant that the release is made for, epoch ms. */
  readonly now_ms: number;
  /** Addresses that must be among its files. */
  readonly required: readonly string[];
  readonly say: Say;
}

/** Builds a release, checks it and lets it serve; gives its id. Throws, with nothing changed, where anything fails. */
export async function buildRelease(order: Order): Promise<string> {
  const layout = toLayout(order.config.data_dir);
  linkPackages(layout);
  const unlock = takeLock(layout.lock_file);
  const inbox = openInbox(join(layout.data_dir, 'inbox.db'));
  try {
    const paths = toReleasePaths(layout.building_dir);
    rmSync(paths.dir, { recursive: true, force: true });
    mkdirSync(paths.site, { recursive: true });
    takeReleaseRequest(layout);
    const { counts, ledger } = await makeSnapshot(order, paths, inbox);
    const files = await makeSite(order, layout, paths);
    await runStep(order.say, () => refuse('release', checkRelease(paths, files, order.required)), () => 'checks passed');
    return finishRelease(order, layout, counts, files, () => writeLedger(inbox, ledger));
  } catch (thrown) {
    rmSync(layout.building_dir, { recursive: true, force: true });
    throw thrown;
  } finally {
    inbox.close();
    unlock();
  }
}

function refuse(what: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`The ${what} did not pass its checks:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

async function makeSnapshot({ config, now_ms, say }: Order, paths: ReleasePaths, inbox: Inbox): Promise<{ counts: SnapshotCounts; ledger: Ledger }> {
  const records = readInboxRecords(inbox);
  for (const row of records.left_out) say(`  left out, for it does not pass the schema any more: ${row}`);
  const town = await runStep(say, () => readTown(config.content_dir, readLedger(inbox), now_ms, records), toTownWords);
  const counts = await runStep(say, () => buildSnapshot(paths.snapshot, town, now_ms), (made) => `snapshot of ${made.occurrences} dates`);
  refuse('snapshot', checkSnapshot(paths.snapshot, counts));
  return { counts, ledger: town.ledger };
}

const toTownWords = (town: Town): string =>
  `sources: ${town.events.length} events, ${town.venues.length} venues, ${town.organizers.length} organizers, ${town.notices.length} notices`;

async function makeSite({ now_ms, say }: Order, layout: Layout, paths: ReleasePaths): Promise<FileEntry[]> {
  const earlier = await readEarlier(layout);
  const about = earlier === null ? undefined : [...earlier.files.values()].filter((entry) => /^text\/(html|markdown)/.test(entry.type)).length;
  say('  building the site, which takes a while the first time …');
  const count = createCounter(say, 'pages');
  await runStep(say, () => buildSite(paths, now_ms, (done) => count(done, about)), (pages) => `${pages} pages written`);
  const squeeze = createCounter(say, 'files compressed');
  const files = await runStep(say, () => collectFiles(paths.client, earlier, now_ms, squeeze), (made) => `${made.length} files compressed`);
  writeManifest(paths.files, files);
  return files;
}

/** The release that serves, for what can be taken over from it; null where there is none, or it cannot be read. */
async function readEarlier(layout: Layout): Promise<Earlier | null> {
  const id = readCurrent(layout);
  if (id === null) return null;
  const paths = toReleasePaths(join(layout.releases_dir, id));
  try {
    return { client_dir: paths.client, files: await readManifest(paths.files) };
  } catch {
    return null;
  }
}

function finishRelease({ config, now_ms, say }: Order, layout: Layout, counts: SnapshotCounts, files: readonly FileEntry[], remember: () => void): string {
  const id = `${new Date(now_ms).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`;
  const paths = toReleasePaths(layout.building_dir);
  writeReleaseFacts(paths.facts, {
    id, generated_at: formatTimestamp(now_ms), generated_ms: now_ms, made_with: digestMakers(config),
    bundle: digestFolder(dirname(paths.entry)), events: counts.events, occurrences: counts.occurrences, files: files.length,
  });
  renameSync(paths.dir, join(layout.releases_dir, id));
  syncFolder(layout.releases_dir);
  // First the ledger: a change that was published must never be taken for a new one by the next release.
  remember();
  writeCurrent(layout, id);
  const gone = pruneReleases(layout);
  say(`  release ${id} serves${gone.length > 0 ? `; ${gone.length} old ${gone.length === 1 ? 'one' : 'ones'} removed` : ''}`);
  return id;
}
