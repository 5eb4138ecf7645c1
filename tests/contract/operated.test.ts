// Operation: commands in a shell, signals to the service and the settings file.
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

test('a command completes silently if its output is closed early, as by `| head`', async () => {
  const script = '{ "$0" scripts/run.mjs keys create leida; echo "code $?" >&2; } | true';
  const spawn_options = { cwd: PROJECT, env: buildEnv(settings), encoding: 'utf8' } as const;
  const { stderr } = spawnSync('bash', ['-c', script, process.execPath], spawn_options);
  expect(stderr).toBe('code 0\n');
  expect((await runCommand('keys', ['list'], settings)).output).toContain('leida');
  // The service runs this command after an erasure.
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
/** Runs a program as process 1 of its own PID namespace. */
const NAMESPACE = ['/usr/bin/unshare', '--pid', '--fork', '--mount-proc', '--kill-child=TERM'];
const [unshare = '', ...options] = NAMESPACE;
const has_namespaces = spawnSync(unshare, [...options, 'true']).status === 0;

test.each<readonly [string, readonly string[], NodeJS.Signals]>([
  ['npm alone', [], 'SIGTERM'],
  ...(has_namespaces ? [['process 1 of a container', NAMESPACE, 'SIGKILL'] as const] : []),
])('SIGTERM to %s ends the service', async (_, prefix, signal) => {
  const [program = '', ...args] = [...prefix, 'npm', 'start'];
  const env = buildEnv(settings, await findFreePort());
  const child = spawn(program, args, { cwd: PROJECT, env, detached: true });
  const ended = once(child, 'exit');
  await captureOutput(child).waitForOutput('Listo:');
  child.kill(signal);
  const [code] = await ended;
  expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
  await expect.poll(listProcesses).toEqual([]);
});

test('every command reads the settings file, and the environment takes precedence', async () => {
  const file = join(folder, 'settings.env');
  writeFileSync(file, 'MAIL_HOUR=99\n');
  const listKeys = (env: Record<string, string>) =>
    runCommand('keys', ['list'], { ...settings, env: { ENV_FILE: file, ...env } });
  expect(await listKeys({})).toMatchObject({
    code: 1,
    output: expect.stringContaining("MAIL_HOUR: must be 23 or less (got '99')"),
  });
  expect(await listKeys({ MAIL_HOUR: '8' })).toMatchObject({ code: 0 });
});
