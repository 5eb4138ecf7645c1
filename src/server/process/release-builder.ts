// Release builder: decides, every second and after each write to the inbox, if a release must be
// built, and builds it in a child process, which then warms the page cache. The primary process
// builds; another process builds only if a decision of the desk waits for too long.
import type { Logger } from 'pino';
import * as v from 'valibot';
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
import { formatDuration, type LogLine } from '../../releases/build-log.ts';
import { CHILD_NICENESS, spawnTiedChild } from '../../releases/child-process.ts';
import { isOfThisTown, SCHEMA_VERSION } from '../../snapshot/snapshot-meta.ts';
import { describeTownChange } from '../../town.ts';
import type { ReportTask } from './task-report.ts';

/** Minimum time between two rebuilds of a release that cannot be opened. */
const REJECTED_REBUILD_MS = 60_000;
/**
 * A build that takes longer is killed, with its warm-up. A town of 11,000 events needs a minute, and
 * a first warm-up at low priority some more.
 */
const BUILD_TIMEOUT_MS = 20 * 60_000;
/** If no other process builds a release with a new decision within this time, this process does. */
const TAKEOVER_MS = 3_000;

export interface BuildProcessOptions {
  readonly config: Config;
  readonly clock: () => number;
  readonly log: Logger;
  readonly layout: DataLayout;
  /** The script that runs a command by its name, absolute. */
  readonly run_script: string;
  /** Called when a build ends or its release goes live, so that this process switches to it. */
  readonly onSwitch: () => void;
  readonly build_timeout_ms?: number;
  readonly report: ReportTask;
  /** Prints the output of the build, if the operator waits for it; otherwise it goes to the log. */
  readonly printLine?: LogLine;
}
interface BuilderOptions extends BuildProcessOptions {
  readonly inbox: Inbox;
  /** Digest of the code and of the settings that its pages contain. */
  readonly renderer_digest: string;
  readonly onBuildEnd: (is_successful: boolean) => void;
  /** Returns true if any process is building now. */
  readonly isBuilding: () => Promise<boolean>;
  /** Absent for a single machine. */
  readonly getSharedState?: () => SharedReleaseState;
}

/**
 * State of the release that machines with a common PostgreSQL share:
 * - `current`: this machine serves it, so it may build the next one.
 * - `build_needed`: no release is published that this program can read and fetch, so one must be
 *   built.
 * - `unknown`: not known yet, being fetched, or of a newer program, so this machine must not build.
 */
export type SharedReleaseState = 'current' | 'build_needed' | 'unknown';

export type ReleaseBuilder = ReturnType<typeof createReleaseBuilder>;

/**
 * Creates the release builder of a server process. Call `check` regularly, and `stop` to abort a
 * running build.
 */
export function createReleaseBuilder(options: BuilderOptions) {
  const { clock, log, layout } = options;
  const stopping = new AbortController();
  let attempts: BuildAttempts = NO_BUILD_ATTEMPTS;
  /** Cause of the running build, until its release is live or it fails; null if none is running. */
  let current_cause: BuildCause | null = null;
  /** Monotonic time since which a decision waits without a new release; Infinity if none waits. */
  let decision_pending_since_ms = Infinity;
  /** Name of the live snapshot at the last check. */
  let last_live_name: string | null = null;
  /**
   * Aborts the warm-up of the last release, which its child process still runs after the switch.
   */
  let warm_up: AbortController | null = null;
  /**
   * The live release may be from another version of the program: true until this process has built
   * one.
   */
  let may_be_other_code = true;
  const build = async (cause: BuildCause, rebuild_state: RebuildState): Promise<void> => {
    current_cause = cause;
    warm_up?.abort();
    const child = new AbortController();
    const started_ms = performance.now();
    const signal = AbortSignal.any([stopping.signal, child.signal]);
    const is_built = await runBuildProcess(options, cause, signal, () => {
      warm_up = child;
    });
    if (current_cause === cause) current_cause = null;
    if (stopping.signal.aborted) return;
    const failures = is_built ? 0 : attempts.failures + 1;
    const due_ms = rebuild_state.due_ms ?? attempts.due_ms;
    const ended_ms = performance.now();
    attempts = { failures, started_ms, ended_ms, due_ms, decision: rebuild_state.decision };
    options.onBuildEnd(is_built);
    if (is_built) may_be_other_code = false;
    else
      log.error(
        { retry_at: formatTimestamp(clock() + retryDelayMs(failures, cause === 'decided')) },
        'the build failed; the previous release stays live',
      );
    const issues = listPublishedContentIssues(loadLastBuild(layout));
    if (issues.length > 0) log.warn({ issues }, 'content files have errors');
  };
  return {
    /**
     * Starts a build if one is due.
     * @param is_primary This process does the tasks that only one process of the service may do.
     * @param is_rejected The current release cannot be opened.
     */
    check: async (is_primary: boolean, is_rejected = false): Promise<void> => {
      if (stopping.signal.aborted) return;
      try {
        const now_ms = performance.now();
        const must_replace = is_rejected && now_ms - attempts.ended_ms > REJECTED_REBUILD_MS;
        // An unavailable inbox is ignored here; /statusz reports it.
        const rebuild_state = await ignoreDiskFull(() =>
          loadRebuildState(options, may_be_other_code, must_replace),
        );
        if (rebuild_state === null || stopping.signal.aborted) return;
        const live_name = getCurrentName(layout);
        // A new release proves that another process builds, so the takeover time starts again.
        if (live_name !== last_live_name || rebuild_state.decision === null)
          decision_pending_since_ms = Infinity;
        if (rebuild_state.decision !== null)
          decision_pending_since_ms = Math.min(decision_pending_since_ms, now_ms);
        last_live_name = live_name;
        const cause = findBuildCause(attempts, rebuild_state, now_ms);
        const is_overdue = now_ms - decision_pending_since_ms > TAKEOVER_MS;
        // Another process is already building.
        if (is_overdue && !is_primary && (await options.isBuilding())) return;
        // A decision does not wait for the warm-up of a scheduled build.
        const can_start =
          current_cause === null || (current_cause === 'due' && cause === 'decided');
        const is_responsible = is_primary || (is_overdue && cause === 'decided');
        if (cause !== null && can_start && is_responsible) void build(cause, rebuild_state);
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'checking for due builds failed');
      }
    },
    stop: (): void => stopping.abort(),
  };
}

/**
 * Loads the state that decides if a build is due.
 * @returns null if this process must not build: a newer version of the program does, or a restart
 * is needed first.
 */
async function loadRebuildState(
  { config, clock, layout, inbox, renderer_digest, getSharedState }: BuilderOptions,
  may_be_other_code: boolean,
  must_replace: boolean,
): Promise<RebuildState | null> {
  const shared_state = getSharedState?.() ?? 'current';
  // If town.yml has changed, a child process would build for another town than this process serves.
  if (shared_state === 'unknown' || describeTownChange() !== '') return null;
  const meta = findSnapshot(layout, getCurrentName(layout))?.meta ?? null;
  const has_no_readable_release =
    meta === null || meta.schema_version < SCHEMA_VERSION || !isOfThisTown(meta);
  if (shared_state === 'build_needed' || has_no_readable_release)
    return { is_missing: true, due_ms: null, decision: null, is_urgent: false };
  if (meta.schema_version > SCHEMA_VERSION) return null;
  const now_ms = clock();
  const { rebuild_hours } = config;
  // `made_by`: digest of the program version that built the snapshot; `decision`: id of the newest
  // decision that the snapshot includes.
  const is_from_other_code = may_be_other_code && meta.made_by !== renderer_digest;
  const decision = await getLastAgendaDecisionId(inbox);
  return {
    is_missing: must_replace || is_from_other_code,
    due_ms: isReleaseOverdue(meta.generated_ms, now_ms, rebuild_hours)
      ? lastScheduledMs(now_ms, rebuild_hours)
      : null,
    decision: decision === meta.decision ? null : decision,
    is_urgent: await hasUrgentDecisionSince(inbox, meta.decision),
  };
}

/**
 * Returns the environment with which a child process gets the same simulated time; empty for real
 * time.
 */
export const clockEnv = ({ clock_start }: Config, now_ms: number): Record<string, string> =>
  clock_start === null ? {} : { CLOCK_START: formatTimestamp(now_ms) };

/** Message of the child process: its release is live. */
export const RELEASE_IS_LIVE = { type: 'live' } as const;
const LiveMessageSchema = v.object({ type: v.literal(RELEASE_IS_LIVE.type) });

/**
 * Builds in a child process. Resolves with true once the release is live, while the child still
 * warms the page cache; with false if the build failed.
 * @param onLive Called when the release goes live.
 */
export function runBuildProcess(
  { config, clock, log, layout, run_script, onSwitch, printLine, ...options }: BuildProcessOptions,
  cause: BuildCause,
  signal: AbortSignal,
  onLive: () => void = () => {},
): Promise<boolean> {
  const now_ms = clock();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let is_live = false;
  const onLine = (line: string): void => {
    if (printLine) printLine(line);
    else log.info({ build: line.trim() }, 'build');
  };
  const onMessage = (message: unknown): void => {
    if (!v.is(LiveMessageSchema, message)) return;
    is_live = true;
    onSwitch();
    onLive();
    const next_ms = nextScheduledMs(now_ms, config.rebuild_hours);
    log.info({ next: next_ms && formatTimestamp(next_ms) }, 'a new release is live');
    resolve(true);
  };
  const command = [run_script, 'release', '--for', cause] as const;
  const env = clockEnv(config, now_ms);
  const niceness = CHILD_NICENESS[cause === 'due' ? 'unawaited' : 'awaited'];
  const { build_timeout_ms: timeout_ms = BUILD_TIMEOUT_MS, report } = options;
  const exited = spawnTiedChild({
    ...{ command, env, onLine, onMessage, signal, timeout_ms, niceness },
  });
  log.info({ cause }, 'a build started');
  void exited.then((exit) => {
    const late = `took longer than ${formatDuration(timeout_ms)} and was stopped`;
    if (is_live) {
      if (exit.is_timeout) log.error('the warm-up of a release took too long and was stopped');
      report('warm-up', exit.is_timeout ? `it ${late}` : null);
      return;
    }
    if (exit.signal !== null && !signal.aborted)
      recordBuildFailure(
        layout,
        formatTimestamp(now_ms),
        exit.is_timeout ? `The build ${late}` : `The build was killed by ${exit.signal}`,
      );
    // The child also exits with 0 if another process was faster and nothing had to be built.
    onSwitch();
    resolve(exit.code === 0);
  });
  return promise;
}
