// npm run doctor: each thing that may be wrong is said with what to do, what is well is no fault, and a letter
// goes out once for the same words.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { examine, mailFindings } from '../../src/server/doctor.ts';
import { drain } from '../../src/server/process/listen.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { readBody, readHeader, startSmtp, type TestSmtp } from '../fixtures/smtp-server.ts';
import { startFake } from './fake-release.ts';
import { listenHere, makeFolder } from '../fixtures/folder.ts';

const DAY_MS = 86_400_000;
const folder = makeFolder();
const backup_dir = join(folder, 'backups');
let fake: Awaited<ReturnType<typeof startFake>>;
let smtp: TestSmtp;
/** A proxy that names whom it asks for, as those of tools/operate do. */
const proxy = createServer((incoming, response) => {
  const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' };
  const options = { port: fake.port, path: incoming.url, headers, agent: false };
  request(options, (answer) => answer.pipe(response)).end();
});
let site_url: string;
beforeAll(async () => {
  fake = await startFake();
  smtp = await startSmtp();
  site_url = `http://127.0.0.1:${await listenHere(proxy)}`;
  mkdirSync(join(backup_dir, '20261120T080000Z'), { recursive: true });
});
afterEach(() => (fake.clock.now_ms = FRIDAY_NOON_MS));
afterAll(async () => {
  await drain(proxy);
  await fake.stop();
  await smtp.stop();
});

const toConfig = (env: Readonly<Record<string, string>> = {}): Config =>
  readConfig({
    DATA_DIR: fake.layout.data_dir,
    PORT: String(fake.port),
    SITE_URL: site_url,
    TRUST_PROXY: '1',
    BACKUP_DIR: backup_dir,
    ENV_FILE: '',
    ...env,
  });
/** The lines about one thing: its level, and what is said. */
async function find(about: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const findings = await examine(toConfig(env), FRIDAY_NOON_MS);
  const lines = findings.filter((finding) => finding.about === about);
  return lines.map(({ level, says }) => `${level} ${says}`).join('\n');
}

test('where all is well nothing is wrong', async () => {
  const findings = await examine(toConfig(), FRIDAY_NOON_MS);
  expect(findings.filter(({ level }) => level === 'WRONG')).toEqual([]);
  expect(findings.map(({ about }) => about)).toEqual([
    ...['service', 'proxy', 'settings', 'files', 'mail', 'backup'],
  ]);
});

test('a public address is https', async () => {
  expect(await find('settings')).toMatch(/^note .* a trial/);
  expect(await find('settings', { SITE_URL: 'http://hoy.example' })).toMatch(/^WRONG .*not https/);
  expect(await find('settings', { SITE_URL: 'https://hoy.example' })).toMatch(/^ok /);
});

test('the way through the proxies is compared with TRUST_PROXY', async () => {
  expect(await find('proxy')).toMatch(/^ok .* through 1$/);
  expect(await find('proxy', { TRUST_PROXY: '0' })).toMatch(
    /^WRONG .*all visitors count as one\. Set TRUST_PROXY=1$/,
  );
  expect(await find('proxy', { TRUST_PROXY: '2' })).toContain('visitors can forge their address');
  expect(await find('proxy', { SITE_URL: 'http://127.0.0.1:9' })).toMatch(
    /^WRONG .*is not reached/,
  );
});

test('what the service says of itself is wrong here too, and one that is stopped is said', async () => {
  fake.clock.now_ms += DAY_MS;
  expect(await find('service')).toMatch(/^WRONG release: .*older than two runs of the schedule/);
  expect(await find('service', { PORT: '9' })).toMatch(/^note nothing answers at .*9 /);
});

test('a mail server that is not there is named with its reason', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@hoy.example' };
  expect(await find('mail', mail)).toMatch(/^WRONG .*ECONNREFUSED/);
});

test('a backup is missed after two days, and where there is none', async () => {
  const findAt = async (now_ms: number): Promise<string | undefined> =>
    (await examine(toConfig(), now_ms)).find(({ about }) => about === 'backup')?.says;
  expect(await findAt(FRIDAY_NOON_MS + 3 * DAY_MS)).toContain('3 days old. See why');
  expect(await find('backup', { BACKUP_DIR: join(folder, 'none') })).toMatch(
    /^WRONG BACKUP_DIR has none /,
  );
});

test('files that others may read, a clock that is set, settings that are none', async () => {
  for (const name of ['inbox.db', 'uploads.db']) {
    const path = join(fake.layout.data_dir, name);
    chmodSync(path, 0o644);
    expect(await find('files')).toContain(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
  }
  expect(await find('files', { DATA_DIR: join(folder, 'none') })).toMatch(/^note there is no /);
  expect(await find('settings', { CLOCK_START: '2026-11-20T12:00:00Z' })).toContain('no real time');
  const file = join(folder, 'settings.env');
  const read = (text: string, mode: number): Promise<string> => {
    writeFileSync(file, text);
    chmodSync(file, mode);
    return find('settings', { ENV_FILE: file });
  };
  expect(await read('SITE_URL=https://hoy.example\n', 0o644)).toMatch(/^note /);
  expect(await read('SITE_UR=https://hoy.example\n', 0o600)).toMatch(/^WRONG SITE_UR in /);
  expect(await read('SMTP_URL=smtp://a:b@c\n', 0o644)).toContain(`chmod 600 ${file}`);
});

test('where the service wants attention or does not answer a letter goes out, once for the same words', async () => {
  const run = async (now_ms: number, env: Readonly<Record<string, string>> = {}) => {
    const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'agenda@hoy.example', ...env };
    const config = toConfig(mail);
    await mailFindings(config, 'ana@hoy.example', await examine(config, now_ms), now_ms);
    return smtp.received.splice(0);
  };
  expect(await run(FRIDAY_NOON_MS)).toEqual([]);

  fake.clock.now_ms += 13 * 3_600_000;
  const [letter, ...others] = await run(fake.clock.now_ms);
  expect([letter?.to, others]).toEqual([['ana@hoy.example'], []]);
  if (letter === undefined) return;
  expect(readHeader(letter, 'subject')).toMatch(/^Hoy Cancún: release: .*older than two runs/);
  expect(readBody(letter)).toMatch(/^service: release: [\s\S]*\/statusz · npm run doctor/);
  expect(await run(fake.clock.now_ms + 300_000)).toEqual([]);
  expect((await run(fake.clock.now_ms + DAY_MS)).length).toBe(1);

  const [gone] = await run(fake.clock.now_ms + DAY_MS + 1, { PORT: '9' });
  expect(gone && readBody(gone)).toContain('service: nothing answers at http://127.0.0.1:9');

  // One that was not taken is tried again, and what is well again is news when it comes back.
  smtp.answer.data = 451;
  await expect(run(fake.clock.now_ms)).rejects.toThrow(
    /^The letter was not taken \(451\): service/,
  );
  smtp.answer.data = null;
  expect((await run(fake.clock.now_ms)).length).toBe(1);
  const stale_ms = fake.clock.now_ms;
  fake.clock.now_ms = FRIDAY_NOON_MS;
  expect(await run(FRIDAY_NOON_MS)).toEqual([]);
  fake.clock.now_ms = stale_ms;
  expect((await run(stale_ms)).length).toBe(1);
});
