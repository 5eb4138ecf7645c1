// The service as an operator meets it: two servers, a backup, releases that are followed, a fault that changes nothing.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { findNewest } from '../../src/backup/backups.ts';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
let server: BuiltServer;
beforeAll(async () => {
  cpSync(FIXTURE_DIR, settings.content_dir, { recursive: true });
  const env = { SERVERS: '2', BACKUP_DIR: join(folder, 'backups'), LOG_LEVEL: 'info' };
  server = await startServer({ ...settings, env });
}, 120_000);

/** A connection each, so that both processes are asked. */
const readRelease = async (): Promise<string> => {
  const answer = await server.get('/healthz', { connection: 'close' });
  return v.parse(v.object({ release: v.string() }), await answer.json()).release;
};

test('a backup is made where none is there, and the clock is said to be set', async () => {
  expect(server.output()).toMatch(/^ATTENTION: CLOCK_START is set/);
  await server.says('a backup was made');
  expect(findNewest(join(folder, 'backups'))).not.toBeNull();
});

test('a fault in the content stops a strict release; one without is followed by every process', async () => {
  const before = await readRelease();
  const broken = join(settings.content_dir, 'events', 'roto.yml');
  writeFileSync(broken, 'titel: x\n');
  const { code, output } = await runCommand('release', ['--strict'], settings);
  rmSync(broken);
  expect(code).toBe(1);
  expect(output).toContain('events/roto.yml:1 titel: is not a field');
  expect(await readRelease()).toBe(before);

  const switched = server.count('release switched');
  const later = { ...settings, clock_start: '2026-11-20T12:05:00-05:00' };
  expect(await runCommand('release', [], later)).toMatchObject({ code: 0 });
  await server.says('release switched', switched + 2);
  for (let i = 0; i < 12; i++) expect(await readRelease()).not.toBe(before);
  expect(await server.stop()).toBe(0);
});
