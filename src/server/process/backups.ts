// Backups by the process that owns the schedule: a new one whenever the newest is too old, whoever made
// that, so a timer of the system's and this never make two.
import type { Logger } from 'pino';
import { listBackups } from '../../backup/backup-folder.ts';
import type { Config } from '../../config.ts';
import { formatTimestamp } from '../../domain/cancun-time.ts';
import { spawnTethered } from '../../releases/spawn.ts';

const HOUR_MS = 3_600_000;
/** The clock is polled, as for releases. */
const POLL_MS = 60_000;
/** One that failed is tried again after this. */
const PAUSE_MS = HOUR_MS;

/**
 * Starts them; gives the function that ends them, and one under way. Nothing is made where no folder is
 * named. `run_script` runs a command by its name.
 */
export function startBackups(
  config: Config,
  clock: () => number,
  log: Logger,
  run_script: string,
  poll_ms = POLL_MS,
): () => void {
  const { backup_dir, backup_hours } = config;
  if (backup_dir === null || backup_hours === 0) return () => {};
  const ending = new AbortController();
  let wait_until = 0;
  let is_busy = false;
  const check = async (): Promise<void> => {
    if (is_busy || performance.now() < wait_until) return;
    is_busy = true;
    try {
      const [newest] = listBackups(backup_dir);
      const now_ms = clock();
      if (newest && now_ms - newest.list.made_ms < backup_hours * HOUR_MS) return;
      const is_made = await runBackup(config, now_ms, log, run_script, ending.signal);
      wait_until = is_made ? 0 : performance.now() + PAUSE_MS;
    } catch (thrown) {
      // A folder that cannot be read; no reason to serve nobody.
      log.error({ lines: [String(thrown)] }, 'no backup could be made');
      wait_until = performance.now() + PAUSE_MS;
    } finally {
      is_busy = false;
    }
  };
  const timer = setInterval(() => void check(), poll_ms);
  void check();
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}

async function runBackup(
  { clock_start }: Config,
  now_ms: number,
  log: Logger,
  run_script: string,
  signal: AbortSignal,
): Promise<boolean> {
  const lines: string[] = [];
  const { ended } = spawnTethered({
    command: [run_script, 'backup'],
    cwd: process.cwd(),
    env: clock_start === null ? {} : { CLOCK_START: formatTimestamp(now_ms) },
    onLine: (line) => lines.push(line),
    signal,
    is_low: true,
  });
  const { code } = await ended;
  if (code === 0) log.info({ lines }, 'a backup was made');
  else if (!signal.aborted) log.error({ lines }, 'no backup could be made');
  return code === 0;
}
