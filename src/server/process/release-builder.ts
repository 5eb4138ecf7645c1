// Release builder: checks every second, and after each write to the inbox, if a build is due, and runs it in a child
// process, which then warms the page cache.
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

/** Minimum time between two rebuilds of a release that cannot be opened. */
const REJECTED_REBUILD_MS = 60_000;
/** If no other process builds a decision within this time, this process does. */
const TAKEOVER_MS = 3_000;

export interface BuildProcessOptions {
  readonly config: Config;
  readonly clock: () => number;
  readonly log: Logger;
  readonly layout: DataLayout;
  /** The script that runs a command by its name, absolute. */
  readonly run_script: string;
  readonly onSwitch: () => void;
  /** Prints the output of the build, if a person waits for it; otherwise it goes to the log. */
  readonly say?: LogLine;
}
interface BuilderOptions extends BuildProcessOptions {
  readonly inbox: Inbox;
  /** Digest of the code and of the settings that its pages contain. */
  readonly renderer_digest: string;
  readonly onBuildEnd: (is_successful: boolean) => void;
  /** Returns true if any process is building now. */
  readonly isBuilding: () => Promise<boolean>;
  /** State of the release that machines with a common PostgreSQL share. */
  readonly getSharedState?: () => SharedReleaseState;
}

/**
 * State of the shared release. `missing`: this code can read none, so one must be built; `here`: this machine
 * serves it; `unknown`: it is not known yet, is being fetched, or belongs to newer code, so nothing may be built.
 */
export type SharedReleaseState = 'missing' | 'here' | 'unknown';

export type ReleaseBuilder = ReturnType<typeof createReleaseBuilder>;

export function createReleaseBuilder(options: BuilderOptions) {
  const { clock, log, layout } = options;
  const stopping = new AbortController();
  let attempts: BuildAttempts = NO_BUILD_ATTEMPTS;
  let current_cause: BuildCause | null = null;
  let decision_pending_since_ms = Infinity;
  let last_live: string | null = null;
  let warm_up: AbortController | null = null;
  /** The live release may be of other code: true until this process has built one. */
  let may_be_other_code = true;
  const build = async (cause: BuildCause, rebuild_state: RebuildState): Promise<void> => {
    current_cause = cause;
    warm_up?.abort();
    const child = new AbortController();
    const begun_ms = performance.now();
    const signal = AbortSignal.any([stopping.signal, child.signal]);
    const is_built = await runBuildProcess(options, cause, signal, () => {
      warm_up = child;
    });
    if (current_cause === cause) current_cause = null;
    if (stopping.signal.aborted) return;
    const failures = is_built ? 0 : attempts.failures + 1;
    const due_ms = rebuild_state.due_ms ?? attempts.due_ms;
    const ended_ms = performance.now();
    attempts = { failures, begun_ms, ended_ms, due_ms, decision: rebuild_state.decision };
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
     * @param is_primary This process does the tasks that are done once for all processes.
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
        const live = getCurrentName(layout);
        // A new release proves that another process builds, so the takeover time starts again.
        if (live !== last_live || rebuild_state.decision === null)
          decision_pending_since_ms = Infinity;
        if (rebuild_state.decision !== null)
          decision_pending_since_ms = Math.min(decision_pending_since_ms, now_ms);
        last_live = live;
        const cause = findBuildCause(attempts, rebuild_state, now_ms);
        const is_overdue = now_ms - decision_pending_since_ms > TAKEOVER_MS;
        // Another process is already building.
        if (is_overdue && !is_primary && (await options.isBuilding())) return;
        // A decision does not wait for the warm-up of a scheduled build.
        const can_start =
          current_cause === null || (current_cause === 'due' && cause === 'decided');
        if (cause !== null && can_start && (is_primary || (is_overdue && cause === 'decided')))
          void build(cause, rebuild_state);
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'checking for due builds failed');
      }
    },
    stop: (): void => stopping.abort(),
  };
}

/**
 * Loads the state that decides if a build is due.
 * @returns null if this process must not build: a newer version of the program does, or a restart is needed first.
 */
async function loadRebuildState(
  { config, clock, layout, inbox, renderer_digest, getSharedState }: BuilderOptions,
  may_be_other_code: boolean,
  must_replace: boolean,
): Promise<RebuildState | null> {
  const shared_state = getSharedState?.() ?? 'here';
  // If town.yml has changed, a child process would build for another town than this process serves.
  if (shared_state === 'unknown' || describeTownChange() !== '') return null;
  const meta = findSnapshot(layout, getCurrentName(layout))?.meta ?? null;
  if (
    shared_state === 'missing' ||
    meta === null ||
    meta.schema_version < SCHEMA_VERSION ||
    !isOfThisTown(meta)
  )
    return { is_missing: true, due_ms: null, decision: null, is_urgent: false };
  if (meta.schema_version > SCHEMA_VERSION) return null;
  const [now_ms, hours] = [clock(), config.rebuild_hours];
  const decision = await getLastAgendaDecisionId(inbox);
  return {
    is_missing: must_replace || (may_be_other_code && meta.made_by !== renderer_digest),
    due_ms: isReleaseOverdue(meta.generated_ms, now_ms, hours)
      ? lastScheduledMs(now_ms, hours)
      : null,
    decision: decision === meta.decision ? null : decision,
    is_urgent: await hasUrgentDecisionSince(inbox, meta.decision),
  };
}

/** Returns the environment with which a child process gets the same simulated time; empty for real time. */
export const clockEnv = ({ clock_start }: Config, now_ms: number): Record<string, string> =>
  clock_start === null ? {} : { CLOCK_START: formatTimestamp(now_ms) };

/**
 * Builds in a child process. Resolves with true once the release is live, while the child still warms the page cache;
 * with false if the build failed.
 * @param onLive Called when the release goes live.
 */
export function runBuildProcess(
  { config, clock, log, layout, run_script, onSwitch, say }: BuildProcessOptions,
  cause: BuildCause,
  signal: AbortSignal,
  onLive: () => void = () => {},
): Promise<boolean> {
  const now_ms = clock();
  log.info({ cause }, 'building a release');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let is_live = false;
  const onLine = (line: string): void => {
    if (say) say(line);
    else log.info({ build: line.trim() }, 'build');
    if (!/ serves \(/.test(line)) return;
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
  void spawnTiedChild({ command, env, onLine, signal, niceness }).then((exit) => {
    if (is_live) return;
    if (exit.signal !== null && !signal.aborted)
      recordBuildFailure(layout, formatTimestamp(now_ms), `The build was killed by ${exit.signal}`);
    // The child also exits with 0 if another process was faster and nothing had to be built.
    onSwitch();
    resolve(exit.code === 0);
  });
  return promise;
}
