// File lock: a lock across processes that the system releases when its holder ends, even if it is
// killed. It is a write lock on an empty SQLite file.
import Database from 'better-sqlite3';

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY');

/**
 * Acquires a lock, waiting up to `timeout_ms`.
 * @returns the function that releases it, or null on a timeout.
 */
export function tryAcquireLock(path: string, timeout_ms = 0): (() => void) | null {
  const file = new Database(path, { timeout: timeout_ms });
  try {
    // Nothing is ever written, so that the lock also works on a full disk.
    file.pragma('journal_mode = memory');
    file.exec('begin immediate');
    return () => void file.close();
  } catch (thrown) {
    file.close();
    if (isBusy(thrown)) return null;
    throw thrown;
  }
}

/** Returns true if another process or this one holds the lock. */
export function isLocked(path: string): boolean {
  const releaseLock = tryAcquireLock(path);
  releaseLock?.();
  return releaseLock === null;
}
