// Mail that cannot be delivered: tried again with growing pauses, given up when that is of no use, lost
// over no kill, and said in numbers without an address.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIL_BOUNDS } from '../../src/domain/mail.ts';
import { insertSent, listFailedMail, readMailHealth } from '../../src/inbox/letters.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { folder, inbox, readValue, sendIn, useInbox } from '../fixtures/inbox.ts';
import { mailer, MINUTE_MS, readers, smtp, useMailer } from '../fixtures/mailer.ts';
import { readHeader, startSmtp } from '../fixtures/smtp-server.ts';

useInbox();
useMailer('2099-01-01');
const health = () => readMailHealth(inbox, mailer.now_ms);
const EMAIL = 'secreto@correo.example';

describe('a letter', () => {
  test.each(['rcpt', 'data'] as const)(
    'refused for now (%s) is tried again, later and later',
    async (stage) => {
      smtp.answer[stage] = 451;
      await sendIn(inbox, { contact_email: EMAIL });
      await mailer.round();
      const readNext = (): Promise<unknown> =>
        readValue(inbox, "select at_ms from letters where state = 'waiting'");
      const pauses: number[] = [];
      for (let at = 0; at < 4; at += 1) {
        const next = Number(await readNext());
        pauses.push((next - mailer.now_ms) / MINUTE_MS);
        mailer.now_ms = next;
        await mailer.round();
      }
      expect(pauses).toEqual([2, 10, 30, 60]);
      expect([smtp.received.length, await health()]).toMatchObject([0, { waiting: 1, failed: 0 }]);
      smtp.answer[stage] = null;
      mailer.now_ms = Number(await readNext());
      await mailer.round();
      expect([smtp.received.length, (await health()).waiting]).toEqual([1, 0]);
    },
  );

  test.each(['rcpt', 'data'] as const)(
    'refused for good (%s) is given up at once, and others go on',
    async (stage) => {
      smtp.answer[stage] = 550;
      const { reference } = await sendIn(inbox, { contact_email: EMAIL });
      await mailer.round();
      expect(await health()).toEqual({ waiting: 0, oldest_seconds: null, failed: 1 });
      expect(await listFailedMail(inbox, 9)).toEqual([
        { kind: 'receipt', subject: reference, code: 550 },
      ]);
      smtp.answer[stage] = null;
      await sendIn(inbox, { title: 'Otra', contact_email: 'otra@correo.example' });
      await mailer.after(1);
      await mailer.after(60 * 24);
      expect(readers()).toEqual(['otra@correo.example']);
      await mailer.after(60 * 24 * 31);
      expect((await health()).failed).toBe(0);
    },
  );

  test('that could not be delivered for four days is given up', async () => {
    smtp.answer.data = 451;
    await sendIn(inbox, { contact_email: EMAIL });
    for (let hour = 0; hour < 95; hour += 1) await mailer.after(60);
    expect((await health()).waiting).toBe(1);
    await mailer.after(60);
    expect(await health()).toMatchObject({ waiting: 0, failed: 1 });
  });
});

describe('a server', () => {
  test('that is down is asked less and less, loses nothing, and no log says to whom', async () => {
    const port = Number(new URL(smtp.url).port);
    await smtp.stop();
    for (let at = 0; at < 5; at += 1)
      await sendIn(inbox, { title: `Noche ${at}`, contact_email: `secreto${at}@correo.example` });
    for (let at = 0; at < 60; at += 1) await mailer.after(1);
    // After half a minute, one, two, five, fifteen, thirty: not sixty times.
    expect(mailer.logged.filter((line) => line.includes('cannot be used')).length).toBeLessThan(9);
    expect(await health()).toMatchObject({ waiting: 5, oldest_seconds: 3600, failed: 0 });
    const again = await startSmtp(port);
    onTestFinished(again.stop);
    await mailer.after(31);
    expect(again.received.map(({ to }) => to.join()).sort()).toEqual(
      Array.from({ length: 5 }, (_, at) => `secreto${at}@correo.example`),
    );
    expect(mailer.logged.join('\n')).not.toMatch(/secreto|@|HC-/);
  });

  test('gets no more in an hour than is meant, the rest later', async () => {
    const { hour } = MAIL_BOUNDS.all;
    for (let at = 0; at < hour - 1; at += 1)
      await insertSent(inbox, `r${at}`, 'state', mailer.now_ms);
    for (let at = 0; at < 3; at += 1)
      await sendIn(inbox, { title: `Noche ${at}`, contact_email: `secreto${at}@correo.example` });
    await mailer.round();
    expect(smtp.received).toHaveLength(1);
    await mailer.after(61);
    expect(smtp.received).toHaveLength(3);
  });
});

describe('a process that is killed', () => {
  const PROGRAM = join(import.meta.dirname, '..', 'fixtures', 'mailing.ts');
  const start = (now_ms: number) =>
    spawn(process.execPath, [PROGRAM, join(folder, 'inbox.db'), smtp.url, String(now_ms)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const COUNT = 12;

  test('loses no letter, and one that is sent twice is the same one', {
    timeout: 60_000,
  }, async () => {
    for (let at = 0; at < COUNT; at += 1)
      await sendIn(inbox, { title: `Noche ${at}`, contact_email: `r${at}@correo.example` });
    let now_ms = NOW_MS;
    for (const taken of [1, 4, 6]) {
      const child = start(now_ms);
      const before = smtp.received.length;
      // Killed when a letter is taken and it has not been told so: the worst moment.
      smtp.onTaken = async () => {
        if (smtp.received.length - before !== taken) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
      await once(child, 'exit');
      now_ms += 11 * MINUTE_MS;
    }
    smtp.onTaken = async () => {};
    const [code] = await once(start(now_ms), 'exit');
    expect(code).toBe(0);
    const sent = smtp.received.map((one) => [one.to.join(), readHeader(one, 'Message-ID')].join());
    expect(new Set(smtp.received.map(({ to }) => to.join())).size).toBe(COUNT);
    expect(new Set(sent).size).toBe(COUNT);
    expect(sent.length).toBeLessThanOrEqual(COUNT + 3);
    mailer.now_ms = now_ms;
    expect((await health()).waiting).toBe(0);
  });
});
