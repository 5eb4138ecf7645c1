// Maintenance: does the tasks that only one process of the service may do (the primary process):
// backups, source fetching, erasing expired private data, compacting the inbox after an erasure,
// and sending email.
import type { Logger } from 'pino';
import { findNewestBackupMs } from '../../backup/backups.ts';
import type { Config } from '../../config.ts';
import { eraseExpired } from '../../desk/retention.ts';
import { isCompactionDue } from '../../inbox/erase.ts';
import { type Inbox, openInbox, inboxLocation } from '../../inbox/open.ts';
import { clearOutbox, pruneOutbox } from '../../inbox/outbox.ts';
import { listSourceStates } from '../../inbox/followed-sources.ts';
import { formatTimestamp } from '../../domain/local-time.ts';
import { createSite } from '../../domain/site.ts';
import { createMailer, type MailerOptions } from '../../mail/mailer.ts';
import { createSmtpClient } from '../../mail/smtp-client.ts';
import type { SourceReader } from '../../site/visitor-request.ts';
import { formatDuration } from '../../releases/build-log.ts';
import { CHILD_NICENESS, spawnTiedChild } from '../../releases/child-process.ts';
import { isSourceDue } from '../fetch-sources.ts';
import { type FollowedSource, loadFollowedSources } from '../../sources/followed-sources.ts';
import { waitUntilWritable } from '../http/admission.ts';
import { clockEnv } from './release-builder.ts';
import type { ReportTask, Task } from './task-report.ts';

const HOUR_MS = 3_600_000;
/** Time between two checks whether a backup or a source is due. */
const CHECK_INTERVAL_MS = 60_000;
/** SQLite busy timeout: short, because this process also serves requests, which it would block. */
const INBOX_BUSY_TIMEOUT_MS = 50;
/** Minimum time between two attempts to compact the inbox, even after failures. */
const COMPACTION_PAUSE_MS = 10 * 60_000;
/** Time after which the erasure of expired data is retried if it failed. */
const ERASURE_RETRY_MS = 10 * 60_000;
/** Time after which sources are fetched again if that failed; each has a longer pause of its own. */
const SOURCES_RETRY_MS = 5 * 60_000;
/** Time for an email that is being sent when the process stops. */
const STOP_TIMEOUT_MS = 4_000;
/** A command that takes longer is killed. A backup of a large inbox to a slow disk takes minutes. */
const COMMAND_TIMEOUTS_MS = {
  backup: 60 * 60_000,
  editors: 15 * 60_000,
  release: 30 * 60_000,
  sources: 5 * 60_000,
} as const;

/** Runs one of our commands and returns its output; null if it was aborted. */
export type RunCommand = (
  args: readonly [name: keyof typeof COMMAND_TIMEOUTS_MS, ...rest: string[]],
) => Promise<{
  /** Why it failed, without any output; null if it succeeded. */
  readonly problem: string | null;
  readonly lines: readonly string[];
} | null>;

/**
 * Creates a function that runs commands at low priority.
 * @param run_script The script that runs a command by its name.
 * @param signal Aborts running commands.
 * @param timeouts_ms Time limit of each command.
 */
export const createRunCommand =
  (
    config: Config,
    clock: () => number,
    run_script: string,
    signal: AbortSignal,
    timeouts_ms: Readonly<Record<keyof typeof COMMAND_TIMEOUTS_MS, number>> = COMMAND_TIMEOUTS_MS,
  ): RunCommand =>
  async (args) => {
    const lines: string[] = [];
    const timeout_ms = timeouts_ms[args[0]];
    const { code, is_timeout } = await spawnTiedChild({
      command: [run_script, ...args],
      env: clockEnv(config, clock()),
      onLine: (line) => lines.push(line),
      signal,
      timeout_ms,
      niceness: CHILD_NICENESS.unawaited,
    });
    if (signal.aborted) return null;
    const failure = is_timeout
      ? `it took longer than ${formatDuration(timeout_ms)} and was stopped`
      : 'the log says why';
    return { problem: code === 0 ? null : failure, lines };
  };

/** Writes the result of a command to the log, and a failure to /statusz. */
function reportResult(
  { log, report }: TaskLog,
  task: Task,
  messages: { readonly success: string; readonly failure: string },
  result: Awaited<ReturnType<RunCommand>>,
): void {
  if (result === null) return;
  const { problem, lines } = result;
  if (problem === null) log.info({ lines }, messages.success);
  else log.error({ problem, lines }, messages.failure);
  report(task, problem);
}

/** Destinations of the results of tasks: the log, and /statusz. */
export interface TaskLog {
  readonly log: Logger;
  readonly report: ReportTask;
}

/**
 * Creates a function, to be called regularly, that makes a backup when the newest one is too old.
 * Backups made by a system timer count too, so that there are never two. A failed backup is retried
 * after an hour.
 */
export function createBackupSchedule(
  { backup_dir, backup_hours }: Config,
  task_log: TaskLog,
  run: RunCommand,
) {
  let next_check_ms = 0;
  return async (now_ms: number): Promise<void> => {
    if (backup_dir === null || backup_hours === 0 || performance.now() < next_check_ms) return;
    const newest_ms = findNewestBackupMs(backup_dir);
    const is_due = newest_ms === null || now_ms - newest_ms >= backup_hours * HOUR_MS;
    next_check_ms = performance.now() + (is_due ? HOUR_MS : CHECK_INTERVAL_MS);
    const messages = { success: 'backup made', failure: 'the backup failed' };
    if (is_due) reportResult(task_log, 'backup', messages, await run(['backup']));
  };
}

/** Backups are made daily; one that is this old was missed. */
const BACKUP_LATE_MS = 48 * HOUR_MS;

/** Lists for /statusz that the newest backup is old, also if another program makes them. */
export function listBackupProblems({ backup_dir }: Config, now_ms: number): readonly string[] {
  const newest_ms = backup_dir === null ? null : findNewestBackupMs(backup_dir);
  if (newest_ms === null || now_ms - newest_ms < BACKUP_LATE_MS) return [];
  return [`backup: the newest is of ${formatTimestamp(newest_ms)}`];
}

/** Creates the functions with which editors list and fetch sources, followed or not. */
export const createSourceReader = (
  { content_dir }: Config,
  log: Logger,
  run: RunCommand,
): SourceReader => ({
  list: () => loadFollowedSources(content_dir).sources,
  pull: async (key, with_gone) => {
    const result = await run(['sources', 'pull', key, ...(with_gone ? ['--gone'] : [])]);
    if (result?.problem) log.error({ ...result, source: key }, 'fetching a source failed');
  },
});

/**
 * Creates a function, to be called regularly, that fetches due sources in a child process if FOLLOW
 * is on.
 */
export function createSourceSchedule(
  { follow, content_dir }: Config,
  task_log: TaskLog,
  run: RunCommand,
  inbox: Inbox,
) {
  let next_check_ms = 0;
  return async (now_ms: number): Promise<void> => {
    if (!follow || performance.now() < next_check_ms) return;
    // No other check until this one is done.
    next_check_ms = Number.POSITIVE_INFINITY;
    let pause_ms = SOURCES_RETRY_MS;
    try {
      const stored = new Map((await listSourceStates(inbox)).map((state) => [state.key, state]));
      const isDue = (source: FollowedSource): boolean =>
        source.follow && isSourceDue(stored.get(source.key), source.url, now_ms);
      const has_due = loadFollowedSources(content_dir).sources.some(isDue);
      const result = has_due ? await run(['sources', 'pull', '--due']) : null;
      if (result === null || result.problem === null) pause_ms = CHECK_INTERVAL_MS;
      const messages = { success: 'sources fetched', failure: 'fetching sources failed' };
      reportResult(task_log, 'sources', messages, result);
    } catch (error) {
      task_log.log.error({ err: error }, 'fetching sources failed');
      task_log.report('sources', 'the log says why');
    }
    next_check_ms = performance.now() + pause_ms;
  };
}

export type Maintenance = Awaited<ReturnType<typeof createMaintenance>>;

/**
 * Creates the inbox maintenance. `check` runs due tasks unless they are running; `stop` waits for
 * the current email.
 */
export async function createMaintenance(
  options: Pick<MailerOptions, 'clock' | 'getReleasedEvents' | 'composeForSubscriber'> & {
    readonly config: Config;
    readonly run: RunCommand;
  } & TaskLog,
) {
  const { config, log, report, run } = options;
  const inbox = await openInbox(inboxLocation(config), INBOX_BUSY_TIMEOUT_MS);
  inbox.warn = (message) => log.warn(message);
  const { mail } = config;
  const site = createSite(config);
  const server = mail && createSmtpClient(mail, site.name, site.contact_email);
  const mailer =
    mail &&
    server &&
    createMailer({
      ...options,
      ...{ inbox, settings: mail, site, server },
      reportProblem: (reason) => report('mail', reason),
      listFollowedSources: () => loadFollowedSources(config.content_dir).sources,
    });
  /** Hour since the epoch in which expired data was last erased. */
  let last_erasure_hour = Number.NaN;
  let next_erasure_ms = 0;
  let next_compaction_ms = 0;
  /**
   * Compacts in a child process, because the time depends on the size of the inbox (contract
   * 14.26).
   */
  const compact = async (): Promise<void> => {
    const messages = {
      success: 'the inbox was compacted',
      failure: 'the inbox could not be compacted',
    };
    reportResult(options, 'compaction', messages, await run(['editors', 'compact']));
  };
  /** Erases expired data. A failure does not stop the other tasks. */
  const erase = async (now_ms: number): Promise<void> => {
    try {
      const count = await eraseExpired(inbox, now_ms);
      if (count > 0) log.info({ count }, 'expired private data was erased');
      if (mailer === null) {
        await clearOutbox(inbox);
        await pruneOutbox(inbox, now_ms);
      }
      last_erasure_hour = Math.floor(now_ms / HOUR_MS);
      report('erasure', null);
    } catch (error) {
      next_erasure_ms = performance.now() + ERASURE_RETRY_MS;
      log.error({ err: error }, 'erasing expired data failed');
      report('erasure', 'the log says why');
    }
  };
  const runDueTasks = async (now_ms: number): Promise<void> => {
    // Skip this round if another program locks the inbox.
    if (!(await waitUntilWritable(inbox, 0))) return;
    const is_erasure_due = Math.floor(now_ms / HOUR_MS) !== last_erasure_hour;
    if (is_erasure_due && performance.now() >= next_erasure_ms) await erase(now_ms);
    if (performance.now() >= next_compaction_ms && (await isCompactionDue(inbox))) {
      next_compaction_ms = performance.now() + COMPACTION_PAUSE_MS;
      void compact();
    }
    await mailer?.round();
  };
  let running: Promise<void> | null = null;
  let has_failed = false;
  return {
    check: (now_ms: number): void => {
      running ??= runDueTasks(now_ms)
        .then(() => {
          if (has_failed) report('maintenance', null);
          has_failed = false;
        })
        .catch((error: unknown) => {
          log.error({ err: error }, 'maintenance of the inbox failed');
          if (!has_failed) report('maintenance', 'the log says why');
          has_failed = true;
        })
        .finally(() => {
          running = null;
        });
    },
    stop: async (): Promise<void> => {
      mailer?.stop();
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS))]);
      await inbox.close();
    },
  };
}
