// Failed delivery: retries with growing pauses, gives up on permanent failures, survives a kill, and reports
// counts without addresses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIL_LIMITS } from '../../src/domain/mail-limits.ts';
import { recordOutgoingEmail, listFailedEmails, getMailHealth } from '../../src/inbox/outbox.ts';
import {
  folder,
  inbox,
  queryRows,
  queryValue,
  submitTestEvent,
  useInbox,
} from '../fixtures/inbox.ts';
import { mailer, MINUTE_MS, recipientAddresses, smtp, useMailer } from '../fixtures/mailer.ts';
import { readHeader, startSmtp } from '../fixtures/smtp-server.ts';

const DAY = 24 * 60;
useInbox();
useMailer('2099-01-01');
const health = () => getMailHealth(inbox, mailer.now_ms);
/** Submits events, each with its own email address. */
async function sendSome(count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await submitTestEvent(inbox, {
      title: `Noche ${at}`,
      contact_email: `secreto${at}@correo.example`,
    });
}

describe.each(['rcpt', 'data'] as const)('an email that the server rejects (%s)', (stage) => {
  test('temporarily is retried with growing pauses, and fails after four days', async () => {
    smtp.answer[stage] = 451;
    await sendSome(1);
    const pauses: number[] = [];
    for (let at = 0; at < 4; at++) {
      await mailer.round();
      const next = await queryValue(inbox, "select at_ms from letters where state = 'waiting'");
      pauses.push((Number(next) - mailer.now_ms) / MINUTE_MS);
      mailer.now_ms = Number(next);
    }
    expect(pauses).toEqual([2, 10, 30, 60]);
    await mailer.after(4 * DAY - 180);
    expect(await health()).toMatchObject({ waiting: 1, failed: 0 });
    await mailer.after(180);
    expect(await health()).toMatchObject({ waiting: 0, failed: 1 });
  });

  test('permanently fails at once and is pruned after a month, without affecting others', async () => {
    smtp.answer[stage] = 550;
    const { reference } = await submitTestEvent(inbox);
    await mailer.round();
    expect(await health()).toEqual({ waiting: 0, oldest_seconds: null, failed: 1 });
    const failure = { kind: 'receipt', subject: reference, code: 550 };
    expect(await listFailedEmails(inbox, 9)).toEqual([failure]);
    smtp.answer[stage] = null;
    await sendSome(1);
    await mailer.after(1);
    expect(recipientAddresses()).toEqual(['secreto0@correo.example']);
    await mailer.after(32 * DAY);
    expect((await health()).failed).toBe(0);
  });
});

test('retries an unreachable server less and less, loses no email, and logs no recipients', async () => {
  const port = Number(new URL(smtp.url).port);
  await smtp.stop();
  await sendSome(5);
  for (let at = 0; at < 60; at += 1) await mailer.after(1);
  // Retries after 0.5, 1, 2, 5, 15 and 30 minutes: not sixty times.
  expect(mailer.logged.filter((line) => line.includes('cannot be used')).length).toBeLessThan(9);
  expect(await health()).toMatchObject({ waiting: 5, oldest_seconds: 3600, failed: 0 });
  const again = await startSmtp(port);
  onTestFinished(again.stop);
  await mailer.after(31);
  expect(new Set(again.received.map(({ to }) => to.join())).size).toBe(5);
  expect(mailer.logged.join('\n')).not.toMatch(/secreto|@|HC-/);
});

test('an email about an unreadable submission waits without blocking others', async () => {
  const { reference } = await submitTestEvent(inbox);
  inbox.warn = () => {};
  const text = await queryValue(inbox, 'select text from changes');
  await queryRows(inbox, "update changes set text = '{}'");
  await sendSome(1);
  await mailer.round();
  expect(recipientAddresses()).toEqual(['secreto0@correo.example']);
  await queryRows(inbox, 'update changes set text = ? where reference = ?', text, reference);
  await mailer.after(11);
  expect(recipientAddresses()).toEqual(['secreto0@correo.example', 'privado@ejemplo.example']);
});

test('sends at most the hourly limit, and the rest later', async () => {
  for (let at = 1; at < MAIL_LIMITS.all.hour; at++)
    await recordOutgoingEmail(inbox, `r${at}`, 'state', mailer.now_ms);
  await sendSome(3);
  await mailer.round();
  expect(smtp.received).toHaveLength(1);
  await mailer.after(61);
  expect(smtp.received).toHaveLength(3);
});

test('a killed process loses no email, and a repeated one has the same Message-ID', async () => {
  const COUNT = 6;
  await sendSome(COUNT);
  const program = `import { openInbox } from './src/inbox/open.ts';
    import { openMailer } from './tests/fixtures/mailer.ts';
    const inbox = await openInbox('${join(folder, 'inbox.db')}');
    await openMailer(inbox, '${smtp.url}').round();`;
  const cwd = join(import.meta.dirname, '../..');
  const order = ['--input-type=module', '-e', program];
  const child = spawn(process.execPath, order, { cwd, stdio: 'inherit' });
  const ended = once(child, 'exit');
  // Kill it after the server accepted an email, before the process receives the reply: the worst moment.
  smtp.onReceived = async () => {
    if (smtp.received.length < 3) return;
    child.kill('SIGKILL');
    await ended;
  };
  await ended;
  smtp.onReceived = async () => {};
  await mailer.after(11);
  const ids = new Set(smtp.received.map((one) => readHeader(one, 'Message-ID')));
  expect([smtp.received.length, ids.size]).toEqual([COUNT + 1, COUNT]);
  expect((await health()).waiting).toBe(0);
});
