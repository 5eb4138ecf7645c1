// npm run doctor: reports problems with a fix, and emails the operator once per problem.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../src/config.ts';
import { checkFileSystem, runChecks, emailFindings } from '../../src/server/doctor.ts';
import { drainServer } from '../../src/server/process/listen.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { readBody, readHeader, startSmtp } from '../fixtures/smtp-server.ts';
import { serveFake } from './fake-release.ts';
import { listenOnLocalhost, useFolder } from '../fixtures/folder.ts';

const DAY_MS = 86_400_000;
const folder = useFolder();
const backup_dir = join(folder, 'backups');
const fake = await serveFake();
const smtp = await startSmtp();
/** A proxy that adds X-Forwarded-For, like the proxies in tools/operate. */
const proxy = createServer((incoming, response) => {
  const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' };
  const options = { port: fake.port, path: incoming.url, headers, agent: false };
  request(options, (proxied) => proxied.pipe(response)).end();
});
const site_url = `http://127.0.0.1:${await listenOnLocalhost(proxy)}`;
mkdirSync(join(backup_dir, '20261120T080000Z'), { recursive: true });
afterAll(async () => {
  await drainServer(proxy);
  await smtp.stop();
});

type Env = Readonly<Record<string, string>>;
const SERVER_ENV = { DATA_DIR: fake.layout.data_dir, PORT: String(fake.port), TRUST_PROXY: '1' };
const createConfig = (env: Env = {}): Config =>
  loadConfig({ ...SERVER_ENV, SITE_URL: site_url, BACKUP_DIR: backup_dir, ENV_FILE: '', ...env });
async function findMessages(
  subject: string,
  env: Env = {},
  now_ms = FRIDAY_NOON_MS,
): Promise<string> {
  const findings = await runChecks(createConfig(env), now_ms);
  return findings
    .filter((finding) => finding.subject === subject)
    .map(({ level, message }) => `${level} ${message}`)
    .join('\n');
}

test('reports no problems of a healthy service', async () => {
  const findings = await runChecks(createConfig(), FRIDAY_NOON_MS);
  expect(findings.map(({ subject, level }) => `${subject} ${level}`)).toEqual([
    ...['service ok', 'proxy ok', 'settings note', 'files ok', 'mail ok', 'backup ok'],
  ]);
});

test.each<readonly [string, Env, RegExp]>([
  ['settings', { SITE_URL: 'http://hoy.example' }, /^WRONG .*not https/],
  ['settings', { SITE_URL: 'https://hoy.example' }, /^ok /],
  ['settings', { CLOCK_START: '2026-11-20T12:00:00Z' }, /^WRONG .*does not use the real time/],
  ['proxy', { TRUST_PROXY: '0' }, /^WRONG .*all visitors count as one\. Set TRUST_PROXY=1$/],
  ['proxy', { TRUST_PROXY: '2' }, /^WRONG .*visitors can forge their address/],
  ['proxy', { SITE_URL: 'http://127.0.0.1:9' }, /^WRONG .*cannot be reached/],
  ['service', { PORT: '9' }, /^note no response from .*9 /],
  ['mail', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@hoy.example' }, /^WRONG .*ECONNREFUSED/],
  ['backup', { BACKUP_DIR: '/nowhere' }, /^WRONG BACKUP_DIR has no backup /],
  ['files', { DATA_DIR: '/nowhere' }, /^note .*inbox\.db does not exist yet/],
])('checks %s with %o', async (subject, env, pattern) => {
  expect(await findMessages(subject, env)).toMatch(pattern);
});

test('reports a backup that is more than two days old', async () => {
  expect(await findMessages('backup', {}, FRIDAY_NOON_MS + 3 * DAY_MS)).toContain(
    '3 days old. Find out why',
  );
});

test.each([
  ['NFS', 0x6969],
  ['SMB', 0xff534d42],
  ['SMB', 0xfe534d42],
])('reports a data folder on %s (type %i), and none on a local disk', (name, type) => {
  expect(checkFileSystem(folder, type)).toMatchObject({
    level: 'WRONG',
    message: expect.stringContaining(`is on a network disk (${name})`),
  });
  expect(checkFileSystem(folder)).toBe(null);
});

test('reports files that other users can read and unknown settings', async () => {
  for (const name of ['inbox.db', 'uploads.db']) {
    const path = join(fake.layout.data_dir, name);
    chmodSync(path, 0o644);
    expect(await findMessages('files')).toContain(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
  }
  const file = join(folder, 'settings.env');
  for (const [text, mode, pattern] of [
    ['SITE_URL=https://hoy.example\n', 0o644, /^note /],
    ['SITE_UR=https://hoy.example\n', 0o600, /^WRONG unknown settings in .*: SITE_UR\./],
    ['SMTP_URL=smtp://a:b@c\n', 0o644, /SMTP_URL .*chmod 600 .*settings\.env/],
  ] as const) {
    writeFileSync(file, text);
    chmodSync(file, mode);
    expect(await findMessages('settings', { ENV_FILE: file })).toMatch(pattern);
  }
});

test('emails the operator if the service reports problems or does not respond, once per problem and day', async () => {
  const run = async (now_ms: number, env: Env = {}) => {
    const config = createConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'agenda@hoy.example', ...env });
    await emailFindings(config, 'ana@hoy.example', await runChecks(config, now_ms), now_ms);
    return smtp.received.splice(0);
  };
  expect(await run(FRIDAY_NOON_MS)).toEqual([]);

  const stale_ms = FRIDAY_NOON_MS + 13 * 3_600_000;
  fake.clock.now_ms = stale_ms;
  const [email, ...others] = await run(stale_ms);
  expect([email?.to, others]).toEqual([['ana@hoy.example'], []]);
  if (email === undefined) return;
  expect(readHeader(email, 'subject')).toMatch(/^Hoy Cancún: release: .*older than two runs/);
  expect(readBody(email)).toMatch(
    /^service: release: [\s\S]* Run npm run release to see why[\s\S]*\/statusz · npm run doctor/,
  );
  expect(await run(stale_ms + 300_000)).toEqual([]);
  expect(await run(stale_ms + DAY_MS)).toHaveLength(1);

  const [down] = await run(stale_ms + DAY_MS + 1, { PORT: '9' });
  expect(down && readBody(down)).toContain('service: no response from http://127.0.0.1:9');

  // An email that was not accepted is sent again. A problem that was solved is reported when it returns.
  smtp.answer.data = 451;
  await expect(run(stale_ms)).rejects.toThrow(/^The email was not accepted \(451\): service/);
  smtp.answer.data = null;
  expect(await run(stale_ms)).toHaveLength(1);
  fake.clock.now_ms = FRIDAY_NOON_MS;
  expect(await run(FRIDAY_NOON_MS)).toEqual([]);
  fake.clock.now_ms = stale_ms;
  expect(await run(stale_ms)).toHaveLength(1);
});
