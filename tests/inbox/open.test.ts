// Opening the inbox: one without a file leaves none behind.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';

test('an inbox in memory writes no file, also none of that name', async () => {
  const [folder, before] = [mkdtempSync(join(tmpdir(), 'hoy-memory-')), process.cwd()];
  process.chdir(folder);
  try {
    await (await openInbox(':memory:')).close();
    expect([readdirSync(folder), existsSync(':memory:')]).toEqual([[], false]);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});

test('one that is up to date opens while another program writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-open-'));
  const path = join(folder, 'inbox.db');
  await (await openInbox(path)).close();
  const first = new Database(path);
  first.exec('begin immediate');
  const begun_ms = performance.now();
  await (await openInbox(path)).close();
  expect(performance.now() - begun_ms).toBeLessThan(1_000);
  first.exec('rollback');
  first.close();
  rmSync(folder, { recursive: true });
});
