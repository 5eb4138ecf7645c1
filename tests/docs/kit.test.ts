// The operator's kit (tools/operate), as far as it can be checked without its engines: units that systemd
// takes and finds hardened, an image of what serves.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
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

test.each([
  ['the unit starts small', 'hoy-cancun@.service', /--max-semi-space-size=4/],
  ['and stays small', 'hoy-cancun@.service', /MALLOC_ARENA_MAX=2/],
  ['so does the image', 'Dockerfile', /MALLOC_ARENA_MAX=2[\s\S]*--max-semi-space-size=4/],
  ['which runs without rights', 'Dockerfile', /^USER hoy-cancun$/m],
  ['and says how it is', 'Dockerfile', /^HEALTHCHECK /m],
  [
    'a server that ends loses no connection',
    'hoy-cancun@.service',
    /^ExecStartPre=\+-\S+ .*tcp_migrate_req=1$/m,
  ],
  [
    'the doctor mails',
    'hoy-cancun-doctor.service',
    /^ExecStart=\S+ scripts\/run\.mjs doctor --mail \S+@\S+$/m,
  ],
  [
    'and has a network for it',
    'hoy-cancun-doctor.service',
    /^(?![\s\S]*PrivateNetwork=)[\s\S]*AF_INET/,
  ],
  ['the proxy writes down nobody who was refused', 'Caddyfile', /^\s+exclude http\.log\.error$/m],
  ['and sends no header twice', 'Caddyfile', /^\s+header_down -Strict-Transport-Security$/m],
])('%s: %s', (_, name, line) => expect(read(name)).toMatch(line));

test('the image has what is there, and no tests', () => {
  const kept = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  for (const name of kept) expect(existsSync(join(ROOT, name ?? '')), name).toBe(true);
  expect(kept).not.toContain('tests');
});

const LockSchema = v.object({
  packages: v.record(v.string(), v.looseObject({ integrity: v.optional(v.string()) })),
});

test('the Node that runs the code is a package of the lockfile with its digest, fetched by no script', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { packages } = v.parse(LockSchema, lock);
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
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  for (const path of [join(program, '..'), join(folder, 'scripts')])
    mkdirSync(path, { recursive: true });
  symlinkSync(process.execPath, program);
  const script = join(folder, 'scripts', 'link-node.mjs');
  copyFileSync(join(ROOT, 'scripts', 'link-node.mjs'), script);
  for (let i = 0; i < 2; i++) execFileSync(process.execPath, [script]);
  const linked = join(folder, 'node_modules', '.bin', 'node');
  expect(realpathSync(linked)).toBe(realpathSync(process.execPath));
});
