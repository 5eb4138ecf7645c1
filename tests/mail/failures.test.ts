// Failed delivery: retries with growing pauses, gives up on permanent failures, survives a kill, and reports
// counts without addresses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSmtpClient } from '../../src/mail/smtp-client.ts';
import { requestSubscription } from '../../src/inbox/subscribers.ts';
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
import { listenOnLocalhost } from '../fixtures/folder.ts';
import {
  mailer,
  MINUTE_MS,
  openMailer,
  recipientAddresses,
  smtp,
  useMailer,
} from '../fixtures/mailer.ts';
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

test('an email that cannot be written is reported, and does not stop the others', async () => {
  const broken = openMailer(inbox, smtp.url, () => {
    throw new TypeError('a fault of ours');
  });
  const subscription = { lang: 'es', query: '' } as const;
  await requestSubscription(inbox, 'lector@correo.example', subscription, broken.now_ms);
  await sendSome(2);
  await broken.round();
  expect(recipientAddresses()).toEqual(['secreto0@correo.example', 'secreto1@correo.example']);
  expect(broken.reported).toEqual(['an email could not be written; the log says why']);
  expect(broken.logged.join('\n')).toContain('an email could not be written');
  expect((await health()).waiting).toBe(1);
});

test('an hourly job that fails is reported, and emails are still sent', async () => {
  await queryRows(inbox, 'alter table readers rename column last_week to lost_week');
  mailer.now_ms = Date.parse('2026-11-26T12:00:00-05:00');
  await sendSome(1);
  await queryRows(inbox, 'update letters set queued_ms = ?', mailer.now_ms);
  await mailer.round();
  expect(recipientAddresses()).toEqual(['secreto0@correo.example']);
  expect(mailer.reported[0]).toMatch(/^emails of this hour could not be queued/);
  await queryRows(inbox, 'alter table readers rename column lost_week to last_week');
});

test('a server that never finishes counts as down after the time limit', async () => {
  const server = createServer((socket) => {
    const drip = setInterval(() => socket.write('2'), 20);
    socket.on('error', () => {}).once('close', () => clearInterval(drip));
  });
  const url = `smtp://127.0.0.1:${await listenOnLocalhost(server)}`;
  onTestFinished(() => void server.close());
  const client = createSmtpClient({ smtp_url: url, from: 'a@hoy.example' }, 'Hoy', null, 300);
  const email = {
    lang: 'es',
    ...{ subject: 'x', text: 'x', unsubscribe_url: null, to: 'b@hoy.example' },
    ...{ message_id: '<x@hoy.example>', now_ms: 0 },
  } as const;
  expect(await client.deliver(email)).toEqual({ kind: 'down', code: null });
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
