// Upkeep of the inbox by the service: letters go out, the file is compacted.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { createMaintenance, type Maintenance } from '../../src/server/process/maintenance.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { folder, inbox, readValue, sendIn, useInbox } from '../fixtures/inbox.ts';
import { startSmtp, type TestSmtp } from '../fixtures/smtp-server.ts';

let smtp: TestSmtp;
let upkeep: Maintenance;
const runs: string[] = [];
useInbox();
beforeEach(async () => {
  smtp = await startSmtp();
  runs.length = 0;
  upkeep = await createMaintenance({
    config: loadConfig({ DATA_DIR: folder, SMTP_URL: smtp.url, MAIL_FROM: 'agenda@hoy.example' }),
    clock: () => FRIDAY_NOON_MS,
    log: pino({ level: 'silent' }),
    run: async (words) => {
      runs.push(words.join(' '));
      return { code: 0, lines: [] };
    },
    readRelease: () => null,
    writeForReader: () => null,
  });
});
afterEach(() => smtp.stop());

test('a letter goes out once, however often it is looked, and one on its way ends before the service does', async () => {
  await sendIn(inbox);
  const taken = Promise.withResolvers<void>();
  smtp.onTaken = () => {
    taken.resolve();
    return sleep(300);
  };
  for (let i = 0; i < 3; i++) upkeep.check(FRIDAY_NOON_MS);
  await taken.promise;
  await upkeep.stop();
  expect(smtp.received.length).toBe(1);
  expect(await readValue(inbox, "select count(*) from letters where state = 'waiting'")).toBe(0);
});

test('the file is compacted soon after an erasure, and not again at every look', async () => {
  await erasePrivateData(inbox, (await sendIn(inbox)).reference, null);
  for (let i = 0; i < 3; i++) {
    upkeep.check(FRIDAY_NOON_MS);
    await sleep(50);
  }
  await upkeep.stop();
  expect(runs).toEqual(['editors compact']);
});

test('nothing is looked at while another program has the inbox to itself', async () => {
  await sendIn(inbox);
  const other = new Database(join(folder, 'inbox.db'));
  other.exec('begin immediate');
  upkeep.check(FRIDAY_NOON_MS);
  await sleep(100);
  other.exec('rollback');
  other.close();
  expect(smtp.received).toEqual([]);
  upkeep.check(FRIDAY_NOON_MS);
  await expect.poll(() => smtp.received.length).toBe(1);
  await upkeep.stop();
});
