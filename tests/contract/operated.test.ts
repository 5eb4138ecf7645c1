// The service in the hands of its operator: how it is started, ended and asked how it goes, by the
// commands that docs/operations.md names.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  findFreePort,
  listen,
  runCommand,
  type ServerSettings,
  toEnv,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { findProcesses } from '../fixtures/left-processes.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { makeFolder } from '../fixtures/folder.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..');
const folder = makeFolder();
const settings: ServerSettings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
beforeAll(() => copySharedRelease(settings), 120_000);

/** `npm start`, as a person or a supervisor does; `before` stands before it. */
async function startWithNpm(before: readonly string[] = []) {
  const port = await findFreePort();
  const [program = 'npm', ...args] = [...before, 'npm', 'start'];
  const child = spawn(program, args, { cwd: PROJECT, env: toEnv(settings, port), detached: true });
  const ended = once(child, 'exit');
  await listen(child).says('Listo:');
  return { child, port, ended };
}

/** A form that is on its way: what `end` sends completes it; `answer` has all that came back. */
async function beginForm(port: number) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  const answer = once(socket, 'close').then(() => text);
  const type = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 7';
  socket.write(`POST /publicar HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${type}\r\n\r\ntit`);
  return { end: () => socket.write('le=x'), answer };
}

test('what is no command is told with those there are, and so is a wish for help', async () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['scripts/run.mjs', ...args], { cwd: PROJECT, encoding: 'utf8' });
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('rollback') });
  expect(run('steps')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^There is no command 'steps'. There are start, /),
  });
});

test('a command whose reader goes early, as `| head` does, does its work without a word', async () => {
  const script = '{ "$0" scripts/run.mjs keys create leida; echo "code $?" >&2; } | true';
  const { stderr } = spawnSync('bash', ['-c', script, process.execPath], {
    ...{ cwd: PROJECT, env: toEnv(settings), encoding: 'utf8' },
  });
  expect(stderr).toBe('code 0\n');
  expect((await runCommand('keys', ['list'], settings)).output).toContain('leida');
});

test('SIGTERM to npm alone ends the service, after the request that is on its way', async () => {
  const { child, port, ended } = await startWithNpm();
  const form = await beginForm(port);
  await fetch(`http://127.0.0.1:${port}/livez`);
  child.kill('SIGTERM');
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/livez`).catch(() => null)).toBeNull();
  form.end();
  expect(await form.answer).toMatch(/^HTTP\/1\.1 (200|403|422) /);
  expect(await ended).toEqual([0, null]);
  expect(findProcesses(settings.data_dir)).toEqual([]);
});

/** Makes its program process 1 of a space of its own. */
const UNSHARE = '/usr/bin/unshare';
const NAMESPACE = [UNSHARE, '--pid', '--fork', '--mount-proc'];
const has_namespaces = spawnSync(UNSHARE, [...NAMESPACE.slice(1), 'true']).status === 0;

test.skipIf(!has_namespaces)('as process 1 of a container it ends at SIGTERM', async () => {
  const { child, ended } = await startWithNpm([...NAMESPACE, '--kill-child=TERM']);
  child.kill('SIGKILL');
  await ended;
  await expect.poll(() => findProcesses(settings.data_dir)).toEqual([]);
});

test('every command reads the file of settings, and the environment wins', async () => {
  const file = join(folder, 'settings.env');
  writeFileSync(file, 'MAIL_HOUR=99\nSMTP_URL="smtp://mail.example:587"\n');
  const list = (env: Record<string, string>) =>
    runCommand('keys', ['list'], { ...settings, env: { ENV_FILE: file, ...env } });
  expect(await list({})).toMatchObject({
    code: 1,
    output: expect.stringContaining("MAIL_HOUR: must be 23 or less (it is '99')"),
  });
  const mail = { MAIL_HOUR: '8', MAIL_FROM: 'agenda@hoy.example' };
  expect(await list(mail)).toMatchObject({ code: 0 });
  // The file's SMTP_URL is read as well: by itself it lacks MAIL_FROM.
  expect((await list({ MAIL_HOUR: '8' })).output).toContain('MAIL_FROM: must say');
  expect((await list({ ENV_FILE: join(folder, 'none.env') })).output).toMatch(
    /^ENV_FILE: there is no /,
  );
});
