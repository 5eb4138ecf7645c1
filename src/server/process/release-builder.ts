// Building beside what serves: looked for once a second and after whatever was written here, done in a child
// process that goes on to make pages ahead.
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { formatTimestamp } from '../../domain/local-time.ts';
import { hasUrgentDecisionSince, getLastAgendaDecisionId } from '../../inbox/decisions.ts';
import { type Inbox, ignoreDiskFull } from '../../inbox/open.ts';
import {
  type BuildAttempts,
  type BuildCause,
  findBuildCause,
  isReleaseOverdue,
  lastScheduledMs,
  nextScheduledMs,
  NO_BUILD_ATTEMPTS,
  type RebuildState,
  retryDelayMs,
} from '../../releases/build-schedule.ts';
import {
  listPublishedContentIssues,
  loadLastBuild,
  recordBuildFailure,
} from '../../releases/last-build.ts';
import { findSnapshot, type DataLayout, getCurrentName } from '../../releases/snapshots.ts';
import type { LogLine } from '../../releases/build-log.ts';
import { CHILD_NICENESS, spawnTiedChild } from '../../releases/child-process.ts';
import { isOfThisTown, SCHEMA_VERSION } from '../../snapshot/snapshot-meta.ts';
import { describeTownChange } from '../../town.ts';

/** A release that cannot be opened is built anew, not more often than this. */
const REFUSED_MS = 60_000;
/** Another process builds what was decided; where it does not, this one does after so long. */
const OTHERS_MS = 3_000;

export interface BuildProcessOptions {
  readonly config: Config;
  readonly clock: () => number;
  readonly log: Logger;
  readonly layout: DataLayout;
  /** The script that runs a command by its name, absolute. */
  readonly run_script: string;
  readonly onSwitch: () => void;
  /** Takes the lines of a build that a person waits for; the log has them otherwise. */
  readonly say?: LogLine;
}
interface BuilderParts extends BuildProcessOptions {
  readonly inbox: Inbox;
  /** Stands for the code and its settings. */
  readonly maker: string;
  readonly onEnd: (is_well: boolean) => void;
  /** Whether anybody builds now. */
  readonly isBuilding: () => Promise<boolean>;
  /** Where machines share a store: whether what all serve must be built here, or stands, or must not be touched. */
  readonly readShared?: () => SharedReleaseState;
}

/** `missing`: none that this code reads; `unknown`: none was heard of yet, or it is on its way, or of newer code. */
export type SharedReleaseState = 'missing' | 'here' | 'unknown';

export type ReleaseBuilder = ReturnType<typeof createReleaseBuilder>;

export function createReleaseBuilder(parts: BuilderParts) {
  const { clock, log, layout } = parts;
  const ending = new AbortController();
  let attempts: BuildAttempts = NO_BUILD_ATTEMPTS;
  let building: BuildCause | null = null;
  let decided_since_ms = Infinity;
  let served: string | null = null;
  let warming: AbortController | null = null;
  let is_other_code = true;
  const build = async (cause: BuildCause, standing: RebuildState): Promise<void> => {
    building = cause;
    warming?.abort();
    const own = new AbortController();
    const begun_ms = performance.now();
    const signal = AbortSignal.any([ending.signal, own.signal]);
    const is_built = await runBuildProcess(parts, cause, signal, () => {
      warming = own;
    });
    if (building === cause) building = null;
    if (ending.signal.aborted) return;
    const failures = is_built ? 0 : attempts.failures + 1;
    const due_ms = standing.due_ms ?? attempts.due_ms;
    const ended_ms = performance.now();
    attempts = { failures, begun_ms, ended_ms, due_ms, decision: standing.decision };
    parts.onEnd(is_built);
    if (is_built) is_other_code = false;
    else
      log.error(
        { again: formatTimestamp(clock() + retryDelayMs(failures, cause === 'decided')) },
        'no new release could be built, the one before goes on serving',
      );
    const faults = listPublishedContentIssues(loadLastBuild(layout));
    if (faults.length > 0) log.warn({ faults }, 'files of content are faulty');
  };
  return {
    /**
     * Builds where that is due. `is_first`: whether this process, of several, does what is done once.
     * `is_refused`: whether the current release cannot be opened.
     */
    look: async (is_first: boolean, is_refused = false): Promise<void> => {
      if (ending.signal.aborted) return;
      try {
        const now_ms = performance.now();
        const is_bad = is_refused && now_ms - attempts.ended_ms > REFUSED_MS;
        // Where the inbox is away, the status says so.
        const standing = await ignoreDiskFull(() => readStanding(parts, is_other_code, is_bad));
        if (standing === null || ending.signal.aborted) return;
        const serving = getCurrentName(layout);
        // Waited for anew after each release: whoever builds is at work.
        if (serving !== served || standing.decision === null) decided_since_ms = Infinity;
        if (standing.decision !== null) decided_since_ms = Math.min(decided_since_ms, now_ms);
        served = serving;
        const cause = findBuildCause(attempts, standing, now_ms);
        const is_late = now_ms - decided_since_ms > OTHERS_MS;
        // Somebody who is at it is not waited for in vain.
        if (is_late && !is_first && (await parts.isBuilding())) return;
        // What was decided does not wait until pages are made ahead on schedule.
        const is_free = building === null || (building === 'due' && cause === 'decided');
        if (cause !== null && is_free && (is_first || (is_late && cause === 'decided')))
          void build(cause, standing);
      } catch (thrown) {
        if (!ending.signal.aborted)
          log.error({ err: thrown }, 'what is due could not be looked up');
      }
    },
    stop: (): void => ending.abort(),
  };
}

/** What speaks for a build; null where a newer version of this program builds, or a restart must come first. */
async function readStanding(
  { config, clock, layout, inbox, maker, readShared }: BuilderParts,
  is_other_code: boolean,
  is_bad: boolean,
): Promise<RebuildState | null> {
  const shared = readShared?.() ?? 'here';
  // A child would build another town than this process serves.
  if (shared === 'unknown' || describeTownChange() !== '') return null;
  const meta = findSnapshot(layout, getCurrentName(layout))?.meta ?? null;
  if (
    shared === 'missing' ||
    meta === null ||
    meta.schema_version < SCHEMA_VERSION ||
    !isOfThisTown(meta)
  )
    return { is_missing: true, due_ms: null, decision: null, is_urgent: false };
  if (meta.schema_version > SCHEMA_VERSION) return null;
  const [now_ms, hours] = [clock(), config.rebuild_hours];
  const decision = await getLastAgendaDecisionId(inbox);
  return {
    is_missing: is_bad || (is_other_code && meta.made_by !== maker),
    due_ms: isReleaseOverdue(meta.generated_ms, now_ms, hours)
      ? lastScheduledMs(now_ms, hours)
      : null,
    decision: decision === meta.decision ? null : decision,
    is_urgent: await hasUrgentDecisionSince(inbox, meta.decision),
  };
}

/** Lets a child begin at the same moment, where the clock is not the real one. */
export const clockEnv = ({ clock_start }: Config, now_ms: number): Record<string, string> =>
  clock_start === null ? {} : { CLOCK_START: formatTimestamp(now_ms) };

/**
 * Builds in a child. Resolves once its release serves, when pages are still made ahead (`onServing`), or when it
 * failed.
 */
export function runBuildProcess(
  { config, clock, log, layout, run_script, onSwitch, say }: BuildProcessOptions,
  cause: BuildCause,
  signal: AbortSignal,
  onServing: () => void = () => {},
): Promise<boolean> {
  const now_ms = clock();
  log.info({ cause }, 'a release is built');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let is_serving = false;
  const onLine = (line: string): void => {
    if (say) say(line);
    else log.info({ build: line.trim() }, 'build');
    if (!/ serves \(/.test(line)) return;
    is_serving = true;
    onSwitch();
    onServing();
    const next_ms = nextScheduledMs(now_ms, config.rebuild_hours);
    log.info({ next: next_ms && formatTimestamp(next_ms) }, 'a new release serves');
    resolve(true);
  };
  const command = [run_script, 'release', '--for', cause] as const;
  const env = clockEnv(config, now_ms);
  const niceness = CHILD_NICENESS[cause === 'due' ? 'unawaited' : 'awaited'];
  void spawnTiedChild({ command, env, onLine, signal, niceness }).then((ended) => {
    if (is_serving) return;
    if (ended.signal !== null && !signal.aborted)
      recordBuildFailure(layout, formatTimestamp(now_ms), `The build was ended by ${ended.signal}`);
    // Nothing was to be done where another process was quicker.
    onSwitch();
    resolve(ended.code === 0);
  });
  return promise;
}
