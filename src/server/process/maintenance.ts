// What one server does for all: backups, and the upkeep of the inbox. What is private and due is forgotten,
// the file is compacted after an erasure, what is to be mailed is sent.
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
/** How often the folder of backups is looked at. */
const LOOK_MS = 60_000;
/** This process serves too: nobody waits for more than another writer. */
const PATIENCE_MS = 50;
/** However much is erased, and whether it can be done or not: it is compacted no more often than this. */
const COMPACT_PAUSE_MS = 10 * 60_000;
/** For a letter on its way, when this process ends. */
const END_MS = 4_000;

/** Runs a command of ours to its end; gives all that it said, or null where it was given up. */
export type RunCommand = (words: readonly string[]) => Promise<{
  readonly code: number | null;
  readonly lines: readonly string[];
} | null>;

/** At low priority, until `signal`. `run_script` runs a command by its name. */
export const createRunCommand =
  (config: Config, clock: () => number, run_script: string, signal: AbortSignal): RunCommand =>
  async (words) => {
    const lines: string[] = [];
    const { code } = await spawnTiedChild({
      command: [run_script, ...words],
      env: clockEnv(config, clock()),
      onLine: (line) => lines.push(line),
      signal,
      niceness: CHILD_NICENESS.unawaited,
    });
    return signal.aborted ? null : { code, lines };
  };

/**
 * A new backup whenever the newest is too old, whoever made that, so a timer of the system's and this never make
 * two. One that failed is tried again after an hour. To be called now and then.
 */
export function createBackupSchedule(
  { backup_dir, backup_hours }: Config,
  log: Logger,
  run: RunCommand,
) {
  let wait_until = 0;
  return async (now_ms: number): Promise<void> => {
    if (backup_dir === null || backup_hours === 0 || performance.now() < wait_until) return;
    const newest_ms = findNewestBackupMs(backup_dir);
    const is_due = newest_ms === null || now_ms - newest_ms >= backup_hours * HOUR_MS;
    wait_until = performance.now() + (is_due ? HOUR_MS : LOOK_MS);
    const ended = is_due ? await run(['backup']) : null;
    if (ended?.code === 0) log.info({ lines: ended.lines }, 'a backup was made');
    else if (ended) log.error({ lines: ended.lines }, 'no backup could be made');
  };
}

/** What an editor may do with sources, whether they are followed or not. */
export const createSourceReader = ({ content_dir }: Config, run: RunCommand): SourceReader => ({
  list: () => loadFollowedSources(content_dir).sources,
  pull: (key, with_gone) => run(['sources', 'pull', key, ...(with_gone ? ['--gone'] : [])]),
});

/** Sources that are due are pulled in a process of its own, where an operator has turned following on. */
export function createSourceSchedule(
  { follow, content_dir }: Config,
  log: Logger,
  run: RunCommand,
  inbox: Inbox,
) {
  let wait_until = 0;
  return async (now_ms: number): Promise<void> => {
    if (!follow || performance.now() < wait_until) return;
    // Until this is done; what fails is tried again after an hour.
    wait_until = Number.POSITIVE_INFINITY;
    let pause_ms = HOUR_MS;
    try {
      const stored = new Map((await listSourceStates(inbox)).map((one) => [one.key, one]));
      const isDue = (source: FollowedSource): boolean =>
        source.follow && isSourceDue(stored.get(source.key), source.url, now_ms);
      const is_any = loadFollowedSources(content_dir).sources.some(isDue);
      const ended = is_any ? await run(['sources', 'pull', '--due']) : null;
      if (ended === null || ended.code === 0) pause_ms = LOOK_MS;
      if (ended?.code === 0) log.info({ lines: ended.lines }, 'sources were read');
      else if (ended) log.error({ lines: ended.lines }, 'sources could not be read');
    } catch (thrown) {
      log.error({ err: thrown }, 'sources could not be read');
    }
    wait_until = performance.now() + pause_ms;
  };
}

export type Maintenance = Awaited<ReturnType<typeof createMaintenance>>;

/** `check` does what is due, unless it is at it; `stop` waits for the letter that is on its way. */
export async function createMaintenance(
  options: Pick<MailerOptions, 'clock' | 'readRelease' | 'writeForReader'> & {
    readonly config: Config;
    readonly log: Logger;
    readonly run: RunCommand;
  },
) {
  const { config, log, run } = options;
  const inbox = await openInbox(inboxLocation(config), PATIENCE_MS);
  inbox.warn = (sentence) => log.warn(sentence);
  const { mail } = config;
  const site = createSite(config);
  const server = mail && createSmtpClient(mail, site.name, site.contact_email);
  const mailer =
    mail &&
    server &&
    createMailer({
      ...options,
      ...{ inbox, settings: mail, site, server },
      listFollowed: () => loadFollowedSources(config.content_dir).sources,
    });
  let forgotten_hour = Number.NaN;
  let compact_after = 0;
  /** In a process of its own, for it takes as long as the inbox is large (contract 14.26). */
  const compact = async (): Promise<void> => {
    const ended = await run(['editors', 'compact']);
    if (ended?.code === 0) log.info('the inbox was compacted');
    else if (ended) log.error({ lines: ended.lines }, 'the inbox could not be compacted');
  };
  const work = async (now_ms: number): Promise<void> => {
    // While another program has it to itself, nothing is due.
    if (!(await waitUntilWritable(inbox, 0))) return;
    const hour = Math.floor(now_ms / HOUR_MS);
    if (hour !== forgotten_hour) {
      forgotten_hour = hour;
      const count = await eraseExpired(inbox, now_ms);
      if (count > 0) log.info({ count }, 'private words were forgotten');
      if (mailer === null) await clearOutbox(inbox);
    }
    if (performance.now() >= compact_after && (await isCompactionDue(inbox))) {
      compact_after = performance.now() + COMPACT_PAUSE_MS;
      void compact();
    }
    await mailer?.round();
  };
  let running: Promise<void> | null = null;
  return {
    check: (now_ms: number): void => {
      running ??= work(now_ms)
        .catch((thrown: unknown) => log.error({ err: thrown }, 'the upkeep of the inbox failed'))
        .finally(() => {
          running = null;
        });
    },
    stop: async (): Promise<void> => {
      mailer?.stop();
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, END_MS))]);
      await inbox.close();
    },
  };
}
