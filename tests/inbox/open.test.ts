// Opening the inbox: one without a file leaves none behind.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';

test('an inbox in memory writes no file, also none of that name', () => {
  const [folder, before] = [mkdtempSync(join(tmpdir(), 'hoy-memory-')), process.cwd()];
  process.chdir(folder);
  try {
    openInbox(':memory:').close();
    expect([readdirSync(folder), existsSync(':memory:')]).toEqual([[], false]);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});
