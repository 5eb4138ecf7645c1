// One build at a time, over all processes: a lock that the system frees when its holder ends,
// however it ends.
import Database from 'better-sqlite3';

/** Longer than a look at the lock takes, shorter than a person waits. */
const PATIENCE_MS = 2_000;

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY');

/** An empty SQLite file with a write lock on it; null where another process has that. */
function tryLock(path: string, timeout_ms: number): Database.Database | null {
  const file = new Database(path, { timeout: timeout_ms });
  try {
    // Nothing is ever written, so a full disk keeps nobody from the lock: the journal would be its
    // only file.
    file.pragma('journal_mode = memory');
    file.exec('begin immediate');
    return file;
  } catch (thrown) {
    file.close();
    if (isBusy(thrown)) return null;
    throw thrown;
  }
}

/** Whether some process is building now. */
export function isLocked(path: string): boolean {
  const file = tryLock(path, 0);
  file?.close();
  return file === null;
}

/** Somebody who only looks whether a lock is taken has it for less. */
const LOOK_MS = 500;

/** Takes a lock; gives the function that frees it, or null where another keeps it. */
export function tryTake(path: string): (() => void) | null {
  const file = tryLock(path, LOOK_MS);
  return file && (() => void file.close());
}

/** Takes the lock and gives the function that frees it. Throws where another process holds it. */
export function takeLock(path: string): () => void {
  return take(
    path,
    PATIENCE_MS,
    'Another process is building a release, or going back to one. Wait for it, or end it',
  );
}

/** Longer than it takes anyone to let a release serve. */
const PUBLISH_PATIENCE_MS = 30_000;

/**
 * Takes the lock of whoever lets a release serve, waiting for it: no other release begins to serve until
 * it is freed. Throws where it is held for longer than that ever takes.
 */
export function takePublishLock(path: string): () => void {
  return take(path, PUBLISH_PATIENCE_MS, 'Another process lets a release serve and does not end');
}

function take(path: string, patience_ms: number, sentence: string): () => void {
  const file = tryLock(path, patience_ms);
  if (file === null) throw new Error(sentence);
  return () => void file.close();
}
