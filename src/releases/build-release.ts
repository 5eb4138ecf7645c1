// A release: content and inbox to one snapshot, checked, asked, and let serve. Whatever changes the
// agenda ends here; a failure at any step leaves what serves alone.
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

/** Longer than a whole build of a large town. */
const PATIENCE_MS = 60_000;

/**
 * What a release is made of: the files of CONTENT_DIR; the same but for a rollback, which decisions leave
 * standing; the content before that of what serves.
 */
export type ReleaseOrigin = 'content' | 'serving' | 'before';

interface ReadOrder {
  readonly config: Config;
  readonly now_ms: number;
  readonly code: string;
  /** Whether new pictures are fetched: it may take half a minute. */
  readonly is_fetching: boolean;
  /** Whether a faulty file stops it; else what that last said stands. */
  readonly is_strict: boolean;
  readonly say: LogLine;
}

export interface BuildReleaseOptions extends ReadOrder {
  readonly origin: ReleaseOrigin;
  /** Whether a great loss of events is meant. */
  readonly allow_loss: boolean;
  /** Asks a candidate, and says what is wrong with it; nothing where it may serve. */
  readonly ask: (path: string) => Promise<readonly string[]>;
  /** Makes pages of the candidate before it serves; null where they are made afterwards. */
  readonly beforeSwitch: ((path: string) => Promise<unknown>) | null;
}

export interface BuildResult {
  readonly name: string;
  /** What it brings: `143 events read, 2 new, …`. */
  readonly summary: string;
  /** Of the content that it goes back to; null where it does not. */
  readonly back_to: string | null;
}

/** Builds a release and lets it serve. Throws, with nothing changed that serves, where anything fails. */
export async function buildRelease(order: BuildReleaseOptions): Promise<BuildResult> {
  const { config, now_ms, say, beforeSwitch } = order;
  const layout = dataLayout(config.data_dir);
  ensureDataFolder(layout.snapshots_dir);
  const begun_ms = performance.now();
  const path = join(layout.snapshots_dir, `.building-${process.pid}`);
  const candidates: string[] = [];
  let unlock = await lock(config);
  let inbox: Inbox | null = null;
  let turn: number | null = null;
  try {
    inbox = await openInbox(inboxLocation(config));
    turn = await startSharedBuild(inbox, layout, now_ms);
    const parts = { order, layout, path, inbox, candidates };
    let candidate = await make(parts);
    if (beforeSwitch !== null) {
      // Pages are made ahead meanwhile; what somebody decides does not wait for that.
      unlock();
      await beforeSwitch(candidatePath(layout, candidate.name));
      unlock = await lock(config);
      turn = await startSharedBuild(inbox, layout, now_ms);
      const { current, decision } = candidate;
      if (getCurrentName(layout) !== current || (await getLastAgendaDecisionId(inbox)) !== decision)
        candidate = await make(parts);
    }
    return await publish(parts, candidate, turn, begun_ms);
  } catch (thrown) {
    const failure = buildFailure(thrown);
    recordBuildFailure(layout, formatTimestamp(now_ms), failure);
    throw failure;
  } finally {
    for (const left of [path, ...candidates]) rmSync(left, { force: true });
    await logFailure(say, async () => {
      if (inbox !== null && turn !== null) await finishSharedBuild(inbox, layout, turn);
    });
    await inbox?.close();
    unlock();
  }
}

async function lock(config: Config): Promise<() => void> {
  const unlock = await acquireLock(config, 'release', PATIENCE_MS);
  if (unlock !== null) return unlock;
  throw new Error('Another process is building a release. Wait for it, or end it');
}

interface BuildParts {
  readonly order: BuildReleaseOptions;
  readonly layout: DataLayout;
  readonly path: string;
  readonly inbox: Inbox;
  /** The paths of what was written, where it does not serve yet. */
  readonly candidates: string[];
}

async function make({ order, layout, path, inbox, candidates }: BuildParts) {
  const current = getCurrentName(layout);
  const serving = findIntactSnapshot(layout);
  const origin = findOrigin(order.origin, layout, serving);
  // When that content was released, before anybody went back to it.
  const rolled_back = origin === null ? '' : origin.meta.rolled_back || origin.meta.generated_at;
  const compose = (folder: string) =>
    composeSnapshot(order, path, inbox, folder, rolled_back, serving);
  const composed =
    origin === null
      ? await compose(order.config.content_dir)
      : await withSnapshotContent(origin, order.config.content_dir, layout.snapshots_dir, compose);
  const name = finalizeCandidate(layout, path);
  const made = candidatePath(layout, name);
  candidates.push(made);
  const brought = await runLoggedStep(
    order.say,
    async () => {
      const { changes, before } = compareSnapshots(serving?.path ?? null, made);
      const loss = findExcessiveLoss(changes, before);
      if (loss !== null && !order.allow_loss) throw new Error(loss);
      failBuildIfIssues('release', await order.ask(made));
      return changes;
    },
    () => 'checks passed',
  );
  return { ...composed, name, current, rolled_back, brought };
}

/** The snapshot whose content it is made of; null for the files of CONTENT_DIR. */
function findOrigin(
  origin: ReleaseOrigin,
  layout: DataLayout,
  serving: SnapshotFile | null,
): SnapshotFile | null {
  if (origin === 'content') return null;
  if (origin === 'serving') return serving?.meta.rolled_back ? serving : null;
  const { content_digest = '', rolled_back = '' } = serving?.meta ?? {};
  const before = listSnapshots(layout).find(
    ({ name, meta }) =>
      !['', content_digest].includes(meta.content_digest) &&
      // What was gone back from is not gone back to.
      (rolled_back === '' || meta.generated_at < rolled_back) &&
      isSnapshotIntact(layout, name),
  );
  if (serving === null || before === undefined)
    throw new Error('There is no release with other content before this one to go back to');
  return before;
}

async function composeSnapshot(
  order: ReadOrder,
  path: string,
  inbox: Inbox,
  content_dir: string,
  rolled_back: string,
  serving: SnapshotFile | null,
) {
  const { now_ms, say, code } = order;
  // Before the rows are read: what is decided meanwhile is for the next.
  const decision = await getLastAgendaDecisionId(inbox);
  const before = await loadLedger(inbox);
  const { dataset, faults, files } = await runLoggedStep(
    say,
    () => readSources(order, content_dir, inbox, before, serving),
    ({ dataset: { events, venues, organizers, notices } }) =>
      `sources: ${events.length} events, ${venues.length} venues, ${organizers.length} organizers, ${notices.length} notices`,
  );
  logContentIssues(say, faults);
  const made_of = { now_ms, decision, made_by: code, rolled_back, content: files };
  await runLoggedStep(
    say,
    () => buildSnapshot(path, dataset, made_of),
    () => `snapshot of ${dataset.occurrences.length} dates`,
  );
  failBuildIfIssues('snapshot', checkSnapshot(path, dataset));
  return { decision, dataset, before, faults };
}

async function readSources(
  { config, now_ms, code, is_fetching, is_strict, say }: ReadOrder,
  content_dir: string,
  inbox: Inbox,
  ledger: Ledger,
  serving: SnapshotFile | null,
) {
  const records = await loadInboxRecords(inbox);
  const kept = openPreviousContent(serving, code);
  assertSameTown(kept);
  const read = loadReleaseContent(content_dir, { records, now_ms, ledger }, kept, is_strict);
  const shown = await fetchEventPictures(read.dataset, {
    dir: dataLayout(config.data_dir).pictures_dir,
    now_ms,
    say,
    is_fetching: config.pictures && is_fetching,
    allowed: config.pictures_allow,
    readUpload: async (id) => (await getUpload(inbox, id))?.bytes ?? null,
  });
  for (const line of read.dataset.left_out) say(`  left out of the desk's words: ${line}`);
  const dataset = updateHistories(shown, now_ms);
  const due = formatFactsDue(groupFactsDue(dataset.due, toLocalDay(now_ms)));
  if (due !== null) say(`  ${due}`);
  return { ...read, dataset };
}

async function publish(
  { order, layout, inbox }: BuildParts,
  { name, dataset, before, faults, brought, rolled_back }: Awaited<ReturnType<typeof make>>,
  turn: number | null,
  begun_ms: number,
): Promise<BuildResult> {
  const { now_ms, say } = order;
  promoteCandidate(layout, name);
  // Before machines are told what is here, so that the rest goes there, too.
  await logFailure(say, () => pruneSnapshots(layout, now_ms, name));
  try {
    // First the ledger: a change that was published must never be taken for a new one by the next.
    const write = () => saveLedger(inbox, dataset.ledger, before);
    if (turn === null) await write();
    else await publishSharedBuild(inbox, layout, { number: turn, name }, write);
    switchCurrent(layout, name);
  } catch (thrown) {
    // It never served: nobody may go back to it.
    if (getCurrentName(layout) !== name) rmSync(snapshotPath(layout, name), { force: true });
    throw thrown;
  }
  const duration_ms = performance.now() - begun_ms;
  const summary = formatChanges(brought);
  await logFailure(say, () =>
    recordBuildSuccess(layout, {
      release: name,
      generated_at: formatTimestamp(now_ms),
      summary,
      faults: [...faults],
      changes: { ...brought, duration_s: Math.round(duration_ms / 1000) },
    }),
  );
  say(`  release ${name} serves (${formatDuration(duration_ms)})`);
  await logFailure(say, () => prunePictures(layout.pictures_dir));
  return { name, summary, back_to: order.origin === 'before' ? rolled_back : null };
}

/** What fails here is said, and is no failure of the build. */
export async function logFailure(say: LogLine, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    say(`  ATTENTION: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** The snapshot of a folder's content alone, with nothing else of a release: to develop on, or to look into. */
export async function buildSnapshotWithoutRelease(
  order: Pick<ReadOrder, 'config' | 'now_ms' | 'say'>,
  path: string,
): Promise<void> {
  const { data_dir, content_dir } = order.config;
  ensureDataFolder(data_dir);
  mkdirSync(dirname(path), { recursive: true });
  const inbox = await openInbox(inboxLocation(order.config));
  try {
    const read = { ...order, code: '', is_fetching: false, is_strict: true };
    await composeSnapshot(read, path, inbox, content_dir, '', null);
  } finally {
    await inbox.close();
  }
}
