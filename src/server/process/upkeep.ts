// Upkeep of the inbox in the process that owns the schedule: what is private and due is forgotten, what was
// erased is swept out of the file, what is to be mailed is sent.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { forgetDue } from '../../desk/forget.ts';
import { toSite } from '../../domain/site.ts';
import { type Inbox, openInbox } from '../../inbox/open.ts';
import { emptyOutbox } from '../../inbox/outbox.ts';
import { createMailer, type Mailer } from '../../mail/mailer.ts';
import { toMailServer } from '../../mail/server.ts';
import { readCurrent, toLayout, toReleasePaths } from '../../releases/layout.ts';
import { readReleaseFacts } from '../../releases/release-facts.ts';
import { untilWritable } from '../http/inbox-gate.ts';
import { type ReleasedEvents, toReleasedEvents } from '../../snapshot/released-events.ts';
import { createSweeper } from './sweeping.ts';

const HOUR_MS = 3_600_000;
/** The clock is polled, as for releases. */
const POLL_MS = 2_000;
/** Where this process serves too, nobody waits for more than another writer. */
const PATIENCE_MS = 50;
/** For a letter on its way, when this process ends. */
const END_MS = 4_000;

/**
 * Starts it; gives the function that ends it, after the letter that is on its way. `run_script` runs a
 * command by its name.
 */
export function startUpkeep(
  config: Config,
  clock: () => number,
  log: Logger,
  run_script: string,
): () => Promise<void> {
  const inbox = openInbox(join(config.data_dir, 'inbox.db'));
  inbox.pragma(`busy_timeout = ${PATIENCE_MS}`);
  const mailer = toMailer(config, inbox, clock, log);
  const sweeper = createSweeper(inbox, log, run_script);
  let forgotten_hour = Number.NaN;
  const check = async (): Promise<void> => {
    // While another program has it to itself, nothing is due.
    if (!(await untilWritable(inbox, 0))) return;
    const now_ms = clock();
    const hour = Math.floor(now_ms / HOUR_MS);
    if (hour !== forgotten_hour) {
      forgotten_hour = hour;
      const count = forgetDue(inbox, now_ms);
      if (count > 0) log.info({ count }, 'private words were forgotten');
      if (mailer === null) emptyOutbox(inbox);
    }
    sweeper.check();
    await mailer?.round();
  };
  let running: Promise<void> | null = null;
  const poll = (): void => {
    running ??= check()
      .catch((thrown: unknown) => log.error({ err: thrown }, 'the upkeep of the inbox failed'))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(poll, POLL_MS);
  poll();
  return async () => {
    clearInterval(timer);
    mailer?.stop();
    sweeper.stop();
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, END_MS))]);
    inbox.close();
  };
}

function toMailer(config: Config, inbox: Inbox, clock: () => number, log: Logger): Mailer | null {
  const { mail, site_name, contact_email } = config;
  if (mail === null) return null;
  return createMailer({
    ...{ inbox, clock, log, settings: mail, site: toSite(config) },
    server: toMailServer(mail, site_name, contact_email),
    readRelease: () => readReleased(config.data_dir),
  });
}

/** Null before the first release. */
function readReleased(data_dir: string): ReleasedEvents | null {
  const layout = toLayout(data_dir);
  const id = readCurrent(layout);
  if (id === null) return null;
  const { facts, snapshot } = toReleasePaths(join(layout.releases_dir, id));
  return toReleasedEvents(snapshot, readReleaseFacts(facts).generated_ms);
}
