// What a service is started with, so that it takes no more memory than it needs; contract/operated.test.ts sees that it is.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { BUILD_FLAGS, spawnTethered } from '../../src/releases/spawn.ts';
import { toFrugal } from '../../src/server/process/own-memory.ts';

const FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=512'];
const ENV = { MALLOC_ARENA_MAX: '2' };

test('what is missing is added, and nothing more once it is there', () => {
  const frugal = toFrugal('start', { flags: ['--inspect'], env: { PORT: '1' } });
  expect(frugal).toEqual({ flags: ['--inspect', ...FLAGS], env: { PORT: '1', ...ENV } });
  expect(toFrugal('start', frugal ?? { flags: [], env: {} })).toBeNull();
});

test('what somebody set stays, wherever it stands', () => {
  const given = { MALLOC_ARENA_MAX: '8', NODE_OPTIONS: '--max_old_space_size=600 --no-warnings' };
  expect(toFrugal('start', { flags: ['--max-semi-space-size=2'], env: given })).toBeNull();
  expect(toFrugal('start', { flags: [], env: given })).toEqual({
    flags: FLAGS.slice(0, 1),
    env: given,
  });
});

test('a build is too', () => {
  const flags = ['--max-semi-space-size=16', '--heap-growing-percent=100', '--expose-gc'];
  expect(toFrugal('release', { flags: [], env: {} })).toEqual({ flags, env: ENV });
  expect(toFrugal('release', { flags: [...BUILD_FLAGS], env: ENV })).toBeNull();
});

test('one that a service starts has it from the first: begun anew it would not end with its service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-spawned-'));
  const script = join(folder, 'tell.mjs');
  writeFileSync(
    script,
    'console.log(JSON.stringify({ flags: process.execArgv, env: { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX } }))',
  );
  const lines: string[] = [];
  const { ended } = spawnTethered({
    ...{ command: [script], cwd: folder, env: {} },
    onLine: (line) => lines.push(line),
  });
  expect(await ended).toEqual({ code: 0, signal: null });
  const Started = v.object({ flags: v.array(v.string()), env: v.record(v.string(), v.string()) });
  expect(toFrugal('release', v.parse(Started, JSON.parse(lines.join(''))))).toBeNull();
  rmSync(folder, { recursive: true });
});
