// Maintenance of the inbox: sends email, erases expired data and compacts the file. A task that hangs or fails is
// reported, and does not stop the others.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { erasePrivateData } from '../../../src/desk/retention.ts';
import {
  createBackupSchedule,
  createMaintenance,
  createRunCommand,
  listBackupProblems,
  type Maintenance,
} from '../../../src/server/process/maintenance.ts';
import { createTaskReport } from '../../../src/server/process/task-report.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import {
  folder,
  inbox,
  queryRows,
  queryValue,
  submitTestEvent,
  useInbox,
} from '../../fixtures/inbox.ts';
import { startSmtp, type TestSmtp } from '../../fixtures/smtp-server.ts';

let smtp: TestSmtp;
let maintenance: Maintenance;
const runs: string[] = [];
const reported: unknown[] = [];
useInbox();
beforeEach(async () => {
  smtp = await startSmtp();
  runs.length = 0;
  reported.length = 0;
  maintenance = await createMaintenance({
    config: loadConfig({ DATA_DIR: folder, SMTP_URL: smtp.url, MAIL_FROM: 'agenda@hoy.example' }),
    clock: () => FRIDAY_NOON_MS,
    log: pino({ level: 'silent' }),
    run: async (args) => {
      runs.push(args.join(' '));
      return { problem: null, lines: [] };
    },
    report: (...words) => void reported.push(words),
    getReleasedEvents: () => null,
    composeForSubscriber: () => null,
  });
});
afterEach(() => smtp.stop());

test('an email is sent once despite repeated checks, and stop waits for one that is being sent', async () => {
  await submitTestEvent(inbox);
  const received = Promise.withResolvers<void>();
  smtp.onReceived = () => {
    received.resolve();
    return sleep(300);
  };
  for (let i = 0; i < 3; i++) maintenance.check(FRIDAY_NOON_MS);
  await received.promise;
  await maintenance.stop();
  expect(smtp.received.length).toBe(1);
  expect(await queryValue(inbox, "select count(*) from letters where state = 'waiting'")).toBe(0);
});

test('the file is compacted soon after an erasure, and only once', async () => {
  await erasePrivateData(inbox, (await submitTestEvent(inbox)).reference, null);
  for (let i = 0; i < 3; i++) {
    maintenance.check(FRIDAY_NOON_MS);
    await sleep(50);
  }
  await maintenance.stop();
  expect(runs).toEqual(['editors compact']);
});

test('no task runs while another program locks the inbox', async () => {
  await submitTestEvent(inbox);
  const other = new Database(join(folder, 'inbox.db'));
  other.exec('begin immediate');
  maintenance.check(FRIDAY_NOON_MS);
  await sleep(100);
  other.exec('rollback');
  other.close();
  expect(smtp.received).toEqual([]);
  maintenance.check(FRIDAY_NOON_MS);
  await expect.poll(() => smtp.received.length).toBe(1);
  await maintenance.stop();
});

const SILENT = pino({ level: 'silent' });

/** Runs a script instead of our commands, with a time limit. */
function createRunner(script: string, limit_ms: number) {
  const run_script = join(folder, 'run.mjs');
  writeFileSync(run_script, script);
  const { signal } = new AbortController();
  const config = loadConfig({ DATA_DIR: folder });
  const timeouts_ms = { backup: limit_ms, editors: limit_ms, release: limit_ms, sources: limit_ms };
  return createRunCommand(config, () => FRIDAY_NOON_MS, run_script, signal, timeouts_ms);
}

test('a backup that hangs is stopped, and every process reports it until one succeeds', async () => {
  const config = loadConfig({ BACKUP_DIR: join(folder, 'backups') });
  const file = join(folder, 'failed-tasks.json');
  const [primary, other] = [1, 2].map(() => createTaskReport(file, () => FRIDAY_NOON_MS));
  if (!primary || !other) return;
  const task_log = { log: SILENT, report: primary.report };
  await createBackupSchedule(config, task_log, createRunner('for (;;);', 500))(FRIDAY_NOON_MS);
  const problem =
    'backup: failed at 2026-11-20T12:00:00-05:00: it took longer than 0.5 s and was stopped';
  expect([primary.listProblems(), other.listProblems()]).toEqual([[problem], [problem]]);
  await createBackupSchedule(config, task_log, createRunner('', 50_000))(FRIDAY_NOON_MS);
  expect([primary.listProblems(), other.listProblems()]).toEqual([[], []]);
});

test('a failure is reported although it cannot be saved', () => {
  const report = createTaskReport(join(folder, 'missing', 'failed-tasks.json'), () => 0);
  report.report('backup', 'the log says why');
  expect(report.listProblems()).toHaveLength(1);
  report.clear();
  expect(report.listProblems()).toEqual([]);
});

test('a newest backup that is two days old is reported', () => {
  const backup_dir = join(folder, 'backups');
  mkdirSync(join(backup_dir, '20261118T170001Z'), { recursive: true });
  const config = loadConfig({ BACKUP_DIR: backup_dir });
  expect(listBackupProblems(config, FRIDAY_NOON_MS)).toEqual([]);
  expect(listBackupProblems(config, FRIDAY_NOON_MS + 2000)).toEqual([
    'backup: the newest is of 2026-11-18T12:00:01-05:00',
  ]);
});

test('a failed erasure is reported, and emails are still sent', async () => {
  await submitTestEvent(inbox);
  await queryRows(inbox, 'alter table readers rename column asked_ms to lost_ms');
  maintenance.check(FRIDAY_NOON_MS);
  await expect.poll(() => smtp.received.length).toBe(1);
  expect(reported).toContainEqual(['erasure', 'the log says why']);
  await queryRows(inbox, 'alter table readers rename column lost_ms to asked_ms');
  await maintenance.stop();
});
