// File lock: the system releases it when its holder is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocked, tryAcquireLock } from '../../src/releases/file-lock.ts';
import { useFolder } from '../fixtures/folder.ts';

const path = join(useFolder(), 'release.lock');

const MODULE = JSON.stringify(join(import.meta.dirname, '../../src/releases/file-lock.ts'));
const HOLDER = `import { tryAcquireLock } from ${MODULE}; const release = tryAcquireLock(${JSON.stringify(path)}); console.log('acquired'); setInterval(() => release.name, 1000);`;

test('cannot be acquired while another process holds it, but once that is killed', async () => {
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

test('rejects another file instead of overwriting it', () => {
  const other = `${path}.other`;
  writeFileSync(other, 'some other content, longer than an empty file');
  expect(() => tryAcquireLock(other)).toThrow('file is not a database');
});
