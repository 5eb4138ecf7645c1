// A folder that cannot be made is said, wherever it was to be.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeDataFolder } from '../../src/inbox/data-folder.ts';
import { openInbox } from '../../src/inbox/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what is missing is made, twice as well as once', () => {
  for (const _ of [1, 2]) makeDataFolder(join(folder, 'a', 'b'));
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
});

test('below a file it cannot be, and the sentence says which', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeDataFolder(join(folder, 'file', 'data'))).toThrow(
    `DATA_DIR: ${join(folder, 'file', 'data')} cannot be made by this user`,
  );
  await expect(() => openInbox(join(folder, 'file', 'data', 'inbox.db'))).rejects.toThrow(
    /^DATA_DIR: .* cannot be made/,
  );
});
