// A lock over all processes that the system frees when its holder ends, however it ends: a write lock
// on an empty SQLite file.
import Database from 'better-sqlite3';

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY');

/** Takes a lock, waiting for it; gives the function that frees it, or null where another keeps it. */
export function tryAcquireLock(path: string, patience_ms = 0): (() => void) | null {
  const file = new Database(path, { timeout: patience_ms });
  try {
    // Nothing is ever written, so a full disk keeps nobody from the lock.
    file.pragma('journal_mode = memory');
    file.exec('begin immediate');
    return () => void file.close();
  } catch (thrown) {
    file.close();
    if (isBusy(thrown)) return null;
    throw thrown;
  }
}

export function isLocked(path: string): boolean {
  const free = tryAcquireLock(path);
  free?.();
  return free === null;
}
