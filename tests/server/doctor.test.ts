// npm run doctor: each thing that may be wrong is said with what to do, and what is well is no fault.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { rememberSettings } from '../../src/releases/made-for.ts';
import { type Finding, toReport } from '../../src/server/doctor/finding.ts';
import {
  checkClock,
  checkDisk,
  checkFiles,
  checkNode,
  checkSettingsFile,
} from '../../src/server/doctor/machine.ts';
import {
  checkAddress,
  checkAnswers,
  checkBackup,
  checkMail,
  checkRelease,
} from '../../src/server/doctor/service.ts';
import { drain, listen } from '../../src/server/process/listen.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { RELEASES, startFake } from './fake-release.ts';

let fake: Awaited<ReturnType<typeof startFake>>;
/** A proxy that names whom it asks for, as those of tools/operate do. */
const proxy = createServer((incoming, response) => {
  const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' };
  const options = { port: fake.port, path: incoming.url, headers, agent: false };
  request(options, (answer) => answer.pipe(response)).end();
});
let site_url: string;
beforeAll(async () => {
  fake = await startFake();
  await listen(proxy, { host: '127.0.0.1', port: 0 });
  const address = proxy.address();
  site_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  await drain(proxy);
  await fake.stop();
});

const toConfig = (env: Readonly<Record<string, string>> = {}): Config =>
  readConfig({
    DATA_DIR: fake.layout.data_dir,
    PORT: String(fake.port),
    SITE_URL: site_url,
    ...env,
  });
const listLevels = (findings: readonly Finding[]) =>
  findings.map(({ about, level }) => `${about} ${level}`);

test('a public address is https and the one that the folder was made for', () => {
  expect(checkAddress(toConfig()).level).toBe('note');
  const open = { SITE_URL: 'http://hoy.example' };
  expect(checkAddress(toConfig(open))).toMatchObject({ level: 'wrong' });
  const config = toConfig({ SITE_URL: 'https://hoy.example' });
  expect(checkAddress(config).level).toBe('ok');
  rememberSettings(config, fake.layout);
  expect(checkAddress(toConfig()).says).toMatch(/^SITE_URL: it was https:\/\/hoy\.example, now/);
  rmSync(fake.layout.settings_file);
});

test('the way through the proxies is compared with TRUST_PROXY', async () => {
  expect(await checkAnswers(toConfig({ TRUST_PROXY: '1' }))).toMatchObject([
    { about: 'service', level: 'ok' },
    { about: 'proxy', level: 'ok' },
  ]);
  const [, unsaid] = await checkAnswers(toConfig());
  expect(unsaid).toMatchObject({ level: 'wrong', says: expect.stringContaining('counted as one') });
  expect(unsaid?.says).toContain('Set TRUST_PROXY=1');
  const [, forgeable] = await checkAnswers(toConfig({ TRUST_PROXY: '2' }));
  expect(forgeable?.says).toContain('visitors can forge their address');
  const [, gone] = await checkAnswers(toConfig({ SITE_URL: 'http://127.0.0.1:9' }));
  expect(gone).toMatchObject({ level: 'wrong', says: expect.stringContaining('is not reached') });
  expect(listLevels(await checkAnswers(toConfig({ PORT: '9' })))).toEqual(['service note']);
});

test('what the service says of itself is wrong here too', async () => {
  fake.clock.now_ms += 86_400_000;
  expect((await checkAnswers(toConfig({ TRUST_PROXY: '1' })))[0]).toMatchObject({
    level: 'wrong',
    says: expect.stringContaining('older than two runs of the schedule'),
  });
  fake.clock.now_ms = FRIDAY_NOON_MS;
});

test('a release that is damaged, or of a day to come, is wrong', async () => {
  expect((await checkRelease(toConfig(), FRIDAY_NOON_MS)).level).toBe('ok');
  expect((await checkRelease(toConfig(), FRIDAY_NOON_MS - 60_000)).says).toContain(
    'Mend the clock',
  );
  writeFileSync(fake.layout.current_file, `${RELEASES[1]}\n`);
  expect((await checkRelease(toConfig(), FRIDAY_NOON_MS)).says).toContain('it is not there');
  writeFileSync(fake.layout.current_file, `${RELEASES[0]}\n`);
});

test('a mail server that is not there is named with its reason; none is no fault', async () => {
  expect((await checkMail(toConfig())).level).toBe('ok');
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@hoy.example' };
  expect(await checkMail(toConfig(mail))).toMatchObject({
    level: 'wrong',
    says: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a backup is missed after two days', () => {
  const note = (made_ms: number | null) =>
    writeFileSync(
      join(fake.layout.data_dir, 'last-backup.json'),
      JSON.stringify({ made_ms, tried_ms: null }),
    );
  expect(checkBackup(toConfig(), FRIDAY_NOON_MS).says).toContain('none was ever made');
  note(FRIDAY_NOON_MS - 3_600_000);
  expect(checkBackup(toConfig(), FRIDAY_NOON_MS).level).toBe('ok');
  note(FRIDAY_NOON_MS - 3 * 86_400_000);
  expect(checkBackup(toConfig(), FRIDAY_NOON_MS).says).toContain('3 days old');
});

test('the machine: files that others may read, a clock that is set, settings that are none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-doctor-'));
  const inbox = join(fake.layout.data_dir, 'inbox.db');
  expect(checkFiles(toConfig()).every(({ level }) => level !== 'wrong')).toBe(true);
  chmodSync(inbox, 0o644);
  expect(checkFiles(toConfig())[0]?.says).toContain(`chmod 600 ${inbox}`);
  chmodSync(inbox, 0o600);
  expect(listLevels(checkFiles(toConfig({ DATA_DIR: join(folder, 'none') })))).toEqual([
    'files note',
  ]);
  expect((await checkClock(toConfig({ CLOCK_START: '2026-11-20T12:00:00Z' }))).level).toBe('wrong');
  expect(checkNode().level).not.toBe('wrong');
  expect(checkDisk(toConfig({ DATA_DIR: join(folder, 'none', 'deeper') })).says).toContain(
    'MB free',
  );
  const file = join(folder, 'settings.env');
  const read = (text: string, mode: number) => {
    writeFileSync(file, text);
    chmodSync(file, mode);
    return checkSettingsFile(toConfig({ ENV_FILE: file }));
  };
  expect(listLevels(read('SITE_URL=https://hoy.example\n', 0o644))).toEqual(['settings ok']);
  expect(read('SITE_UR=https://hoy.example\n', 0o600)[0]?.says).toContain('SITE_UR in');
  expect(read('SMTP_URL=smtp://a:b@c\n', 0o644)[0]?.says).toContain(`chmod 600 ${file}`);
  rmSync(folder, { recursive: true });
});

test('the report counts what is to be mended', () => {
  const findings: Finding[] = [
    { about: 'disk', level: 'ok', says: 'room' },
    { about: 'mail', level: 'wrong', says: 'none' },
  ];
  expect(toReport(findings)).toMatch(/^ok +disk +room\nWRONG +mail +none\n\n1 to be mended\.$/);
  expect(toReport(findings.slice(0, 1))).toMatch(/Nothing is wrong\.$/);
});
