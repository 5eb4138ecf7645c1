// Release build: builds a snapshot from content and inbox, checks and smoke-tests it, and makes it
// live. Every change of the agenda goes through here. A failure at any step leaves the live release
// unchanged.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { formatTimestamp, toLocalDay } from '../domain/local-time.ts';
import { groupFactsDue } from '../domain/fact-freshness.ts';
import type { Ledger } from '../domain/ledger.ts';
import { ensureDataFolder } from '../inbox/data-folder.ts';
import { getLastAgendaDecisionId } from '../inbox/decisions.ts';
import { loadLedger, saveLedger } from '../inbox/ledger.ts';
import { type Inbox, openInbox, inboxLocation } from '../inbox/open.ts';
import { getUpload } from '../inbox/uploads.ts';
import { fetchEventPictures, prunePictures } from '../pictures/fetch-pictures.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import { checkSnapshot } from '../snapshot/check-snapshot.ts';
import { formatFactsDue } from '../sources/facts-due.ts';
import { loadInboxRecords } from '../sources/inbox/load-inbox.ts';
import { updateHistories } from '../sources/update-histories.ts';
import { compareSnapshots, findExcessiveLoss, formatChanges } from './compare-releases.ts';
import {
  assertSameTown,
  openPreviousContent,
  loadReleaseContent,
  logContentIssues,
  withSnapshotContent,
} from './release-content.ts';
import { recordBuildFailure, recordBuildSuccess } from './last-build.ts';
import {
  formatDuration,
  failBuildIfIssues,
  runLoggedStep,
  type LogLine,
  buildFailure,
} from './build-log.ts';
import {
  startSharedBuild,
  finishSharedBuild,
  publishSharedBuild,
  acquireLock,
} from './shared-files.ts';
import {
  findIntactSnapshot,
  type SnapshotFile,
  isSnapshotIntact,
  type DataLayout,
  listSnapshots,
  promoteCandidate,
  finalizeCandidate,
  pruneSnapshots,
  getCurrentName,
  switchCurrent,
  candidatePath,
  dataLayout,
  snapshotPath,
} from './snapshots.ts';

/** Time to wait for another build; longer than a whole build of a large town. */
const LOCK_TIMEOUT_MS = 60_000;

/**
 * Content of a release. `content`: the files of CONTENT_DIR. `current`: the same, or after a
 * rollback the content of the live release, so that new decisions do not undo the rollback.
 * `previous`: the content before the live one.
 */
export type ReleaseOrigin = 'content' | 'current' | 'previous';

interface SnapshotOptions {
  readonly config: Config;
  readonly now_ms: number;
  /** Digest of the program version and its settings (renderer_digest). */
  readonly code: string;
  /** Allows downloads of new pictures, which may take half a minute. */
  readonly can_fetch_pictures: boolean;
  /** Fails on an invalid content file; otherwise its last valid version is used. */
  readonly is_strict: boolean;
  readonly log: LogLine;
}

export interface BuildReleaseOptions extends SnapshotOptions {
  readonly origin: ReleaseOrigin;
  /** Allows a great loss of events. */
  readonly allow_loss: boolean;
  /** Tests a candidate and returns its issues. */
  readonly runSmokeTest: (path: string) => Promise<readonly string[]>;
  /** Warms the page cache of the candidate before it goes live; null if that happens afterwards. */
  readonly beforeSwitch: ((path: string) => Promise<unknown>) | null;
  /** Called when the release is live. */
  readonly onLive?: () => void;
}

export interface BuildResult {
  /** Name of the live snapshot. */
  readonly name: string;
  /** Changes in words: `143 events read, 2 new, …`. */
  readonly summary: string;
  /** Timestamp of the release that a rollback returns to; null without a rollback. */
  readonly rolled_back_to: string | null;
}

/** Builds a release and makes it live. On any failure it throws, and the live release stays. */
export async function buildRelease(options: BuildReleaseOptions): Promise<BuildResult> {
  const { config, now_ms, log, beforeSwitch } = options;
  const layout = dataLayout(config.data_dir);
  ensureDataFolder(layout.snapshots_dir);
  const started_ms = performance.now();
  const path = join(layout.snapshots_dir, `.building-${process.pid}`);
  const candidates: string[] = [];
  let unlock = await lockBuilds(config);
  let inbox: Inbox | null = null;
  /** Number of the build attempt among several machines; null for a single machine. */
  let attempt: number | null = null;
  try {
    inbox = await openInbox(inboxLocation(config));
    attempt = await startSharedBuild(inbox, layout, now_ms);
    const build = { options, layout, path, inbox, candidates };
    let candidate = await buildCandidate(build);
    if (beforeSwitch !== null) {
      // Unlock during the warm-up, so that a new decision can be released meanwhile.
      unlock();
      await beforeSwitch(candidatePath(layout, candidate.name));
      unlock = await lockBuilds(config);
      attempt = await startSharedBuild(inbox, layout, now_ms);
      const { current, decision } = candidate;
      if (getCurrentName(layout) !== current || (await getLastAgendaDecisionId(inbox)) !== decision)
        candidate = await buildCandidate(build);
    }
    return await publish(build, candidate, attempt, started_ms);
  } catch (thrown) {
    const failure = buildFailure(thrown);
    recordBuildFailure(layout, formatTimestamp(now_ms), failure);
    throw failure;
  } finally {
    for (const unpublished of [path, ...candidates]) rmSync(unpublished, { force: true });
    await logFailure(log, async () => {
      if (inbox !== null && attempt !== null) await finishSharedBuild(inbox, layout, attempt);
    });
    await inbox?.close();
    unlock();
  }
}

/** Acquires the lock of builds. @returns its release function. @throws Error on a timeout. */
async function lockBuilds(config: Config): Promise<() => void> {
  const unlock = await acquireLock(config, 'release', LOCK_TIMEOUT_MS);
  if (unlock !== null) return unlock;
  throw new Error('Another process is building a release. Wait for it or end it');
}

interface Build {
  readonly options: BuildReleaseOptions;
  readonly layout: DataLayout;
  /** File in which the snapshot is built. */
  readonly path: string;
  readonly inbox: Inbox;
  /** Paths of candidates, deleted at the end unless they went live. */
  readonly candidates: string[];
}

/** Builds a candidate, compares it with the live release and tests it. */
async function buildCandidate({ options, layout, path, inbox, candidates }: Build) {
  const { config, now_ms, log, allow_loss, runSmokeTest } = options;
  const current = getCurrentName(layout);
  const live = findIntactSnapshot(layout);
  const origin = findOrigin(options.origin, layout, live);
  // Timestamp of the first release with that content, also after repeated rollbacks.
  const rolled_back = origin === null ? '' : origin.meta.rolled_back || origin.meta.generated_at;
  const build = (content_dir: string) =>
    buildCheckedSnapshot(options, path, inbox, content_dir, rolled_back, live);
  const built =
    origin === null
      ? await build(config.content_dir)
      : await withSnapshotContent(origin, config.content_dir, layout.snapshots_dir, build);
  const name = finalizeCandidate(layout, path);
  const candidate_path = candidatePath(layout, name);
  candidates.push(candidate_path);
  const changes = await runLoggedStep(
    log,
    async () => {
      const comparison = compareSnapshots(live?.path ?? null, candidate_path, now_ms);
      const loss = findExcessiveLoss(comparison.changes, comparison.before);
      if (loss !== null && !allow_loss) throw new Error(loss);
      failBuildIfIssues('release', await runSmokeTest(candidate_path));
      return comparison.changes;
    },
    () => 'checks passed',
  );
  return { ...built, name, current, rolled_back, changes };
}

/** Finds the snapshot to take content from. @returns null for the files of CONTENT_DIR. */
function findOrigin(
  origin: ReleaseOrigin,
  layout: DataLayout,
  live: SnapshotFile | null,
): SnapshotFile | null {
  if (origin === 'content') return null;
  if (origin === 'current') return live?.meta.rolled_back ? live : null;
  const { content_digest = '', rolled_back = '' } = live?.meta ?? {};
  const previous = listSnapshots(layout).find(
    ({ name, meta }) =>
      !['', content_digest].includes(meta.content_digest) &&
      // A second rollback goes further back, not to the content that the first one left.
      (rolled_back === '' || meta.generated_at < rolled_back) &&
      isSnapshotIntact(layout, name),
  );
  if (live === null || previous === undefined)
    throw new Error('There is no earlier release with other content to roll back to');
  return previous;
}

/**
 * Builds a snapshot from a content folder and the inbox, and checks it.
 * @returns also `decision`, the id of the newest included one, and `faults`, non-fatal content issues.
 */
async function buildCheckedSnapshot(
  options: SnapshotOptions,
  path: string,
  inbox: Inbox,
  content_dir: string,
  rolled_back: string,
  live: SnapshotFile | null,
) {
  const { now_ms, log, code } = options;
  // Before the rows are loaded, so that later decisions count as missing from this release.
  const decision = await getLastAgendaDecisionId(inbox);
  const previous_ledger = await loadLedger(inbox);
  const { dataset, faults, files } = await runLoggedStep(
    log,
    () => loadReleaseDataset(options, content_dir, inbox, previous_ledger, live),
    ({ dataset: { events, venues, organizers, notices } }) =>
      `sources: ${events.length} events, ${venues.length} venues, ${organizers.length} organizers, ${notices.length} notices`,
  );
  logContentIssues(log, faults);
  const inputs = { now_ms, decision, made_by: code, rolled_back, content: files };
  await runLoggedStep(
    log,
    () => buildSnapshot(path, dataset, inputs),
    () => `snapshot of ${dataset.occurrences.length} dates`,
  );
  failBuildIfIssues('snapshot', checkSnapshot(path, dataset));
  return { decision, dataset, previous_ledger, faults };
}

/** Loads content and inbox into one dataset, with pictures and histories. */
async function loadReleaseDataset(
  { config, now_ms, code, can_fetch_pictures, is_strict, log }: SnapshotOptions,
  content_dir: string,
  inbox: Inbox,
  ledger: Ledger,
  live: SnapshotFile | null,
) {
  const records = await loadInboxRecords(inbox);
  const previous = openPreviousContent(live, code);
  assertSameTown(previous);
  const loaded = loadReleaseContent(content_dir, { records, now_ms, ledger }, previous, is_strict);
  const with_pictures = await fetchEventPictures(loaded.dataset, {
    dir: dataLayout(config.data_dir).pictures_dir,
    now_ms,
    log,
    can_download: config.pictures && can_fetch_pictures,
    allowed: config.pictures_allow,
    readUpload: async (id) => (await getUpload(inbox, id))?.bytes ?? null,
  });
  for (const line of loaded.dataset.omitted) log(`  skipped from the desk: ${line}`);
  const dataset = updateHistories(with_pictures, now_ms);
  const due = formatFactsDue(groupFactsDue(dataset.due, toLocalDay(now_ms)));
  if (due !== null) log(`  ${due}`);
  return { ...loaded, dataset };
}

/** Saves the ledger and makes the candidate live. */
async function publish(
  { options, layout, inbox }: Build,
  candidate: Awaited<ReturnType<typeof buildCandidate>>,
  attempt: number | null,
  started_ms: number,
): Promise<BuildResult> {
  const { now_ms, log, origin } = options;
  const { name, dataset, previous_ledger, faults, changes, rolled_back } = candidate;
  promoteCandidate(layout, name);
  // Before publishing, which deletes the snapshots that are missing here from the database.
  await logFailure(log, () => pruneSnapshots(layout, now_ms, name));
  try {
    // The ledger first: the next build must never take a published revision for a new one.
    const save = () => saveLedger(inbox, dataset.ledger, previous_ledger);
    if (attempt === null) await save();
    else await publishSharedBuild(inbox, layout, { number: attempt, name }, save);
    switchCurrent(layout, name);
  } catch (thrown) {
    // It never went live, so it must not be a target of rollbacks.
    if (getCurrentName(layout) !== name) rmSync(snapshotPath(layout, name), { force: true });
    throw thrown;
  }
  const duration_ms = performance.now() - started_ms;
  const summary = formatChanges(changes);
  await logFailure(log, () =>
    recordBuildSuccess(layout, {
      release: name,
      generated_at: formatTimestamp(now_ms),
      summary,
      faults: [...faults],
      changes: { ...changes, duration_s: Math.round(duration_ms / 1000) },
    }),
  );
  log(`  release ${name} serves (${formatDuration(duration_ms)})`);
  options.onLive?.();
  await logFailure(log, () => prunePictures(layout.pictures_dir));
  return { name, summary, rolled_back_to: origin === 'previous' ? rolled_back : null };
}

/** Runs optional work and logs its failure. */
export async function logFailure(log: LogLine, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    log(`  ATTENTION: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Builds a snapshot from content and inbox without a release, for development and inspection. */
export async function buildSnapshotWithoutRelease(
  options: Pick<SnapshotOptions, 'config' | 'now_ms' | 'log'>,
  path: string,
): Promise<void> {
  const { data_dir, content_dir } = options.config;
  ensureDataFolder(data_dir);
  mkdirSync(dirname(path), { recursive: true });
  const inbox = await openInbox(inboxLocation(options.config));
  try {
    const strict = { ...options, code: '', can_fetch_pictures: false, is_strict: true };
    await buildCheckedSnapshot(strict, path, inbox, content_dir, '', null);
  } finally {
    await inbox.close();
  }
}
