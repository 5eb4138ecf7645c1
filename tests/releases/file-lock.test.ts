// One at a time: the lock is the system's, so nothing that dies can keep it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocked, tryAcquireLock } from '../../src/releases/file-lock.ts';
import { makeFolder } from '../fixtures/folder.ts';

const path = join(makeFolder(), 'release.lock');

const LOCK = JSON.stringify(join(import.meta.dirname, '..', '..', 'src', 'releases', 'lock.ts'));
const HOLDER = `import { tryLock } from ${LOCK}; const free = tryLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => free.name, 1000);`;

test('is refused while another process holds it, and free once that is killed', async () => {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(isLocked(path)).toBe(true);
  expect(tryAcquireLock(path)).toBeNull();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(isLocked(path)).toBe(false);
  tryAcquireLock(path)?.();
  expect(tryAcquireLock(path)).not.toBeNull();
});

test('a file that is no lock is said, not overwritten', () => {
  const other = `${path}.other`;
  writeFileSync(other, 'something that somebody put here, longer than an empty file');
  expect(() => tryAcquireLock(other)).toThrow('file is not a database');
});
