// Maintenance of the inbox: sends email and compacts the file.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { erasePrivateData } from '../../../src/desk/retention.ts';
import { createMaintenance, type Maintenance } from '../../../src/server/process/maintenance.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { folder, inbox, queryValue, submitTestEvent, useInbox } from '../../fixtures/inbox.ts';
import { startSmtp, type TestSmtp } from '../../fixtures/smtp-server.ts';

let smtp: TestSmtp;
let maintenance: Maintenance;
const runs: string[] = [];
useInbox();
beforeEach(async () => {
  smtp = await startSmtp();
  runs.length = 0;
  maintenance = await createMaintenance({
    config: loadConfig({ DATA_DIR: folder, SMTP_URL: smtp.url, MAIL_FROM: 'agenda@hoy.example' }),
    clock: () => FRIDAY_NOON_MS,
    log: pino({ level: 'silent' }),
    run: async (args) => {
      runs.push(args.join(' '));
      return { code: 0, lines: [] };
    },
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
