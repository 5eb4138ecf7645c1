// npm run doctor: what is wrong is said with what to do, and a letter goes out once.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../src/config.ts';
import { runChecks, emailFindings } from '../../src/server/doctor.ts';
import { drainServer } from '../../src/server/process/listen.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { readBody, readHeader, startSmtp } from '../fixtures/smtp-server.ts';
import { serveFake } from './fake-release.ts';
import { listenHere, makeFolder } from '../fixtures/folder.ts';

const DAY_MS = 86_400_000;
const folder = makeFolder();
const backup_dir = join(folder, 'backups');
const fake = await serveFake();
const smtp = await startSmtp();
/** A proxy that names whom it asks for, as those of tools/operate do. */
const proxy = createServer((incoming, response) => {
  const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' };
  const options = { port: fake.port, path: incoming.url, headers, agent: false };
  request(options, (answer) => answer.pipe(response)).end();
});
const site_url = `http://127.0.0.1:${await listenHere(proxy)}`;
mkdirSync(join(backup_dir, '20261120T080000Z'), { recursive: true });
afterAll(async () => {
  await drainServer(proxy);
  await smtp.stop();
});

type Env = Readonly<Record<string, string>>;
const SERVED = { DATA_DIR: fake.layout.data_dir, PORT: String(fake.port), TRUST_PROXY: '1' };
const toConfig = (env: Env = {}): Config =>
  loadConfig({ ...SERVED, SITE_URL: site_url, BACKUP_DIR: backup_dir, ENV_FILE: '', ...env });
async function find(about: string, env: Env = {}, now_ms = FRIDAY_NOON_MS): Promise<string> {
  const findings = await runChecks(toConfig(env), now_ms);
  const lines = findings.filter((finding) => finding.about === about);
  return lines.map(({ level, says }) => `${level} ${says}`).join('\n');
}

test('where all is well nothing is wrong', async () => {
  const findings = await runChecks(toConfig(), FRIDAY_NOON_MS);
  expect(findings.map(({ about, level }) => `${about} ${level}`)).toEqual([
    ...['service ok', 'proxy ok', 'settings note', 'files ok', 'mail ok', 'backup ok'],
  ]);
});

test.each<readonly [string, Env, RegExp]>([
  ['settings', { SITE_URL: 'http://hoy.example' }, /^WRONG .*not https/],
  ['settings', { SITE_URL: 'https://hoy.example' }, /^ok /],
  ['settings', { CLOCK_START: '2026-11-20T12:00:00Z' }, /^WRONG .*no real time/],
  ['proxy', { TRUST_PROXY: '0' }, /^WRONG .*all visitors count as one\. Set TRUST_PROXY=1$/],
  ['proxy', { TRUST_PROXY: '2' }, /^WRONG .*visitors can forge their address/],
  ['proxy', { SITE_URL: 'http://127.0.0.1:9' }, /^WRONG .*is not reached/],
  ['service', { PORT: '9' }, /^note nothing answers at .*9 /],
  ['mail', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@hoy.example' }, /^WRONG .*ECONNREFUSED/],
  ['backup', { BACKUP_DIR: '/nowhere' }, /^WRONG BACKUP_DIR has none /],
  ['files', { DATA_DIR: '/nowhere' }, /^note there is no /],
])('%s with %o', async (about, env, line) => {
  expect(await find(about, env)).toMatch(line);
});

test('a backup is missed after two days', async () => {
  expect(await find('backup', {}, FRIDAY_NOON_MS + 3 * DAY_MS)).toContain('3 days old. See why');
});

test('files that others may read, settings that are none', async () => {
  for (const name of ['inbox.db', 'uploads.db']) {
    const path = join(fake.layout.data_dir, name);
    chmodSync(path, 0o644);
    expect(await find('files')).toContain(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
  }
  const file = join(folder, 'settings.env');
  for (const [text, mode, line] of [
    ['SITE_URL=https://hoy.example\n', 0o644, /^note /],
    ['SITE_UR=https://hoy.example\n', 0o600, /^WRONG SITE_UR in /],
    ['SMTP_URL=smtp://a:b@c\n', 0o644, /chmod 600 .*settings\.env/],
  ] as const) {
    writeFileSync(file, text);
    chmodSync(file, mode);
    expect(await find('settings', { ENV_FILE: file })).toMatch(line);
  }
});

test('where the service wants attention or does not answer a letter goes out, once for the same words', async () => {
  const run = async (now_ms: number, env: Env = {}) => {
    const config = toConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'agenda@hoy.example', ...env });
    await emailFindings(config, 'ana@hoy.example', await runChecks(config, now_ms), now_ms);
    return smtp.received.splice(0);
  };
  expect(await run(FRIDAY_NOON_MS)).toEqual([]);

  const stale_ms = FRIDAY_NOON_MS + 13 * 3_600_000;
  fake.clock.now_ms = stale_ms;
  const [letter, ...others] = await run(stale_ms);
  expect([letter?.to, others]).toEqual([['ana@hoy.example'], []]);
  if (letter === undefined) return;
  expect(readHeader(letter, 'subject')).toMatch(/^Hoy Cancún: release: .*older than two runs/);
  expect(readBody(letter)).toMatch(/^service: release: [\s\S]*\/statusz · npm run doctor/);
  expect(await run(stale_ms + 300_000)).toEqual([]);
  expect(await run(stale_ms + DAY_MS)).toHaveLength(1);

  const [gone] = await run(stale_ms + DAY_MS + 1, { PORT: '9' });
  expect(gone && readBody(gone)).toContain('service: nothing answers at http://127.0.0.1:9');

  // One that was not taken is tried again, and what is well again is news when it comes back.
  smtp.answer.data = 451;
  await expect(run(stale_ms)).rejects.toThrow(/^The letter was not taken \(451\): service/);
  smtp.answer.data = null;
  expect(await run(stale_ms)).toHaveLength(1);
  fake.clock.now_ms = FRIDAY_NOON_MS;
  expect(await run(FRIDAY_NOON_MS)).toEqual([]);
  fake.clock.now_ms = stale_ms;
  expect(await run(stale_ms)).toHaveLength(1);
});
