// One build at a time, over all processes: a file with the builder's process id.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

function tryLock(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  }
}

/** The process that holds the lock, or null where it is free, or its holder died. */
export function readLockHolder(path: string): number | null {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Takes the lock and gives the function that frees it. Throws where another living process holds it. */
export function takeLock(path: string): () => void {
  if (!tryLock(path)) {
    const holder = readLockHolder(path);
    if (holder !== null) throw new Error(`Another process (${holder}) is building a release. Wait for it, or end it`);
    rmSync(path, { force: true });
    if (!tryLock(path)) throw new Error('Another process has just begun to build a release. Wait for it');
  }
  return () => rmSync(path, { force: true });
}
