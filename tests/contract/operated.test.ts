// The service in the hands of its operator: started, ended, asked how it goes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  findFreePort,
  captureOutput,
  runCommand,
  type ServerSettings,
  buildEnv,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { useFolder } from '../fixtures/folder.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..');
const folder = useFolder();
const settings: ServerSettings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
beforeAll(() => copySharedRelease(settings), 120_000);

test('a command whose reader goes early, as `| head` does, does its work without a word', async () => {
  const script = '{ "$0" scripts/run.mjs keys create leida; echo "code $?" >&2; } | true';
  const there = { cwd: PROJECT, env: buildEnv(settings), encoding: 'utf8' } as const;
  const { stderr } = spawnSync('bash', ['-c', script, process.execPath], there);
  expect(stderr).toBe('code 0\n');
  expect((await runCommand('keys', ['list'], settings)).output).toContain('leida');
  // As the service does after an erasure.
  expect((await runCommand('editors', ['compact'], settings)).code).toBe(0);
});

const listProcesses = (): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(settings.data_dir);
    } catch {
      return false;
    }
  });
/** Makes its program process 1 of a space of its own. */
const NAMESPACE = ['/usr/bin/unshare', '--pid', '--fork', '--mount-proc', '--kill-child=TERM'];
const [unshare = '', ...options] = NAMESPACE;
const has_namespaces = spawnSync(unshare, [...options, 'true']).status === 0;

test.each<readonly [string, readonly string[], NodeJS.Signals]>([
  ['npm alone', [], 'SIGTERM'],
  ...(has_namespaces ? [['process 1 of a container', NAMESPACE, 'SIGKILL'] as const] : []),
])('SIGTERM to %s ends the service', async (_, before, signal) => {
  const [program = '', ...args] = [...before, 'npm', 'start'];
  const env = buildEnv(settings, await findFreePort());
  const child = spawn(program, args, { cwd: PROJECT, env, detached: true });
  const ended = once(child, 'exit');
  await captureOutput(child).waitForOutput('Listo:');
  child.kill(signal);
  const [code] = await ended;
  expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
  await expect.poll(listProcesses).toEqual([]);
});

test('every command reads the file of settings, and the environment wins', async () => {
  const file = join(folder, 'settings.env');
  writeFileSync(file, 'MAIL_HOUR=99\n');
  const list = (env: Record<string, string>) =>
    runCommand('keys', ['list'], { ...settings, env: { ENV_FILE: file, ...env } });
  expect(await list({})).toMatchObject({
    code: 1,
    output: expect.stringContaining("MAIL_HOUR: must be 23 or less (got '99')"),
  });
  expect(await list({ MAIL_HOUR: '8' })).toMatchObject({ code: 0 });
});
