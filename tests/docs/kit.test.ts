// The operator's kit (tools/operate), as far as it can be checked without its engines: units that systemd
// takes and finds hardened, an image that stays small, every file told of.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isProgram } from '../fixtures/programs.ts';
import { makeFolder, makeTestFolder } from '../fixtures/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KIT = join(ROOT, 'tools', 'operate');
const read = (name: string): string => readFileSync(join(KIT, name), 'utf8');

test('docs/operations.md names every file of it', () => {
  const paper = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const unnamed = readdirSync(KIT).filter((name) => !paper.includes(`\`${name}\``));
  expect(unnamed).toEqual([]);
});

/** systemd's own checker. */
const ANALYZE = '/usr/bin/systemd-analyze';
describe.skipIf(!isProgram(ANALYZE))('the units', () => {
  /** As they are, but for programs that are not on this machine. */
  const folder = makeFolder();
  const units = readdirSync(KIT).filter((name) => /\.(service|timer)$/.test(name));
  for (const name of units)
    writeFileSync(
      join(folder, name.replace('@.', '@a.')),
      read(name).replace(/^(ExecStart=)\S*node /m, '$1/bin/true '),
    );
  const analyze = (...args: string[]) =>
    spawnSync(ANALYZE, args, { cwd: folder, encoding: 'utf8' });

  test('are taken by systemd without a word', () => {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    // What it says of the machine's own units is none of ours.
    const { status, stderr } = analyze('verify', '--recursive-errors=no', ...paths);
    const said = stderr.split('\n').filter((line) => line.includes('hoy-cancun'));
    expect({ status, said }).toEqual({ status: 0, said: [] });
  });

  test.each([
    ['hoy-cancun@a.service', 20],
    ['hoy-cancun-backup.service', 15],
    ['hoy-cancun-doctor.service', 20],
  ])('%s may do little: an exposure of at most %i of 100', (name, threshold) => {
    const args = ['--offline=yes', `--threshold=${threshold}`, join(folder, name)];
    const { status, stdout } = analyze('security', ...args);
    expect(status, stdout.slice(-200)).toBe(0);
    rmSync(join(folder, name));
  });
});

test('its command has the settings, the folder and the user of the unit', () => {
  const [command, unit] = [read('hoy-cancun'), read('hoy-cancun@.service')];
  expect(spawnSync('sh', ['-n', join(KIT, 'hoy-cancun')]).status).toBe(0);
  const units = readdirSync(KIT).filter((name) => name.endsWith('.service'));
  for (const setting of ['ENV_FILE=/etc/hoy-cancun/settings.env', '/var/lib/hoy-cancun'])
    for (const file of [command, ...units.map(read)]) expect(file).toContain(setting);
  expect(command).toContain('runuser -u hoy-cancun');
  expect(unit).toContain('User=hoy-cancun');
  // What it may not write to is the timer's.
  const backups = '/var/backups/hoy-cancun';
  expect(unit).not.toContain(backups);
  expect(read('hoy-cancun-backup.service')).toContain(`ReadWritePaths=${backups}`);
  const settings = parseEnv(read('settings.env.example'));
  expect(settings).toMatchObject({ BACKUP_DIR: backups, BACKUP_HOURS: '0' });
  // Shared by both folders of code, and the user's own: not in the folder of the code.
  const told = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const agenda = settings.CONTENT_DIR?.replace(/\/content$/, '');
  expect(told).toContain(`chown -R hoy-cancun: ${agenda}`);
});

test('what is started stays small, in a unit as in the image', () => {
  for (const name of ['hoy-cancun@.service', 'Dockerfile'])
    for (const told of ['--max-semi-space-size=4', 'MALLOC_ARENA_MAX=2'])
      expect(read(name)).toContain(told);
});

test('two that share a port lose no connection when one of them ends', () => {
  expect(read('hoy-cancun@.service')).toMatch(/^ExecStartPre=\+-\S+ .*tcp_migrate_req=1$/m);
});

test('the doctor of the kit mails, and may reach the mail server and the service', () => {
  const unit = read('hoy-cancun-doctor.service');
  expect(unit).toMatch(/^ExecStart=\S+ scripts\/run\.mjs doctor --mail \S+@\S+$/m);
  expect(unit).not.toContain('PrivateNetwork=');
  expect(unit).toContain('AF_INET');
});

const LockSchema = v.object({
  packages: v.record(
    v.string(),
    v.looseObject({ dev: v.optional(v.boolean()), integrity: v.optional(v.string()) }),
  ),
});
const readLock = () =>
  v.parse(LockSchema, JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));

test('the Node that runs the code is a package of the lockfile with its digest, fetched by no script', () => {
  const { packages } = readLock();
  const nodes = ['linux-x64', 'linux-arm64', 'win-x64'].map(
    (name) => packages[`node_modules/node-${name}`],
  );
  for (const node of nodes)
    expect(node).toMatchObject({ integrity: expect.stringMatching(/^sha512-/), optional: true });
  expect(Object.keys(packages)).not.toContain('node_modules/node');
  const unchecked = Object.entries(packages).filter(
    ([path, { integrity }]) => path.startsWith('node_modules/') && integrity === undefined,
  );
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

test('npm of any age leaves a way to that Node', () => {
  const folder = makeTestFolder();
  const program = join(
    folder,
    'node_modules',
    `node-${process.platform}-${process.arch}`,
    'bin',
    'node',
  );
  for (const path of [join(program, '..'), join(folder, 'scripts')])
    mkdirSync(path, { recursive: true });
  symlinkSync(process.execPath, program);
  const script = join(folder, 'scripts', 'link-node.mjs');
  copyFileSync(join(ROOT, 'scripts', 'link-node.mjs'), script);
  for (let i = 0; i < 2; i++) execFileSync(process.execPath, [script]);
  const linked = join(folder, 'node_modules', '.bin', 'node');
  expect(realpathSync(linked)).toBe(realpathSync(process.execPath));
});

/** What the Dockerfile removes. */
const LEFT_OUT =
  /node_modules\/(typescript\/|node-linux-[^/]+\/|better-sqlite3\/(deps|src|prebuilds\/(darwin|win32)))/;

/** Bytes of a folder, without the packages inside it and what the Dockerfile leaves out. */
function weigh(dir: string): number {
  return readdirSync(dir, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + weigh(path);
    const is_of_editors = /\.(map|d\.[mc]?ts)$/.test(path) && !path.includes('node_modules/astro/');
    return entry.isFile() && !is_of_editors && !LEFT_OUT.test(path)
      ? sum + statSync(path).size
      : sum;
  }, 0);
}

test('the image is under 400 MB: its base, one Node, the packages that serve, our code', () => {
  const BASE_MB = 85;
  const packages = Object.entries(readLock().packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => join(ROOT, path))
    .filter((path) => existsSync(path));
  expect(packages.length).toBeGreaterThan(100);
  const bytes = [
    ...packages.map(weigh),
    statSync(join(ROOT, 'node_modules/.bin/node')).size,
    ...['src', 'scripts', 'public', 'content'].map((name) => weigh(join(ROOT, name))),
  ].reduce((sum, one) => sum + one, 0);
  expect(BASE_MB + bytes / 1e6).toBeLessThan(400);
  const dockerfile = read('Dockerfile');
  const removed = ['node-linux-*', 'typescript', 'better-sqlite3/deps', 'better-sqlite3/src'];
  for (const name of removed) expect(dockerfile).toContain(` node_modules/${name}`);
});

test('the image holds no more than what serves, and runs without rights', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/^USER hoy-cancun$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  const kept = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  for (const name of kept) expect(existsSync(join(ROOT, name ?? '')), name).toBe(true);
  expect(kept).not.toContain('tests');
});

test('the proxy does not write down who was refused, or send a header twice that both say', () => {
  const caddy = read('Caddyfile');
  expect(caddy).toMatch(/^\s+exclude http\.log\.error$/m);
  expect(caddy).toMatch(/^\s+header_down -Strict-Transport-Security$/m);
});
