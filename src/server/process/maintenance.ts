// Maintenance: does the tasks that only one process of the service may do (the primary process):
// backups, source fetching, erasing expired private data, compacting the inbox after an erasure,
// and sending email.
import type { Logger } from 'pino';
import { findNewestBackupMs } from '../../backup/backups.ts';
import type { Config } from '../../config.ts';
import { eraseExpired } from '../../desk/retention.ts';
import { isCompactionDue } from '../../inbox/erase.ts';
import { type Inbox, openInbox, inboxLocation } from '../../inbox/open.ts';
import { clearOutbox } from '../../inbox/outbox.ts';
import { listSourceStates } from '../../inbox/followed-sources.ts';
import { createSite } from '../../domain/site.ts';
import { createMailer, type MailerOptions } from '../../mail/mailer.ts';
import { createSmtpClient } from '../../mail/smtp-client.ts';
import type { SourceReader } from '../../site/visitor-request.ts';
import { CHILD_NICENESS, spawnTiedChild } from '../../releases/child-process.ts';
import { isSourceDue } from '../fetch-sources.ts';
import { type FollowedSource, loadFollowedSources } from '../../sources/followed-sources.ts';
import { waitUntilWritable } from '../http/admission.ts';
import { clockEnv } from './release-builder.ts';

const HOUR_MS = 3_600_000;
/** Time between two checks whether a backup or a source is due. */
const CHECK_INTERVAL_MS = 60_000;
/** SQLite busy timeout: short, because this process also serves requests, which it would block. */
const INBOX_BUSY_TIMEOUT_MS = 50;
/** Minimum time between two attempts to compact the inbox, even after failures. */
const COMPACTION_PAUSE_MS = 10 * 60_000;
/** Time for an email that is being sent when the process stops. */
const STOP_TIMEOUT_MS = 4_000;

/** Runs one of our commands and returns its output; null if it was aborted. */
export type RunCommand = (args: readonly string[]) => Promise<{
  readonly code: number | null;
  readonly lines: readonly string[];
} | null>;

/**
 * Creates a function that runs commands at low priority.
 * @param run_script The script that runs a command by its name.
 * @param signal Aborts running commands.
 */
export const createRunCommand =
  (config: Config, clock: () => number, run_script: string, signal: AbortSignal): RunCommand =>
  async (args) => {
    const lines: string[] = [];
    const { code } = await spawnTiedChild({
      command: [run_script, ...args],
      env: clockEnv(config, clock()),
      onLine: (line) => lines.push(line),
      signal,
      niceness: CHILD_NICENESS.unawaited,
    });
    return signal.aborted ? null : { code, lines };
  };

/**
 * Creates a function, to be called regularly, that makes a backup when the newest one is too old.
 * Backups made by a system timer count too, so that there are never two. A failed backup is retried
 * after an hour.
 */
export function createBackupSchedule(
  { backup_dir, backup_hours }: Config,
  log: Logger,
  run: RunCommand,
) {
  let next_check_ms = 0;
  return async (now_ms: number): Promise<void> => {
    if (backup_dir === null || backup_hours === 0 || performance.now() < next_check_ms) return;
    const newest_ms = findNewestBackupMs(backup_dir);
    const is_due = newest_ms === null || now_ms - newest_ms >= backup_hours * HOUR_MS;
    next_check_ms = performance.now() + (is_due ? HOUR_MS : CHECK_INTERVAL_MS);
    const result = is_due ? await run(['backup']) : null;
    if (result?.code === 0) log.info({ lines: result.lines }, 'backup made');
    else if (result) log.error({ lines: result.lines }, 'the backup failed');
  };
}

/** Creates the functions with which editors list and fetch sources, followed or not. */
export const createSourceReader = ({ content_dir }: Config, run: RunCommand): SourceReader => ({
  list: () => loadFollowedSources(content_dir).sources,
  pull: (key, with_gone) => run(['sources', 'pull', key, ...(with_gone ? ['--gone'] : [])]),
});

/**
 * Creates a function, to be called regularly, that fetches due sources in a child process if FOLLOW
 * is on.
 */
export function createSourceSchedule(
  { follow, content_dir }: Config,
  log: Logger,
  run: RunCommand,
  inbox: Inbox,
) {
  let next_check_ms = 0;
  return async (now_ms: number): Promise<void> => {
    if (!follow || performance.now() < next_check_ms) return;
    // No other check until this one is done; after a failure, the next one is in an hour.
    next_check_ms = Number.POSITIVE_INFINITY;
    let pause_ms = HOUR_MS;
    try {
      const stored = new Map((await listSourceStates(inbox)).map((state) => [state.key, state]));
      const isDue = (source: FollowedSource): boolean =>
        source.follow && isSourceDue(stored.get(source.key), source.url, now_ms);
      const has_due = loadFollowedSources(content_dir).sources.some(isDue);
      const result = has_due ? await run(['sources', 'pull', '--due']) : null;
      if (result === null || result.code === 0) pause_ms = CHECK_INTERVAL_MS;
      if (result?.code === 0) log.info({ lines: result.lines }, 'sources fetched');
      else if (result) log.error({ lines: result.lines }, 'fetching sources failed');
    } catch (error) {
      log.error({ err: error }, 'fetching sources failed');
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
    readonly log: Logger;
    readonly run: RunCommand;
  },
) {
  const { config, log, run } = options;
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
      listFollowedSources: () => loadFollowedSources(config.content_dir).sources,
    });
  /** Hour since the epoch in which expired data was last erased. */
  let last_erasure_hour = Number.NaN;
  let next_compaction_ms = 0;
  /**
   * Compacts in a child process, because the time depends on the size of the inbox (contract
   * 14.26).
   */
  const compact = async (): Promise<void> => {
    const result = await run(['editors', 'compact']);
    if (result?.code === 0) log.info('the inbox was compacted');
    else if (result) log.error({ lines: result.lines }, 'the inbox could not be compacted');
  };
  const runDueTasks = async (now_ms: number): Promise<void> => {
    // Skip this round if another program locks the inbox.
    if (!(await waitUntilWritable(inbox, 0))) return;
    const hour = Math.floor(now_ms / HOUR_MS);
    if (hour !== last_erasure_hour) {
      last_erasure_hour = hour;
      const count = await eraseExpired(inbox, now_ms);
      if (count > 0) log.info({ count }, 'expired private data was erased');
      if (mailer === null) await clearOutbox(inbox);
    }
    if (performance.now() >= next_compaction_ms && (await isCompactionDue(inbox))) {
      next_compaction_ms = performance.now() + COMPACTION_PAUSE_MS;
      void compact();
    }
    await mailer?.round();
  };
  let running: Promise<void> | null = null;
  return {
    check: (now_ms: number): void => {
      running ??= runDueTasks(now_ms)
        .catch((error: unknown) => log.error({ err: error }, 'maintenance of the inbox failed'))
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
